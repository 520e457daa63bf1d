/// \file
/// \brief The product over numbers of 16 bits in the matrix unit of some processors of Intel's,
/// AMX: one instruction multiplies tiles of 16 rows by 64 bytes.
#pragma once

#include "chapters/14_simd_transformer/fewer_bits/kernels.hpp"

namespace attn::simd_transformer {

/// Whether the processor has AMX with numbers of 16 bits, this program was compiled with it, and
/// the operating system, which must keep eight kilobytes more of every thread, lets us use it.
/// \returns  asked once; the same at every call
bool amx_is_granted();

/// MultiplyBf16 by AMX.
/// Undefined unless amx_is_granted().
void multiply_by_amx(const Bf16Product& product);

} // namespace attn::simd_transformer
