#include "chapters/07_seq2seq/experiments/bottleneck.hpp"

#include "common/kernels/elementary.hpp"
#include "common/text/share.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace attn::seq2seq {

const std::vector<Model>& models()
{
    static const std::vector<Model> list = {
        {"GRU, last state", Unit::gru, last_state<float>},
        {"GRU, mean", Unit::gru, mean_state<float>},
        {"GRU, maximum", Unit::gru, largest_numbers<float>},
        {"LSTM, last state", Unit::lstm, last_state<float>}};
    return list;
}

Translator<float> translator_of(const Model& model, const TranslationTask& task,
                                std::uint64_t seed)
{
    constexpr std::uint64_t parameter_stream = 72ULL << 40U;
    random::Generator generator(seed, parameter_stream);
    TranslatorOptions options{task.source.size(), task.target.size()};
    options.unit = model.unit;
    return {options, model.context(), generator};
}

const text::Hypothesis<>& preferred(const std::vector<text::Hypothesis<>>& found,
                                    const text::LengthPenalty& penalty)
{
    const auto score = [&](const auto& one) {
        const std::size_t n_steps = one.words.size() + (one.finished ? 1 : 0);
        return std::pair(one.finished, one.log_probability / penalty.divisor(n_steps));
    };
    return *std::max_element(found.begin(), found.end(),
                             [&](const auto& a, const auto& b) { return score(a) < score(b); });
}

namespace {

/// One beam search over the test set, whose sentences are compared in several ways.
std::vector<SearchResult> search(const Translator<float>& translator,
                                 const TranslationTask& task, std::size_t width,
                                 const std::vector<double>& alphas)
{
    constexpr std::size_t at_once = 64; // sentences
    std::vector<SearchResult> results;
    for (const double alpha : alphas) {
        results.push_back({width, alpha, {}, 0, 0});
    }
    const auto n = static_cast<double>(task.test.size());
    for (const auto& chosen : text::evaluation_plan(task.test.size(), at_once)) {
        const text::Batch batch = text::batch_of(task.test, chosen);
        const Translations found = translate(translator, translation::sources_of(batch),
                                             task.max_length, {.width = width});
        for (std::size_t row = 0; row < batch.n_pairs; ++row) {
            const text::SentencePair& pair = task.pairs.test[batch.pairs[row]];
            for (SearchResult& result : results) {
                const auto penalty = text::gnmt_length_penalty(result.alpha);
                const auto& best = preferred(found[row], penalty);
                const std::vector<text::WordId> ids(best.words.begin(), best.words.end());
                result.counts.add(
                    {pair.source.size(), task.target.decode(ids), pair.target, {}});
                result.mean_log_probability += best.log_probability / n;
                result.mean_length += static_cast<double>(best.words.size()) / n;
            }
        }
    }
    return results;
}

} // namespace

std::vector<SearchResult> compare_searches(const Translator<float>& translator,
                                           const TranslationTask& task)
{
    std::vector<SearchResult> results = search(translator, task, 1, {0});
    for (const SearchResult& result : search(translator, task, 4, {0, 1})) {
        results.push_back(result);
    }
    return results;
}

TrainedModel try_model(const Model& model, const TranslationTask& task,
                       const TrainingOptions& options, bool searches, const Observer& observe)
{
    const Translator<float> translator = translator_of(model, task, options.seed);
    const translation::TranslationModel model_to_train = model_of(translator);
    TrainedModel trained;
    trained.n_parameters = translator.parameters().n_numbers();
    trained.losses = translation::train(model_to_train, task.train, options,
                                        {.show_progress = false}, observe);
    trained.evaluation =
        translation::evaluate(model_to_train, task, {task.pairs.test, task.test});
    trained.counts = text::counts_by_length(trained.evaluation.translations);
    if (searches) {
        trained.searches = compare_searches(translator, task);
    }
    return trained;
}

double right_by_chance(const std::vector<text::EvaluatedTranslation>& translations,
                       const text::LengthBucket& bucket, double p)
{
    double sum = 0;
    double n = 0;
    for (const text::EvaluatedTranslation& translation : translations) {
        if (bucket.holds(translation.source_length)) {
            sum += elementary::power(
                p, static_cast<std::int64_t>(translation.reference.size()) + 1);
            n += 1;
        }
    }
    return text::share_of(sum, n);
}

double all_words_right(const std::vector<text::EvaluatedTranslation>& translations)
{
    double n_right = 0;
    for (const text::EvaluatedTranslation& translation : translations) {
        n_right += translation.tokens.n_right == translation.tokens.n_tokens ? 1 : 0;
    }
    return text::share_of(n_right, static_cast<double>(translations.size()));
}

double right_positions(const std::vector<text::EvaluatedTranslation>& translations)
{
    double n_right = 0;
    double n = 0;
    for (const auto& [source_length, hypothesis, reference, tokens] : translations) {
        for (std::size_t t = 0; t < reference.size(); ++t) {
            n_right += t < hypothesis.size() && hypothesis[t] == reference[t] ? 1 : 0;
        }
        n_right += hypothesis.size() == reference.size() ? 1 : 0; // the end
        n += static_cast<double>(reference.size() + 1);
    }
    return text::share_of(n_right, n);
}

std::vector<text::EvaluatedTranslation>
of_bucket(const std::vector<text::EvaluatedTranslation>& translations,
          const text::LengthBucket& bucket)
{
    std::vector<text::EvaluatedTranslation> chosen;
    for (const text::EvaluatedTranslation& translation : translations) {
        if (bucket.holds(translation.source_length)) {
            chosen.push_back(translation);
        }
    }
    return chosen;
}

} // namespace attn::seq2seq
