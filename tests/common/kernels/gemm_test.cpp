#include "common/kernels/gemm.hpp"

#include "common/parallel/for_each_index.hpp"
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

using attn::gemm;
using attn::Transpose;
using attn::testing::contains;

namespace {

/// Sizes where kernels change: none, one, a whole vector, a little more than one, a few tiles.
constexpr std::array<std::size_t, 6> sizes = {0, 1, 3, 8, 17, 67};

/// One product: what is asked for, and matrices to ask it of. Whatever no stored row covers,
/// and all of C, holds nan.
template <typename T>
struct Product
{
    Transpose a_transposed, b_transposed;
    std::size_t m, n, k, spare; ///< spare: how much wider a stored row is than the matrix
    T alpha = 1, beta = 0;
    std::vector<T> a = {}, b = {}, c = {};

    bool turned(Transpose t) const { return t == Transpose::yes; }
    std::size_t lda() const { return (turned(a_transposed) ? m : k) + spare; }
    std::size_t ldb() const { return (turned(b_transposed) ? k : n) + spare; }
    std::size_t ldc() const { return n + spare; }
    T a_at(std::size_t i, std::size_t p) const
    {
        return a[turned(a_transposed) ? p * lda() + i : i * lda() + p];
    }
    T b_at(std::size_t p, std::size_t j) const
    {
        return b[turned(b_transposed) ? j * ldb() + p : p * ldb() + j];
    }

    static std::vector<T> stored(std::size_t n_rows, std::size_t n_columns, std::size_t stride,
                                 attn::random::Generator& generator)
    {
        std::vector<T> matrix(n_rows * stride, std::numeric_limits<T>::quiet_NaN());
        for (std::size_t i = 0; i < n_rows; ++i) {
            for (std::size_t j = 0; j < n_columns; ++j) {
                matrix[i * stride + j] = static_cast<T>(generator.uniform(-1, 1));
            }
        }
        return matrix;
    }

    void fill(bool c_as_well)
    {
        attn::random::Generator generator(7, m * 10000 + n * 100 + k);
        a = turned(a_transposed) ? stored(k, m, lda(), generator)
                                 : stored(m, k, lda(), generator);
        b = turned(b_transposed) ? stored(n, k, ldb(), generator)
                                 : stored(k, n, ldb(), generator);
        c = stored(m, c_as_well ? n : 0, ldc(), generator);
    }

    std::vector<T> run() const
    {
        std::vector<T> result = c;
        gemm<T>(a_transposed, b_transposed, m, n, k, alpha, a.data(), lda(), b.data(), ldb(),
                beta, result.data(), ldc());
        return result;
    }

    /// The largest error, in units of what rounding may do to k sums of numbers below 1.
    double error_of(const std::vector<T>& result) const
    {
        double largest = 0;
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                double product = 0;
                for (std::size_t p = 0; p < k; ++p) {
                    product +=
                        static_cast<double>(a_at(i, p)) * static_cast<double>(b_at(p, j));
                }
                double wanted = static_cast<double>(alpha) * product;
                if (beta != T(0)) {
                    wanted += static_cast<double>(beta) * static_cast<double>(c[i * ldc() + j]);
                }
                const double error =
                    std::abs(static_cast<double>(result[i * ldc() + j]) - wanted);
                if (std::isnan(error)) {
                    return error;
                }
                largest = std::max(largest, error);
            }
        }
        const double rounding = static_cast<double>(std::numeric_limits<T>::epsilon()) *
                                (std::abs(static_cast<double>(alpha)) * static_cast<double>(k) +
                                 std::abs(static_cast<double>(beta)));
        return largest == 0 ? 0 : largest / rounding;
    }

    bool leaves_the_rest_alone(const std::vector<T>& result) const
    {
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = n; j < ldc(); ++j) {
                if (!std::isnan(result[i * ldc() + j])) {
                    return false;
                }
            }
        }
        return true;
    }
};

constexpr std::array<std::pair<Transpose, Transpose>, 4> transposes = {{
    {Transpose::no, Transpose::no},
    {Transpose::no, Transpose::yes},
    {Transpose::yes, Transpose::no},
    {Transpose::yes, Transpose::yes},
}};

