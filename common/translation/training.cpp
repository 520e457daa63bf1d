#include "common/translation/training.hpp"

#include "common/nn/optimisers.hpp"
#include "common/random/streams.hpp"
#include "common/translation/parts.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace attn::translation {

std::size_t brief_warm_up(std::size_t n_warm_up, std::size_t n_steps)
{
    return std::min(n_warm_up, 2 * n_steps / 3);
}

// [train]
std::vector<double> train(const TranslationModel& model,
                          std::span<const text::NumberedPair> pairs,
                          const TrainingOptions& options, nn::TrainingPlan plan,
                          const Observer& observe)
{
    std::size_t n_words = 0;
    const auto start = std::chrono::steady_clock::now();
    plan.n_steps = options.n_steps;
    plan.remark = [&] {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        return fmt::format("{:.0f} words a second",
                           static_cast<double>(n_words) / std::max(passed.count(), 1e-3));
    };
    text::ShuffledBatches batches(pairs, options.batch_size, options.seed,
                                  random::Stream::translation_order);
    nn::Parameters<float> parameters = model.parameters;
    nn::Adam<float> adam(parameters,
                         {.learning_rate = options.peak_rate, .beta_2 = options.beta_2});
    const std::size_t n_warm_up = std::min(options.n_warm_up, options.n_steps);
    const nn::Schedule fall = nn::linear_decay(
        std::max<std::size_t>(options.n_steps - n_warm_up, 1), options.last_share);
    const nn::Schedule rate = n_warm_up > 0 ? nn::warm_up(n_warm_up, fall) : fall;
    nn::State<float> state = model.state;
    adam.list_state(state, "adam");
    nn::BatchGradient gradient(parameters, plan.sharing);
    nn::Training<float> training(std::move(plan), parameters, std::move(state));
    while (training.goes_on()) {
        adam.learning_rate = options.peak_rate * rate(training.step());
        const text::Batch batch = text::batch_of(pairs, batches.of_step(training.step()));
        n_words += text::n_predicted_words(batch);
        const double loss = gradient(batch.n_pairs, [&](const parallel::Range& rows) {
            return loss_of_part(model, batch, rows);
        });
        nn::clip_by_global_norm(parameters, options.largest_norm);
        adam.step();
        training.record(loss);
        if (observe) {
            observe(training.step());
        }
    }
    nn::count_training(parameters); // for --checksums
    return training.end();
}
// [train]

} // namespace attn::translation
