/// \file
/// \brief Products and attention in 16 bits: every form against the scalar definition, bit for bit;
/// the definition by hand; and what attention keeps of its properties.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"
#include "chapters/14_simd_transformer/fewer_bits/bf16_attention.hpp"
#include "chapters/14_simd_transformer/fewer_bits/kernels.hpp"
#include "common/kernels/gemm.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/storage/half_precision.hpp"
#include "common/tensor/check.hpp"
#include "tests/14_simd_transformer/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace attn;
using namespace attn::simd_transformer;
using namespace attn::testing;

namespace {

using Numbers = std::vector<BFloat16>;

/// Bits of 16, from the least exponent to the largest of the given ones; a share of them is zero.
Numbers random_bits(std::size_t n, std::uint64_t stream, std::uint64_t least,
                    std::uint64_t largest)
{
    random::Generator generator(14, stream);
    Numbers numbers(n);
    for (BFloat16& number : numbers) {
        const std::uint64_t exponent = least + generator.below(largest - least + 1);
        const std::uint64_t rest = generator.below(256); // the sign, and the fraction
        const std::uint64_t bits = (rest & 128U) << 8U | exponent << 7U | (rest & 127U);
        number.bits =
            static_cast<std::uint16_t>(generator.below(16) == 0 ? bits & 0x8000U : bits);
    }
    return numbers;
}

/// A way to multiply, and its name.
struct Form
{
    std::string name;
    MultiplyBf16 multiply;
};

std::vector<Form> all_forms()
{
    std::vector<Form> forms;
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        forms.push_back({kernels->name, ladder_kernels({.kernels = kernels}).bf16.multiply});
    }
    if (amx_is_granted()) {
        forms.push_back({"amx", multiply_by_amx});
    }
    return forms;
}

/// A B by one form, in rows that lie apart.
std::vector<float> product(const Form& form, std::size_t m, std::size_t n, std::size_t k,
                           const Numbers& a, const Numbers& b)
{
    std::vector<std::int32_t> words(bf16_words(k, n));
    pack_bf16(k, n, b.data(), n, 1, words.data());
    std::vector<float> apart(m * (n + 3), 0.0F);
    form.multiply({m, n, k, a.data(), k, words.data(), apart.data(), n + 3});
    std::vector<float> c(m * n);
    for (std::size_t i = 0; i < m; ++i) {
        std::copy_n(apart.data() + i * (n + 3), n, c.data() + i * n);
        CHECK(std::all_of(apart.data() + i * (n + 3) + n, apart.data() + (i + 1) * (n + 3),
                          [](float x) { return bits_of(x) == 0; }));
    }
    return c;
}

/// How many of the bits differ.
std::size_t n_different(const std::vector<float>& x, const std::vector<float>& y)
{
    std::size_t n = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        n += bits_of(x[i]) != bits_of(y[i]) ? 1 : 0;
    }
    return n;
}

/// Every form against the definition.
void check_all_forms(std::size_t m, std::size_t n, std::size_t k, const Numbers& a,
                     const Numbers& b)
{
    std::vector<float> wanted(m * n);
    product_bf16(m, n, k, a.data(), b.data(), wanted.data());
    REQUIRE(std::none_of(wanted.begin(), wanted.end(), [](float x) { return std::isnan(x); }));
    for (const Form& form : all_forms()) {
        const std::size_t different = n_different(product(form, m, n, k, a, b), wanted);
        if (different != 0) {
            CAPTURE(form.name, m, n, k);
            CHECK(different == 0);
        }
    }
}

Numbers numbers_of(std::initializer_list<float> x)
{
    const std::vector<float> floats = x;
    return to_bf16(floats);
}

/// The product of one row and one column.
float inner_product(const Numbers& a, const Numbers& b)
{
    float c = 7;
    product_bf16(1, 1, a.size(), a.data(), b.data(), &c);
    check_all_forms(1, 1, a.size(), a, b);
    return c;
}

} // namespace