template <typename T>
void check_every_shape(T alpha, T beta)
{
    for (const auto& [a_transposed, b_transposed] : transposes) {
        for (const std::size_t m : sizes) {
            for (const std::size_t n : sizes) {
                for (const std::size_t k : sizes) {
                    for (const std::size_t spare : {0U, 3U}) {
                        Product<T> product{a_transposed, b_transposed, m, n, k, spare};
                        product.alpha = alpha;
                        product.beta = beta;
                        product.fill(beta != T(0));
                        const std::vector<T> result = product.run();
                        CAPTURE(a_transposed == Transpose::yes, b_transposed == Transpose::yes,
                                m, n, k, spare, alpha, beta);
                        REQUIRE(product.error_of(result) <= 1);
                        REQUIRE(product.leaves_the_rest_alone(result));
                    }
                }
            }
        }
    }
}

} // namespace

TEST_CASE("a product is the plain loops' product, for every shape, transpose and stride",
          "[common][property]")
{
    SECTION("C is written and not read, so that a nan in it does not survive")
    {
        check_every_shape<float>(1, 0);
        check_every_shape<double>(1, 0);
    }
    SECTION("C is added to")
    {
        check_every_shape<float>(1, 1);
        check_every_shape<double>(1, 1);
    }
    SECTION("both factors")
    {
        check_every_shape<float>(-0.75F, 1);
        check_every_shape<double>(-0.75, 1);
    }
}

TEST_CASE("without a product, C stays, and with beta 0 becomes zero", "[common]")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> c = {1, nan, 3, 4};
    gemm<double>(Transpose::no, Transpose::no, 2, 1, 0, 1, nullptr, 0, nullptr, 1, 1, c.data(),
                 2);
    CHECK(c[0] == 1);
    CHECK(std::isnan(c[1]));
    CHECK(c[2] == 3);
    CHECK(c[3] == 4);
    gemm<double>(Transpose::no, Transpose::no, 2, 2, 0, 1, nullptr, 0, nullptr, 2, 0, c.data(),
                 2);
    CHECK(c == std::vector<double>(4, 0));
}

TEST_CASE("a factor of C other than 0 and 1 is refused", "[common]")
{
    std::vector<float> x(4);
    CHECK_THROWS_WITH(gemm<float>(Transpose::no, Transpose::no, 1, 1, 1, 1, x.data(), 1,
                                  x.data() + 1, 1, 2, x.data() + 2, 1),
                      "gemm: beta must be 0 or 1, got 2");
}

TEST_CASE("a nan in a factor reaches its row or column of the product and no other", "[common]")
{
    Product<float> product{Transpose::no, Transpose::no, 5, 19, 4, 0};
    product.fill(false);
    product.a[2 * 4 + 1] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> c = product.run();
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 19; ++j) {
            CAPTURE(i, j);
            CHECK(std::isnan(c[i * 19 + j]) == (i == 2));
        }
    }
}

TEST_CASE("a stride below the width of a stored row is refused", "[common]")
{
    std::vector<float> numbers(100);
    const auto with_strides = [&](Transpose t, std::size_t lda, std::size_t ldb,
                                  std::size_t ldc) {
        gemm<float>(t, t, 2, 3, 4, 1, numbers.data(), lda, numbers.data(), ldb, 0,
                    numbers.data() + 50, ldc);
    };
    CHECK_NOTHROW(with_strides(Transpose::no, 4, 3, 3));
    CHECK_NOTHROW(with_strides(Transpose::yes, 2, 4, 3));
    CHECK_THROWS_WITH(with_strides(Transpose::no, 3, 3, 3),
                      "gemm: lda must be at least the 4 columns of a stored row, got 3");
    CHECK_THROWS_WITH(with_strides(Transpose::no, 4, 2, 3), contains("gemm: ldb must be"));
    CHECK_THROWS_WITH(with_strides(Transpose::no, 4, 3, 2), contains("gemm: ldc must be"));
    CHECK_THROWS_WITH(with_strides(Transpose::yes, 1, 4, 3), contains("gemm: lda must be"));
    CHECK_THROWS_WITH(with_strides(Transpose::yes, 2, 3, 3), contains("gemm: ldb must be"));
}

TEST_CASE("a product has the same bits alone and beside others", "[common][property]")
{
    const std::array<std::array<std::size_t, 3>, 4> shapes = {
        {{32, 192, 64}, {480, 192, 64}, {1, 192, 64}, {37, 41, 129}}};
    for (const auto& [m, n, k] : shapes) {
        CAPTURE(m, n, k);
        Product<float> product{Transpose::no, Transpose::yes, m, n, k, 0};
        product.fill(false);
        const std::vector<float> alone = product.run();
        std::vector<std::vector<float>> beside(12);
        attn::parallel::for_each_index(beside.size(), 4,
                                       [&](std::size_t i) { beside[i] = product.run(); });
        for (const std::vector<float>& result : beside) {
            REQUIRE(result == alone);
        }
    }
}
