/// \file
/// \brief A transformer as the model that common/translation trains, searches and evaluates;
/// and the one that a reader asks for, trained, saved, loaded and asked by the programs of this
/// chapter and of chapter 14.
#pragma once

#include "chapters/12_transformer/transformer.hpp"
#include "common/translation/effects.hpp"
#include "common/translation/one_translator.hpp"

#include <filesystem>
#include <optional>

namespace attn::transformer {

using translation::HeadChoice;
using translation::TranslationModel;
using translation::TranslatorRequest;

/// A transformer, as training, evaluation and interventions see it: translations are searched
/// by incremental decoding.
/// \param rng  of a training with dropout, must outlive the result; null for none
/// \returns    a model that shares the transformer's parameters, and lives by itself
/// \throws ContractError if there is no such layer or head
TranslationModel model_of(const Transformer<float>& transformer, const HeadChoice& choice = {},
                          random::Generator* rng = nullptr);

/// A transformer that knows words.
struct SavedTransformer
{
    translation::Languages languages; ///< that it translates
    Transformer<float> transformer;   ///< trained
};

/// What a file says of a transformer besides its parameters: sizes, kinds and languages.
/// \throws BadInput if its sentences are too long for a file
nn::Settings settings_of(const SavedTransformer& saved);

/// Reads a transformer that was saved with these settings, the same bits.
/// \throws BadInput naming the file and what is missing or does not fit
SavedTransformer load(const std::filesystem::path& file);

/// Trains or loads one transformer, evaluates it if a corpus is given, saves it and translates. Of
/// several processes all train, and the first one does the rest.
/// \returns it
/// \throws BadInput before the training if a file, the corpus or the sentence cannot be used
/// \throws program::Interrupted after Ctrl-C; with --save the transformer is saved
SavedTransformer one_transformer(program::Frame& frame, const TranslatorRequest& request,
                                 std::optional<std::size_t> n_steps,
                                 const Computation<float>& computation = {});

} // namespace attn::transformer
