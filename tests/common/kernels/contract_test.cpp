// The contract of bits: every instruction set with fused multiplication and addition gives the bits
// of the scalar form, for any length, place and number of threads.
#include "common/kernels/gemm.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/random/random.hpp"
#include "common/tensor/array.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace attn;

namespace {

/// Lengths around the width of every register, up to three of the widest.
std::vector<std::size_t> lengths()
{
    std::vector<std::size_t> list;
    for (std::size_t n = 1; n <= 51; ++n) {
        list.push_back(n);
    }
    list.insert(list.end(), {63, 64, 65, 127, 129, 300});
    return list;
}

/// Numbers of all sizes: one in eight is a zero of either sign, subnormal, tiny or large.
template <typename T>
std::vector<T> numbers(std::size_t n, std::uint64_t seed)
{
    random::Generator generator(seed);
    std::vector<T> list(n);
    for (T& x : list) {
        x = static_cast<T>(generator.normal());
        const std::uint64_t kind = generator.below(32);
        const T factors[] = {std::numeric_limits<T>::min() / 8, T(1e-20), T(50)};
        x = kind == 0 ? T(-0.0) : kind < 4 ? x * factors[kind - 1] : x;
    }
    return list;
}

/// The same bits, or both nan.
template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), testing::same_number<T>);
}

/// The sets that keep the contract, behind the scalar one.
std::vector<const kernels::Kernels*> fused_sets()
{
    std::vector<const kernels::Kernels*> sets;
    for (const kernels::Kernels* set : kernels::instruction_sets()) {
        if (set->fused && set != kernels::instruction_sets().front()) {
            sets.push_back(set);
        }
    }
    return sets;
}

/// Demands that run(kernels) gives the scalar set's bits with every set.
template <typename T>
void check_all_sets(const std::function<std::vector<T>(const kernels::NumberKernels<T>&)>& run)
{
    const auto& scalar = *kernels::instruction_sets().front();
    const std::vector<T> wanted = run(kernels::of_type<T>(scalar));
    CHECK(
        same(run(kernels::of_type<T>(kernels::kernels_for<kernels::InstructionSet::scalar>())),
             wanted));
    for (const kernels::Kernels* set : fused_sets()) {
        CAPTURE(set->name);
        CHECK(same(run(kernels::of_type<T>(*set)), wanted));
    }
}

// ---------------------------------------------------------------- products

/// A product of matrices, and what each of its entries is by definition. What no stored row covers
/// is nan, and so is C where it is not added to.
template <typename T>
struct ChainedProduct
{
    Transpose a_transposed, b_transposed;
    std::size_t m, n, k;
    T alpha, beta;
    std::size_t spare = 0; ///< how much wider a stored row is than its matrix
    std::size_t lda = (a_transposed == Transpose::yes ? m : k) + spare;
    std::size_t ldb = (b_transposed == Transpose::yes ? k : n) + spare;
    std::size_t ldc = n + spare;
    std::vector<T> a = stored(a_transposed == Transpose::yes ? k : m, lda, spare, 1);
    std::vector<T> b = stored(b_transposed == Transpose::yes ? n : k, ldb, spare, 2);
    std::vector<T> c = stored(m, ldc, beta == T(0) ? ldc : spare, 3);

    static std::vector<T> stored(std::size_t n_rows, std::size_t stride, std::size_t n_empty,
                                 std::uint64_t seed)
    {
        std::vector<T> matrix = numbers<T>(n_rows * stride, seed);
        for (std::size_t i = 0; i < matrix.size(); ++i) {
            matrix[i] =
                i % stride < stride - n_empty ? matrix[i] : std::numeric_limits<T>::quiet_NaN();
        }
        return matrix;
    }
    T a_at(std::size_t i, std::size_t p) const
    {
        return a_transposed == Transpose::yes ? a[p * lda + i] : a[i * lda + p];
    }
    T b_at(std::size_t p, std::size_t j) const
    {
        return b_transposed == Transpose::yes ? b[j * ldb + p] : b[p * ldb + j];
    }

