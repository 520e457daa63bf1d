/// \file
/// \brief What chapter 14 brings to whole models: chapter 12's training step variant by
/// variant, and a layer as wide as those of the paper beside PyTorch's. All in one process and
/// in turns, so that what disturbs one disturbs all.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"
#include "chapters/14_simd_transformer/whole_model/whole_model.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/optimisers.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/sizes.hpp"
#include "tests/bench/turns.hpp"
#ifdef ATTN_TORCH
#include "tests/bench/torch_peers.hpp"
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace attn;
using namespace attn::bench;
using namespace attn::simd_transformer;
using program::fixed;
using transformer::EncoderLayer;
using transformer::Transformer;

/// Before one of ours computes: our threads are our own, PyTorch's and its BLAS's rest.
void let_us_compute()
{
#ifdef ATTN_TORCH
    torch_peer::set_threads({1, 1});
#endif
}

/// GFLOP/s of multiplications and additions that work does in a time in milliseconds.
double rate(double n_multiplications, double time)
{
    return 2 * n_multiplications / time * 1e-6;
}

/// The processor's peak before and after what is done in between.
std::string with_peak(const std::function<std::string()>& report)
{
    const double before = fma_peak({});
    const std::string text = report();
    return fmt::format("{}FMA peak of one thread before and after: {} and {} GFLOP/s.\n\n",
                       text, fixed(before, 0), fixed(fma_peak({}), 0));
}

// ---------------------------------------------------------------- chapter 12's training step

/// Sentences that are all as long.
text::Batch random_batch(const TransformerSizes& sizes)
{
    random::Generator generator(7);
    const auto words = [&](std::size_t n, std::size_t n_words) {
        std::vector<std::int64_t> some(n);
        for (std::int64_t& word : some) {
            word = static_cast<std::int64_t>(generator.below(n_words));
        }
        return some;
    };
    text::Batch batch;
    batch.n_pairs = sizes.batch;
    batch.n_source = sizes.n_source;
    batch.n_target = sizes.n_target;
    batch.source = words(sizes.batch * sizes.n_source, sizes.n_source_words);
    batch.target_input = words(sizes.batch * sizes.n_target, sizes.n_target_words);
    batch.answers = words(sizes.batch * sizes.n_target, sizes.n_target_words);
    batch.source_lengths.assign(sizes.batch, sizes.n_source);
    batch.target_lengths.assign(sizes.batch, sizes.n_target);
    return batch;
}

Transformer<float> model_of(const TransformerSizes& sizes)
{
    random::Generator generator(1);
    return {{.n_source_words = sizes.n_source_words,
             .n_target_words = sizes.n_target_words,
             .layer = {.d_model = sizes.d, .n_heads = sizes.n_heads, .d_ff = sizes.d_ff},
             .label_smoothing = sizes.label_smoothing},
            generator};
}

/// Forwards, back and Adam.
std::function<void()> training_step(const ModelVariant& variant, const text::Batch& batch,
                                    std::size_t n_threads)
{
    const Execution how{.n_threads = n_threads};
    const auto model = std::make_shared<Transformer<float>>(model_of(transformer_sizes));
    model->set_computation(computation_of(variant, how));
    const auto adam = std::make_shared<nn::Adam<float>>(
        model->parameters(), nn::Adam<float>::Options{.learning_rate = learning_rate});
    return [=] {
        const kernels::ComputeWith guard(how);
        const autograd::Tape<float> tape;
        backward(model->loss(batch));
        adam->step();
    };
}

/// The variants of the whole model that one thread climbs, but for the plain loops.
std::vector<ModelVariant> variants_of_step()
{
    std::vector<ModelVariant> variants;
    std::copy_if(model_variants().begin(), model_variants().end(), std::back_inserter(variants),
                 [](const ModelVariant& variant) {
                     return !variant.plain_products && !variant.threaded;
                 });
    return variants;
}

