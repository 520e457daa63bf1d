#include "chapters/14_simd_transformer/whole_model/whole_model.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/reductions.hpp"
#include "tests/14_simd_transformer/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace attn;
using attn::testing::converted;
using attn::testing::difference;
using attn::testing::random_numbers;
using attn::testing::same_bits;
using autograd::Variable;
using multi_head::AttentionMask;
namespace simd = attn::simd_transformer;

namespace {

struct AttentionCase
{
    std::size_t batch;
    std::size_t n_heads;
    std::size_t n_queries;
    std::size_t n_keys;
    std::size_t d_k;
    std::size_t d_v;
    AttentionMask mask = {};
};

/// Contexts and the gradients of a random projection of them.
template <typename T>
struct Results
{
    Array<T> context;
    Array<T> queries;
    Array<T> keys;
    Array<T> values;
};

struct Samples
{
    Array<float> q, k, v, projection;
};

Samples samples_for(const AttentionCase& c, double scale = 1.0)
{
    return {random_numbers({c.batch, c.n_queries, c.n_heads * c.d_k}, 1, scale),
            random_numbers({c.batch, c.n_keys, c.n_heads * c.d_k}, 2, scale),
            random_numbers({c.batch, c.n_keys, c.n_heads * c.d_v}, 3),
            random_numbers({c.batch, c.n_queries, c.n_heads * c.d_v}, 4)};
}

/// \param there  every entry of the gradients before the walk back; none if 0
template <typename T>
Results<T> run(const AttentionCase& c, const multi_head::Attend<T>& attend, const Samples& x,
               T there = 0)
{
    const auto parameter = [&](const Array<float>& numbers) {
        const Variable<T> result = autograd::parameter(converted<T>(numbers));
        result.node().gradient = filled<T>(numbers.shape(), there);
        result.node().has_gradient = there != 0;
        return result;
    };
    autograd::Tape<T> tape;
    const Variable<T> Q = parameter(x.q);
    const Variable<T> K = parameter(x.k);
    const Variable<T> V = parameter(x.v);
    const Variable<T> C = attend(Q, K, V, c.n_heads, c.mask, nullptr);
    const Array<T> context = C.value();
    autograd::backward(autograd::sum(C * Variable<T>(converted<T>(x.projection))));
    return {context, Q.gradient(), K.gradient(), V.gradient()};
}

Results<float> fused(const kernels::Kernels* kernels, const AttentionCase& c, const Samples& x,
                     std::size_t n_threads = 1)
{
    return run<float>(c, simd::flash_kernel({kernels, n_threads}), x);
}

Results<double> plain(const AttentionCase& c, const Samples& x)
{
    return run<double>(c, multi_head::attend_by_operators<double>, x);
}

void check_case(const kernels::Kernels& kernels, const AttentionCase& c, double scale = 1.0,
                double bound = 2e-6)
{
    CAPTURE(kernels.name, c.batch, c.n_heads, c.n_queries, c.n_keys, c.d_k, c.d_v,
            c.mask.causal);
    const Samples x = samples_for(c, scale);
    const Results<float> found = fused(&kernels, c, x);
    const Results<double> wanted = plain(c, x);
    CHECK(difference(found.context, wanted.context) < bound);
    CHECK(difference(found.queries, wanted.queries) < 2 * bound);
    CHECK(difference(found.keys, wanted.keys) < 2 * bound);
    CHECK(difference(found.values, wanted.values) < 2 * bound);
}

} // namespace

TEST_CASE("fused attention and its gradients are those of the operators in double", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n :
             {1U, 2U, 3U, 7U, 8U, 9U, 15U, 16U, 17U, 47U, 48U, 49U, 64U, 65U, 130U}) {
            check_case(*kernels, {1, 1, n, n, 16, 16});
            check_case(*kernels, {1, 2, n, n, 16, 16, {.causal = true}});
            check_case(*kernels, {1, 1, 5, n, 8, 8});
            check_case(*kernels, {1, 1, n, 67, 8, 8});
        }
    }
}

TEST_CASE("heads may have any size", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t d :
             {1U, 3U, 5U, 16U, 17U, 24U, 40U, 64U, 80U, 96U, 128U, 131U}) {
            check_case(*kernels, {1, 1, 21, 37, d, d});
            check_case(*kernels, {1, 2, 21, 37, d, 16});
            check_case(*kernels, {1, 2, 21, 37, 16, d, {.causal = false}});
        }
    }
}

TEST_CASE("padded keys and later keys are not seen, and a query may see nothing", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        check_case(*kernels, {4, 2, 20, 20, 16, 16, {{20, 1, 13, 0}, false}});
        check_case(*kernels, {4, 2, 20, 20, 16, 16, {{20, 1, 13, 0}, true}});
        check_case(*kernels, {3, 1, 70, 140, 8, 8, {{140, 100, 3}, true}});
        check_case(*kernels, {2, 1, 1, 90, 16, 16, {{90, 0}, false}});
    }
}

