#include "chapters/08_bahdanau/interventions.hpp"

#include "common/autograd/losses.hpp"
#include "common/autograd/softmax.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace attn::bahdanau {

using autograd::Variable;
using text::NumberedPair;

namespace {

text::Batch batch_of_all(const std::vector<NumberedPair>& pairs)
{
    return text::batch_of(pairs, text::evaluation_plan(pairs.size(), pairs.size())[0]);
}

/// ln p of every right word of each pair, [n_pairs, n_target + 1]; all have one target.
Matrix log_probabilities(const Variable<float>& logits, const text::Batch& batch)
{
    const Variable<float> log_p = log_softmax(logits);
    const std::size_t n_words = log_p.shape()[1];
    Matrix found = Matrix::from_shape({batch.n_pairs, batch.n_target});
    for (std::size_t row = 0; row < batch.n_pairs; ++row) {
        for (std::size_t t = 0; t < batch.n_target; ++t) {
            const auto answer =
                static_cast<std::size_t>(batch.answers[row * batch.n_target + t]);
            found(row, t) = static_cast<double>(
                log_p.value().data()[(t * batch.n_pairs + row) * n_words + answer]);
        }
    }
    return found;
}

/// How far ln p of each target word falls from a pair, one row, to its variants, a row each.
Matrix difference(const Matrix& whole, const Matrix& changed, std::size_t n_target)
{
    Matrix result = Matrix::from_shape({n_target, changed.shape(0)});
    for (std::size_t t = 0; t < n_target; ++t) {
        for (std::size_t j = 0; j < changed.shape(0); ++j) {
            result(t, j) = whole(0, t) - changed(j, t);
        }
    }
    return result;
}

/// The drops against the pair as it is: row j of the variants becomes column j.
Matrix drops(const TranslationModel& model, const NumberedPair& pair,
             const std::vector<NumberedPair>& variants)
{
    const autograd::NoGradient<float> forwards;
    const text::Batch one = batch_of_all({pair});
    const text::Batch all = batch_of_all(variants);
    return difference(log_probabilities(model.decode(one).logits, one),
                      log_probabilities(model.decode(all).logits, all), pair.target.size());
}

/// Gradient times input of every target word. The sentence stands there once a target word,
/// and row t is asked for word t alone, so that one backward pass gives all gradients.
Matrix gradient_times_input(const TranslationModel& model, const NumberedPair& pair)
{
    const std::size_t n_target = pair.target.size();
    const std::size_t n_source = pair.source.size();
    const std::vector<NumberedPair> copies(n_target, pair);
    text::Batch batch = text::batch_of(copies, text::evaluation_plan(n_target, n_target)[0]);
    for (std::size_t row = 0; row < n_target; ++row) {
        for (std::size_t t = 0; t < batch.n_target; ++t) {
            if (t != row) {
                batch.answers[row * batch.n_target + t] = text::ignored_answer;
            }
        }
    }

    const autograd::Tape<float> tape;
    const translation::Sentences sources = translation::sources_of(batch);
    const Variable<float> e = autograd::parameter(Array<float>(model.embed(sources).value()));
    const auto written = model.decode_from(e, batch);
    const Variable<float> loss =
        cross_entropy(written.logits, translation::by_step(batch.answers, n_target),
                      {.reduction = autograd::Reduction::sum});
    backward(loss); // - sum_t ln p(y_t), each from a row of its own

    const std::size_t d = e.shape()[2];
    Matrix result = xt::zeros<double>({n_target, n_source});
    for (std::size_t t = 0; t < n_target; ++t) {
        for (std::size_t j = 0; j < n_source; ++j) {
            for (std::size_t k = 0; k < d; ++k) {
                const std::size_t at = (t * n_source + j) * d + k;
                result(t, j) -= static_cast<double>(e.value().data()[at]) *
                                static_cast<double>(e.gradient().data()[at]);
            }
        }
    }
    return result;
}

} // namespace