TEST_CASE("even and odd positions are chains of their own, and blocks of 32 are added up",
          "[14]")
{
    // In order, 1 would be lost beside 2^24 and the result be 0; in two chains it is not.
    CHECK(inner_product(numbers_of({0x1p24F, 1, -0x1p24F, 0}), numbers_of({1, 1, 1, 1})) == 1);
    // Of one chain the 1 is lost.
    CHECK(inner_product(numbers_of({0x1p24F, 0, 1, 0, -0x1p24F}),
                        numbers_of({1, 1, 1, 1, 1})) == 0);
    // A chain ends with its block: 2^24 + 1 + 1 is 2^24, but 2^24 + (1 + 1) is not.
    Numbers a(66, BFloat16{0});
    const Numbers ones(66, BFloat16{storage::bf16_of(1.0F)});
    a[0].bits = storage::bf16_of(0x1p24F);
    a[2].bits = a[4].bits = storage::bf16_of(1.0F);
    CHECK(inner_product(a, ones) == 0x1p24F);
    std::swap(a[2], a[34]);
    std::swap(a[4], a[36]);
    CHECK(inner_product(a, ones) == 0x1p24F + 2);
}

#if defined(__x86_64__)
namespace {

/// Numbers p and p + 1, as an instruction takes them.
int pair_at(const Numbers& numbers, std::size_t p)
{
    return static_cast<int>(numbers[p].bits | static_cast<std::uint32_t>(numbers[p + 1].bits)
                                                  << 16U);
}

/// The sum of products of bf16 by vdpbf16ps.
[[gnu::target("avx512f,avx512bf16")]] float sum_by_vdpbf16ps(const Numbers& a, const Numbers& b)
{
    __m512 sum = _mm512_setzero_ps();
    for (std::size_t p = 0; p < a.size(); p += 2) {
        sum =
            _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(_mm512_set1_epi32(pair_at(a, p))),
                             reinterpret_cast<__m512bh>(_mm512_set1_epi32(pair_at(b, p))));
    }
    return _mm512_cvtss_f32(sum);
}

} // namespace

TEST_CASE("vdpbf16ps adds the second product of a pair before the first", "[14]")
{
    if (!__builtin_cpu_supports("avx512bf16")) {
        WARN("not tested: this processor has no vdpbf16ps");
        return;
    }
    const auto floats = [](const Numbers& numbers) {
        std::vector<float> all(numbers.size());
        std::transform(numbers.begin(), numbers.end(), all.begin(),
                       [](BFloat16 x) { return storage::float_of_bf16(x.bits); });
        return all;
    };
    for (std::uint64_t stream = 0; stream < 1000; ++stream) {
        const Numbers a = random_bits(256, 2 * stream, 117, 130);
        const Numbers b = random_bits(256, 2 * stream + 1, 117, 130);
        REQUIRE(sum_by_vdpbf16ps(a, b) == sum_pair_after_pair(floats(a), floats(b)));
    }
}
#endif

TEST_CASE("what is below the normal numbers becomes a zero, before and after", "[14]")
{
    const Numbers one = numbers_of({1});
    CHECK(bits_of(inner_product({BFloat16{0x0080}}, one)) == bits_of(0x1p-126F));
    CHECK(bits_of(inner_product({BFloat16{0x007f}}, one)) == 0); // an argument below them
    CHECK(bits_of(inner_product(numbers_of({0x1p-126F}), numbers_of({0.5F}))) == 0);
    // A difference of normal numbers that is none.
    CHECK(bits_of(inner_product(numbers_of({0x1.02p-126F, 0, -0x1p-126F}),
                                numbers_of({1, 1, 1}))) == 0);
    // A product below them counts if its sum is not.
    CHECK(inner_product(numbers_of({0x1p-126F, 0, 0x1p-100F}), numbers_of({1, 1, 0x1p-28F})) ==
          0x1p-126F + 0x1p-128F);
    // 2^-126 less 3/4 of 2^-150: rounded to 24 bits it is below them; less 1/2 of it, it is not.
    CHECK(inner_product(numbers_of({0x1p-126F, 0, -0x1.8p-75F}),
                        numbers_of({1, 1, 0x1p-76F})) == 0);
    CHECK(inner_product(numbers_of({0x1p-126F, 0, -0x1p-75F}), numbers_of({1, 1, 0x1p-76F})) ==
          0x1p-126F);
}

