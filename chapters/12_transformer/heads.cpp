/// \file
/// \brief The bodies of heads.hpp.
#include "chapters/12_transformer/heads.hpp"

#include "common/tensor/check.hpp"

#include <fmt/format.h>

namespace attn::transformer {

std::vector<Look> looks_of_layer(const Transformer<float>& transformer, std::size_t layer)
{
    std::vector<Look> looks = {{layer, {}}};
    for (std::size_t head = 0; head < transformer.options().layer.n_heads; ++head) {
        looks.push_back({layer, head});
    }
    return looks;
}

std::string name_of(const Look& look)
{
    return look.head ? fmt::format("head {}", *look.head + 1) : "mean";
}

std::vector<HeadMeasures> measure_heads(const Transformer<float>& transformer,
                                        const JudgedPart& validation, const JudgedPart& test)
{
    std::vector<HeadMeasures> all;
    for (const Look& look : looks_of_layer(transformer)) {
        const seq2seq::TranslationModel model = model_of(transformer, look);
        const Judgement chosen_on =
            seq2seq::foretell(model, validation.pairs, validation.numbered);
        const Judgement judged = seq2seq::foretell(model, test.pairs, test.numbered);
        all.push_back({look, seq2seq::alignment_of(chosen_on, validation.pairs).error(),
                       bahdanau::measures_of(judged, test.pairs, true)});
    }
    return all;
}

std::size_t best_head(const std::vector<HeadMeasures>& measures)
{
    const HeadMeasures* best = nullptr;
    for (const HeadMeasures& one : measures) {
        if (one.look.head &&
            (best == nullptr || one.validation_error < best->validation_error)) {
            best = &one;
        }
    }
    expect(best != nullptr, "best_head: there is no head among {} measures", measures.size());
    return *best->look.head;
}

} // namespace attn::transformer
