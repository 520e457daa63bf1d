/// \file
/// \brief A model whose batches are shared out, so that one training uses several threads.
/// Deliberately for small models: every part has a copy of all parameters.
#pragma once

#include "common/parallel/processes.hpp"
#include "common/translation/model.hpp"

#include <cstddef>
#include <vector>

namespace attn::translation {

/// What some sentence pairs of a batch add to its loss, the mean over all words that it predicts.
/// \param pairs  at least one of them
/// \returns      the mean over their words, times their share of the words; of rank 0
Variable<float> loss_of_part(const TranslationModel& model, const text::Batch& batch,
                             const parallel::Range& pairs);

/// A model that trains in parts: its loss cuts each batch into as many as there are copies and
/// computes their gradients side by side, which are added up in their order. So the bits depend on
/// the number of copies, and not on that of the threads.
/// \param model      what is trained; the result has its parameters
/// \param copies     models of the same kind and sizes, each with parameters of its own, whatever
///                   their values
/// \param n_threads  parts at a time, at least 1
TranslationModel in_parts(const TranslationModel& model, std::vector<TranslationModel> copies,
                          std::size_t n_threads);

} // namespace attn::translation
