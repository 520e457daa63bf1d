/// \file
/// \brief Matrices in four, two and one bytes a weight: what becomes of each weight, by hand; the
/// product against plain loops in double; the same bits on every instruction set with fused
/// operations, for any number of threads, and for a row alone and among others.
#include "chapters/14_simd_transformer/decoding/packed_matrix.hpp"

#include "common/kernels/gemm.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/tensor/check.hpp"
#include "tests/14_simd_transformer/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

using namespace attn;
using namespace attn::simd_transformer;
using namespace attn::testing;

namespace {

constexpr std::array all_formats = {WeightFormat::float32, WeightFormat::bf16,
                                    WeightFormat::int8};

/// Sizes of which none, or all, divide words, vectors, register tiles and panels.
struct Sizes
{
    std::size_t n_rows;
    std::size_t n_in;
    std::size_t n_out;
};

constexpr std::array several_sizes = {Sizes{1, 1, 1}, Sizes{1, 48, 48}, Sizes{3, 7, 5},
                                      Sizes{2, 66, 97}, Sizes{13, 31, 150}};

Array<float> product(const PackedMatrix& w, const Array<float>& x)
{
    const std::size_t n_rows = x.shape()[0];
    // What is not written must not pass for what an earlier product left in the memory.
    Array<float> y = filled({n_rows, w.n_out()}, std::numeric_limits<float>::quiet_NaN());
    w.multiply(n_rows, x.data(), w.n_in(), y.data(), w.n_out());
    return y;
}

/// X W + b in double, with the weights as they are kept.
Array<double> plain_product(const PackedMatrix& w, const Array<float>& x,
                            const Array<float>& bias)
{
    const std::size_t n_rows = x.shape()[0];
    Array<double> y = uninitialised<double>({n_rows, w.n_out()});
    std::vector<float> column(w.n_in());
    for (std::size_t j = 0; j < w.n_out(); ++j) {
        w.weights_of(j, column.data());
        for (std::size_t r = 0; r < n_rows; ++r) {
            double sum = static_cast<double>(bias.data()[j]);
            for (std::size_t i = 0; i < w.n_in(); ++i) {
                sum += static_cast<double>(x.data()[r * w.n_in() + i]) *
                       static_cast<double>(column[i]);
            }
            y.data()[r * w.n_out() + j] = sum;
        }
    }
    return y;
}

} // namespace

TEST_CASE("a packed matrix of floats gives the bits of the affine product", "[14]")
{
    for (const auto& [n_rows, n_in, n_out] : several_sizes) {
        CAPTURE(n_rows, n_in, n_out);
        const Array<float> x = random_numbers({n_rows, n_in}, 1);
        const Array<float> weights = random_numbers({n_in, n_out}, 2);
        const Array<float> bias = random_numbers({n_out}, 3);
        for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
            CAPTURE(kernels->name);
            const kernels::ComputeWith guard({.kernels = kernels});
            Array<float> wanted = uninitialised<float>({n_rows, n_out});
            affine_product(n_rows, n_out, n_in, x.data(), weights.data(), bias.data(),
                           wanted.data());
            const Array<float> found =
                product(PackedMatrix(weights, &bias, WeightFormat::float32), x);
            if (kernels->fused) {
                CHECK(same_bits(found, wanted));
            } else {
                CHECK(difference(found, wanted) <= 1e-5);
            }
        }
    }
}

TEST_CASE("every format multiplies with the weights that it keeps, on all kernels", "[14]")
{
    for (const auto& [n_rows, n_in, n_out] : several_sizes) {
        const Array<float> x = random_numbers({n_rows, n_in}, 1);
        const Array<float> weights = random_numbers({n_in, n_out}, 2, 0.1);
        const Array<float> bias = random_numbers({n_out}, 3);
        for (const WeightFormat format : all_formats) {
            const PackedMatrix packed(weights, &bias, format);
            const Array<double> wanted = plain_product(packed, x, bias);
            std::optional<Array<float>> first;
            for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
                for (const std::size_t n_threads : {1U, 2U, 5U}) {
                    CAPTURE(n_rows, n_in, n_out, name_of(format), kernels->name, n_threads);
                    const kernels::ComputeWith guard(
                        {.kernels = kernels, .n_threads = n_threads});
                    const Array<float> found = product(packed, x);
                    CHECK(difference(found, wanted) <= 1e-5);
                    if (kernels->fused) {
                        first = first.value_or(found);
                        CHECK(same_bits(found, *first));
                    }
                }
            }
        }
    }
}

TEST_CASE("a row has the same bits alone and among others", "[14]")
{
    constexpr std::size_t n_rows = 15; // by eight, four, two and one
    constexpr std::size_t n_in = 37;
    const Array<float> x = random_numbers({n_rows, n_in}, 1);
    const Array<float> weights = random_numbers({n_in, 53}, 2);
    for (const WeightFormat format : all_formats) {
        CAPTURE(name_of(format));
        const PackedMatrix packed(weights, nullptr, format);
        const Array<float> all = product(packed, x);
        for (std::size_t r = 0; r < n_rows; ++r) {
            CAPTURE(r);
            const Array<float> alone =
                product(packed, array_of<float>({1, n_in}, {x.data() + r * n_in, n_in}));
            CHECK(same_bits(alone, array_of<float>({1, 53}, {all.data() + r * 53, 53})));
        }
    }
}

