#include "chapters/12_transformer/training/translation.hpp"
#include "chapters/13_language_models/training.hpp"
#include "chapters/14_simd_transformer/experiments/experiments.hpp"
#include "chapters/14_simd_transformer/fewer_bits/bf16_attention.hpp"
#include "common/program/number.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"
#include "common/storage/half_precision.hpp"
#include "common/tensor/check.hpp"
#include "common/text/batches.hpp"
#include "common/translation/task.hpp"
#include "common/translation/training.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn::simd_transformer {

using program::fixed;
using program::Frame;
using program::Table;
using transformer::Transformer;

multi_head::Attend<float> bf16_attention_kernel(const Execution& how)
{
    return [how](const Variable<float>& queries, const Variable<float>& keys,
                 const Variable<float>& values, std::size_t n_heads, const AttentionMask& mask,
                 Array<float>* weights) {
        const Shape& q = queries.shape();
        const Shape& v = values.shape();
        multi_head::expect_together(q, keys.shape(), v, n_heads);
        expect(weights == nullptr, "attention in 16 bits keeps no weights{}", "");
        Array<float> context(Shape{q[0], q[1], v[2]});
        attend_bf16(how,
                    {.batch = q[0],
                     .n_heads = n_heads,
                     .n_queries = q[1],
                     .n_keys = v[1],
                     .d_k = q[2] / n_heads,
                     .d_v = v[2] / n_heads},
                    mask,
                    {to_bf16(queries.value()).data(), to_bf16(keys.value()).data(),
                     to_bf16(values.value()).data()},
                    context.data());
        return Variable<float>(std::move(context));
    };
}

kernels::Kernels with_bf16_products(const Execution& how)
{
    kernels::Kernels own = *how.kernels;
    own.of_float.products = ladder_kernels(how).bf16.for_models;
    return own;
}

ProductsInBf16::ProductsInBf16(const Execution& how)
    : kernels_(with_bf16_products(how)), guard_({&kernels_, how.n_threads})
{
}

float sum_in_order(std::span<const float> a, std::span<const float> b)
{
    float sum = 0;
    for (std::size_t p = 0; p < a.size(); ++p) {
        sum = std::fma(a[p], b[p], sum);
    }
    return sum;
}

float sum_pair_after_pair(std::span<const float> a, std::span<const float> b)
{
    float sum = 0;
    for (std::size_t p = 0; p + 1 < a.size(); p += 2) {
        sum = std::fma(a[p], b[p], std::fma(a[p + 1], b[p + 1], sum));
    }
    return sum;
}

