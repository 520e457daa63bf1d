/// \file
/// \brief The one transformer that a reader asks for, trained, saved, loaded and asked by the programs
/// of this chapter and of chapter 14.
#pragma once

#include "chapters/12_transformer/translation.hpp"
#include "common/translation/one_translator.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>

namespace attn::transformer {

using translation::Translation;

/// A transformer that knows words.
struct SavedTransformer
{
    translation::Languages languages; ///< that it translates
    Transformer<float> transformer;   ///< trained
};

/// What a file says of a transformer besides its parameters: sizes, kinds and languages.
/// \throws BadInput if its sentences are too long for a file
nn::Settings settings_of(const SavedTransformer& saved);

/// Writes a transformer to a file (.safetensors), which PyTorch can read.
/// \param file  its folder must exist
/// \throws BadInput if it cannot be written
void save(const std::filesystem::path& file, const SavedTransformer& saved);

/// Reads a transformer that save has written, the same bits.
/// \throws BadInput naming the file and what is missing or does not fit
SavedTransformer load(const std::filesystem::path& file);

/// Translates a sentence, word by word the most probable one.
/// \param sentence  UTF-8, any spelling that the normalisation understands
/// \throws BadInput if there are no words, or naming those without a number
Translation translate(const SavedTransformer& saved, std::string_view sentence,
                      const HeadChoice& choice = {});

/// In how many steps the rate of a training rises. A brief one leaves a third of its steps for
/// the fall, so that it is not all warm-up.
/// \param n_warm_up  steps of a long training's rise
std::size_t warm_up_of(std::size_t n_warm_up, std::size_t n_steps);

namespace report {

/// Steps of each training on the grammar's sentences, unless the reader says otherwise.
inline constexpr std::size_t chapters_steps = 350;

/// Trains or loads one transformer, evaluates it if a corpus is given, saves it and translates.
/// What cannot be used is found out before the training.
/// \param n_steps      of the training, if the reader says
/// \param computation  how it is computed
/// \throws BadInput if a file, the corpus or the sentence cannot be used
/// \throws program::Interrupted after Ctrl-C; with --save the transformer is saved as it is then
void one_transformer(program::Frame& frame, const translation::TranslatorRequest& request,
                     std::optional<std::size_t> n_steps,
                     const Computation<float>& computation = {});

} // namespace report

} // namespace attn::transformer
