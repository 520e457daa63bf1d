#include "chapters/14_simd_transformer/matrix_product.hpp"

#include "chapters/14_simd_transformer/matrix_product_ladder.hpp"
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

using namespace attn;
namespace simd = attn::simd_transformer;

namespace {

constexpr float nan_in_product = std::numeric_limits<float>::quiet_NaN();

/// One product: what is asked for, and matrices to ask it of. Whatever no stored row covers
/// holds nan, and so does C unless it is read.
struct ProductCase
{
    Transpose a_transposed = Transpose::no, b_transposed = Transpose::no;
    std::size_t m = 1, n = 1, k = 1;
    std::size_t spare = 0;  ///< how much wider a stored row is than the matrix
    std::size_t offset = 0; ///< floats between a multiple of the alignment and the first number
    float alpha = 1, beta = 0;
    bool outliers = false;
    std::vector<float> a = {}, b = {}, c = {};

    std::size_t lda() const { return (a_transposed == Transpose::yes ? m : k) + spare; }
    std::size_t ldb() const { return (b_transposed == Transpose::yes ? k : n) + spare; }
    std::size_t ldc() const { return n + spare; }
    double a_at(std::size_t i, std::size_t p) const
    {
        const std::size_t place =
            a_transposed == Transpose::yes ? p * lda() + i : i * lda() + p;
        return static_cast<double>(a[offset + place]);
    }
    double b_at(std::size_t p, std::size_t j) const
    {
        const std::size_t place =
            b_transposed == Transpose::yes ? j * ldb() + p : p * ldb() + j;
        return static_cast<double>(b[offset + place]);
    }

    std::vector<float> stored(std::size_t n_rows, std::size_t n_columns, std::size_t stride,
                              random::Generator& generator) const
    {
        // The memory ends with the last number, so that sanitizers see what reads behind it.
        std::vector<float> matrix(n_rows == 0 ? 0 : offset + (n_rows - 1) * stride + n_columns,
                                  nan_in_product);
        for (std::size_t i = 0; i < n_rows; ++i) {
            for (std::size_t j = 0; j < n_columns; ++j) {
                const bool far = outliers && generator.below(17) == 0;
                matrix[offset + i * stride + j] =
                    static_cast<float>(generator.normal() * (far ? 1e6 : 1.0));
            }
        }
        return matrix;
    }

    ProductCase& fill()
    {
        random::Generator generator(14, m * 10000 + n * 100 + k);
        const bool a_turned = a_transposed == Transpose::yes;
        const bool b_turned = b_transposed == Transpose::yes;
        a = stored(a_turned ? k : m, a_turned ? m : k, lda(), generator);
        b = stored(b_turned ? n : k, b_turned ? k : n, ldb(), generator);
        c = stored(m, n, ldc(), generator);
        if (beta == 0.0F) {
            std::fill(c.begin(), c.end(), nan_in_product);
        }
        return *this;
    }

    std::vector<float> run(const simd::Execution& how) const
    {
        std::vector<float> result = c;
        simd::multiply(how, a_transposed, b_transposed, m, n, k, alpha, a.data() + offset,
                       lda(), b.data() + offset, ldb(), beta, result.data() + offset, ldc());
        return result;
    }

    /// The largest error, in units of what rounding may do to the sum of an entry's products;
    /// infinite if something was written that is no part of C.
    double error_of(const std::vector<float>& result) const
    {
        double worst = 0;
        std::vector<bool> entry(result.size(), false);
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                const std::size_t place = offset + i * ldc() + j;
                entry[place] = true;
                double sum = 0;
                double sizes = 1e-30;
                if (beta != 0.0F) {
                    sum = static_cast<double>(beta) * static_cast<double>(c[place]);
                    sizes += std::abs(sum);
                }
                for (std::size_t p = 0; p < k; ++p) {
                    const double product = static_cast<double>(alpha) * a_at(i, p) * b_at(p, j);
                    sum += product;
                    sizes += std::abs(product);
                }
                const double error = std::abs(static_cast<double>(result[place]) - sum);
                const double allowed = sizes * static_cast<double>(k + 3) * 6e-8;
                worst = std::isnan(error) ? std::numeric_limits<double>::infinity()
                                          : std::max(worst, error / allowed);
                if (std::isinf(worst)) {
                    return worst;
                }
            }
        }
        for (std::size_t place = 0; place < result.size(); ++place) {
            if (!entry[place] && std::memcmp(&result[place], &c[place], sizeof(float)) != 0) {
                return std::numeric_limits<double>::infinity();
            }
        }
        return worst;
    }
};