/// \param csv  receives the steps, for the figure
std::string waterfall(std::string& csv)
{
    const text::Batch batch = random_batch(transformer_sizes);
    const std::vector<ModelVariant> variants = variants_of_step();
    std::vector<Candidate> candidates;
    for (const std::size_t n_threads : {1U, 2U}) {
        for (const ModelVariant& variant : variants) {
            candidates.push_back({variant.name, n_threads,
                                  training_step(variant, batch, n_threads), let_us_compute});
        }
    }
    time_in_turns(candidates, {.seconds = 20});
    const double work = step_operations(model_of(transformer_sizes).options(), batch) / 2;
    program::Table table({"and then", "threads", "ms", "median", "saves (ms)", "times as fast",
                          "of medians", "GFLOP/s", "idea"});
    csv = "step,from,to,from median,to median\n";
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& one = candidates[i];
        const bool first = i % variants.size() == 0;
        const double saved = first ? 0 : candidates[i - 1].best() - one.best();
        table.row({one.name, std::to_string(one.n_threads), fixed(one.best(), 2),
                   fixed(one.median(), 2), fixed(saved, 2),
                   fixed(candidates[0].best() / one.best(), 2),
                   fixed(candidates[0].median() / one.median(), 2),
                   fixed(rate(work, one.best()), 0), variants[i % variants.size()].idea});
        if (one.n_threads == 1) {
            csv += fmt::format("{},{:.4f},{:.4f},{:.4f},{:.4f}\n", one.name,
                               first ? 0 : candidates[i - 1].best(), one.best(),
                               first ? 0 : candidates[i - 1].median(), one.median());
        }
    }
    const Candidate& all = candidates[variants.size() - 1];
    csv += fmt::format("all,0,{:.4f},0,{:.4f}\n", all.best(), all.median());
    return fmt::format("Chapter 12's training step: {} wide, {} heads, a layer on either side, "
                       "{} sentences.\n\n{}\n",
                       transformer_sizes.d, transformer_sizes.n_heads, transformer_sizes.batch,
                       table.to_string());
}

// ---------------------------------------------------------------- a wide layer

std::vector<float> random_rows(const LayerSizes& sizes, std::uint64_t stream)
{
    random::Generator generator(3, stream);
    std::vector<float> rows(sizes.batch * sizes.n_tokens * sizes.d);
    for (float& number : rows) {
        number = static_cast<float>(generator.normal());
    }
    return rows;
}

Variable<float> rows_of(const LayerSizes& sizes, const std::vector<float>& numbers)
{
    return array_of<float>({sizes.batch, sizes.n_tokens, sizes.d}, std::span(numbers));
}

EncoderLayer<float> layer_of(const LayerSizes& sizes)
{
    random::Generator generator(2);
    return {{.d_model = sizes.d, .n_heads = sizes.n_heads, .d_ff = sizes.d_ff}, generator};
}

/// The layer with chapter 11's attention, or with that in one pass.
EncoderLayer<float> layer_of(const LayerSizes& sizes, const Execution& how, bool one_pass)
{
    EncoderLayer<float> layer = layer_of(sizes);
    if (one_pass) {
        layer.self.attend = flash_kernel(how);
    }
    return layer;
}

std::function<void()> our_forward(const LayerSizes& sizes, const std::vector<float>& x,
                                  const Execution& how, bool one_pass, float* result = nullptr)
{
    return [=, layer = layer_of(sizes, how, one_pass), rows = rows_of(sizes, x)] {
        const kernels::ComputeWith guard(how);
        const autograd::NoGradient<float> looking;
        const Variable<float> y = layer(rows, {}).sum();
        if (result != nullptr) {
            std::copy_n(y.value().data(), y.size(), result);
        }
    };
}