TEST_CASE("rows may lie apart, and nothing is written between them", "[14]")
{
    const Array<float> weights = random_numbers({5, 50}, 2);
    const PackedMatrix packed(weights, nullptr, WeightFormat::int8);
    const Array<float> x = random_numbers({3, 8}, 1);
    std::vector<float> y(3 * 60, -7.0F);
    packed.multiply(3, x.data(), 8, y.data(), 60);
    for (std::size_t r = 0; r < 3; ++r) {
        const Array<float> alone =
            product(packed, array_of<float>({1, 5}, {x.data() + r * 8, 5}));
        for (std::size_t j = 0; j < 60; ++j) {
            CHECK(y[r * 60 + j] == (j < 50 ? alone.data()[j] : -7.0F));
        }
    }
    packed.multiply(0, nullptr, 8, nullptr, 60); // no row, nothing read
}

TEST_CASE("an int8 weight is the nearest multiple of its output's scale", "[14]")
{
    // The largest magnitudes are 127 and 2.54: scales of 1 and .02.
    const Array<float> weights =
        array_of<float>({4, 2}, {127.0F, -2.54F, 1.5F, 0.01F, 2.5F, 1.27F, -0.4F, 0.0F});
    const PackedMatrix packed(weights, nullptr, WeightFormat::int8);
    std::array<float, 4> kept{};
    packed.weights_of(0, kept.data());
    CHECK(kept == std::array{127.0F, 2.0F, 2.0F, 0.0F}); // of two as near the even one
    packed.weights_of(1, kept.data());
    const float scale = 2.54F / 127;
    CHECK(kept[0] == -127 * scale);
    CHECK(std::abs(kept[1]) <= scale);
    CHECK((kept[2] == 63 * scale || kept[2] == 64 * scale));
    CHECK(kept[3] == 0.0F);
    CHECK(packed.bytes() == 8 + 2 * 4);

    const PackedMatrix one_scale(weights, nullptr, WeightFormat::int8, false,
                                 Scales::of_the_matrix);
    one_scale.weights_of(1, kept.data());
    CHECK(kept == std::array{-3.0F, 0.0F, 1.0F, 0.0F});
}

TEST_CASE("no int8 weight is farther from its own than half a scale", "[14]")
{
    const Array<float> weights = random_numbers({61, 50}, 2, 3.0);
    const PackedMatrix packed(weights, nullptr, WeightFormat::int8);
    std::vector<float> kept(61);
    for (std::size_t j = 0; j < 50; ++j) {
        float largest = 0;
        for (std::size_t i = 0; i < 61; ++i) {
            largest = std::max(largest, std::abs(weights.data()[i * 50 + j]));
        }
        packed.weights_of(j, kept.data());
        for (std::size_t i = 0; i < 61; ++i) {
            CHECK(std::abs(kept[i] - weights.data()[i * 50 + j]) <= largest / 127 * 0.500001F);
        }
    }
}

TEST_CASE("a bf16 weight is a float whose lower half is rounded away", "[14]")
{
    const Array<float> weights = array_of<float>(
        {3, 1}, {1.0F + 0x1p-8F, -(1.0F + 0x1.8p-7F), 3.140625F}); // a tie, a tie, exact
    const PackedMatrix packed(weights, nullptr, WeightFormat::bf16);
    std::array<float, 3> kept{};
    packed.weights_of(0, kept.data());
    CHECK(kept == std::array{1.0F, -(1.0F + 0x1p-6F), 3.140625F});
    CHECK(packed.bytes() == 6);
}

TEST_CASE("a transposed matrix is the same matrix", "[14]")
{
    const Array<float> weights = random_numbers({9, 50}, 2);
    Array<float> turned = uninitialised<float>({50, 9});
    for (std::size_t i = 0; i < 9; ++i) {
        for (std::size_t j = 0; j < 50; ++j) {
            turned.data()[j * 9 + i] = weights.data()[i * 50 + j];
        }
    }
    const Array<float> x = random_numbers({2, 9}, 1);
    for (const WeightFormat format : all_formats) {
        CHECK(same_bits(product(PackedMatrix(weights, nullptr, format), x),
                        product(PackedMatrix(turned, nullptr, format, true), x)));
    }
}

TEST_CASE("weights of zeros and of the smallest numbers stay finite in int8", "[14]")
{
    const Array<float> weights = array_of<float>({2, 2}, {0.0F, 1e-44F, 0.0F, -1e-40F});
    const PackedMatrix packed(weights, nullptr, WeightFormat::int8);
    for (const float y : product(packed, random_numbers({1, 2}, 1))) {
        CHECK(std::abs(y) <= 1e-38F);
    }
}

TEST_CASE("a packed matrix refuses what is none", "[14]")
{
    const Array<float> weights = random_numbers({3, 4}, 2);
    const Array<float> bias = random_numbers({3}, 3);
    CHECK_THROWS_AS(PackedMatrix(weights, &bias, WeightFormat::bf16), ContractError);
    CHECK_THROWS_AS(PackedMatrix(random_numbers({4}, 2), nullptr, WeightFormat::bf16),
                    ContractError);
    CHECK_THROWS_AS(PackedMatrix(Array<float>({0, 4}), nullptr, WeightFormat::bf16),
                    ContractError);
    Array<float> broken = weights;
    broken.data()[5] = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_AS(PackedMatrix(broken, nullptr, WeightFormat::int8), ContractError);
    std::array<float, 3> kept{};
    CHECK_THROWS_AS(
        PackedMatrix(weights, nullptr, WeightFormat::int8).weights_of(4, kept.data()),
        ContractError);
}
