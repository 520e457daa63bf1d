/// \file
/// \brief Which positions of a batch are words and which only fill up, as the masked softmax of
/// autograd takes it.
#pragma once

#include "common/tensor/array.hpp"

#include <cstddef>
#include <span>

namespace attn::text {

/// The positions within each sentence. Against scores of one query a sentence, [batch,
/// n_steps], the mask fits as it is; for [batch, n_queries, n_steps] it is reshaped to [batch,
/// 1, n_steps].
/// \param lengths  [batch], each at most n_steps
/// \returns        [batch, n_steps], true for a word, false for what fills up
/// \throws ContractError if a length is above n_steps
Array<bool> mask_of_lengths(std::span<const std::size_t> lengths, std::size_t n_steps);

} // namespace attn::text
