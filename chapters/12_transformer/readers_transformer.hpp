/// \file
/// \brief The one transformer that a reader asks for, trained, saved, loaded and asked by programs
/// of this chapter and of chapter 14. Deliberately without a way to compute it: the caller says.
#pragma once

#include "chapters/08_bahdanau/readers_translator.hpp"
#include "chapters/12_transformer/transformer.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <optional>

namespace attn::transformer::report {

/// Steps of each training on the grammar's sentences, unless the reader says otherwise.
inline constexpr std::size_t chapters_steps = 350;

/// Trains or loads one transformer, evaluates it if a corpus is given, saves it and translates.
/// What cannot be used is found out before the training.
/// \param frame        the program's terminal and files
/// \param request      what is wanted
/// \param n_steps      of the training, if the reader says
/// \param computation  how it is computed
/// \throws BadInput if a file, the corpus or the sentence cannot be used
/// \throws program::Interrupted after Ctrl-C; with --save the transformer is saved as it is then
void one_transformer(program::Frame& frame, const bahdanau::ReadersTranslator& request,
                     std::optional<std::size_t> n_steps,
                     const Computation<float>& computation = {});

} // namespace attn::transformer::report
