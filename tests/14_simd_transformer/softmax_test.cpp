/// \file
/// \brief Every variant of the ladder of softmax beside the plain one in double, with every
/// instruction set, on rows that are hard on purpose; and the powers of two that they and fused
/// attention are made of, over every float that matters.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "common/kernels/vector_math.hpp"
#include "common/parallel/for_each_index.hpp"
#include "tests/14_simd_transformer/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/within_ulp.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
using attn::testing::bits_of;
using attn::testing::difference;
using attn::testing::random_numbers;
using attn::testing::same_bits;
namespace simd = attn::simd_transformer;

namespace {

constexpr float hidden_key = -std::numeric_limits<float>::infinity();

/// The formula in double, on its own.
Array<double> plain_softmax(const Array<float>& x)
{
    Array<double> y(x.shape());
    const std::size_t n = x.shape()[1];
    for (std::size_t row = 0; row < x.shape()[0]; ++row) {
        const float* const from = x.data() + row * n;
        double* const to = y.data() + row * n;
        const float largest = n == 0 ? 0 : *std::max_element(from, from + n);
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) {
            to[j] = largest == hidden_key
                        ? 0.0
                        : std::exp(static_cast<double>(from[j]) - static_cast<double>(largest));
            sum += to[j];
        }
        for (std::size_t j = 0; j < n; ++j) {
            to[j] = sum == 0 ? 0 : to[j] / sum;
        }
    }
    return y;
}

/// The result of a variant, written between numbers that must stay.
Array<float> result_of(const simd::SoftmaxVariant& variant, const simd::Execution& how,
                       const Array<float>& x, std::size_t shift = 0)
{
    std::vector<float> from(x.size() + shift);
    std::copy(x.begin(), x.end(), from.begin() + static_cast<std::ptrdiff_t>(shift));
    constexpr float guard = 12345;
    std::vector<float> to(x.size() + shift + 1, guard);
    variant.run(how, {x.shape()[0], x.shape()[1]}, from.data() + shift, to.data() + shift);
    CHECK(to.back() == guard);
    CHECK(std::all_of(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(shift),
                      [](float number) { return number == guard; }));
    return array_of<float>(x.shape(), std::span<const float>(to.data() + shift, x.size()));
}

/// Calls check(variant, how) for each variant and instruction set.
void for_each_variant(
    const std::function<void(const simd::SoftmaxVariant&, const simd::Execution&)>& check)
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const simd::SoftmaxVariant& variant : simd::softmax_variants()) {
            CAPTURE(kernels->name, variant.name);
            check(variant, {kernels, 1});
        }
    }
}

std::vector<std::size_t> widths()
{
    std::vector<std::size_t> list(71); // around every vector width, and 0
    for (std::size_t n = 0; n < list.size(); ++n) {
        list[n] = n;
    }
    list.insert(list.end(), {127, 128, 129, 511, 512, 513, 4099});
    return list;
}

/// Rows, each hard for a reason of its own.
Array<float> hard_rows(std::size_t n)
{
    Array<float> x = random_numbers({8, n}, n, 3.0);
    for (std::size_t j = 0; j < n; ++j) {
        x(1, j) = hidden_key;                         // nothing is visible
        x(2, j) = j % 3 == 1 ? hidden_key : x(2, j);  // some are not
        x(3, j) = j < n / 2 ? hidden_key : x(3, j);   // the first half is not
        x(4, j) = 0.25F;                              // all as large
        x(5, j) = static_cast<float>(j) * 30.0F;      // each larger than all before
        x(6, j) = -std::numeric_limits<float>::max(); // as low as there is
        x(7, j) = j + 1 == n ? 1e4F : x(7, j) * 1e3F; // one above all, far apart
    }
    return x;
}

} // namespace

TEST_CASE("every rung of softmax is the formula, whatever the row and its length", "[14]")
{
    for (const std::size_t n : widths()) {
        const Array<float> x = hard_rows(n);
        const Array<double> expected = plain_softmax(x);
        for_each_variant([&](const simd::SoftmaxVariant& variant, const simd::Execution& how) {
            CAPTURE(n);
            CHECK(difference(result_of(variant, how, x), expected) <= 1e-6);
        });
    }
}

