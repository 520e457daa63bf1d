#include "chapters/13_language_models/training.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/nn/optimisers.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

namespace attn::language_models {

namespace {

nn::Schedule schedule_of(const TrainingOptions& options)
{
    const std::size_t n_warm_up = std::min(options.n_warm_up, 2 * options.n_steps / 3);
    const std::size_t n_fall = std::max<std::size_t>(options.n_steps - n_warm_up, 1);
    const nn::Schedule fall =
        options.fall == Fall::linear   ? nn::linear_decay(n_fall, options.last_share)
        : options.fall == Fall::cosine ? nn::cosine_decay(n_fall, options.last_share)
                                       : nn::linear_decay(n_fall, 1.0);
    return n_warm_up > 0 ? nn::warm_up(n_warm_up, fall) : fall;
}

/// The matrices and embeddings, whose weights decay, or all others.
nn::Parameters<float> part_of(const nn::Parameters<float>& all, bool matrices)
{
    nn::Parameters<float> part;
    for (const nn::NamedParameter<float>& one : all) {
        if ((one.variable.shape().size() == 2) == matrices) {
            part.add(one.name, one.variable, one.layout);
        }
    }
    return part;
}

nn::Adam<float>::Options adam_options(const TrainingOptions& options, double weight_decay)
{
    return {.learning_rate = options.peak_rate,
            .beta_2 = options.beta_2,
            .weight_decay = weight_decay,
            .decay = nn::Decay::decoupled};
}

/// Some rows of a table.
template <typename Number>
std::vector<Number> rows_of(const std::vector<Number>& table, const parallel::Range& rows,
                            std::size_t width)
{
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(rows.first * width);
    return {begin, begin + static_cast<std::ptrdiff_t>(rows.size() * width)};
}

double n_asked(const TokenBatch& batch)
{
    return static_cast<double>(batch.answers.size()) -
           static_cast<double>(
               std::count(batch.answers.begin(), batch.answers.end(), not_asked));
}

/// What some texts of a batch add to its mean loss.
Variable<float> loss_of_texts(const LanguageModel<float>& model, const TokenBatch& batch,
                              const parallel::Range& texts)
{
    if (texts.size() == batch.n_texts) {
        return model.loss(batch);
    }
    const std::size_t n = batch.tokens.size() / batch.n_texts;
    const TokenBatch part{.n_texts = texts.size(),
                          .tokens = rows_of(batch.tokens, texts, n),
                          .answers = rows_of(batch.answers, texts, n),
                          .lengths = batch.lengths.empty() ? batch.lengths
                                                           : rows_of(batch.lengths, texts, 1)};
    return n_asked(part) / n_asked(batch) * model.loss(part);
}

} // namespace

// [train]
std::vector<double> train(const LanguageModel<float>& model, const BatchOfStep& batch,
                          const TrainingOptions& options, nn::TrainingPlan plan,
                          const Observer& observe)
{
    nn::Parameters<float> parameters = model.parameters();
    nn::Adam<float> matrices(part_of(parameters, true),
                             adam_options(options, options.weight_decay));
    nn::Adam<float> vectors(part_of(parameters, false), adam_options(options, 0));
    const nn::Schedule rate = schedule_of(options);
    nn::State<float> state;
    matrices.list_state(state, "matrices");
    vectors.list_state(state, "vectors");
    plan.n_steps = options.n_steps;
    nn::BatchGradient gradient(parameters, plan.sharing);
    nn::Training<float> training(std::move(plan), parameters, std::move(state));
    while (training.goes_on()) {
        matrices.learning_rate = vectors.learning_rate =
            options.peak_rate * rate(training.step());
        const TokenBatch all = batch(training.step());
        const double loss = gradient(all.n_texts, [&](const parallel::Range& texts) {
            return loss_of_texts(model, all, texts);
        });
        nn::clip_by_global_norm(parameters, options.largest_norm);
        matrices.step();
        vectors.step();
        training.record(loss);
        if (observe) {
            observe(training.step());
        }
    }
    nn::count_training(matrices.parameters()); // for --checksums
    nn::count_training(vectors.parameters());
    return training.end();
}
// [train]

namespace {

/// A window's tokens, and those that follow each of them.
void add_window(TokenBatch& batch, std::span<const TokenId> text, std::size_t begin,
                std::size_t n)
{
    const auto at = [&](std::size_t i) {
        return text.begin() + static_cast<std::ptrdiff_t>(i);
    };
    batch.tokens.insert(batch.tokens.end(), at(begin), at(begin + n));
    batch.answers.insert(batch.answers.end(), at(begin + 1), at(begin + n + 1));
    ++batch.n_texts;
}

} // namespace

TokenBatch random_windows(std::span<const TokenId> text, std::size_t n_texts, std::size_t n,
                          random::Generator& generator)
{
    expect(text.size() > n, "a text of {} tokens has no window of {} and one that follows",
           text.size(), n);
    TokenBatch batch;
    for (std::size_t i = 0; i < n_texts; ++i) {
        add_window(batch, text, generator.below(text.size() - n), n);
    }
    return batch;
}

double mean_loss(const LanguageModel<float>& model, std::span<const TokenId> text,
                 std::size_t n, std::size_t n_texts)
{
    expect(text.size() > n && n_texts >= 1,
           "a text of {} tokens has no window of {} and one that follows", text.size(), n);
    const autograd::NoGradient<float> forwards;
    double sum = 0;
    const auto add = [&](const TokenBatch& batch) {
        sum += static_cast<double>(model.loss(batch).item()) *
               static_cast<double>(batch.tokens.size());
    };
    TokenBatch batch;
    std::size_t begin = 0;
    for (; begin + n < text.size(); begin += n) {
        add_window(batch, text, begin, n);
        if (batch.n_texts == n_texts) {
            add(std::exchange(batch, {}));
        }
    }
    if (batch.n_texts > 0) {
        add(batch);
    }
    if (begin + 1 < text.size()) {
        TokenBatch rest;
        add_window(rest, text, begin, text.size() - 1 - begin);
        add(rest);
    }
    return sum / static_cast<double>(text.size() - 1);
}

} // namespace attn::language_models
