/// \file
/// \brief The bodies of interventions.hpp.
#include "chapters/08_bahdanau/interventions.hpp"

#include "common/autograd/losses.hpp"
#include "common/autograd/softmax.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::bahdanau {

using autograd::Variable;
using seq2seq::TranslationModel;
using text::NumberedPair;

namespace {

/// ln p of every right word of each pair, [n_pairs, n_target + 1]; all have one target.
Matrix log_probabilities(const TranslationModel& model, const std::vector<NumberedPair>& pairs)
{
    const autograd::NoGradient<float> looking;
    const text::Batch batch =
        text::batch_of(pairs, text::evaluation_plan(pairs.size(), pairs.size())[0]);
    const Variable<float> log_p = log_softmax(model.write(batch).logits);
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

/// The drops against the pair as it is: row j of the variants becomes column j.
Matrix drops(const TranslationModel& model, const NumberedPair& pair,
             const std::vector<NumberedPair>& variants)
{
    const Matrix whole = log_probabilities(model, {pair});
    const Matrix changed = log_probabilities(model, variants);
    Matrix result = Matrix::from_shape({pair.target.size(), variants.size()});
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        for (std::size_t j = 0; j < variants.size(); ++j) {
            result(t, j) = whole(0, t) - changed(j, t);
        }
    }
    return result;
}

/// Gradient times input of every target word. The sentence stands there once a target word,
/// and row t is asked for word t alone, so that one walk back gives all gradients.
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
    const seq2seq::Sentences sources = seq2seq::sources_of(batch);
    const Variable<float> e = autograd::parameter(Array<float>(model.embed(sources).value()));
    const auto written = model.write_from(e, batch);
    const Variable<float> loss =
        cross_entropy(written.logits, seq2seq::by_step(batch.answers, n_target),
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

Matrix attention_weights(const TranslationModel& model, const NumberedPair& pair)
{
    const autograd::NoGradient<float> looking;
    const text::Batch batch = text::batch_of({&pair, 1}, std::vector<std::size_t>{0});
    const auto written = model.write(batch);
    Matrix weights = Matrix::from_shape({pair.target.size(), pair.source.size()});
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        for (std::size_t j = 0; j < pair.source.size(); ++j) {
            weights(t, j) = static_cast<double>(written.weights[t].value().data()[j]);
        }
    }
    return weights;
}

} // namespace

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
    std::vector<NumberedPair> without(n_source, pair); // word j is not there
    std::vector<NumberedPair> with(n_source, pair);    // another word stands there
    for (std::size_t j = 0; j < n_source; ++j) {
        without[j].source.erase(without[j].source.begin() + static_cast<std::ptrdiff_t>(j));
        with[j].source[j] = others[j];
    }
    return {attention_weights(model, pair), drops(model, pair, without),
            drops(model, pair, with), gradient_times_input(model, pair)};
}
// [interventions]

std::vector<std::size_t> largest_of(const Matrix& effects)
{
    std::vector<std::size_t> largest;
    for (std::size_t t = 0; t < effects.shape(0); ++t) {
        const double* const row = effects.data() + t * effects.shape(1);
        largest.push_back(
            static_cast<std::size_t>(std::max_element(row, row + effects.shape(1)) - row));
    }
    return largest;
}

void Agreement::add(const Effects& effects, const text::SentencePair& pair)
{
    const std::vector<std::size_t> by_weight = largest_of(effects.weights);
    const std::vector<std::size_t> by_deletion = largest_of(effects.deletion);
    const std::vector<std::size_t> by_replacement = largest_of(effects.replacement);
    const std::vector<std::size_t> by_gradient = largest_of(effects.gradient);
    const std::size_t n_source = pair.source.size();
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        const std::size_t attended = by_weight[t];
        const auto is_sure = [&](std::size_t source) {
            return std::find(pair.sure.begin(), pair.sure.end(), text::Link{source, t}) !=
                           pair.sure.end()
                       ? 1U
                       : 0U;
        };
        n_words += 1;
        weight += attended == by_deletion[t] ? 1U : 0U;
        gradient += by_gradient[t] == by_deletion[t] ? 1U : 0U;
        replacement += by_replacement[t] == by_deletion[t] ? 1U : 0U;
        if (std::any_of(pair.sure.begin(), pair.sure.end(),
                        [t](const text::Link& link) { return link.target == t; })) {
            n_linked += 1;
            sure_deletion += is_sure(by_deletion[t]);
            sure_weight += is_sure(attended);
            sure_gradient += is_sure(by_gradient[t]);
        }
        double rest = 0;
        for (std::size_t j = 0; j < n_source; ++j) {
            rest += j == attended ? 0.0 : effects.deletion(t, j);
        }
        drops_attended.push_back(effects.deletion(t, attended));
        drops_other.push_back(rest / static_cast<double>(n_source - 1));
    }
}

} // namespace attn::bahdanau