TEST_CASE("the weights of every rung of softmax sum to 1, and hidden ones are exactly 0",
          "[14]")
{
    const Array<float> x = hard_rows(1037);
    for_each_variant([&](const simd::SoftmaxVariant& variant, const simd::Execution& how) {
        const Array<float> y = result_of(variant, how, x);
        for (std::size_t row = 0; row < 8; ++row) {
            double sum = 0;
            for (std::size_t j = 0; j < 1037; ++j) {
                sum += static_cast<double>(y(row, j));
                CHECK((x(row, j) != hidden_key || y(row, j) == 0.0F));
            }
            CHECK_THAT(sum, Catch::Matchers::WithinAbs(row == 1 ? 0.0 : 1.0, 1e-5));
        }
    });
}

TEST_CASE("softmax does not notice a shift that loses no digits", "[14]")
{
    Array<float> x = random_numbers({3, 77}, 1);
    for (float& number : x) {
        number = std::round(number * 64) / 64;
    }
    Array<float> shifted = x;
    for (float& number : shifted) {
        number += 1024;
    }
    for_each_variant([&](const simd::SoftmaxVariant& variant, const simd::Execution& how) {
        CHECK(difference(result_of(variant, how, shifted), result_of(variant, how, x)) <= 1e-7);
    });
}

TEST_CASE("a nan or +inf makes its row nan, and no other row", "[14]")
{
    for (const std::size_t n : {1U, 17U, 131U, 1037U}) {
        for (const std::size_t at : {std::size_t(0), n / 2, n - 1}) {
            for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -hidden_key}) {
                Array<float> x = random_numbers({3, n}, 2);
                x(1, at) = bad;
                for_each_variant(
                    [&](const simd::SoftmaxVariant& variant, const simd::Execution& how) {
                        CAPTURE(n, at, bad);
                        const Array<float> y = result_of(variant, how, x);
                        bool as_wanted = true;
                        for (std::size_t j = 0; j < n; ++j) {
                            as_wanted = as_wanted && std::isfinite(y(0, j)) &&
                                        std::isnan(y(1, j)) && std::isfinite(y(2, j));
                        }
                        CHECK(as_wanted);
                    });
            }
        }
    }
}

TEST_CASE("softmax takes memory that starts anywhere", "[14]")
{
    const Array<float> x = random_numbers({5, 83}, 3);
    const Array<double> expected = plain_softmax(x);
    for (std::size_t shift = 0; shift <= 17; ++shift) {
        for_each_variant([&](const simd::SoftmaxVariant& variant, const simd::Execution& how) {
            CAPTURE(shift);
            CHECK(difference(result_of(variant, how, x, shift), expected) <= 1e-6);
        });
    }
}

TEST_CASE("softmax of no rows is nothing", "[14]")
{
    for_each_variant([&](const simd::SoftmaxVariant& variant, const simd::Execution& how) {
        CHECK(result_of(variant, how, Array<float>(Shape{0, 5})).size() == 0);
    });
}

TEST_CASE("softmax gives the same bits for any number of threads, in the cache and out of it",
          "[14]")
{
    const simd::SoftmaxVariant& last = simd::softmax_variants().back();
    for (const Shape& shape : {Shape{101, 773}, Shape{2057, 1031}, Shape{8200, 257}}) {
        const Array<float> x = random_numbers(shape, 4);
        for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
            const Array<float> alone = result_of(last, {kernels, 1}, x);
            for (const std::size_t n_threads : {std::size_t(2), std::size_t(5)}) {
                CAPTURE(kernels->name, n_threads);
                CHECK(same_bits(alone, result_of(last, {kernels, n_threads}, x)));
            }
        }
    }
}

