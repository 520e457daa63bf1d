/// \file
/// \brief This chapter's own kernels for the instruction set that a computation uses.
#pragma once

#include "chapters/14_simd_transformer/kernels/ladder_kernels.hpp"
#include "common/kernels/instruction_sets.hpp"

/// The fast transformer.
namespace attn::simd_transformer {

using kernels::Execution;

/// This chapter's kernels for the same instruction set as the book's.
/// \param how  kernels of one of kernels::instruction_sets(), or a copy of them under its name
/// \returns    the table
/// \throws ContractError if there is no such set
const LadderKernels& ladder_kernels(const Execution& how);

} // namespace attn::simd_transformer