namespace {

/// The same in the order that AMX has.
float sum_even_and_odd(std::span<const float> a, std::span<const float> b)
{
    float sum = 0;
    product_bf16(1, 1, a.size(), to_bf16(a).data(), to_bf16(b).data(), &sum);
    return sum;
}

std::vector<float> normal_in_bf16(std::size_t n, random::Generator& generator)
{
    std::vector<float> numbers(n);
    for (float& number : numbers) {
        number =
            storage::float_of_bf16(storage::bf16_of(static_cast<float>(generator.normal())));
    }
    return numbers;
}

/// How often the order of additions decides about the last digits.
void show_orders_of_addition(Frame& frame)
{
    const std::size_t n_sums = frame.options.quick ? 1000 : 10000;
    frame.terminal.introduce(
        "Orders of addition",
        "Products of normal random numbers, rounded to bf16, are added up as floats: in AMX's "
        "order (two chains, even and odd, in blocks of 32 products), and in another one. How "
        "many of {} sums are different floats?",
        n_sums);
    std::vector<std::string> heading = {"order of additions"};
    std::vector<std::string> in_order = {"one after the other"};
    std::vector<std::string> in_pairs = {"pair after pair, second first"};
    for (const std::size_t depth : {32U, 256U, 2048U}) {
        random::Generator generator(frame.options.seed, random::Stream::orders_of_addition,
                                    depth);
        std::size_t n_in_order = 0;
        std::size_t n_in_pairs = 0;
        for (std::size_t i = 0; i < n_sums; ++i) {
            const std::vector<float> a = normal_in_bf16(depth, generator);
            const std::vector<float> b = normal_in_bf16(depth, generator);
            const float sum = sum_even_and_odd(a, b);
            n_in_order += sum_in_order(a, b) != sum ? 1 : 0;
            n_in_pairs += sum_pair_after_pair(a, b) != sum ? 1 : 0;
        }
        const auto share = [&](std::size_t n) {
            return percent(static_cast<double>(n) / static_cast<double>(n_sums));
        };
        heading.push_back(fmt::format("{} products", depth));
        in_order.push_back(share(n_in_order));
        in_pairs.push_back(share(n_in_pairs));
    }
    Table table(heading);
    table.row(in_order);
    table.row(in_pairs);
    frame.terminal.table(table);
}

/// Rounds all that was learnt.
void round_parameters(const nn::Parameters<float>& parameters)
{
    for (const nn::NamedParameter<float>& parameter : parameters) {
        Variable<float> variable = parameter.variable;
        for (float& number : variable.value()) {
            number = storage::float_of_bf16(storage::bf16_of(number));
        }
    }
}

/// Chapter 12's transformer, and sentences that it has not learnt from.
struct LearntTranslator
{
    Transformer<float> model;
    std::size_t n_steps;
    std::vector<text::NumberedPair> tested;
};

LearntTranslator learnt_translator(const program::CommonOptions& asked)
{
    const translation::TranslationTask task =
        translation::grammar_task(asked.seed, {.train = asked.quick ? 2000U : 10000U,
                                               .validation = 0,
                                               .test = asked.quick ? 100U : 400U,
                                               .longest_train = 15,
                                               .longest_evaluation = 15});
    LearntTranslator learnt{transformer::make_transformer({.n_source_words = task.source.size(),
                                                           .n_target_words = task.target.size(),
                                                           .label_smoothing = 0},
                                                          asked.seed),
                            asked.quick ? 10U : 600U, task.test};
    translation::train(transformer::model_of(learnt.model), task.train,
                       {.n_steps = learnt.n_steps,
                        .n_warm_up = translation::brief_warm_up(100, learnt.n_steps),
                        .beta_2 = translation::brief_memory,
                        .seed = asked.seed},
                       {.label = "a translator of the grammar"});
    return learnt;
}

/// The mean of -ln p of the words of a translation.
double loss_of(const LearntTranslator& learnt)
{
    const autograd::NoGradient<float> forwards;
    double sum = 0;
    double n_words = 0;
    for (const std::vector<std::size_t>& chosen :
         text::evaluation_plan(learnt.tested.size(), 50)) {
        const text::Batch batch = text::batch_of(learnt.tested, chosen);
        const auto n = static_cast<double>(text::n_predicted_words(batch));
        sum += n * static_cast<double>(learnt.model.loss(batch).item());
        n_words += n;
    }
    return sum / n_words;
}

/// The mean of -ln p of the tokens of a text.
double loss_of(const LearntModel& learnt)
{
    return language_models::mean_loss(learnt.model, learnt.tested,
                                      learnt.model.options().n_positions);
}

/// What both models lose when more and more of their computation has 16 bits.
void show_losses_in_bf16(Frame& frame, const Execution& how, LearntModel& learnt)
{
    LearntTranslator translator = learnt_translator(frame.options);
    frame.terminal.introduce(
        "What 16 bits lose",
        "Two models of the grammar's sentences, trained in floats, chapter 12's translator for "
        "{} steps and a language model, and then computed in bf16: first their "
        "parameters are rounded, then both factors of every product as well, then attention is "
        "computed in one pass, its queries, keys, values and weights rounded. The loss is the "
        "mean of -ln p of the word that comes, on {} sentences and {} tokens that they have "
        "not "
        "learnt from.",
        translator.n_steps, translator.tested.size(), learnt.tested.size());
    const double translator_in_float = loss_of(translator);
    const double model_in_float = loss_of(learnt);
    Table table({"in bf16", "translator", "above float", "language model", "above float"});
    const auto row = [&](const std::string& name) {
        const double of_translator = loss_of(translator);
        const double of_model = loss_of(learnt);
        table.row({name, fixed(of_translator, 4), fixed(of_translator - translator_in_float, 4),
                   fixed(of_model, 4), fixed(of_model - model_in_float, 4)});
    };
    table.row({"nothing", fixed(translator_in_float, 4), "-", fixed(model_in_float, 4), "-"});
    round_parameters(translator.model.parameters());
    round_parameters(learnt.model.parameters());
    row("parameters");
    const ProductsInBf16 rounded(how);
    row("and products");
    translator.model.set_computation({.attend = bf16_attention_kernel(how)});
    for (transformer::EncoderLayer<float>& layer : learnt.model.layers()) {
        layer.self.attend = bf16_attention_kernel(how);
    }
    row("and attention");
    frame.terminal.table(table);
}

/// A training whose products are in 16 bits, beside one in floats.
void show_training_in_bf16(Frame& frame, const Settings& settings)
{
    frame.terminal.introduce(
        "Trained with products in bf16",
        "Chapter 12's transformer, trained for {} steps. In the second line both "
        "factors of every product are rounded to bf16, forwards and backwards; parameters, "
        "gradients and Adam stay floats.",
        settings.n_steps);
    const ModelTraining training = model_training(frame.options.seed, settings.n_steps);
    const ModelVariant& variant = model_variants()[2]; // fused rows, no attention in one pass
    const auto losses = [&](const Execution& how) {
        return train_model(variant, how, training).losses;
    };
    const std::vector<float> floats = losses(settings.how);
    const kernels::Kernels own = with_bf16_products(settings.how);
    const std::vector<float> rounded = losses({&own, settings.how.n_threads});
    Table table({"products", "first loss", "last loss", "largest difference"});
    float apart = 0;
    for (std::size_t i = 0; i < floats.size(); ++i) {
        apart = std::max(apart, std::max(floats[i] - rounded[i], rounded[i] - floats[i]));
    }
    const auto row = [&](const std::string& name, const std::vector<float>& of,
                         const std::string& difference) {
        table.row({name, fixed(static_cast<double>(of.front()), 4),
                   fixed(static_cast<double>(of.back()), 4), difference});
    };
    row("float", floats, "-");
    row("bf16", rounded, fixed(static_cast<double>(apart), 4));
    frame.terminal.table(table);
}

} // namespace

void show_fewer_bits(Frame& frame, const Settings& settings, LearntModel learnt)
{
    show_orders_of_addition(frame);
    show_losses_in_bf16(frame, settings.how, learnt);
    show_training_in_bf16(frame, settings);
}

} // namespace attn::simd_transformer