    /// Each entry a chain over the depth.
    std::vector<T> chains() const
    {
        std::vector<T> result = c;
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                T sum = beta == T(0) ? T(0) : c[i * ldc + j];
                for (std::size_t p = 0; p < k; ++p) {
                    const T factor = alpha * a_at(i, p);
                    sum = std::fma(factor, b_at(p, j), sum);
                }
                result[i * ldc + j] = sum;
            }
        }
        return result;
    }

    std::vector<T> computed(const kernels::Execution& how) const
    {
        const kernels::ComputeWith these(how);
        std::vector<T> result = c;
        gemm<T>(a_transposed, b_transposed, m, n, k, alpha, a.data(), lda, b.data(), ldb, beta,
                result.data(), ldc);
        return result;
    }

    void check() const
    {
        const std::vector<T> wanted = chains();
        CAPTURE(m, n, k, a_transposed == Transpose::yes, b_transposed == Transpose::yes, alpha,
                beta, spare);
        REQUIRE(same(computed({&kernels::kernels_for<kernels::InstructionSet::scalar>(), 1}),
                     wanted));
        for (const kernels::Kernels* set : kernels::instruction_sets()) {
            for (const std::size_t n_threads : {1U, 2U, 3U}) {
                if (set->fused) {
                    CAPTURE(set->name, n_threads);
                    REQUIRE(same(computed({set, n_threads}), wanted));
                }
            }
        }
    }
};

template <typename T>
void check_products(std::size_t m, std::size_t n, std::size_t k,
                    const std::vector<std::size_t>& spares = {0, 3})
{
    for (const Transpose a : {Transpose::no, Transpose::yes}) {
        for (const Transpose b : {Transpose::no, Transpose::yes}) {
            for (const std::size_t spare : spares) {
                ChainedProduct<T>{a, b, m, n, k, T(1), T(0), spare}.check();
                ChainedProduct<T>{a, b, m, n, k, T(1), T(1), spare}.check();
                ChainedProduct<T>{a, b, m, n, k, T(0.3), T(1), spare}.check();
            }
        }
    }
}

} // namespace

TEMPLATE_TEST_CASE("an entry of a product is one chain of fused steps, for every shape, "
                   "transpose, stride and set",
                   "[common][property]", float, double)
{
    for (const std::size_t n : {1U, 3U, 8U, 15U, 16U, 17U, 47U, 48U, 49U, 67U}) {
        check_products<TestType>(1, n, 5);
        check_products<TestType>(9, n, 33);
    }
    for (const std::size_t m : {0U, 1U, 3U, 17U}) {
        for (const std::size_t n : {0U, 1U, 8U, 17U}) {
            for (const std::size_t k : {0U, 1U, 8U, 67U}) {
                check_products<TestType>(m, n, k);
            }
        }
    }
    check_products<TestType>(37, 64, 64);
}

TEMPLATE_TEST_CASE("blocks of a large product do not show in its bits", "[common][property]",
                   float, double)
{
    check_products<TestType>(130, 70, 300, {3});
    ChainedProduct<TestType>{Transpose::no, Transpose::no, 19,         1555,
                             260,           TestType(1),   TestType(1)}
        .check();
    ChainedProduct<TestType>{Transpose::no, Transpose::yes, 270, 530, 40,
                             TestType(1),   TestType(0)}
        .check();
    // rows of A that meet in the first cache, and so are packed
    ChainedProduct<TestType>{Transpose::yes, Transpose::no, 512, 100, 70,
                             TestType(1),    TestType(0)}
        .check();
}

TEMPLATE_TEST_CASE("a row alone has the bits of the same row among others",
                   "[common][property]", float, double)
{
    using T = TestType;
    const std::size_t m = 41;
    const std::size_t n = 50;
    const std::size_t k = 70;
    const std::vector<T> x = numbers<T>(m * k, 4);
    const std::vector<T> weight = numbers<T>(k * n, 5);
    const std::vector<T> bias = numbers<T>(n, 6);
    std::vector<T> all(m * n);
    affine_product<T>(m, n, k, x.data(), weight.data(), bias.data(), all.data());
    for (std::size_t i = 0; i < m; ++i) {
        std::vector<T> alone(n);
        affine_product<T>(1, n, k, x.data() + i * k, weight.data(), bias.data(), alone.data());
        CHECK(same(alone,
                   std::vector<T>(all.begin() + static_cast<std::ptrdiff_t>(i * n),
                                  all.begin() + static_cast<std::ptrdiff_t>((i + 1) * n))));
    }
}