constexpr std::pair<Transpose, Transpose> all_transposes[] = {
    {Transpose::no, Transpose::no},
    {Transpose::no, Transpose::yes},
    {Transpose::yes, Transpose::no},
    {Transpose::yes, Transpose::yes},
};

/// Sizes around the tile of an instruction set: each with every vector, tile and panel left over.
std::vector<std::size_t> sizes_around(std::size_t unit)
{
    std::vector<std::size_t> sizes = {1, 2, 3};
    for (const std::size_t around : {unit, 2 * unit}) {
        for (std::size_t size = around - std::min<std::size_t>(around, 1); size <= around + 1;
             ++size) {
            if (size > 3) {
                sizes.push_back(size);
            }
        }
    }
    return sizes;
}

void check_error(const ProductCase& product, const simd::Execution& how)
{
    CAPTURE(how.kernels->name, how.n_threads, product.a_transposed == Transpose::yes,
            product.b_transposed == Transpose::yes, product.m, product.n, product.k,
            product.spare, product.offset, product.alpha, product.beta);
    REQUIRE(product.error_of(product.run(how)) <= 1.0);
}

} // namespace

TEST_CASE(
    "a product is the plain loops' product, around every tile and for every transposition",
    "[14]")
{
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        const simd::MatrixProductKernels& own = kernels->matrix_product;
        for (const auto& [a_transposed, b_transposed] : all_transposes) {
            for (const std::size_t m : sizes_around(own.tile_rows)) {
                for (const std::size_t n : sizes_around(own.tile_columns)) {
                    for (const std::size_t k : {1U, 7U, 33U}) {
                        const std::size_t odd = (m + n + k) % 3;
                        ProductCase product{a_transposed, b_transposed, m, n, k, odd, odd};
                        product.outliers = odd == 1;
                        check_error(product.fill(), {kernels, 1});
                    }
                }
            }
        }
    }
}

TEST_CASE("a product has every size from 1 to 70", "[14]")
{
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        for (std::size_t size = 1; size <= 70; ++size) {
            ProductCase product{Transpose::no, Transpose::no, 71 - size, size,
                                (size * 7) % 19 + 1};
            product.spare = size % 2;
            check_error(product.fill(), {kernels, 1});
            std::swap(product.m, product.n);
            product.b_transposed = Transpose::yes;
            check_error(product.fill(), {kernels, 1});
        }
    }
}

TEST_CASE("a product is right where it takes several blocks", "[14]")
{
    // Deeper, wider and higher than a block, with A packed and as it lies; and one vector wider
    // than what a thread packs of B at a time.
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        const std::size_t wide = 8 * kernels->matrix_product.tile_columns;
        check_error(ProductCase{Transpose::no, Transpose::no, 41, wide + 1, 9}.fill(),
                    {kernels, 1});
        for (const auto& [a_transposed, b_transposed] : all_transposes) {
            check_error(ProductCase{a_transposed, b_transposed, 133, 11, 523, 1}.fill(),
                        {kernels, 1});
            check_error(ProductCase{a_transposed, b_transposed, 9, 1561, 259, 2}.fill(),
                        {kernels, 2});
        }
    }
}

TEST_CASE("a product is multiplied by alpha, and C by beta before it is added to", "[14]")
{
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        for (const auto& [alpha, beta] :
             {std::pair(1.0F, 1.0F), std::pair(-0.75F, 2.5F), std::pair(2.0F, 0.0F)}) {
            for (const std::size_t k : {5U, 300U}) {
                for (const std::size_t n : {6U, 48U, 97U}) {
                    ProductCase product{Transpose::no, Transpose::yes, 21, n, k, 3, 1};
                    product.alpha = alpha;
                    product.beta = beta;
                    check_error(product.fill(), {kernels, 1});
                }
            }
        }
    }
}

