/// \file
/// \brief The bodies of gemm.hpp and gemm_instead.hpp.
#include "common/tensor/gemm.hpp"
#include "common/tensor/gemm_instead.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cblas.h>
#include <limits>
#include <type_traits>
#include <utility>

namespace attn {

namespace {

/// What computes this thread's products of floats; null for OpenBLAS.
constinit thread_local const FloatProduct* instead = nullptr;

/// Keeps OpenBLAS on the caller's thread, from the first product on. On several threads it cuts
/// a product at places that depend on their number, and with its AVX2 kernels most shapes then
/// come out with other bits: the book's numbers would depend on the reader's processor count.
/// Work that deserves several threads is split by its owner, into pieces that do not depend on
/// how many threads there are.
void one_thread()
{
    [[maybe_unused]] static const bool done = (openblas_set_num_threads(1), true);
}

void expect_stride(std::size_t stride, std::size_t n_columns, const char* name)
{
    expect(stride >= n_columns,
           "gemm: {} must be at least the {} columns of a stored row, got {}", name, n_columns,
           stride);
    expect(stride <= static_cast<std::size_t>(std::numeric_limits<blasint>::max()),
           "gemm: {} must be a number that OpenBLAS can count to, got {}", name, stride);
}

/// C = beta C, without reading C if beta is 0.
template <typename T>
void scale(std::size_t m, std::size_t n, T beta, T* c, std::size_t ldc)
{
    for (std::size_t i = 0; i < m; ++i) {
        T* const row = c + i * ldc;
        if (beta == T(0)) {
            std::fill_n(row, n, T(0));
        } else {
            std::for_each_n(row, n, [beta](T& entry) { entry *= beta; });
        }
    }
}

CBLAS_TRANSPOSE cblas(Transpose transposed)
{
    return transposed == Transpose::yes ? CblasTrans : CblasNoTrans;
}

} // namespace

template <typename T>
void gemm(Transpose a_transposed, Transpose b_transposed, std::size_t m, std::size_t n,
          std::size_t k, T alpha, const T* a, std::size_t lda, const T* b, std::size_t ldb,
          T beta, T* c, std::size_t ldc)
{
    expect_stride(lda, a_transposed == Transpose::yes ? m : k, "lda");
    expect_stride(ldb, b_transposed == Transpose::yes ? k : n, "ldb");
    expect_stride(ldc, n, "ldc");
    constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<blasint>::max());
    expect(m <= largest && k <= largest,
           "gemm: m and k must be numbers that OpenBLAS can count to, got {} and {}", m, k);

    if (m == 0 || n == 0) {
        return;
    }
    // OpenBLAS demands strides above zero, which a matrix without columns need not have.
    if (k == 0) {
        scale(m, n, beta, c, ldc);
        return;
    }
    // Deliberately no loops of our own for small products: they would win only below a few
    // dozen multiplications.
    if constexpr (std::is_same_v<T, float>) {
        if (instead != nullptr) {
            (*instead)(a_transposed, b_transposed, m, n, k, alpha, a, lda, b, ldb, beta, c,
                       ldc);
            return;
        }
    }
    one_thread();
    const auto multiply = [] {
        if constexpr (std::is_same_v<T, float>) {
            return cblas_sgemm;
        } else {
            return cblas_dgemm;
        }
    }();
    multiply(CblasRowMajor, cblas(a_transposed), cblas(b_transposed), static_cast<blasint>(m),
             static_cast<blasint>(n), static_cast<blasint>(k), alpha, a,
             static_cast<blasint>(lda), b, static_cast<blasint>(ldb), beta, c,
             static_cast<blasint>(ldc));
}

template void gemm(Transpose, Transpose, std::size_t, std::size_t, std::size_t, float,
                   const float*, std::size_t, const float*, std::size_t, float, float*,
                   std::size_t);
template void gemm(Transpose, Transpose, std::size_t, std::size_t, std::size_t, double,
                   const double*, std::size_t, const double*, std::size_t, double, double*,
                   std::size_t);

GemmInstead::GemmInstead(FloatProduct product)
    : product_(std::move(product)), outer_(std::exchange(instead, &product_))
{
}

GemmInstead::~GemmInstead()
{
    instead = outer_;
}

} // namespace attn