TEST_CASE("a query that sees no key has the context 0 and moves nothing", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n_queries : {1U, 9U}) {
            const AttentionCase c{1, 1, n_queries, 30, 8, 8, {{0}, false}};
            const Results<float> r = fused(kernels, c, samples_for(c));
            for (const Array<float>* zeros : {&r.context, &r.queries, &r.keys, &r.values}) {
                for (const float number : *zeros) {
                    REQUIRE(number == 0.0F);
                }
            }
        }
    }
}

TEST_CASE("scores may be large, far apart and equal", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        CAPTURE(kernels->name);
        check_case(*kernels, {1, 1, 33, 100, 16, 16}, 8.0, 1e-4); // scores in the hundreds
        // One key stands out by more than a float's exponent has room for.
        const AttentionCase c{1, 1, 20, 100, 4, 4};
        Samples x = samples_for(c);
        for (std::size_t k = 0; k < 4; ++k) {
            x.k.data()[70 * 4 + k] *= 1e4F;
        }
        CHECK(difference(fused(kernels, c, x).context, plain(c, x).context) < 1e-5);
        // All scores equal: the mean of the values.
        x.q = Array<float>(x.q.shape(), 0.0F);
        CHECK(difference(fused(kernels, c, x).context, plain(c, x).context) < 1e-6);
    }
}

TEST_CASE("gradients with outliers among the scores are those of plain attention",
          "[14][oracle]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const AttentionCase& c : {AttentionCase{1, 1, 1, 100, 8, 8},
                                       {1, 1, 3, 100, 8, 8},
                                       {1, 1, 20, 100, 8, 8},
                                       {1, 1, 100, 100, 8, 8, {.causal = true}},
                                       {1, 1, 700, 100, 8, 8}}) {
            CAPTURE(kernels->name, c.n_queries);
            // Scores of two keys in the hundreds, above and below zero: where one is above, it
            // has nearly all the weight. Those of a third are all alike, and equal to a
            // fourth's.
            Samples x = samples_for(c);
            for (std::size_t m = 0; m < 8; ++m) {
                x.k.data()[3 * 8 + m] *= 200.0F;
                x.k.data()[70 * 8 + m] *= -200.0F;
                x.k.data()[50 * 8 + m] = x.k.data()[51 * 8 + m] = 0.0F;
            }
            const Results<float> found = fused(kernels, c, x);
            const Results<double> wanted = plain(c, x);
            CHECK(difference(found.context, wanted.context) < 1e-5);
            CHECK(difference(found.queries, wanted.queries) < 1e-4);
            CHECK(difference(found.keys, wanted.keys) < 1e-4);
            CHECK(difference(found.values, wanted.values) < 1e-5);
        }
    }
}

TEST_CASE("a nan among the numbers is seen in the result", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n_queries : {1U, 9U}) {
            CAPTURE(kernels->name, n_queries);
            const AttentionCase c{1, 1, n_queries, 30, 8, 8};
            Samples x = samples_for(c);
            x.k.data()[11 * 8 + 3] = std::numeric_limits<float>::quiet_NaN();
            CHECK(std::isnan(fused(kernels, c, x).context.data()[0]));
        }
    }
}

TEST_CASE("the bits are the same with any set that fuses and any number of threads", "[14]")
{
    const std::vector<AttentionCase> cases = {{3, 5, 301, 301, 16, 16, {.causal = true}},
                                              {1, 1, 611, 1111, 32, 24},
                                              {1, 2, 40, 2100, 8, 8}, // two pieces of keys
                                              {7, 3, 13, 13, 16, 16, {{1, 2, 3, 13, 5, 0, 7}}}};
    for (const AttentionCase& c : cases) {
        const Samples x = samples_for(c);
        const Results<float> fused_by_one =
            fused(&kernels::instruction_set("scalar", "the reference"), c, x);
        for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
            const Results<float> one = kernels->fused ? fused_by_one : fused(kernels, c, x);
            for (const std::size_t n_threads : {1U, 2U, 3U}) {
                CAPTURE(kernels->name, c.n_queries, n_threads);
                const Results<float> found = fused(kernels, c, x, n_threads);
                CHECK(same_bits(one.context, found.context));
                CHECK(same_bits(one.queries, found.queries));
                CHECK(same_bits(one.keys, found.keys));
                CHECK(same_bits(one.values, found.values));
            }
        }
    }
}