Matrix attention_weights(const TranslationModel& model, const NumberedPair& pair)
{
    const autograd::NoGradient<float> forwards;
    const text::Batch batch = text::batch_of({&pair, 1}, std::vector<std::size_t>{0});
    const auto written = model.decode(batch);
    Matrix weights = Matrix::from_shape({pair.target.size(), pair.source.size()});
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        for (std::size_t j = 0; j < pair.source.size(); ++j) {
            weights(t, j) = static_cast<double>(written.weights[t].value().data()[j]);
        }
    }
    return weights;
}

Matrix deletion_drops(const TranslationModel& model, const NumberedPair& pair)
{
    const std::size_t n_source = pair.source.size();
    if (n_source < 2 || pair.target.empty()) {
        return Matrix::from_shape({0, 0});
    }
    std::vector<NumberedPair> without(n_source, pair); // word j is not there
    for (std::size_t j = 0; j < n_source; ++j) {
        without[j].source.erase(without[j].source.begin() + static_cast<std::ptrdiff_t>(j));
    }
    return drops(model, pair, without);
}

// [interventions]
Effects effects_of(const TranslationModel& model, const NumberedPair& pair,
                   const std::vector<text::WordId>& others)
{
    const std::size_t n_source = pair.source.size();
    expect(n_source >= 2 && !pair.target.empty(),
           "effects_of: a pair must have two source words and one target word, got {} and {}",
           n_source, pair.target.size());
    expect(others.size() == n_source, "effects_of: there must be {} other words, got {}",
           n_source, others.size());
    std::vector<NumberedPair> with(n_source, pair); // another word stands there
    for (std::size_t j = 0; j < n_source; ++j) {
        with[j].source[j] = others[j];
    }
    return {attention_weights(model, pair), deletion_drops(model, pair),
            drops(model, pair, with), gradient_times_input(model, pair)};
}
// [interventions]

// [knockout]
Matrix knockout_drops(const seq2seq::Translator<float>& translator, const NumberedPair& pair)
{
    const std::size_t n_source = pair.source.size();
    expect(n_source >= 2, "knockout_drops: a sentence must have two words, got {}", n_source);
    const autograd::NoGradient<float> forwards;
    const text::Batch whole = batch_of_all({pair});
    const text::Batch copies = batch_of_all(std::vector<NumberedPair>(n_source, pair));
    seq2seq::DecodingState<float> begin = translator.encode(translation::sources_of(copies));

    // In copy j the annotation j becomes the mean of the others. The first state stays.
    Array<float>& e = begin.encoding.states.value(); // [n_source, n_source, d]
    const std::size_t d = e.shape()[2];
    for (std::size_t j = 0; j < n_source; ++j) {
        for (std::size_t k = 0; k < d; ++k) {
            float others = 0;
            for (std::size_t i = 0; i < n_source; ++i) {
                others += i == j ? 0.0F : e(j, i, k);
            }
            e(j, j, k) = others / static_cast<float>(n_source - 1);
        }
    }
    begin.attend = translator.context().prepare(begin.encoding);
    return difference(
        log_probabilities(translator.decode(whole).logits, whole),
        log_probabilities(translator.decode(copies.target_input, begin).logits, copies),
        pair.target.size());
}
// [knockout]

std::vector<text::WordId> other_words(const std::vector<text::WordId>& source,
                                      const text::Vocabulary& vocabulary,
                                      random::Generator& generator)
{
    const std::size_t first =
        static_cast<std::size_t>(text::end_id) + (vocabulary.has_unknown() ? 2 : 1);
    expect(vocabulary.size() >= first + 2,
           "other_words: one word has no other, and there are {}", vocabulary.size() - first);
    std::vector<text::WordId> others;
    for (const text::WordId word : source) {
        text::WordId other = word;
        while (other == word) {
            other =
                static_cast<text::WordId>(first + generator.below(vocabulary.size() - first));
        }
        others.push_back(other);
    }
    return others;
}

Agreement intervene(const TranslationModel& model, const TranslationTask& task,
                    const EvaluationSet& set, std::uint64_t seed)
{
    random::Generator generator(seed, random::Stream::interventions);
    Agreement agreement;
    for (std::size_t i = 0; i < set.pairs.size(); ++i) {
        const NumberedPair& pair = set.numbered[i];
        agreement.add(effects_of(model, pair, other_words(pair.source, task.source, generator)),
                      set.pairs[i]);
    }
    return agreement;
}

