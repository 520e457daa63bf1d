/// \file
/// \brief Queries at memories against plain loops and against the operators they are made of,
/// their slopes against differences.
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/attention_scores.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/matrix_product.hpp"
#include "tests/common/autograd/samples.hpp"

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

/// batch, n_queries, n_keys, d.
struct MemorySizes
{
    std::size_t batch;
    std::size_t n_queries;
    std::size_t n_keys;
    std::size_t d;
};

const std::vector<MemorySizes>& memory_sizes()
{
    static const std::vector<MemorySizes> list = {{1, 1, 1, 1}, {2, 1, 3, 5},  {3, 2, 4, 7},
                                                  {2, 3, 1, 9}, {2, 0, 3, 2},  {2, 2, 0, 3},
                                                  {0, 1, 3, 2}, {1, 1, 17, 16}};
    return list;
}

/// The scores by the operators that they are made of.
template <typename T>
Variable<T> additive_by_parts(const Variable<T>& queries, const Variable<T>& keys,
                              const Variable<T>& w)
{
    const Shape& q = queries.shape();
    const Shape& k = keys.shape();
    const Variable<T> hidden =
        tanh(reshape(queries, {q[0], q[1], 1, q[2]}) + reshape(keys, {k[0], 1, k[1], k[2]}));
    return reshape(linear(hidden, reshape(w, {w.size(), 1})), {q[0], q[1], k[1]});
}

/// An operator has the values and gradients of those that it is made of, the slopes of differences,
/// and the same in float.
template <typename F>
void check_same(const F& fused, const ComputationIn<double>& parts,
                const std::vector<Array<double>>& in)
{
    const Array<double> dy = random_gradient(fused, in);
    const Passage<double> one = walk<double>(fused, in, dy);
    const Passage<double> other = walk<double>(parts, in, dy);
    check_close(one.value, other.value, 1e-13);
    for (std::size_t i = 0; i < in.size(); ++i) {
        check_close(one.gradients[i], other.gradients[i], 1e-12);
    }
    check_slopes(fused, in);
    check_float(fused, in, 64);
}

} // namespace

TEST_CASE("additive scores are those of the operators they are made of, slopes and all",
          "[common][autograd]")
{
    for (const MemorySizes& at : memory_sizes()) {
        CAPTURE(at.batch, at.n_queries, at.n_keys, at.d);
        const std::vector<Array<double>> in = {random_array({at.batch, at.n_queries, at.d}, 1),
                                               random_array({at.batch, at.n_keys, at.d}, 2),
                                               random_array({at.d}, 3)};
        check_same([](const auto& x) { return additive_scores(x[0], x[1], x[2]); },
                   [](const auto& x) { return additive_by_parts(x[0], x[1], x[2]); }, in);
    }
}

TEST_CASE("dot scores and weighted sums are products of matrices, slopes and all",
          "[common][autograd]")
{
    for (const MemorySizes& at : memory_sizes()) {
        CAPTURE(at.batch, at.n_keys, at.d);
        const Array<double> keys = random_array({at.batch, at.n_keys, at.d}, 2);
        check_same([](const auto& x) { return dot_scores(x[0], x[1]); },
                   [&](const auto& x) {
                       return reshape(matmul(x[1], reshape(x[0], {at.batch, at.d, 1})),
                                      {at.batch, at.n_keys});
                   },
                   {random_array({at.batch, at.d}, 1), keys});
        check_same([](const auto& x) { return weighted_sum(x[0], x[1]); },
                   [&](const auto& x) {
                       return reshape(matmul(reshape(x[0], {at.batch, 1, at.n_keys}), x[1]),
                                      {at.batch, at.d});
                   },
                   {random_array({at.batch, at.n_keys}, 1), keys});
    }
}

TEST_CASE("queries that do not fit a memory are refused with both shapes", "[common][autograd]")
{
    const Variable<double> keys(random_array({2, 3, 4}));
    const Variable<double> w(random_array({4}));
    const Variable<double> fits(random_array({2, 1, 4}));
    CHECK_THROWS_WITH(additive_scores<double>(random_array({2, 1, 5}), keys, w),
                      contains("[2, 1, 5]") && contains("[2, 3, 4]"));
    CHECK_THROWS_WITH(additive_scores<double>(random_array({3, 1, 4}), keys, w),
                      contains("[3, 1, 4]"));
    CHECK_THROWS_WITH(additive_scores<double>(fits, keys, random_array({5})), contains("[5]"));
    CHECK_THROWS_WITH(dot_scores<double>(random_array({2, 3}), keys),
                      contains("[2, 3]") && contains("[2, 3, 4]"));
    CHECK_THROWS_WITH(weighted_sum<double>(random_array({2, 4}), keys),
                      contains("[2, 4]") && contains("[2, 3, 4]"));
    CHECK_THROWS_WITH(weighted_sum<double>(random_array({2, 1, 3}), keys),
                      contains("[2, 1, 3]"));
}
