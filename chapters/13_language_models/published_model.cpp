#include "chapters/13_language_models/published_model.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/storage/safetensors.hpp"
#include "common/tensor/pool_allocator.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace attn::language_models {

namespace {

using program::BadInput;
using storage::StoredTensor;
using storage::TensorFile;

constexpr std::string_view prefix_with_head = "transformer."; // of files saved with their head
constexpr const char* embedding_name = "wte.weight";
constexpr const char* head_name = "lm_head.weight"; // never with the prefix

// Of a file that can be believed.
constexpr std::size_t most_tokens = std::size_t{1} << 24U;
constexpr std::size_t most_numbers = std::size_t{1} << 16U;
constexpr std::size_t most_layers = 1024;

} // namespace

// ---------------------------------------------------------------- how large

LanguageModelOptions published_options(const storage::JsonObject& config)
{
    config.expect_if_present("model_type", "\"gpt2\"");
    config.expect_if_present("activation_function", "\"gelu_new\""); // GELU by tanh
    config.expect_if_present("layer_norm_epsilon", "1e-05");
    config.expect_if_present("scale_attn_weights", "true");
    config.expect_if_present("scale_attn_by_inverse_layer_idx", "false");
    config.expect_if_present("reorder_and_upcast_attn", "false");
    config.expect_if_present("add_cross_attention", "false");
    LanguageModelOptions options{.n_tokens = config.count("vocab_size", most_tokens),
                                 .n_positions = config.count("n_positions", most_tokens),
                                 .n_layers = config.count("n_layer", most_layers)};
    options.layer.d_model = config.count("n_embd", most_numbers);
    options.layer.n_heads = config.count("n_head", most_numbers);
    options.layer.d_ff = config.has("n_inner") ? config.count("n_inner", 4 * most_numbers)
                                               : 4 * options.layer.d_model;
    options.layer.activation = transformer::HiddenActivation::gelu_tanh;
    options.tied = config.shown("tie_word_embeddings") != "false";
    if (options.layer.d_model % options.layer.n_heads != 0) {
        throw BadInput(fmt::format("{}: 'n_head' must divide 'n_embd', found {} and {}",
                                   config.source(), options.layer.n_heads,
                                   options.layer.d_model));
    }
    return options;
}

LanguageModelOptions read_published_options(const std::filesystem::path& weights)
{
    return published_options(storage::read_json_object(weights.parent_path() / "config.json"));
}

// ---------------------------------------------------------------- which tensors