TEST_CASE("out of the cache softmax takes long rows in chunks, and short ones whole", "[14]")
{
    const std::vector<simd::SoftmaxVariant>& ladder = simd::softmax_variants();
    const auto variant_of = [&](const std::string& name) {
        return *std::find_if(
            ladder.begin(), ladder.end(),
            [&](const simd::SoftmaxVariant& variant) { return variant.name == name; });
    };
    for (const auto& [shape, name] :
         {std::pair(Shape{2057, 1031}, "chunks"), std::pair(Shape{8200, 257}, "row by row")}) {
        const Array<float> x = random_numbers(shape, 5);
        CHECK(same_bits(result_of(ladder.back(), {}, x), result_of(variant_of(name), {}, x)));
    }
}

// ---------------------------------------------------------------- powers of two

namespace {

constexpr std::size_t in_block = 2048;

/// A power that is not right.
struct WrongPower
{
    float x = 0;
    const char* kernels = nullptr; ///< null if there is none
};

/// The first wrong one of some neighbouring floats, if any is.
WrongPower first_wrong(std::uint32_t first, std::uint32_t last, std::uint32_t step)
{
    float x[in_block];
    double wide[in_block];
    double truth[in_block];
    float power[in_block];
    std::uint32_t bits[in_block] = {};
    std::size_t n = 0;
    for (std::uint32_t here = first; here < last; here += step, ++n) {
        bits[n] = here;
    }
    std::memcpy(x, bits, sizeof x);
    for (std::size_t i = 0; i < n; ++i) {
        wide[i] = static_cast<double>(x[i]) * std::numbers::ln2;
    }
    vector_math::exp<double>({wide, n}, {truth, n});
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        simd::ladder_kernels({kernels}).softmax.exp2(n, x, power);
        const std::size_t wrong =
            attn::testing::first_wrong_float(n, x, power, truth, {-126.0, -126.5});
        if (wrong < n) {
            return {x[wrong], kernels->name};
        }
    }
    return {};
}

/// Looks at the floats from -0 or the one given down to -130, each or some.
void check_powers(std::uint32_t first, std::uint32_t step)
{
    const std::uint32_t last = bits_of(-130.0F) + 1;
    const std::uint32_t stride = step * static_cast<std::uint32_t>(in_block);
    const std::size_t n_blocks = (last - first + stride - 1) / stride;
    std::vector<WrongPower> wrong(n_blocks);
    parallel::for_each_index(n_blocks, 2, [&](std::size_t block) {
        const std::uint32_t start = first + static_cast<std::uint32_t>(block) * stride;
        wrong[block] = first_wrong(start, std::min(last, start + stride), step);
    });
    CHECK(n_blocks > 0);
    for (const WrongPower& one : wrong) {
        if (one.kernels != nullptr) {
            FAIL("2 to the power of " << one.x << " with " << one.kernels);
        }
    }
}

} // namespace

TEST_CASE("powers of numbers up to 0 are right to 2 ulp, and 0 where they are too small",
          "[14]")
{
    check_powers(bits_of(-0.0F), 61);
}

// Tagged as a training for its time: left out where nothing is optimised. Closer to 0 than
// 2^-26, where three quarters of the floats are, the power is 1 or the float beside it; they
// are among those of the test above.
TEST_CASE("the same of every single float up to -2^-26", "[14][train]")
{
    check_powers(bits_of(-0x1p-26F), 1);
}

TEST_CASE("powers of 0, of -inf and of nan are 1, 0 and nan, in lists of every length", "[14]")
{
    constexpr float infinite = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float lowest = std::numeric_limits<float>::lowest();
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (std::size_t n = 1; n <= 70; ++n) {
            std::vector<float> x(n, -1);
            const std::size_t at = n / 2;
            CAPTURE(kernels->name, n);
            const auto power = [&](float exponent) {
                std::vector<float> y(n + 1, 7);
                x[at] = exponent;
                simd::ladder_kernels({kernels}).softmax.exp2(n, x.data(), y.data());
                REQUIRE(y[n] == 7.0F); // not written
                return y[at];
            };
            CHECK(power(0.0F) == 1.0F);
            CHECK(power(-0.0F) == 1.0F);
            CHECK(power(-infinite) == 0.0F);
            CHECK(power(lowest) == 0.0F);
            CHECK(std::isnan(power(nan)));
        }
    }
}