TEST_CASE("a later token leaves the contexts before it as they are, to the bit", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        const AttentionCase c{1, 2, 100, 100, 16, 16, {.causal = true}};
        Samples x = samples_for(c);
        const auto attend = simd::flash_kernel({kernels, 1});
        const Array<float> before = attend(x.q, x.k, x.v, 2, c.mask, nullptr).value();
        for (std::size_t i = 60 * 32; i < x.k.size(); ++i) {
            x.k.data()[i] = 3.0F;
            x.v.data()[i] = -5.0F;
        }
        const Array<float> after = attend(x.q, x.k, x.v, 2, c.mask, nullptr).value();
        CHECK(std::memcmp(before.data(), after.data(), 60 * 32 * sizeof(float)) == 0);
        CHECK(std::memcmp(before.data() + 60 * 32, after.data() + 60 * 32, 32 * 4) != 0);
    }
}

TEST_CASE("one variable may be queries, keys and values", "[14]")
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n : {9U, 2100U}) { // the second in two pieces of keys
            CAPTURE(kernels->name, n);
            const Array<float> x = random_numbers({1, n, 8}, 5);
            const Array<float> projection = random_numbers({1, n, 8}, 6);
            autograd::Tape<float> tape;
            const Variable<float> X = autograd::parameter(Array<float>(x));
            autograd::backward(
                autograd::sum(simd::flash_attention({kernels, 1}, X, X, X, 1, {}) *
                              Variable<float>(projection)));
            autograd::Tape<double> tape_in_double;
            const Variable<double> Y = autograd::parameter(converted<double>(x));
            autograd::backward(
                autograd::sum(multi_head::attend_by_operators<double>(Y, Y, Y, 1, {}) *
                              Variable<double>(converted<double>(projection))));
            CHECK(difference(X.gradient(), Y.gradient()) < 4e-6);
        }
    }
}

TEST_CASE("a gradient is added to what has flowed in before", "[14]")
{
    const std::vector<AttentionCase> cases = {
        {1, 1, 9, 9, 8, 8},
        {3, 2, 9, 9, 8, 16, {{0, 4, 9}, true}},
        {1, 1, 700, 700, 8, 8, {.causal = true}},
        {2, 1, 9, 2100, 8, 8, {{1, 2050}}}}; // in two pieces of keys
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const AttentionCase& c : cases) {
            CAPTURE(kernels->name, c.n_queries, c.n_keys);
            const Samples x = samples_for(c);
            const auto attend = simd::flash_kernel({kernels, 1});
            const Results<float> alone = run<float>(c, attend, x);
            const Results<float> added = run<float>(c, attend, x, 1);
            for (const auto part :
                 {&Results<float>::queries, &Results<float>::keys, &Results<float>::values}) {
                CHECK(difference(added.*part,
                                 Array<double>(1 + converted<double>(alone.*part))) < 1e-6);
            }
        }
    }
}

TEST_CASE("rows may begin anywhere in memory", "[14]")
{
    const simd::AttentionSizes sizes{
        .n_heads = 1, .n_queries = 50, .n_keys = 50, .d_k = 8, .d_v = 8};
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        const Array<float> x = random_numbers({4, 400}, 7);
        Array<float> context(Shape{400});
        simd::attend_fused({kernels, 1}, sizes, {}, x.data(), x.data() + 400, x.data() + 800,
                           context.data());
        for (const std::size_t shift : {1U, 3U, 7U}) {
            Array<float> moved(Shape{2000});
            std::copy(x.begin(), x.end(), moved.data() + shift);
            simd::attend_fused({kernels, 1}, sizes, {}, moved.data() + shift,
                               moved.data() + shift + 400, moved.data() + shift + 800,
                               moved.data() + shift + 1200);
            CHECK(std::memcmp(moved.data() + shift + 1200, context.data(), 1600) == 0);
        }
    }
}

// [claim_memory]
TEST_CASE("the memory of fused attention grows with the tokens and not with their square",
          "[14][claim]")
{
    // From an empty pool, all that was ever in use waits there afterwards.
    const auto bytes = [](std::size_t n) {
        const AttentionCase c{1, 1, n, n, 16, 16};
        const Samples x = samples_for(c);
        release_pool();
        {
            const std::ptrdiff_t before = live_bytes();
            autograd::Tape<float> tape;
            const Variable<float> Q = autograd::parameter(Array<float>(x.q));
            const Variable<float> K = autograd::parameter(Array<float>(x.k));
            const Variable<float> V = autograd::parameter(Array<float>(x.v));
            autograd::backward(autograd::sum(simd::flash_attention({}, Q, K, V, 1, {}) *
                                             Variable<float>(x.projection)));
            CHECK(live_bytes() > before);
        }
        return static_cast<double>(pooled_bytes());
    };
    const double of_1024 = bytes(1024);
    const double of_4096 = bytes(4096);
    if (of_1024 == 0.0) {
        WARN("under the address sanitizer nothing waits in the pool");
        return;
    }
    // Four times, and what the pool's sizes round up; by the square it were sixteen.
    CHECK(of_4096 < 5.0 * of_1024);
    CHECK(of_4096 < 4096.0 * 4096.0 * 4.0 / 8.0);
}
// [claim_memory]