std::function<void()> our_layer_step(const LayerSizes& sizes, const std::vector<float>& x,
                                     const std::vector<float>& target, const Execution& how,
                                     bool one_pass, float* loss = nullptr)
{
    const EncoderLayer<float> layer = layer_of(sizes, how, one_pass);
    const auto adam = std::make_shared<nn::Adam<float>>(
        layer.parameters(), nn::Adam<float>::Options{.learning_rate = learning_rate});
    return [=, rows = rows_of(sizes, x), targets = rows_of(sizes, target)] {
        const kernels::ComputeWith guard(how);
        const autograd::Tape<float> tape;
        const Variable<float> error =
            autograd::mean_squared_error(layer(rows, {}).sum(), targets);
        backward(error);
        adam->step();
        if (loss != nullptr) {
            *loss = error.item();
        }
    };
}

#ifdef ATTN_TORCH
std::vector<InitialValues> values_of(const EncoderLayer<float>& layer)
{
    std::vector<InitialValues> values;
    for (const nn::NamedParameter<float>& one : layer.parameters()) {
        const Array<float>& value = one.variable.value();
        values.push_back({one.name,
                          {value.shape().begin(), value.shape().end()},
                          {value.begin(), value.end()}});
    }
    return values;
}

using torch_peer::AttentionForm;
constexpr std::array training_forms = {AttentionForm::operators, AttentionForm::fused};
constexpr std::array forward_forms = {AttentionForm::operators, AttentionForm::fused,
                                      AttentionForm::whole_layer};

void expect_near(const char* what, float ours, float theirs, float tolerance)
{
    if (!(std::abs(ours - theirs) <= tolerance)) {
        fmt::print(stderr, "the layer: {} are {} here and {} there\n", what, ours, theirs);
        std::exit(1);
    }
}

/// Both sides must compute the same before they are timed.
void expect_agreement(const LayerSizes& sizes, const std::vector<float>& x,
                      const std::vector<float>& target)
{
    const std::vector<InitialValues> initial = values_of(layer_of(sizes));
    std::vector<float> ours(x.size());
    our_forward(sizes, x, {}, true, ours.data())();
    float largest = 0;
    for (const AttentionForm form : forward_forms) {
        std::vector<float> theirs(x.size());
        torch_peer::layer_forward(sizes, initial, x.data(), form, theirs.data())();
        for (std::size_t i = 0; i < x.size(); ++i) {
            largest = std::max(largest, std::abs(ours[i] - theirs[i]));
        }
    }
    expect_near("outputs", largest, 0, 1e-4F);
    for (const AttentionForm form : training_forms) {
        float our_loss = 0;
        float their_loss = 0;
        const auto our_step = our_layer_step(sizes, x, target, {}, true, &our_loss);
        const auto their_step =
            torch_peer::layer_step(sizes, initial, x.data(), target.data(), form, &their_loss);
        for (int step = 0; step < 3; ++step) {
            our_step();
            their_step();
        }
        expect_near("losses", our_loss, their_loss, 1e-4F * their_loss);
    }
}

/// Every form of PyTorch's layer under each of its settings.
template <typename Forms, typename Make>
void add_theirs(std::vector<Candidate>& candidates, std::size_t n_threads, const Forms& forms,
                const Make& make)
{
    for (const AttentionForm form : forms) {
        const std::function<void()> run = make(form);
        for (const torch_peer::Threads threads : torch_peer::settings(n_threads)) {
            candidates.push_back(
                {fmt::format("PyTorch, {}{}", torch_peer::name_of(form), threads.text()),
                 n_threads, run, [threads] { torch_peer::set_threads(threads); }});
        }
    }
}

/// PyTorch's best time over ours, on one thread.
Goal layer_goal(const std::string& what, const std::vector<Candidate>& candidates)
{
    std::vector<Candidate> on_one;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(on_one),
                 [](const Candidate& one) { return one.n_threads == 1; });
    return {.what = what + "; threads: 1",
            .sizes = "8 x 128 tokens",
            .unit = "times PyTorch",
            .bound = 1.1,
            .measured = {fastest(on_one, "PyTorch").best() /
                         fastest(on_one, "ours, fused").best()}};
}
#endif

