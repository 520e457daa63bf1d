/// \file
/// \brief What several heads are for: at each position three earlier letters are asked for, and
/// one head takes one mean.
#pragma once

#include "chapters/11_multi_head/experiments/sequence_model.hpp"

#include <string>
#include <vector>

namespace attn::multi_head {

/// The weights of every head of a model that has learnt three_earlier, on a word.
/// \returns [n_heads] tables [n, n], a row a query
/// \throws ContractError if there is another character than a to z
std::vector<Matrix> weights_on_word(const SequenceModel& model, const std::string& word);

void show_earlier_letters(program::Frame& frame); ///< by the number of heads

} // namespace attn::multi_head