// [published_tensors]
std::vector<PublishedTensor> published_tensors(const LanguageModelOptions& options)
{
    const std::size_t d = options.layer.d_model;
    const std::size_t d_ff = options.layer.d_ff;
    std::vector<PublishedTensor> tensors = {
        {embedding_name, {options.n_tokens, d}, {"tokens.weight"}},
        {"wpe.weight", {options.n_positions, d}, {"positions.weight"}}};
    for (std::size_t i = 0; i < options.n_layers; ++i) {
        const std::string theirs = fmt::format("h.{}.", i);
        const std::string ours = fmt::format("layers.{}.", i);
        const auto norm = [&](const char* name, const char* own) {
            tensors.push_back({theirs + name + ".weight", {d}, {ours + own + ".weight"}});
            tensors.push_back({theirs + name + ".bias", {d}, {ours + own + ".bias"}});
        };
        const auto linear = [&](const char* name, std::size_t n_in, std::size_t n_out,
                                const std::vector<std::string>& owns) {
            PublishedTensor weight{theirs + name + ".weight", {n_in, n_out}, {}};
            PublishedTensor bias{theirs + name + ".bias", {n_out}, {}};
            for (const std::string& own : owns) {
                weight.holds.push_back(ours + own + ".weight");
                bias.holds.push_back(ours + own + ".bias");
            }
            tensors.insert(tensors.end(), {std::move(weight), std::move(bias)});
        };
        norm("ln_1", "norm1");
        linear("attn.c_attn", d, 3 * d,
               {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"});
        linear("attn.c_proj", d, d, {"self_attn.out_proj"});
        norm("ln_2", "norm2");
        linear("mlp.c_fc", d, d_ff, {"linear1"});
        linear("mlp.c_proj", d_ff, d, {"linear2"});
    }
    tensors.push_back({"ln_f.weight", {d}, {"norm.weight"}});
    tensors.push_back({"ln_f.bias", {d}, {"norm.bias"}});
    if (!options.tied) {
        tensors.push_back(
            {head_name, {options.n_tokens, d}, {"output.weight"}, nn::FileLayout::transposed});
    }
    return tensors;
}
// [published_tensors]

namespace {

/// A file, and the names that its tensors have in it.
class PublishedFile
{
public:
    explicit PublishedFile(const std::filesystem::path& weights)
        : file_(storage::read_safetensors(weights))
    {
        with_prefix_ = std::any_of(
            file_.tensors().begin(), file_.tensors().end(),
            [](const StoredTensor& one) { return one.name.starts_with(prefix_with_head); });
        has_head_ = std::any_of(file_.tensors().begin(), file_.tensors().end(),
                                [](const StoredTensor& one) { return one.name == head_name; });
    }

    /// Whether the last matrix is the embedding: not there, or the same numbers again.
    bool is_tied() const { return !has_head_ || read(head_name) == read(embedding_name); }
    bool has_head() const { return has_head_; }

    Array<float> read(const std::string& name) const
    {
        Array<float> numbers = file_.tensor_as_float(name_of(name));
        file_.expect_finite(name_of(name), numbers);
        return numbers;
    }

    /// Demands these tensors in their shapes, and no others but masks and a head.
    void expect_all(const std::vector<PublishedTensor>& tensors) const
    {
        std::set<std::string> wanted = {head_name};
        for (const PublishedTensor& tensor : tensors) {
            wanted.insert(file_.at(name_of(tensor.name), tensor.shape).name);
        }
        for (const StoredTensor& stored : file_.tensors()) {
            if (!wanted.contains(stored.name) && !is_mask(stored.name)) {
                throw BadInput(
                    fmt::format("{}: tensor {} is there, and GPT-2 has no place for it",
                                file_.source(), program::in_quotes(stored.name, 100)));
            }
        }
    }

private:
    std::string name_of(const std::string& name) const
    {
        return with_prefix_ && name != head_name ? std::string(prefix_with_head) + name : name;
    }

    /// Which later position attends to which earlier one, and what their scores become: buffers of
    /// the program that saved them.
    static bool is_mask(std::string_view name)
    {
        return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
    }

    TensorFile file_;
    bool with_prefix_ = false;
    bool has_head_ = false;
};

// [unfuse]
/// Copies the columns of a tensor to the parameters that it holds.
void set_parameters(const PublishedTensor& tensor, const Array<float>& stored,
                    const nn::Parameters<float>& parameters)
{
    const std::size_t row = stored.shape().back();
    const std::size_t width = row / tensor.holds.size();
    for (std::size_t k = 0; k < tensor.holds.size(); ++k) {
        Array<float>& value = parameters.at(tensor.holds[k]).variable.node().value;
        if (tensor.layout == nn::FileLayout::transposed) {
            value = xt::transpose(stored);
            return;
        }
        for (std::size_t i = 0; i * row < stored.size(); ++i) {
            std::copy_n(stored.data() + i * row + k * width, width, value.data() + i * width);
        }
    }
}
// [unfuse]

} // namespace

LanguageModel<float> read_published_model(const std::filesystem::path& weights,
                                          LanguageModelOptions options)
{
    const PublishedFile file(weights);
    options.tied = file.has_head() ? file.is_tied() : options.tied;
    const std::vector<PublishedTensor> tensors = published_tensors(options);
    file.expect_all(tensors);
    random::Generator generator(1);
    LanguageModel<float> model(options, generator, Start::to_be_loaded);
    const nn::Parameters<float> parameters = model.parameters();
    for (const PublishedTensor& tensor : tensors) {
        set_parameters(tensor, file.read(tensor.name), parameters);
    }
    release_pool(); // the largest tensor was in memory twice
    return model;
}

} // namespace attn::language_models