// ---------------------------------------------------------------- lists

TEMPLATE_TEST_CASE("sums have sixteen parts, eight in double, folded in halves",
                   "[common][property]", float, double)
{
    using T = TestType;
    constexpr std::size_t n_parts = 64 / sizeof(T);
    for (const std::size_t n : lengths()) {
        CAPTURE(n);
        const std::vector<T> x = numbers<T>(n, 7);
        const std::vector<T> y = numbers<T>(n, 8);
        std::vector<T> sum(n_parts, T(0));
        std::vector<T> dot(n_parts, T(0));
        for (std::size_t i = 0; i < n; ++i) {
            sum[i % n_parts] += x[i];
            dot[i % n_parts] = std::fma(x[i], y[i], dot[i % n_parts]);
        }
        for (std::size_t half = n_parts / 2; half > 0; half /= 2) {
            for (std::size_t i = 0; i < half; ++i) {
                sum[i] += sum[i + half];
                dot[i] += dot[i + half];
            }
        }
        const auto run = [&](const kernels::NumberKernels<T>& by) {
            return std::vector<T>{by.reductions.sum(n, x.data()),
                                  by.reductions.dot(n, x.data(), y.data()),
                                  by.reductions.largest(n, x.data())};
        };
        const std::vector<T> scalar =
            run(kernels::of_type<T>(kernels::kernels_for<kernels::InstructionSet::scalar>()));
        CHECK(same(scalar, {sum[0], dot[0], *std::max_element(x.begin(), x.end())}));
        check_all_sets<T>(run);
    }
}

TEMPLATE_TEST_CASE("an elementary function has the same bits in vectors of any width",
                   "[common][property]", float, double)
{
    using T = TestType;
    const T inf = std::numeric_limits<T>::infinity();
    std::vector<T> x = numbers<T>(4001, 9);
    for (std::size_t i = 0; i < x.size(); i += 3) {
        x[i] *= T(30);
    }
    x.insert(x.end(), {T(0), T(-0.0), inf, -inf, std::numeric_limits<T>::quiet_NaN(),
                       std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::max(),
                       std::numeric_limits<T>::lowest()});
    using Elementary = kernels::ElementaryKernels<T>;
    for (const auto function : {&Elementary::exp, &Elementary::log, &Elementary::tanh,
                                &Elementary::sigmoid, &Elementary::erf}) {
        check_all_sets<T>([&](const kernels::NumberKernels<T>& by) {
            std::vector<T> y(x.size());
            (by.elementary.*function)(x.size(), x.data(), y.data());
            return y;
        });
        for (const std::size_t n : lengths()) {
            check_all_sets<T>([&](const kernels::NumberKernels<T>& by) {
                std::vector<T> y(n + 1, T(7)); // what follows the list stays
                (by.elementary.*function)(n, x.data(), y.data());
                return y;
            });
        }
    }
}

// ---------------------------------------------------------------- rows

