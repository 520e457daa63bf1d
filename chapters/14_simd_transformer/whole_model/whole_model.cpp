#include "chapters/14_simd_transformer/whole_model/whole_model.hpp"

#include "chapters/14_simd_transformer/kernels.hpp"
#include "chapters/14_simd_transformer/whole_model/flash_attention.hpp"
#include "common/nn/optimisers.hpp"
#include "common/tensor/pool_allocator.hpp"
#include "common/translation/task.hpp"

#include <chrono>

namespace attn::simd_transformer {

using kernels::Execution;
using transformer::Transformer;
using transformer::TransformerOptions;

namespace {

constexpr std::uint64_t lesson_stream = 141ULL << 40U;
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

const std::vector<ModelRung>& model_ladder()
{
    static const std::vector<ModelRung> rungs = {
        {"plain loops", "every product an entry after the other, a sum of one lane each", true,
         false, false, false},
        {"products", "the register tile", false, false, false, false},
        {"fused rows", "a sum and its norm, a product and its ReLU, are one walk over the rows",
         false, true, false, false},
        {"attention in one pass", "scores become weights and contexts tile by tile", false,
         true, true, false},
        {"threads", "products, rows and heads are shared", false, true, true, true}};
    return rungs;
}

transformer::Computation<float> computation_of(const ModelRung& rung, const Execution& how)
{
    transformer::Computation<float> computation{.fused_rows = rung.fused_rows};
    if (rung.one_pass) {
        computation.attend = flash_kernel(how);
    }
    return computation;
}

ModelLesson model_lesson(std::uint64_t seed, std::size_t n_steps)
{
    text::CorpusSizes sizes;
    sizes.train = n_sentences;
    const translation::TranslationTask task = translation::grammar_task(seed, sizes);
    random::Generator order(seed, lesson_stream);
    const text::BatchPlan plan = text::training_plan(task.train, batch_size, order);
    ModelLesson lesson{
        {.n_source_words = task.source.size(), .n_target_words = task.target.size()}, {}};
    for (std::size_t step = 0; step < n_steps; ++step) {
        lesson.batches.push_back(text::batch_of(task.train, plan[step % plan.size()]));
    }
    return lesson;
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

ModelRun train_model(const ModelRung& rung, const Execution& how, const ModelLesson& lesson)
{
    kernels::Kernels plain = *how.kernels;
    plain.of_float.products = ladder_kernels(how).products.for_models;
    const Execution own{.kernels = rung.plain_products ? &plain : how.kernels,
                        .n_threads = rung.threaded ? how.n_threads : 1};
    const kernels::ComputeWith guard(own);
    Transformer<float> transformer = transformer::make_transformer(lesson.options, 1);
    transformer.compute_by(computation_of(rung, own));
    nn::Parameters<float> parameters = transformer.parameters();
    nn::Adam<float> adam(parameters, {.learning_rate = learning_rate});
    ModelRun run{{}, 0};
    Clock::time_point start = Clock::now();
    for (const text::Batch& batch : lesson.batches) {
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
    return run;
}

LongText read_long_text(const kernels::Kernels& kernels, std::size_t n_tokens)
{
    const Execution how{.kernels = &kernels, .n_threads = 1};
    const TransformerOptions options{.n_source_words = 164, .n_target_words = 270};
    Transformer<float> transformer = transformer::make_transformer(options, 1);
    transformer.compute_by(computation_of(model_ladder().back(), how));
    random::Generator generator(1, lesson_stream);
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
            transformer.read(transformer.embed({words, lengths, n_tokens}), lengths);
        transformer.scores(transformer.write(words, memory));
        text.seconds = seconds_since(start);
    });
    return text;
}

} // namespace attn::simd_transformer
