/// \file
/// \brief Which instruction sets the kernels are compiled for, which of them this processor has,
/// and which one is used. Deliberately decided while the program runs: the same program runs on
/// every processor of its kind.
#pragma once

#include "chapters/14_simd_transformer/kernels/kernels.hpp"

#include <string>
#include <string_view>
#include <vector>

/// The fast transformer.
namespace attn::simd_transformer {

/// The instruction sets that the kernels are compiled for and this processor can run.
/// \returns  from the narrowest to the widest; the first is "scalar"
const std::vector<const Kernels*>& instruction_sets();

/// Finds an instruction set by its name.
/// \param name  "scalar", "sse4_2", "avx2", "avx512" or "neon"
/// \param what  where the name comes from, for the message: "--simd"
/// \returns     its kernels
/// \throws program::BadInput naming those there are, if the name is none or the processor cannot
///         run it
const Kernels& instruction_set(std::string_view name, std::string_view what);

/// The kernels that are used if nobody asks for others: those that the variable ATTN_SIMD of the
/// environment names, or the widest that the processor can run.
/// \returns  read once; the same at every call
/// \throws program::BadInput if ATTN_SIMD names none that the processor can run
const Kernels& default_kernels();

/// How a computation runs: with which kernels, on how many threads. The bits of a result depend
/// on the kernels, and not on the threads.
struct Execution
{
    const Kernels* kernels = &default_kernels(); ///< of one instruction set
    std::size_t n_threads = 1;                   ///< at least 1
};

} // namespace attn::simd_transformer