TEST_CASE("a product above the largest float counts if its sum is not", "[14]")
{
    CHECK(inner_product(numbers_of({-0x1.8p63F, 0, 0x1p64F}),
                        numbers_of({0x1p64F, 0, 0x1p64F})) == 0x1p126F);
}

TEST_CASE("zeros of both signs give the definition's zeros", "[14]")
{
    for (const float x : {0.0F, -0.0F, 0x1p-130F, -0x1p-130F}) {
        for (const float y : {1.0F, -1.0F, 0.0F, -0.0F}) {
            for (const std::size_t k : {1U, 2U, 31U, 32U, 33U, 64U}) {
                check_all_forms(3, 5, k, Numbers(3 * k, {storage::bf16_of(x)}),
                                Numbers(k * 5, {storage::bf16_of(y)}));
            }
        }
    }
}

TEST_CASE("products of all sizes around a register, a tile and a panel have the same bits",
          "[14]")
{
    const std::array sizes = {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U};
    const Numbers a = random_bits(65 * 65, 1, 117, 130);
    const Numbers b = random_bits(65 * 65, 2, 117, 130);
    for (const std::size_t m : sizes) {
        for (const std::size_t n : sizes) {
            for (const std::size_t k : {1U, 2U, 16U, 31U, 32U, 33U, 64U, 65U}) {
                check_all_forms(m, n, k, a, b);
            }
        }
    }
    check_all_forms(65, 65, 65, a, b);
}

TEST_CASE("deep products have the same bits", "[14]")
{
    for (const std::size_t k : {255U, 256U, 257U, 511U, 512U, 513U, 1031U}) {
        check_all_forms(13, 37, k, random_bits(13 * k, 3, 110, 132),
                        random_bits(k * 37, 4, 110, 132));
    }
}

TEST_CASE("products at both ends of the range have the same bits", "[14]")
{
    struct Exponents
    {
        std::uint64_t least_of_a, largest_of_a, least_of_b, largest_of_b;
    };
    std::uint64_t stream = 10;
    for (const Exponents e :
         {Exponents{0, 254, 64, 110}, Exponents{0, 3, 100, 130}, Exponents{50, 70, 50, 70},
          Exponents{0, 80, 0, 80}, Exponents{40, 66, 60, 66}, Exponents{180, 186, 180, 186},
          Exponents{0, 120, 0, 130}, Exponents{62, 64, 62, 64}}) {
        for (const std::size_t k : {2U, 5U, 33U, 70U}) {
            ++stream;
            check_all_forms(40, 50, k,
                            random_bits(40 * k, 2 * stream, e.least_of_a, e.largest_of_a),
                            random_bits(k * 50, 2 * stream + 1, e.least_of_b, e.largest_of_b));
        }
    }
}

