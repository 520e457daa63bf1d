#include "chapters/12_transformer/experiments/experiments.hpp"

#include "chapters/08_bahdanau/interventions.hpp"

#include <fmt/format.h>

namespace attn::transformer {

void explore(program::Frame& frame, const SavedTransformer& saved,
             const TranslatorRequest& request)
{
    const autograd::NoGradient<float> forwards;
    const TranslationModel model = model_of(saved.transformer);
    const translation::Translation found =
        translation::translate(model, saved.languages, *request.translate);
    text::NumberedPair pair;
    const text::Batch batch = translation::batch_of(saved.languages, found, pair);
    const Matrix drops = bahdanau::deletion_drops(model, pair);

    // Decode once more, with attention that puts down what it computes.
    std::vector<program::ExploredAttention> attentions;
    Transformer<float> recorded = saved.transformer;
    recorded.set_computation(
        {.attend = program::recording(multi_head::attend_in_one_step<float>, attentions)});
    model_of(recorded).decode(batch);

    std::vector<std::string> read = {"<s>"};
    read.insert(read.end(), found.target.begin(), found.target.end());
    const std::size_t n_encoder = recorded.options().n_encoder_layers;
    for (std::size_t i = 0; i < attentions.size(); ++i) {
        program::ExploredAttention& one = attentions[i];
        const std::size_t in_decoder = i - n_encoder;
        if (i < n_encoder) {
            one.name = fmt::format("encoder, layer {}", i + 1);
            one.query_words = one.key_words = found.source;
        } else if (one.causal) {
            one.name = fmt::format("decoder, layer {}, own words", in_decoder / 2 + 1);
            one.query_words = one.key_words = read;
        } else {
            one.name = fmt::format("decoder, layer {}, source", in_decoder / 2 + 1);
            translation::name_words(one, found, drops);
        }
    }
    translation::write_explorer(frame, *request.explore, found, attentions);
}

} // namespace attn::transformer
