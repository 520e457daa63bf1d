#include "common/translation/training.hpp"

#include "common/nn/optimisers.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <utility>

namespace attn::translation {

namespace {

constexpr std::uint64_t order_stream = 71ULL << 40U;

/// The batches of all epochs: each epoch's order depends on the seed and its number alone.
class Batches
{
public:
    Batches(std::span<const text::NumberedPair> pairs, std::size_t batch_size,
            std::uint64_t seed)
        : pairs_(pairs), batch_size_(batch_size), seed_(seed),
          n_an_epoch_(whole_batches(pairs.size(), batch_size))
    {
    }

    text::Batch at(std::size_t step)
    {
        const std::size_t epoch = step / n_an_epoch_;
        if (plan_.empty() || epoch != epoch_) {
            random::Generator order(seed_, order_stream + epoch);
            plan_ = text::training_plan(pairs_, batch_size_, order);
            epoch_ = epoch;
        }
        return text::batch_of(pairs_, plan_[step % n_an_epoch_]);
    }

private:
    static std::size_t whole_batches(std::size_t n_pairs, std::size_t batch_size)
    {
        expect(n_pairs > 0 && batch_size > 0,
               "train: there must be pairs and room for them in a batch, got {} and {}",
               n_pairs, batch_size);
        return (n_pairs + batch_size - 1) / batch_size;
    }

    std::span<const text::NumberedPair> pairs_;
    std::size_t batch_size_;
    std::uint64_t seed_;
    std::size_t n_an_epoch_;
    std::size_t epoch_ = 0;
    text::BatchPlan plan_;
};

/// How many words of a batch are predicted.
std::size_t n_words_of(const text::Batch& batch)
{
    return std::accumulate(batch.target_lengths.begin(), batch.target_lengths.end(),
                           std::size_t{0});
}

} // namespace

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
    Batches batches(pairs, options.batch_size, options.seed);
    nn::Parameters<float> parameters = model.parameters;
    nn::Adam<float> adam(parameters, {.learning_rate = options.peak_rate});
    const std::size_t n_warm_up = std::min(options.n_warm_up, options.n_steps);
    const nn::Schedule fall = nn::linear_decay(
        std::max<std::size_t>(options.n_steps - n_warm_up, 1), options.last_share);
    const nn::Schedule rate = n_warm_up > 0 ? nn::warm_up(n_warm_up, fall) : fall;
    nn::State<float> state = model.state;
    adam.list_state(state, "adam");
    nn::Training<float> training(std::move(plan), parameters, std::move(state));
    while (training.goes_on()) {
        adam.learning_rate = options.peak_rate * rate(training.step());
        const text::Batch batch = batches.at(training.step());
        n_words += n_words_of(batch);
        autograd::Tape<float> tape;
        const Variable<float> loss = model.loss(batch);
        backward(loss);
        nn::clip_by_global_norm(parameters, options.largest_norm);
        adam.step();
        training.record(static_cast<double>(loss.item()));
        if (observe) {
            observe(training.step());
        }
    }
    return training.end();
}
// [train]

} // namespace attn::translation