TEST_CASE("ten million random products have the same bits on every set", "[14]")
{
    for (std::uint64_t stream = 100; stream < 110; ++stream) {
        const std::uint64_t spread = 2 + 3 * (stream - 100);
        check_all_forms(100, 100, 100,
                        random_bits(10'000, 2 * stream, 127 - spread, 127 + spread),
                        random_bits(10'000, 2 * stream + 1, 127 - spread, 127 + spread));
    }
}

TEST_CASE("a product adds to what is there, and leaves the processor's mode alone", "[14]")
{
    const Numbers a = random_bits(7 * 40, 5, 120, 130);
    const Numbers b = random_bits(40 * 9, 6, 120, 130);
    std::vector<std::int32_t> words(bf16_words(40, 9));
    pack_bf16(40, 9, b.data(), 9, 1, words.data());
    std::vector<std::vector<float>> results;
    for (const Form& form : all_forms()) {
        std::vector<float> c(7 * 9, 0x1.8p20F);
        form.multiply({7, 9, 40, a.data(), 40, words.data(), c.data(), 9});
        results.push_back(c);
        CHECK(n_different(c, results.front()) == 0);
        volatile float tiny = 0x1p-126F;
        CHECK(tiny * 0.5F == 0x1p-127F);
    }
}

TEST_CASE("a packed product is the definition on any number of threads", "[14]")
{
    const Numbers a = random_bits(300 * 70, 7, 117, 130);
    const Numbers b = random_bits(70 * 45, 8, 117, 130);
    std::vector<float> wanted(300 * 45);
    product_bf16(300, 45, 70, a.data(), b.data(), wanted.data());
    const PackedBf16 packed(70, 45, b.data());
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n_threads : {1U, 2U, 3U}) {
            std::vector<float> c(300 * 45, -1.0F);
            packed.multiply({kernels, n_threads}, 300, a.data(), c.data());
            CHECK(n_different(c, wanted) == 0);
        }
    }
}

TEST_CASE("behind the book's products, factors are rounded and multiplied in 16 bits", "[14]")
{
    for (const std::size_t m : {1U, 5U, 70U}) {
        for (const std::size_t n : {1U, 32U, 50U, 64U, 600U}) {
            constexpr std::size_t k = 1100; // more than one block of the depth
            const Array<float> a = random_numbers({m, k}, 1);
            const Array<float> b = random_numbers({k, n}, 2);
            std::vector<float> wanted(m * n);
            product_bf16(m, n, k, to_bf16(a).data(), to_bf16(b).data(), wanted.data());
            for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
                CAPTURE(m, n, kernels->name);
                kernels::Kernels own = *kernels;
                own.of_float.products = ladder_kernels({.kernels = kernels}).bf16.for_models;
                const kernels::ComputeWith guard({.kernels = &own});
                std::vector<float> c(m * n, 3.0F);
                gemm(Transpose::no, Transpose::no, m, n, k, 1.0F, a.data(), k, b.data(), n,
                     0.0F, c.data(), n);
                CHECK(n_different(c, wanted) == 0);
            }
        }
    }
}

// ---------------------------------------------------------------- attention

namespace {

/// An attention's sizes, mask and numbers.
struct Problem
{
    AttentionSizes sizes;
    AttentionMask mask;
    Numbers queries, keys, values;

    Problem(const AttentionSizes& of, AttentionMask which, double scale = 1.0)
        : sizes(of), mask(std::move(which)),
          queries(to_bf16(
              random_numbers({of.batch, of.n_queries, of.n_heads * of.d_k}, 21, scale))),
          keys(to_bf16(random_numbers({of.batch, of.n_keys, of.n_heads * of.d_k}, 22, scale))),
          values(to_bf16(random_numbers({of.batch, of.n_keys, of.n_heads * of.d_v}, 23)))
    {
    }
    Bf16Inputs inputs() const { return {queries.data(), keys.data(), values.data()}; }
    std::size_t n_contexts() const
    {
        return sizes.batch * sizes.n_queries * sizes.n_heads * sizes.d_v;
    }
    std::vector<float> by_definition() const
    {
        std::vector<float> context(n_contexts(), 5.0F);
        attend_bf16_by_definition(sizes, mask, inputs(), context.data());
        return context;
    }
    std::vector<float> by(const Execution& how) const
    {
        std::vector<float> context(n_contexts(), 6.0F);
        attend_bf16(how, sizes, mask, inputs(), context.data());
        return context;
    }
};

void check_attention(const Problem& problem)
{
    const std::vector<float> wanted = problem.by_definition();
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const std::size_t n_threads : {1U, 3U}) {
            CAPTURE(kernels->name, n_threads, problem.sizes.n_queries, problem.sizes.n_keys,
                    problem.sizes.d_k, problem.sizes.d_v);
            const std::vector<float> found = problem.by({kernels, n_threads});
            if (kernels->fused) {
                CHECK(n_different(found, wanted) == 0);
            } else {
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    CHECK(std::abs(found[i] - wanted[i]) <= 0.02F);
                }
            }
        }
    }
}

} // namespace

