#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "chapters/14_simd_transformer/kernels.hpp"
#include "common/autograd/tape.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/program/number.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/pool_allocator.hpp"
#include "common/translation/task.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>

namespace attn::simd_transformer {

using autograd::Variable;
using program::fixed;
using program::Frame;
using program::significant;
using program::Table;
using transformer::Transformer;
using transformer::TransformerOptions;

namespace {

constexpr std::size_t n_sentences = 6000; // of the grammar: enough that no word is missing
constexpr std::size_t batch_size = 32;
constexpr double learning_rate = 1e-3;
constexpr double largest_norm = 1.0;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
    const std::chrono::duration<double> passed = Clock::now() - start;
    return passed.count();
}

} // namespace

ModelTraining model_training(std::uint64_t seed, std::size_t n_steps)
{
    text::CorpusSizes sizes;
    sizes.train = n_sentences;
    const translation::TranslationTask task = translation::grammar_task(seed, sizes);
    random::Generator order(seed, random::Stream::fast_model_data);
    const text::BatchPlan plan = text::training_plan(task.train, batch_size, order);
    ModelTraining training{
        {.n_source_words = task.source.size(), .n_target_words = task.target.size()}, {}};
    for (std::size_t step = 0; step < n_steps; ++step) {
        training.batches.push_back(text::batch_of(task.train, plan[step % plan.size()]));
    }
    return training;
}

double step_operations(const TransformerOptions& options, const text::Batch& batch)
{
    const auto number = [](std::size_t n) { return static_cast<double>(n); };
    const double d = number(options.layer.d_model);
    const double dense = 2 * d * number(options.layer.d_ff);
    const double n = number(batch.n_source);
    const double m = number(batch.n_target);
    const double of_encoder = n * (4 * d * d + dense) + 2 * n * n * d;
    const double of_decoder = m * (6 * d * d + dense) + n * 2 * d * d + 2 * (m * m + m * n) * d;
    const double of_sentence = number(options.n_encoder_layers) * of_encoder +
                               number(options.n_decoder_layers) * of_decoder +
                               m * d * number(options.n_target_words);
    return 2 * 3 * number(batch.n_pairs) * of_sentence;
}

ModelRun train_model(const ModelVariant& variant, const Execution& how,
                     const ModelTraining& training)
{
    kernels::Kernels plain = *how.kernels;
    plain.of_float.products = ladder_kernels(how).products.for_models;
    const Execution own{.kernels = variant.plain_products ? &plain : how.kernels,
                        .n_threads = variant.threaded ? how.n_threads : 1};
    const kernels::ComputeWith guard(own);
    Transformer<float> transformer = transformer::make_transformer(training.options, 1);
    transformer.set_computation(computation_of(variant, own));
    nn::Parameters<float> parameters = transformer.parameters();
    nn::Adam<float> adam(parameters, {.learning_rate = learning_rate});
    ModelRun run{{}, 0};
    Clock::time_point start = Clock::now();
    for (const text::Batch& batch : training.batches) {
        const autograd::Tape<float> tape;
        const Variable<float> loss = transformer.loss(batch);
        backward(loss);
        nn::clip_by_global_norm(parameters, largest_norm);
        adam.step();
        if (run.losses.empty()) {
            start = Clock::now();
        }
        run.losses.push_back(loss.item());
    }
    run.seconds = seconds_since(start);
    nn::count_training(parameters);
    return run;
}

LongText read_long_text(const kernels::Kernels& kernels, std::size_t n_tokens)
{
    const Execution how{.kernels = &kernels, .n_threads = 1};
    const TransformerOptions options{.n_source_words = 164, .n_target_words = 270};
    Transformer<float> transformer = transformer::make_transformer(options, 1);
    transformer.set_computation(computation_of(model_variants().back(), how));
    random::Generator generator(1, random::Stream::fast_model_data);
    std::vector<std::int64_t> words(n_tokens);
    for (std::int64_t& word : words) {
        word = static_cast<std::int64_t>(generator.below(options.n_source_words));
    }
    const std::vector<std::size_t> lengths = {n_tokens};
    LongText text{.seconds = 0,
                  .bytes = 0,
                  .scores = options.layer.n_heads * n_tokens * n_tokens * sizeof(float)};
    text.bytes = bytes_taken([&] {
        const kernels::ComputeWith guard(how);
        const autograd::NoGradient<float> forwards;
        const Clock::time_point start = Clock::now();
        const auto memory =
            transformer.encode(transformer.embed({words, lengths, n_tokens}), lengths);
        transformer.logits(transformer.decode(words, memory));
        text.seconds = seconds_since(start);
    });
    return text;
}

