/// \file
/// \brief A model as GPT-2 is published: config.json says how large it is, a safetensors file beside it
/// holds the weights. Deliberately of GPT-2's kind alone: whatever would have to be computed
/// otherwise is refused by its name.
#pragma once

#include "chapters/13_language_models/language_model.hpp"
#include "common/nn/parameters.hpp"
#include "common/storage/json_object.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attn::language_models {

/// What a config.json says of a model. It is tied unless `tie_word_embeddings` is false.
/// \throws BadInput naming a field that is missing or that we would compute wrongly: another
///         activation than gelu_new, another epsilon than 1e-5, other scores than scaled ones
LanguageModelOptions published_options(const storage::JsonObject& config);

/// The config.json in the folder of the weights.
/// \throws BadInput if it cannot be read, or as published_options
LanguageModelOptions read_published_options(const std::filesystem::path& weights);

/// A tensor of the published format, and which parameters of LanguageModel it holds.
struct PublishedTensor
{
    std::string name;                             ///< without prefix
    Shape shape;                                  ///< in the file
    std::vector<std::string> holds;               ///< side by side, each as wide as the others
    nn::FileLayout layout = nn::FileLayout::same; ///< of the one that it holds
};

/// All that a file must hold, and may hold besides masks (\cite radford2019, its code).
std::vector<PublishedTensor> published_tensors(const LanguageModelOptions& options);

/// Reads the weights, one tensor after the other: F32, F16 or BF16, names with the prefix
/// `transformer.` or without. Masks that are stored as if they were weights are left
/// out. A last matrix that equals the embedding, or is not there, is tied.
/// \param options  from published_options
/// \throws BadInput naming the tensor that is missing, of another type or another shape than
///         options say, or that has no place in the model
LanguageModel<float> read_published_model(const std::filesystem::path& weights,
                                          LanguageModelOptions options);

} // namespace attn::language_models
