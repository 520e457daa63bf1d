/// \file
/// \brief Which instruction sets the kernels are compiled for, which of them this processor has,
/// and which one is used. Decided while the program runs: the same program runs on
/// every processor of its kind.
#pragma once

#include "common/kernels/kernels.hpp"

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// What the book computes with: the inner loops, once for each instruction set.
namespace attn::kernels {

/// The instruction sets that the kernels are compiled for and this processor can run.
/// \returns  from the narrowest to the widest; the first is "scalar"
const std::vector<const Kernels*>& instruction_sets();

/// Finds an instruction set by its name.
/// \param name  "scalar", "sse4_2", "avx2", "avx512" or "neon"
/// \param what  where the name comes from, for the message: "--simd"
/// \returns     its kernels
/// \throws ContractError naming those there are, if the name is none or the processor cannot
///         run it
const Kernels& instruction_set(std::string_view name, std::string_view what);

/// The kernels that are used if nobody asks for others: those that the variable ATTN_SIMD of the
/// environment names, or the widest that the processor can run.
/// \returns  read once; the same at every call
/// \throws ContractError if ATTN_SIMD names none that the processor can run
const Kernels& default_kernels();

/// How a computation runs: with which kernels, on how many threads. The bits of a result depend
/// on neither, as long as the kernels are fused.
struct Execution
{
    const Kernels* kernels = &default_kernels(); ///< of one instruction set
    std::size_t n_threads = 1;                   ///< at least 1
};

/// How this thread computes: what every operator of the tape asks.
/// \returns  default kernels on one thread, unless a ComputeWith lives
const Execution& execution();

/// While it lives, this thread computes otherwise; of several, the one made last counts. Other
/// threads are not concerned.
class ComputeWith
{
public:
    /// \param how  kernels and threads; what how.kernels points to must outlive this
    explicit ComputeWith(const Execution& how);
    ~ComputeWith();                                      ///< As it was before.
    ComputeWith(const ComputeWith&) = delete;            ///< one scope, one guard
    ComputeWith& operator=(const ComputeWith&) = delete; ///< one scope, one guard

private:
    Execution how_;
    const Execution* outer_;
};

/// The kernels for one type of number.
/// \tparam T       float or double
/// \param kernels  of an instruction set
/// \returns        those for T
template <typename T>
const NumberKernels<T>& of_type(const Kernels& kernels)
{
    if constexpr (std::is_same_v<T, float>) {
        return kernels.of_float;
    } else {
        return kernels.of_double;
    }
}

/// The kernels that this thread computes with.
/// \returns   of_type<T>(*execution().kernels)
template <typename T>
const NumberKernels<T>& current()
{
    return of_type<T>(*execution().kernels);
}

} // namespace attn::kernels