TEST_CASE("attention in 16 bits has the definition's bits for all sizes", "[14]")
{
    for (const std::size_t n : {1U, 2U, 33U, 63U, 64U, 65U, 129U}) {
        for (const std::size_t d : {1U, 5U, 32U, 33U}) {
            check_attention(
                {{.n_heads = 2, .n_queries = n, .n_keys = n, .d_k = d, .d_v = 7}, {}});
            check_attention({{.n_heads = 1, .n_queries = n, .n_keys = n, .d_k = d, .d_v = 40},
                             {.key_lengths = {}, .causal = true}});
        }
    }
    check_attention(
        {{.batch = 3, .n_heads = 2, .n_queries = 5, .n_keys = 70, .d_k = 8, .d_v = 9},
         {.key_lengths = {70, 0, 65}, .causal = false}});
    check_attention(
        {{.batch = 2, .n_heads = 1, .n_queries = 66, .n_keys = 130, .d_k = 8, .d_v = 3},
         {.key_lengths = {64, 127}, .causal = true}});
}

TEST_CASE("attention in 16 bits keeps the bits where scores are far apart", "[14]")
{
    for (const double scale : {0.0, 1e-3, 5.0, 30.0}) {
        check_attention(
            {{.n_heads = 1, .n_queries = 40, .n_keys = 200, .d_k = 16, .d_v = 16}, {}, scale});
    }
    // Values at the ends of the range, some of them below the normal numbers.
    Problem problem({.n_heads = 1, .n_queries = 40, .n_keys = 200, .d_k = 16, .d_v = 16}, {},
                    3.0);
    problem.values = random_bits(problem.values.size(), 31, 0, 70);
    check_attention(problem);
    problem.values = random_bits(problem.values.size(), 32, 0, 5);
    check_attention(problem);
}

TEST_CASE("a context in 16 bits lies among the values, and near that of floats", "[14]")
{
    const Problem problem({.n_heads = 2, .n_queries = 50, .n_keys = 150, .d_k = 16, .d_v = 8},
                          {});
    const auto floats = [](const Numbers& x) {
        std::vector<float> y(x.size());
        std::transform(x.begin(), x.end(), y.begin(),
                       [](BFloat16 number) { return storage::float_of_bf16(number.bits); });
        return y;
    };
    const std::vector<float> context = problem.by({});
    const std::vector<float> values = floats(problem.values);
    std::vector<float> wanted(context.size());
    attend_fused({}, problem.sizes, problem.mask, floats(problem.queries).data(),
                 floats(problem.keys).data(), values.data(), wanted.data());
    for (std::size_t i = 0; i < context.size(); ++i) {
        CHECK(std::abs(context[i] - wanted[i]) < 0.005F);
        float least = std::numeric_limits<float>::infinity();
        float largest = -least;
        for (std::size_t j = i % 16; j < values.size(); j += 16) {
            least = std::min(least, values[j]);
            largest = std::max(largest, values[j]);
        }
        CHECK((context[i] >= least - 1e-5F && context[i] <= largest + 1e-5F));
    }
    // One key: its value, exactly.
    const Problem one({.n_heads = 1, .n_queries = 3, .n_keys = 1, .d_k = 4, .d_v = 4}, {});
    const std::vector<float> alone = one.by({});
    for (std::size_t i = 0; i < alone.size(); ++i) {
        CHECK(alone[i] == floats(one.values)[i % 4]);
    }
}

TEST_CASE("attention in 16 bits refuses a mask that does not fit", "[14]")
{
    const Problem problem({.n_heads = 1, .n_queries = 3, .n_keys = 2, .d_k = 4, .d_v = 4},
                          {.key_lengths = {3}, .causal = false});
    CHECK_THROWS_AS(problem.by({}), ContractError);
    CHECK_THROWS_AS(problem.by_definition(), ContractError);
}