TEST_CASE("without a product, C is scaled, and with beta 0 made zero", "[14]")
{
    std::vector<float> c = {1, nan_in_product, 3, 4};
    simd::multiply({}, Transpose::no, Transpose::no, 2, 1, 0, 1, nullptr, 0, nullptr, 1, 2,
                   c.data(), 2);
    CHECK(c[0] == 2);
    CHECK(std::isnan(c[1]));
    CHECK(c[2] == 6);
    CHECK(c[3] == 4);
    simd::multiply({}, Transpose::no, Transpose::no, 2, 2, 3, 0, nullptr, 3, nullptr, 2, 0,
                   c.data(), 2);
    CHECK(c == std::vector<float>(4, 0));
    c = {5, 6};
    simd::multiply({}, Transpose::no, Transpose::no, 0, 2, 3, 1, nullptr, 3, nullptr, 2, 0,
                   c.data(), 2);
    CHECK(c == std::vector<float>({5, 6}));
}

TEST_CASE("a nan in a factor reaches its row or column of the product and no other", "[14]")
{
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        ProductCase product{Transpose::no, Transpose::no, 11, 51, 4};
        product.fill();
        product.a[2 * 4 + 1] = nan_in_product;
        const std::vector<float> rows = product.run({kernels, 1});
        product.fill();
        product.b[3 * 51 + 50] = std::numeric_limits<float>::infinity();
        const std::vector<float> columns = product.run({kernels, 1});
        for (std::size_t place = 0; place < rows.size(); ++place) {
            CAPTURE(kernels->name, place);
            REQUIRE(std::isnan(rows[place]) == (place / 51 == 2));
            REQUIRE(std::isfinite(columns[place]) == (place % 51 != 50));
        }
    }
}

TEST_CASE("a product has the same bits on one, two and three threads", "[14]")
{
    constexpr std::size_t shapes[][3] = {
        {300, 192, 64}, {64, 270, 481}, {517, 131, 259}, {97, 1663, 70}, {129, 49, 100}};
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        for (const auto& [m, n, k] : shapes) {
            for (const auto& [a_transposed, b_transposed] : all_transposes) {
                ProductCase product{a_transposed, b_transposed, m, n, k};
                product.beta = 1;
                product.fill();
                const std::vector<float> alone = product.run({kernels, 1});
                for (const std::size_t n_threads : {2U, 3U}) {
                    CAPTURE(kernels->name, m, n, k, n_threads);
                    const std::vector<float> shared = product.run({kernels, n_threads});
                    REQUIRE(std::memcmp(alone.data(), shared.data(),
                                        alone.size() * sizeof(float)) == 0);
                }
            }
        }
    }
}

TEST_CASE("an entry of a product has the same bits wherever it stands", "[14]")
{
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        ProductCase product{Transpose::no, Transpose::no, 37, 70, 300};
        product.fill();
        const std::vector<float> whole = product.run({kernels, 1});
        for (std::size_t i = 0; i < 37; ++i) {
            for (const std::size_t j : {std::size_t{0}, 2 * i - std::min<std::size_t>(i, 3)}) {
                float entry = nan_in_product;
                simd::multiply({kernels, 1}, Transpose::no, Transpose::no, 1, 1, 300, 1,
                               product.a.data() + i * 300, 300, product.b.data() + j, 70, 0,
                               &entry, 1);
                CAPTURE(kernels->name, i, j);
                REQUIRE(std::memcmp(&entry, &whole[i * 70 + j], sizeof entry) == 0);
            }
        }
    }
}

TEST_CASE("a factor that is read as it lies gives the bits of one that is packed", "[14]")
{
    const auto same_columns = [](const ProductCase& product, const simd::Execution& how,
                                 std::size_t m, std::size_t n) {
        const std::vector<float> whole = product.run(how);
        std::vector<float> part(m * n, nan_in_product);
        simd::multiply(how, product.a_transposed, product.b_transposed, m, n, product.k, 1,
                       product.a.data(), product.lda(), product.b.data(), product.ldb(), 0,
                       part.data(), n);
        for (std::size_t i = 0; i < m; ++i) {
            CAPTURE(how.kernels->name, m, n, i);
            REQUIRE(std::memcmp(&part[i * n], &whole[i * product.n], n * sizeof(float)) == 0);
        }
    };
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        // A is packed from 513 columns on.
        for (const Transpose a_transposed : {Transpose::no, Transpose::yes}) {
            ProductCase product{a_transposed, Transpose::no, 37, 513, 300};
            same_columns(product.fill(), {kernels, 1}, 37, 512);
        }
        // B is packed if it is no whole number of vectors wide, or for more than four tiles.
        const std::size_t few = 4 * kernels->matrix_product.tile_rows;
        ProductCase wide{Transpose::no, Transpose::no, few, 81, 300};
        same_columns(wide.fill(), {kernels, 1}, few, 80);
        ProductCase high{Transpose::no, Transpose::no, few + 1, 80, 300};
        same_columns(high.fill(), {kernels, 1}, few, 80);
    }
}

