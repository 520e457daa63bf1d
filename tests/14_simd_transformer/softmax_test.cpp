/// \file
/// \brief Every rung of the ladder of softmax beside the plain one in double, with every
/// instruction set, on rows that are hard on purpose.
#include "chapters/14_simd_transformer/experiments/softmax_ladder.hpp"

#include "tests/14_simd_transformer/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
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

/// The result of a rung, written between numbers that must stay.
Array<float> result_of(const simd::SoftmaxRung& rung, const simd::Execution& how,
                       const Array<float>& x, std::size_t shift = 0)
{
    std::vector<float> from(x.size() + shift);
    std::copy(x.begin(), x.end(), from.begin() + static_cast<std::ptrdiff_t>(shift));
    constexpr float guard = 12345;
    std::vector<float> to(x.size() + shift + 1, guard);
    rung.run(how, {x.shape()[0], x.shape()[1]}, from.data() + shift, to.data() + shift);
    CHECK(to.back() == guard);
    CHECK(std::all_of(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(shift),
                      [](float number) { return number == guard; }));
    return array_of<float>(x.shape(), std::span<const float>(to.data() + shift, x.size()));
}

/// Calls check(rung, how) for each rung and instruction set.
void for_each_rung(
    const std::function<void(const simd::SoftmaxRung&, const simd::Execution&)>& check)
{
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        for (const simd::SoftmaxRung& rung : simd::softmax_ladder()) {
            CAPTURE(kernels->name, rung.name);
            check(rung, {kernels, 1});
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
        for_each_rung([&](const simd::SoftmaxRung& rung, const simd::Execution& how) {
            CAPTURE(n);
            CHECK(difference(result_of(rung, how, x), expected) <= 1e-6);
        });
    }
}

TEST_CASE("the weights of every rung of softmax sum to 1, and hidden ones are exactly 0",
          "[14]")
{
    const Array<float> x = hard_rows(1037);
    for_each_rung([&](const simd::SoftmaxRung& rung, const simd::Execution& how) {
        const Array<float> y = result_of(rung, how, x);
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
    for_each_rung([&](const simd::SoftmaxRung& rung, const simd::Execution& how) {
        CHECK(difference(result_of(rung, how, shifted), result_of(rung, how, x)) <= 1e-7);
    });
}

TEST_CASE("a nan or +inf makes its row nan, and no other row", "[14]")
{
    for (const std::size_t n : {1U, 17U, 131U, 1037U}) {
        for (const std::size_t at : {std::size_t(0), n / 2, n - 1}) {
            for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -hidden_key}) {
                Array<float> x = random_numbers({3, n}, 2);
                x(1, at) = bad;
                for_each_rung([&](const simd::SoftmaxRung& rung, const simd::Execution& how) {
                    CAPTURE(n, at, bad);
                    const Array<float> y = result_of(rung, how, x);
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
        for_each_rung([&](const simd::SoftmaxRung& rung, const simd::Execution& how) {
            CAPTURE(shift);
            CHECK(difference(result_of(rung, how, x, shift), expected) <= 1e-6);
        });
    }
}

TEST_CASE("softmax of no rows is nothing", "[14]")
{
    for_each_rung([&](const simd::SoftmaxRung& rung, const simd::Execution& how) {
        CHECK(result_of(rung, how, Array<float>(Shape{0, 5})).size() == 0);
    });
}

TEST_CASE("softmax gives the same bits for any number of threads, in the cache and out of it",
          "[14]")
{
    const simd::SoftmaxRung& last = simd::softmax_ladder().back();
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
    const std::vector<simd::SoftmaxRung>& ladder = simd::softmax_ladder();
    const auto rung_of = [&](const std::string& name) {
        return *std::find_if(ladder.begin(), ladder.end(),
                             [&](const simd::SoftmaxRung& rung) { return rung.name == name; });
    };
    for (const auto& [shape, name] :
         {std::pair(Shape{2057, 1031}, "chunks"), std::pair(Shape{8200, 257}, "row by row")}) {
        const Array<float> x = random_numbers(shape, 5);
        CHECK(same_bits(result_of(ladder.back(), {}, x), result_of(rung_of(name), {}, x)));
    }
}