program::Table layer_table(const LayerSizes& s, const std::vector<Candidate>& forward,
                           const std::vector<Candidate>& training)
{
    const auto n = static_cast<double>(s.n_tokens);
    const auto d = static_cast<double>(s.d);
    const double rows = static_cast<double>(s.batch) * n;
    const double linear = rows * (4 * d * d + 2 * d * static_cast<double>(s.d_ff));
    const double pairs = static_cast<double>(s.batch) * 2 * n * n * d;
    program::Table table(
        {"one layer", "threads", "what", "ms", "median", "GFLOP/s", "time over ours"});
    for (const auto* const list : {&forward, &training}) {
        const bool learns = list == &training;
        const double work = learns ? 3 * linear + 3 * pairs : linear + pairs;
        for (const Candidate& one : *list) {
            const auto ours =
                std::find_if(list->begin(), list->end(), [&](const Candidate& other) {
                    return other.name == "ours, fused" && other.n_threads == one.n_threads;
                });
            table.row({one.name, std::to_string(one.n_threads),
                       learns ? "training step" : "forward", fixed(one.best(), 1),
                       fixed(one.median(), 1), fixed(rate(work, one.best()), 0),
                       fixed(one.best() / ours->best(), 2)});
        }
    }
    return table;
}

/// \param goals  receives how the layer stands beside PyTorch's
std::string wide_layer(std::vector<Goal>& goals)
{
    const LayerSizes& s = layer_sizes;
    const std::vector<float> x = random_rows(s, 1);
    const std::vector<float> target = random_rows(s, 2);
    std::vector<Candidate> forward;
    std::vector<Candidate> training;
    for (const std::size_t n_threads : {1U, 2U}) {
        const Execution how{.n_threads = n_threads};
        if (n_threads == 1) {
            forward.push_back(
                {"ours, unfused", 1, our_forward(s, x, how, false), let_us_compute});
            training.push_back(
                {"ours, unfused", 1, our_layer_step(s, x, target, how, false), let_us_compute});
        }
        forward.push_back(
            {"ours, fused", n_threads, our_forward(s, x, how, true), let_us_compute});
        training.push_back({"ours, fused", n_threads, our_layer_step(s, x, target, how, true),
                            let_us_compute});
#ifdef ATTN_TORCH
        const std::vector<InitialValues> initial = values_of(layer_of(s));
        add_theirs(forward, n_threads, forward_forms, [&](AttentionForm form) {
            return torch_peer::layer_forward(s, initial, x.data(), form);
        });
        add_theirs(training, n_threads, training_forms, [&](AttentionForm form) {
            return torch_peer::layer_step(s, initial, x.data(), target.data(), form);
        });
#endif
    }
#ifdef ATTN_TORCH
    expect_agreement(s, x, target);
#endif
    time_in_turns(forward, {.seconds = 12});
    time_in_turns(training, {.n_samples = 2, .seconds = 16});
#ifdef ATTN_TORCH
    goals.push_back(layer_goal("a layer 512 wide; forwards", forward));
    goals.push_back(layer_goal("a layer 512 wide; training step", training));
#else
    (void)goals;
#endif

    return fmt::format("A layer {} wide, {} heads, {} inner, {} x {} tokens. GFLOP/s counts "
                       "products, none of them twice.\n\n{}\n",
                       s.d, s.n_heads, s.d_ff, s.batch, s.n_tokens,
                       layer_table(s, forward, training).to_string());
}

} // namespace

int main(int argc, char** argv)
{
#ifdef ATTN_TORCH
    torch_peer::keep_freed_memory();
#endif
    std::string csv;
    std::vector<Goal> goals;
    std::string text =
        "Rows of one thread: the processor's time; of two: the time that passes.\n\n";
    text += with_peak([&] { return waterfall(csv); });
    text += with_peak([&] { return wide_layer(goals); });
#ifdef ATTN_TORCH
    text += "peer: " + torch_peer::version() + "\n";
#endif
    if (argc > 3) {
        std::ofstream(argv[3]) << csv;
    }
    return bench::write_report(text, argc, argv, goals);
}