TEST_CASE("a row that is too short for its matrix, and a product by nobody, are refused",
          "[14]")
{
    std::vector<float> numbers(100);
    const auto with_strides = [&](Transpose t, std::size_t lda, std::size_t ldb,
                                  std::size_t ldc) {
        simd::multiply({}, t, t, 2, 3, 4, 1, numbers.data(), lda, numbers.data(), ldb, 0,
                       numbers.data() + 50, ldc);
    };
    CHECK_NOTHROW(with_strides(Transpose::no, 4, 3, 3));
    CHECK_THROWS_WITH(simd::multiply({.n_threads = 0}, Transpose::no, Transpose::no, 1, 1, 1, 1,
                                     numbers.data(), 1, numbers.data(), 1, 0,
                                     numbers.data() + 50, 1),
                      "multiply: there must be at least one thread");
    CHECK_NOTHROW(with_strides(Transpose::yes, 2, 4, 3));
    CHECK_THROWS_WITH(with_strides(Transpose::no, 3, 3, 3),
                      "multiply: lda must be at least the 4 columns of a stored row, got 3");
    CHECK_THROWS_AS(with_strides(Transpose::no, 4, 2, 3), ContractError);
    CHECK_THROWS_AS(with_strides(Transpose::no, 4, 3, 2), ContractError);
    CHECK_THROWS_AS(with_strides(Transpose::yes, 1, 4, 3), ContractError);
    CHECK_THROWS_AS(with_strides(Transpose::yes, 2, 3, 3), ContractError);
}

TEST_CASE("every rung of the ladder is the first one's product", "[14]")
{
    constexpr std::size_t shapes[][3] = {{1, 1, 1},    {7, 5, 3},     {16, 48, 64},
                                         {65, 63, 66}, {70, 131, 67}, {130, 49, 129}};
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        for (const auto& [m, n, k] : shapes) {
            for (const bool outliers : {false, true}) {
                ProductCase product{Transpose::no, Transpose::no, m, n, k};
                product.outliers = outliers;
                product.fill();
                for (const simd::MatrixProductRung& rung : simd::matrix_product_ladder()) {
                    std::vector<float> result(m * n, nan_in_product);
                    rung.multiply({kernels, 2}, m, n, k, product.a.data(), product.b.data(),
                                  result.data());
                    CAPTURE(kernels->name, rung.name, m, n, k, outliers);
                    REQUIRE(product.error_of(result) <= 1.0);
                }
            }
        }
    }
}

TEST_CASE("the tile written by hand has the bits of the one in the words of this chapter",
          "[14]")
{
    for (const simd::Kernels* kernels : simd::instruction_sets()) {
        const simd::MatrixProductKernels& own = kernels->matrix_product;
        if (own.tile_by_hand == nullptr) {
            CHECK(std::string(kernels->name) != "avx2");
            continue;
        }
        for (const std::size_t depth : {0U, 1U, 2U, 63U, 64U}) {
            random::Generator generator(14, depth);
            std::vector<float> a(depth * own.tile_rows + 1);
            std::vector<float> b(depth * own.tile_columns + 1);
            std::generate(a.begin(), a.end(),
                          [&] { return static_cast<float>(generator.normal()); });
            std::generate(b.begin(), b.end(),
                          [&] { return static_cast<float>(generator.normal()); });
            std::vector<float> by_hand(own.tile_rows * own.tile_columns, nan_in_product);
            std::vector<float> in_words = by_hand;
            own.tile_by_hand(depth, a.data() + 1, b.data() + 1, by_hand.data());
            own.tile(depth, a.data() + 1, b.data() + 1, in_words.data());
            CAPTURE(depth);
            CHECK(by_hand == in_words);
        }
    }
}