// ---------------------------------------------------------------- printed

namespace {

/// How the losses of a variant stand to those of the first.
std::string likeness(const ModelVariant& variant, const ModelRun& run, const ModelRun& first)
{
    if (!variant.one_pass && run.losses == first.losses) {
        return "the same bits";
    }
    double apart = 0;
    for (std::size_t i = 0; i < run.losses.size(); ++i) {
        const double share = static_cast<double>(run.losses[i]) / first.losses[i];
        apart = std::max(apart, std::abs(share - 1));
    }
    return apart < 1e-5 ? "below 1e-5" : significant(apart, 2);
}

/// Words of both languages, the ends of the targets among them, and operations of all steps
/// that are timed.
struct Work
{
    double words = 0;
    double operations = 0;
};

Work work_of(const ModelTraining& training)
{
    Work work;
    for (std::size_t step = 1; step < training.batches.size(); ++step) {
        const text::Batch& batch = training.batches[step];
        for (const auto* lengths : {&batch.source_lengths, &batch.target_lengths}) {
            work.words += static_cast<double>(
                std::accumulate(lengths->begin(), lengths->end(), std::size_t{0}));
        }
        work.operations += step_operations(training.options, batch);
    }
    return work;
}

void trainings(Frame& frame, const Settings& settings, bool timed)
{
    frame.terminal.introduce(
        "The whole model",
        "Chapter 12's transformer, trained for {} steps of 32 of its sentences, each time on "
        "the "
        "same sentences and from the same numbers. Plain loops compute the very sums of the "
        "products, one after the other, so that all losses have the same bits, until attention "
        "in one pass adds up in another order.",
        settings.n_steps);
    if (timed) {
        frame.terminal.paragraph(
            "Words are those of both languages. Shares are of the peak of as many threads, for "
            "the operations of the matrix products alone, forwards and back.");
        frame.terminal.line();
    }
    const ModelTraining training = model_training(frame.options.seed, settings.n_steps);
    const Work work = work_of(training);
    std::vector<std::string> header = {"rung", "its idea", "last loss", "losses"};
    if (timed) {
        header = {"rung",      "ms a step", "words/s", "of peak", "times the first",
                  "last loss", "losses"};
    }
    Table table(header);
    std::optional<ModelRun> first;
    for (const ModelVariant& variant : model_variants()) {
        const Execution own{settings.how.kernels,
                            variant.threaded ? settings.how.n_threads : 1};
        const ModelRun run = train_model(variant, settings.how, training);
        first = first.value_or(run);
        std::vector<std::string> row = {variant.name};
        if (timed) {
            const auto n_steps = static_cast<double>(settings.n_steps - 1);
            row.insert(row.end(),
                       {fixed(run.seconds * 1e3 / n_steps, 2),
                        fixed(work.words / run.seconds, 0),
                        fixed(work.operations / run.seconds * 1e-7 / fma_peak(own), 0) + " %",
                        fixed(first->seconds / run.seconds, 1)});
        } else {
            row.push_back(variant.idea);
        }
        row.push_back(fixed(static_cast<double>(run.losses.back()), 4));
        row.push_back(&variant == &model_variants().front() ? "-"
                                                            : likeness(variant, run, *first));
        table.row(row);
    }
    frame.terminal.table(table);
}

void long_text(Frame& frame, const Settings& settings, bool timed)
{
    const auto megabytes = [](std::size_t bytes) {
        return fixed(static_cast<double>(bytes) * 1e-6, 0);
    };
    const LongText text = read_long_text(*settings.how.kernels, settings.n_words);
    frame.terminal.introduce("A long text",
                             "{} words are read, and as many written with teacher forcing, by "
                             "a transformer that has "
                             "learnt nothing, with attention in one pass, on one thread.",
                             settings.n_words);
    frame.terminal.paragraph(fmt::format(
        "Memory of all that was computed: {} MB. A table of the scores of one of its three "
        "attentions, which nobody wrote, would take {} MB.",
        megabytes(text.bytes), megabytes(text.scores)));
    if (timed) {
        frame.terminal.paragraph(fmt::format("Time: {} s.", significant(text.seconds, 3)));
    }
}

} // namespace

void show_whole_model(Frame& frame, const Settings& settings, bool timed)
{
    trainings(frame, settings, timed);
    long_text(frame, settings, timed);
}

} // namespace attn::simd_transformer
