/// \file
/// \brief A GRU that hands on one vector, trained on a reader's sentences.
#pragma once

#include "common/nn/training.hpp"
#include "common/program/run.hpp"
#include "common/translation/task.hpp"

#include <cstddef>
#include <optional>

namespace attn::seq2seq {

/// Trains a GRU on a reader's sentences; prints and saves what came of it.
/// \param n_steps  of the training; translation::readers_steps if not given
/// \throws BadInput if the corpus or a file cannot be used
void show_readers_corpus(program::Frame& frame, const translation::CorpusRequest& corpus,
                         const nn::TrainingFiles& files, std::optional<std::size_t> n_steps);

} // namespace attn::seq2seq
