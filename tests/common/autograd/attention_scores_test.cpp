/// \file
/// \brief Queries at memories against the products of matrices that they are, their slopes against
/// differences.
#include "common/autograd/attention_scores.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "tests/common/autograd/samples.hpp"

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

/// batch, n_keys, d.
struct MemorySizes
{
    std::size_t batch;
    std::size_t n_keys;
    std::size_t d;
};

const std::vector<MemorySizes>& memory_sizes()
{
    static const std::vector<MemorySizes> list = {{1, 1, 1}, {2, 3, 5}, {3, 4, 7}, {2, 1, 9},
                                                  {2, 3, 2}, {2, 0, 3}, {0, 3, 2}, {1, 17, 16}};
    return list;
}

} // namespace

TEST_CASE("dot scores and weighted sums are products of matrices, slopes and all",
          "[common][autograd]")
{
    for (const MemorySizes& at : memory_sizes()) {
        CAPTURE(at.batch, at.n_keys, at.d);
        const Array<double> keys = random_array({at.batch, at.n_keys, at.d}, 2);
        check_parts([](const auto& x) { return dot_scores(x[0], x[1]); },
                    [&](const auto& x) {
                        return reshape(matmul(x[1], reshape(x[0], {at.batch, at.d, 1})),
                                       {at.batch, at.n_keys});
                    },
                    {random_array({at.batch, at.d}, 1), keys});
        check_parts([](const auto& x) { return weighted_sum(x[0], x[1]); },
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
    CHECK_THROWS_WITH(dot_scores<double>(random_array({2, 3}), keys),
                      contains("[2, 3]") && contains("[2, 3, 4]"));
    CHECK_THROWS_WITH(weighted_sum<double>(random_array({2, 4}), keys),
                      contains("[2, 4]") && contains("[2, 3, 4]"));
    CHECK_THROWS_WITH(weighted_sum<double>(random_array({2, 1, 3}), keys),
                      contains("[2, 1, 3]"));
}