namespace {

/// Everything that the row kernels compute of three rows.
template <typename T>
std::vector<T> all_rows(const kernels::NumberKernels<T>& by, std::size_t n)
{
    const std::size_t n_rows = 3;
    const std::size_t size = n_rows * n;
    const kernels::RowsSize rows{n_rows, n, n};
    const std::vector<T> x = numbers<T>(size, 10);
    const std::vector<T> dy = numbers<T>(size, 11);
    const std::vector<T> gain = numbers<T>(n, 12);
    const std::vector<T> bias = numbers<T>(n, 13);
    std::vector<T> result;
    const auto keep = [&](const std::vector<T>& y) {
        result.insert(result.end(), y.begin(), y.end());
    };

    std::vector<T> weights(n);
    by.rows.softmax(n, x.data(), weights.data());
    keep(weights);
    std::vector<T> dx(n);
    by.rows.softmax_backward(n, weights.data(), dy.data(), dx.data());
    keep(dx);

    std::vector<T> y = x;
    by.rows.relu(rows, y.data());
    keep(y);
    std::vector<T> dz(size);
    by.rows.relu_backward(rows, y.data(), dy.data(), dz.data());
    keep(dz);
    std::vector<T> sums = bias;
    by.rows.add_columns(rows, dy.data(), sums.data());
    keep(sums);

    std::vector<T> means(n_rows);
    std::vector<T> factors(n_rows);
    const kernels::RowMoments<T> moments{means.data(), factors.data()};
    std::vector<T> added(size);
    by.rows.normalise(rows, x.data(), {gain.data(), bias.data(), T(1e-5)}, y.data(), moments);
    keep(y);
    by.rows.add_and_normalise(rows, x.data(), dy.data(), {gain.data(), bias.data(), T(1e-5)},
                              added.data(), y.data(), moments);
    keep(added);
    keep(y);
    keep(means);
    keep(factors);
    const kernels::NormGradient<T> from{added.data(), dy.data(), moments};
    by.rows.normalise_backward(rows, from, gain.data(), false, dz.data());
    keep(dz);
    by.rows.normalise_backward(rows, from, gain.data(), true, dz.data());
    keep(dz);
    std::vector<T> dgain(n, T(0));
    std::vector<T> dbias(n, T(0));
    by.rows.add_norm_columns(rows, from, dgain.data(), dbias.data());
    keep(dgain);
    keep(dbias);

    const kernels::LogitSums<T> logits = by.rows.logit_sums(n, x.data());
    keep({logits.largest, logits.exponentials, logits.differences});
    by.rows.logit_gradient(n, x.data(), {logits.largest, T(0.3), T(0.01), false}, dz.data());
    by.rows.logit_gradient(n, x.data() + n, {logits.largest, T(0.3), T(0.01), true}, dz.data());
    keep(dz);
    return result;
}

} // namespace

TEMPLATE_TEST_CASE("rows have the same bits with every set", "[common][property]", float,
                   double)
{
    for (const std::size_t n : lengths()) {
        CAPTURE(n);
        check_all_sets<TestType>(
            [n](const kernels::NumberKernels<TestType>& by) { return all_rows(by, n); });
    }
}

TEMPLATE_TEST_CASE("a softmax of masked scores has weights of 0, and a row of them only zeros",
                   "[common]", float, double)
{
    using T = TestType;
    const T hidden = -std::numeric_limits<T>::infinity();
    for (const kernels::Kernels* set : kernels::instruction_sets()) {
        CAPTURE(set->name);
        std::vector<T> row = {T(1), hidden, T(2), hidden, hidden};
        kernels::of_type<T>(*set).rows.softmax(row.size(), row.data(), row.data());
        CHECK(row[1] == 0);
        CHECK(row[4] == 0);
        CHECK(std::abs(row[0] + row[2] - 1) < T(1e-6));
        std::vector<T> none(19, hidden);
        kernels::of_type<T>(*set).rows.softmax(none.size(), none.data(), none.data());
        CHECK(none == std::vector<T>(19, T(0)));
    }
}

// ---------------------------------------------------------------- decoding

TEMPLATE_TEST_CASE("decoding's product of a row has the bits of a product of matrices",
                   "[common][property]", float, double)
{
    using T = TestType;
    const kernels::ComputeWith reference(
        {&kernels::kernels_for<kernels::InstructionSet::scalar>(), 1});
    const std::size_t k = 40;
    for (const std::size_t n : {1U, 3U, 7U, 8U, 16U, 20U, 33U, 64U, 130U, 150U}) {
        CAPTURE(n);
        const std::vector<T> x = numbers<T>(k, 17);
        const std::vector<T> weight = numbers<T>(k * n, 18);
        const std::vector<T> bias = numbers<T>(n, 19);
        const std::vector<T> residual = numbers<T>(n, 20);
        std::vector<T> wanted(n);
        affine_product<T>(1, n, k, x.data(), weight.data(), bias.data(), wanted.data());
        kernels::current<T>().rows.relu({1, n, n}, wanted.data());
        for (std::size_t j = 0; j < n; ++j) {
            wanted[j] = residual[j] + wanted[j];
        }
        for (const kernels::Kernels* set : kernels::instruction_sets()) {
            if (set->fused) {
                CAPTURE(set->name);
                std::vector<T> y = residual; // added to what is there
                kernels::of_type<T>(*set).decoding.multiply_row(
                    {k, n, weight.data(), bias.data(), y.data(), true}, x.data(), y.data());
                CHECK(same(y, wanted));
            }
        }
    }
}

