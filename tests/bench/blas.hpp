/// \file
/// \brief The OpenBLAS of this process, if one was loaded: PyTorch computes on it, and so does a
/// benchmark's own comparison. It is asked by the names of its functions at run time.
/// Deliberately without its headers: the book does not need it.
#pragma once

#include <string>

namespace attn::bench {

/// How many threads OpenBLAS may use; nothing if there is none.
/// \param n  the number of threads, at least 1
void set_blas_threads(int n);

/// \returns its version, its kernels and where its threads come from, as
///          "OpenBLAS 0.3.29, Cooperlake kernels, threads of its own"; empty if there is none.
///          The variable OPENBLAS_CORETYPE overrides the choice of kernels
std::string blas_version();

} // namespace attn::bench
