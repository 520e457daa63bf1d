/// \file
/// \brief The kernels of incremental decoding: on every instruction set the bits of the scalar
/// form, and those of products of whole matrices.
#include "common/kernels/gemm.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/random/random.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace attn;
using namespace attn::kernels;

namespace {

template <typename T>
std::vector<T> random_row(std::size_t n, random::Generator& generator)
{
    std::vector<T> row(n);
    for (T& number : row) {
        number = static_cast<T>(generator.normal());
    }
    return row;
}

template <typename T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// max(0, x W + b) + residual in one call, with the result where the residual was, and as a product
/// of matrices of one row, a ReLU and a sum.
template <typename T>
void check_row_product(const Kernels& kernels, std::size_t n_in, std::size_t n_out,
                       random::Generator& generator)
{
    const std::vector<T> x = random_row<T>(n_in, generator);
    const std::vector<T> weight = random_row<T>(n_in * n_out + 1, generator);
    const std::vector<T> bias = random_row<T>(n_out, generator);
    const std::vector<T> residual = random_row<T>(n_out + 1, generator);
    const T* const W = weight.data() + 1; // misaligned
    const ComputeWith guard({.kernels = &kernels});
    for (const bool rectified : {false, true}) {
        CAPTURE(kernels.name, n_in, n_out, rectified);
        std::vector<T> product(n_out);
        affine_product(1, n_out, n_in, x.data(), W, bias.data(), product.data());
        std::vector<T> wanted = residual; // one number more, which stays
        for (std::size_t j = 0; j < n_out; ++j) {
            wanted[j] = (rectified && !(product[j] > 0) ? T(0) : product[j]) + residual[j];
        }
        std::vector<T> found = residual;
        of_type<T>(kernels).decoding.multiply_row(
            {n_in, n_out, W, bias.data(), found.data(), rectified}, x.data(), found.data());
        CHECK(same_bits(found, wanted));
    }
}

/// Keys, values and a query, with a large score and nans where nothing is to be attended to.
template <typename T>
struct Attention
{
    static constexpr std::size_t room = 128;
    static constexpr std::size_t n_heads = 2;
    std::size_t d;
    std::size_t n_seen;
    std::vector<T> keys;   ///< [d, room]
    std::vector<T> values; ///< [room, d]
    std::vector<T> query;  ///< [d]

    Attention(std::size_t d_, std::size_t n_seen_, random::Generator& generator)
        : d(d_), n_seen(n_seen_), keys(random_row<T>(d * room, generator)),
          values(random_row<T>(room * d, generator)), query(random_row<T>(d, generator))
    {
        keys[room / 2] = 50;
        for (std::size_t k = 0; k < d; ++k) {
            for (std::size_t j = n_seen; j < room; ++j) {
                keys[k * room + j] = values[j * d + k] = std::numeric_limits<T>::quiet_NaN();
            }
        }
    }

    /// The context, and behind it the weights of the keys that are seen.
    std::vector<T> by(const Kernels& kernels) const
    {
        std::vector<T> weights(n_heads * room);
        std::vector<T> found(d, std::numeric_limits<T>::quiet_NaN());
        of_type<T>(kernels).decoding.attend_row(
            {n_heads, d, n_seen, room, keys.data(), values.data()}, query.data(), T(0.75),
            weights.data(), found.data());
        for (std::size_t h = 0; h < n_heads; ++h) {
            const auto first = weights.begin() + static_cast<std::ptrdiff_t>(h * room);
            found.insert(found.end(), first, first + static_cast<std::ptrdiff_t>(n_seen));
        }
        return found;
    }

    /// A number of the context in plain loops, in double.
    double context(std::size_t k) const
    {
        const std::size_t d_head = d / n_heads;
        const std::size_t first = k / d_head * d_head;
        std::vector<double> scores(n_seen);
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < n_seen; ++j) {
            for (std::size_t i = first; i < first + d_head; ++i) {
                scores[j] += 0.75 * static_cast<double>(query[i]) *
                             static_cast<double>(keys[i * room + j]);
            }
            largest = std::max(largest, scores[j]);
        }
        double total = 0;
        double sum = 0;
        for (std::size_t j = 0; j < n_seen; ++j) {
            const double weight = std::exp(scores[j] - largest);
            total += weight;
            sum += weight * static_cast<double>(values[j * d + k]);
        }
        return n_seen == 0 ? 0 : sum / total;
    }
};

template <typename T>
void check_attention(std::size_t d_head, std::size_t n_seen, random::Generator& generator)
{
    const Attention<T> attention(2 * d_head, n_seen, generator);
    const std::vector<T> scalar = attention.by(*instruction_sets().front());
    const double tolerance = std::is_same_v<T, float> ? 2e-5 : 1e-13;
    for (const Kernels* kernels : instruction_sets()) {
        CAPTURE(kernels->name, d_head, n_seen);
        const std::vector<T> found = attention.by(*kernels);
        CHECK((!kernels->fused || same_bits(found, scalar)));
        for (std::size_t k = 0; k < 2 * d_head; ++k) {
            CHECK(std::abs(static_cast<double>(found[k]) - attention.context(k)) <= tolerance);
        }
    }
}

} // namespace

TEST_CASE("a row times a matrix has the bits of a product of matrices, on every set",
          "[kernels]")
{
    random::Generator generator(3);
    for (const Kernels* kernels : instruction_sets()) {
        for (const std::size_t n_out :
             {1U, 3U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 63U, 64U, 65U, 130U, 270U}) {
            for (const std::size_t n_in : {0U, 1U, 5U, 64U, 300U}) {
                if (kernels->fused) {
                    check_row_product<float>(*kernels, n_in, n_out, generator);
                    check_row_product<double>(*kernels, n_in, n_out, generator);
                }
            }
        }
    }
}

TEST_CASE("a row attends to a cache, on every set, with outliers and keys that are not numbers",
          "[kernels]")
{
    random::Generator generator(8);
    for (const std::size_t d_head : {1U, 4U, 7U, 8U, 16U, 33U, 64U}) {
        for (const std::size_t n_seen : {0U, 1U, 2U, 15U, 16U, 17U, 64U, 65U, 100U, 128U}) {
            check_attention<float>(d_head, n_seen, generator);
            check_attention<double>(d_head, n_seen, generator);
        }
    }
}
