/// \file
/// \brief Another way to compute the products of floats, for as long as somebody wants it: how
/// operators that call gemm() run on kernels that they do not know. Deliberately not for double,
/// in which nothing is trained.
#pragma once

#include "common/tensor/gemm.hpp"

#include <cstddef>
#include <functional>

namespace attn {

/// What gemm<float> does, with its arguments. It is called with m, n and k at least 1 and with
/// strides that are large enough.
using FloatProduct = std::function<void(
    Transpose a_transposed, Transpose b_transposed, std::size_t m, std::size_t n, std::size_t k,
    float alpha, const float* a, std::size_t lda, const float* b, std::size_t ldb, float beta,
    float* c, std::size_t ldc)>;

/// While it lives, every gemm<float> that this thread calls is computed by another function.
/// Other threads are not concerned. Of several, the one made last counts.
class GemmInstead
{
public:
    /// \param product  computes what gemm promises; from now on it is called instead of OpenBLAS
    explicit GemmInstead(FloatProduct product);
    ~GemmInstead();                                      ///< What was before is again.
    GemmInstead(const GemmInstead&) = delete;            ///< one scope, one guard
    GemmInstead& operator=(const GemmInstead&) = delete; ///< one scope, one guard

private:
    FloatProduct product_;
    const FloatProduct* outer_;
};

} // namespace attn
