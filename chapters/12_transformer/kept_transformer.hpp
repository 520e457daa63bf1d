/// \file
/// \brief A trained transformer in a file, with its vocabularies and its sizes: --save and
/// --load. Deliberately all a translation needs, and nothing that a training would.
#pragma once

#include "chapters/08_bahdanau/kept_translator.hpp"
#include "chapters/12_transformer/variants.hpp"

#include <filesystem>
#include <string_view>

namespace attn::transformer {

/// A transformer that knows words.
struct KeptTransformer
{
    text::Vocabulary source;           ///< of the language that it reads
    text::Vocabulary target;           ///< of the language that it writes
    text::Normalisation normalisation; ///< how a sentence becomes words
    std::size_t max_length;            ///< after so many steps a translation is cut off
    Transformer<float> transformer;    ///< trained
};

/// What a file says of a transformer besides its parameters.
/// \param kept  the transformer
/// \returns     sizes, kinds and vocabularies
/// \throws BadInput if its sentences are too long for a file
nn::Settings settings_of(const KeptTransformer& kept);

/// Writes a transformer to a file (.safetensors), which PyTorch can read.
/// \param file  its folder must exist
/// \param kept  the transformer
/// \throws BadInput if it cannot be written
void keep(const std::filesystem::path& file, const KeptTransformer& kept);

/// Reads a transformer.
/// \param file  written by keep
/// \returns     the transformer, the same bits
/// \throws BadInput naming the file and what is missing or does not fit
KeptTransformer take_up(const std::filesystem::path& file);

/// Translates a sentence.
/// \param kept      a transformer
/// \param sentence  UTF-8, any spelling that the normalisation understands
/// \param look      whose weights are handed out
/// \returns         the most probable words one by one
/// \throws BadInput if there are no words, or naming those without a number
bahdanau::Translation translate(const KeptTransformer& kept, std::string_view sentence,
                                const Look& look = {});

} // namespace attn::transformer