TEMPLATE_TEST_CASE("decoding's attention has the bits of two products and a softmax",
                   "[common][property]", float, double)
{
    using T = TestType;
    const kernels::ComputeWith reference(
        {&kernels::kernels_for<kernels::InstructionSet::scalar>(), 1});
    const std::size_t n_heads = 3;
    const T scale = T(0.35);
    for (const std::size_t d_head : {4U, 5U, 16U, 32U}) {
        for (const std::size_t n_seen : {1U, 2U, 15U, 16U, 17U, 63U, 64U}) {
            CAPTURE(d_head, n_seen);
            const std::size_t d = n_heads * d_head;
            const std::size_t room = 64;
            const std::vector<T> query = numbers<T>(d, 21);
            const std::vector<T> keys = numbers<T>(d * room, 22);
            const std::vector<T> values = numbers<T>(room * d, 23);
            std::vector<T> wanted(d);
            std::vector<T> weights_wanted;
            for (std::size_t head = 0; head < n_heads; ++head) {
                std::vector<T> weights(n_seen);
                gemm<T>(Transpose::no, Transpose::no, 1, n_seen, d_head, scale,
                        query.data() + head * d_head, d_head,
                        keys.data() + head * d_head * room, room, T(0), weights.data(), n_seen);
                kernels::current<T>().rows.softmax(n_seen, weights.data(), weights.data());
                gemm<T>(Transpose::no, Transpose::no, 1, d_head, n_seen, T(1), weights.data(),
                        n_seen, values.data() + head * d_head, d, T(0),
                        wanted.data() + head * d_head, d_head);
                weights_wanted.insert(weights_wanted.end(), weights.begin(), weights.end());
            }
            for (const kernels::Kernels* set : kernels::instruction_sets()) {
                if (!set->fused) {
                    continue;
                }
                CAPTURE(set->name);
                std::vector<T> weights(n_heads * room);
                std::vector<T> context(d);
                kernels::of_type<T>(*set).decoding.attend_row(
                    {n_heads, d, n_seen, room, keys.data(), values.data()}, query.data(), scale,
                    weights.data(), context.data());
                std::vector<T> seen;
                for (std::size_t head = 0; head < n_heads; ++head) {
                    const auto first =
                        weights.begin() + static_cast<std::ptrdiff_t>(head * room);
                    seen.insert(seen.end(), first, first + static_cast<std::ptrdiff_t>(n_seen));
                }
                CHECK(same(context, wanted));
                CHECK(same(seen, weights_wanted));
            }
        }
    }
}

// ---------------------------------------------------------------- without fused steps

TEST_CASE("a set without fused steps differs in the last digits and no more", "[common]")
{
    for (const Transpose a : {Transpose::no, Transpose::yes}) {
        for (const Transpose b : {Transpose::no, Transpose::yes}) {
            for (const std::size_t n : {1U, 17U, 40U}) {
                const ChainedProduct<float> product{a, b, 20, n, 60, 1.0F, 1.0F, 3};
                const std::vector<float> wanted = product.chains();
                for (const kernels::Kernels* set : kernels::instruction_sets()) {
                    const std::vector<float> result = product.computed({set, 1});
                    for (std::size_t i = 0; i < wanted.size(); ++i) {
                        CHECK((std::abs(result[i] - wanted[i]) <=
                                   1e-4F * (1 + std::abs(wanted[i])) ||
                               (std::isnan(result[i]) && std::isnan(wanted[i]))));
                    }
                }
            }
        }
    }
}