// ---------------------------------------------------------------- nouns of another gender

namespace {

struct Article
{
    const char* word;
    const char* opposite; // of the other gender
    const char* source;   // le and la are pronouns too, which translate something else
};
constexpr std::array<Article, 4> articles = {
    {{"le", "la", "the"}, {"la", "le", "the"}, {"un", "une", "a"}, {"une", "un", "a"}}};

/// One of the nouns, another one than that given.
text::WordId drawn_noun(const std::set<text::WordId>& nouns, text::WordId not_this,
                        random::Generator& generator)
{
    std::vector<text::WordId> others(nouns.begin(), nouns.end());
    others.erase(std::remove(others.begin(), others.end(), not_this), others.end());
    expect(!others.empty(), "swap_nouns: there is no other noun");
    return others[generator.below(others.size())];
}

/// The source word at the other end of a target word's only link, if there is one.
std::optional<std::size_t> only_link(const std::vector<text::Link>& links, std::size_t target)
{
    std::optional<std::size_t> found;
    for (const text::Link& link : links) {
        if (link.target == target) {
            if (found) {
                return std::nullopt;
            }
            found = link.source;
        }
    }
    return found;
}

/// Where an article and its noun stand in the source.
struct Position
{
    std::size_t own;
    std::size_t noun;
};

/// The positions of an article's source words, if a target word is that article.
std::optional<Position> position_of(const Article& article, const text::SentencePair& pair,
                                    std::size_t target)
{
    const std::optional<std::size_t> own = only_link(pair.sure, target);
    const std::optional<std::size_t> noun = only_link(pair.possible, target);
    const bool is_it = pair.target[target] == article.word && own && noun &&
                       pair.source[*own] == article.source;
    return is_it ? std::optional(Position{*own, *noun}) : std::nullopt;
}

/// The nouns that stand with each article.
using NounsOf = std::map<std::string, std::set<text::WordId>>;

NounsOf nouns_by_article(const TranslationTask& task)
{
    NounsOf nouns;
    for (std::size_t i = 0; i < task.train.size(); ++i) {
        const text::SentencePair& pair = task.pairs.train[i];
        for (std::size_t t = 0; t < pair.target.size(); ++t) {
            for (const Article& article : articles) {
                if (const auto position = position_of(article, pair, t)) {
                    nouns[article.word].insert(task.train[i].source[position->noun]);
                }
            }
        }
    }
    return nouns;
}

} // namespace

std::vector<SwappedNouns> swap_nouns(const TranslationModel& model, const TranslationTask& task,
                                     const EvaluationSet& set, std::uint64_t seed)
{
    random::Generator generator(seed, random::Stream::swapped_nouns);
    const NounsOf nouns = nouns_by_article(task);
    std::vector<SwappedNouns> results;
    for (const Article& article : articles) {
        SwappedNouns result{article.word};
        for (std::size_t i = 0; i < set.pairs.size(); ++i) {
            const text::SentencePair& pair = set.pairs[i];
            for (std::size_t t = 0; t < pair.target.size(); ++t) {
                if (const auto position = position_of(article, pair, t)) {
                    std::vector<text::WordId> others = set.numbered[i].source;
                    const text::WordId noun = others[position->noun];
                    others[position->noun] =
                        drawn_noun(nouns.at(article.word), noun, generator);
                    const Effects same = effects_of(model, set.numbered[i], others);
                    others[position->noun] =
                        drawn_noun(nouns.at(article.opposite), noun, generator);
                    const Effects opposite = effects_of(model, set.numbered[i], others);
                    result.n += 1;
                    result.weight_own += same.weights(t, position->own);
                    result.weight_noun += same.weights(t, position->noun);
                    result.drop_same += same.replacement(t, position->noun);
                    result.drop_opposite += opposite.replacement(t, position->noun);
                }
            }
        }
        for (double* const sum : {&result.weight_own, &result.weight_noun, &result.drop_same,
                                  &result.drop_opposite}) {
            *sum /= std::max(1.0, static_cast<double>(result.n));
        }
        results.push_back(result);
    }
    return results;
}

} // namespace attn::bahdanau
