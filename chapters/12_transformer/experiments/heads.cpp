#include "chapters/12_transformer/experiments/heads.hpp"

#include "common/tensor/check.hpp"

namespace attn::transformer {

std::vector<HeadMeasures> measure_heads(const Transformer<float>& transformer,
                                        const translation::EvaluationSet& validation,
                                        const translation::EvaluationSet& test)
{
    std::vector<HeadMeasures> all;
    for (const HeadChoice& choice :
         translation::head_choices(transformer.options().layer.n_heads)) {
        const TranslationModel model = model_of(transformer, choice);
        const auto chosen_on = translation::predict(model, validation);
        all.push_back(
            {choice, translation::alignment_of(chosen_on, validation.pairs).error(),
             translation::measures_of(translation::predict(model, test), test.pairs, true)});
    }
    return all;
}

std::size_t best_head(const std::vector<HeadMeasures>& measures)
{
    const HeadMeasures* best = nullptr;
    for (const HeadMeasures& one : measures) {
        if (one.choice.head &&
            (best == nullptr || one.validation_error < best->validation_error)) {
            best = &one;
        }
    }
    expect(best != nullptr, "best_head: there is no head among {} measures", measures.size());
    return *best->choice.head;
}

} // namespace attn::transformer
