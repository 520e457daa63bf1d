/// \file
/// \brief Is the weight the reason? Attention weights beside what deleting and replacing a word does.
#pragma once

#include "chapters/08_bahdanau/experiments/comparison.hpp"

#include <string>
#include <vector>

namespace attn::bahdanau {

/// The kinds whose words are deleted and replaced: Bahdanau's, one of Luong's, location only.
const std::vector<std::string>& intervened_kinds();

/// Prints and saves what deleting and replacing a word does, beside its weight.
void show_faithfulness(program::Frame& frame, const TranslationTask& task,
                       const AllTrained& trained, const Trainings& trainings);

} // namespace attn::bahdanau
