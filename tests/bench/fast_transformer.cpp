/// \file
/// \brief What this chapter's kernels bring to whole models: chapter 12's training step with one
/// fusion more at a time, a layer as wide as those of the paper beside PyTorch's, and writing
/// word by word. Deliberately in one process, the candidates in turns, so that what disturbs one
/// disturbs all.
#include "chapters/14_simd_transformer/fast_transformer.hpp"
#include "chapters/12_transformer/decoding_cost.hpp"
#include "chapters/14_simd_transformer/fast_decoding.hpp"
#include "chapters/14_simd_transformer/machine.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/optimisers.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "tests/bench/machine.hpp"
#include "tests/bench/sizes.hpp"
#include "tests/bench/turns.hpp"
#ifdef ATTN_TORCH
#include "tests/bench/torch_peers.hpp"
#endif

#include <algorithm>
#include <array>
#include <chrono>
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

/// Multiplications of a training step's products: each linear layer's three, each attention's six.
double multiplications_of(const TransformerSizes& s)
{
    const auto d = static_cast<double>(s.d);
    const auto read = static_cast<double>(s.batch * s.n_source);
    const auto written = static_cast<double>(s.batch * s.n_target);
    const auto n = static_cast<double>(s.n_source);
    const auto m = static_cast<double>(s.n_target);
    const double linear = 6 * d * d * (read + written) +
                          2 * d * static_cast<double>(s.d_ff) * (read + written) +
                          d * static_cast<double>(s.n_target_words) * written;
    const double attending = static_cast<double>(s.batch) * d * (n * n + m * m + n * m);
    return 3 * linear + 6 * attending;
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

/// Forward, back and Adam.
std::function<void()> fast_step(const TransformerSizes& sizes, const text::Batch& batch,
                                std::size_t n_threads, const Fusions& fusions)
{
    const auto fast = std::make_shared<const FastTransformer>(
        model_of(sizes), Execution{.n_threads = n_threads}, fusions);
    const auto adam = std::make_shared<nn::Adam<float>>(
        fast->transformer().parameters(),
        nn::Adam<float>::Options{.learning_rate = learning_rate});
    return [=] {
        const autograd::Tape<float> tape;
        fast->backward(fast->loss(batch));
        adam->step();
    };
}

/// \param csv    receives the steps, for the figure
/// \param goals  receives what all steps together bring
std::string waterfall(std::string& csv, std::vector<Goal>& goals)
{
    const text::Batch batch = random_batch(transformer_sizes);
    std::vector<Candidate> candidates;
    for (const std::size_t n_threads : {1U, 2U}) {
        for (const FusionStep& step : fusion_steps()) {
            candidates.push_back({step.name, n_threads,
                                  fast_step(transformer_sizes, batch, n_threads, step.fusions),
                                  let_us_compute});
        }
    }
    time_in_turns(candidates, {.seconds = 20});
    const double work = multiplications_of(transformer_sizes);
    program::Table table({"and then", "threads", "ms", "median", "saves (ms)", "times as fast",
                          "of medians", "GFLOP/s", "idea"});
    csv = "step,from,to,from median,to median\n";
    const std::size_t n_steps = fusion_steps().size();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& one = candidates[i];
        const double saved = i % n_steps == 0 ? 0 : candidates[i - 1].best() - one.best();
        table.row({one.name, std::to_string(one.n_threads), fixed(one.best(), 2),
                   fixed(one.median(), 2), fixed(saved, 2),
                   fixed(candidates[0].best() / one.best(), 2),
                   fixed(candidates[0].median() / one.median(), 2),
                   fixed(rate(work, one.best()), 0), fusion_steps()[i % n_steps].idea});
        if (one.n_threads == 1) {
            const bool first = i == 0;
            csv += fmt::format("{},{:.4f},{:.4f},{:.4f},{:.4f}\n", one.name,
                               first ? 0 : candidates[i - 1].best(), one.best(),
                               first ? 0 : candidates[i - 1].median(), one.median());
        }
    }
    const Candidate& all = candidates[n_steps - 1];
    csv += fmt::format("all,0,{:.4f},0,{:.4f}\n", all.best(), all.median());
    goals.push_back({.what = "training step of chapter 12's model",
                     .sizes = "best median",
                     .unit = "times chapter 12's",
                     .bound = 1.5,
                     .measured = {candidates[0].best() / all.best(),
                                  candidates[0].median() / all.median()}});
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

std::function<void()> our_forward(const LayerSizes& sizes, const std::vector<float>& x,
                                  const Execution& how, const Fusions& fusions,
                                  float* result = nullptr)
{
    const FastEncoderLayer layer(layer_of(sizes), how, fusions);
    return [=, rows = rows_of(sizes, x)] {
        const autograd::NoGradient<float> looking;
        const Products products(how, fusions);
        const Variable<float> y = layer(rows, Visible{});
        if (result != nullptr) {
            std::copy_n(y.value().data(), y.size(), result);
        }
    };
}

std::function<void()> our_layer_step(const LayerSizes& sizes, const std::vector<float>& x,
                                     const std::vector<float>& target, const Execution& how,
                                     const Fusions& fusions, float* loss = nullptr)
{
    const EncoderLayer<float> plain = layer_of(sizes);
    const FastEncoderLayer layer(plain, how, fusions);
    const auto adam = std::make_shared<nn::Adam<float>>(
        plain.parameters(), nn::Adam<float>::Options{.learning_rate = learning_rate});
    return [=, rows = rows_of(sizes, x), targets = rows_of(sizes, target)] {
        const Products products(how, fusions);
        const autograd::Tape<float> tape;
        const Variable<float> error =
            autograd::mean_squared_error(layer(rows, Visible{}), targets);
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
    our_forward(sizes, x, {}, {}, ours.data())();
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
        const auto our_step = our_layer_step(sizes, x, target, {}, {}, &our_loss);
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
                         fastest(on_one, "these kernels").best()}};
}
#endif

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
                {"chapter 12", 1, our_forward(s, x, how, no_fusions()), let_us_compute});
            training.push_back({"chapter 12", 1,
                                our_layer_step(s, x, target, how, no_fusions()),
                                let_us_compute});
        }
        forward.push_back(
            {"these kernels", n_threads, our_forward(s, x, how, {}), let_us_compute});
        training.push_back({"these kernels", n_threads, our_layer_step(s, x, target, how, {}),
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
                    return other.name == "these kernels" && other.n_threads == one.n_threads;
                });
            table.row({one.name, std::to_string(one.n_threads),
                       learns ? "training step" : "forward", fixed(one.best(), 1),
                       fixed(one.median(), 1), fixed(rate(work, one.best()), 0),
                       fixed(one.best() / ours->best(), 2)});
        }
    }
    return fmt::format("A layer {} wide, {} heads, {} inner, {} x {} tokens. GFLOP/s counts "
                       "products, none of them twice.\n\n{}\n",
                       s.d, s.n_heads, s.d_ff, s.batch, s.n_tokens, table.to_string());
}

// ---------------------------------------------------------------- word by word

/// What the n-th word costs, in microseconds, in every way to write it.
class WordTimes
{
public:
    WordTimes()
        : model_(model_of(transformer_sizes)), fast_(model_), source_(words(sizes_.n_source)),
          target_(words(longest)), lengths_({sizes_.n_source}),
          memory_(model_.read(model_.embed({source_, lengths_, sizes_.n_source}), lengths_)),
          caches_(model_.caches(memory_, longest))
    {
        for (std::size_t t = 0; t < longest; ++t) {
            model_.step({&target_[t], 1}, t, caches_, memory_.visible);
        }
    }

    /// \param goals  receives what the kept keys and values bring at the longest
    std::string report(std::vector<Goal>& goals)
    {
        program::Table table({"n", "kept, 12: us", "kept, here: us", "words/s", "anew, 12: us",
                              "anew, here: us", "12 / here, kept", "anew / kept, here",
                              "bytes read", "GB/s"});
        WordByWord writing(model_, memory_, longest + 4);
        for (std::size_t n = 1; n <= longest; n *= 2) {
            while (writing.n_written() + 1 < n) {
                writing.step({&target_[writing.n_written()], 1});
            }
            table.row(row(n, writing));
        }
        goals.push_back({.what = "decoding with keys and values kept",
                         .sizes = fmt::format("word {}", longest),
                         .unit = "times chapter 12's",
                         .bound = 5.5,
                         .measured = {times_chapter_12_}});
        return fmt::format(
            "Writing word number n of one sentence, {} wide, one thread.\n\n{}\n",
            transformer_sizes.d, table.to_string());
    }

private:
    static constexpr std::size_t longest = 256;

    std::vector<std::int64_t> words(std::size_t n)
    {
        std::vector<std::int64_t> some(n);
        for (std::int64_t& word : some) {
            word = 3 + static_cast<std::int64_t>(generator_.below(160));
        }
        return some;
    }

    std::vector<std::string> row(std::size_t n, const WordByWord& before)
    {
        const autograd::NoGradient<float> looking;
        const double best = best_step(before, n);
        const double plain = best_microseconds([&] {
            model_.step({&target_[n - 1], 1}, n - 1, caches_, memory_.visible);
        });
        const auto last_scores = [&](const Variable<float>& rows, const auto& of) {
            Array<float> last = uninitialised<float>({1, sizes_.d_model});
            std::copy_n(rows.value().data() + (n - 1) * sizes_.d_model, sizes_.d_model,
                        last.data());
            of.scores(Variable<float>(std::move(last)));
        };
        const double anew = best_microseconds([&] {
            last_scores(model_.write({target_.data(), n}, memory_), model_);
        });
        const double fast_anew = best_microseconds([&] {
            last_scores(fast_.write({target_.data(), n}, memory_), fast_);
        });
        times_chapter_12_ = plain / best;
        const double bytes = 4.0 * static_cast<double>(transformer::cached_cost(sizes_, n));
        return {std::to_string(n),      fixed(plain, 1),
                fixed(best, 1),         fixed(1e6 / best, 0),
                fixed(anew, 0),         fixed(fast_anew, 0),
                fixed(plain / best, 1), fixed(fast_anew / best, 1),
                fixed(bytes, 0),        fixed(bytes / best * 1e-3, 1)};
    }

    static double best_microseconds(const std::function<void()>& work)
    {
        return 1e6 * best_seconds(work, {.seconds = 0.02, .n_runs = 40});
    }

    /// The shortest of the steps n to n + 3, on copies: a step makes its caches grow.
    double best_step(const WordByWord& before, std::size_t n)
    {
        double best = 1e300;
        for (int copy = 0; copy < 40; ++copy) {
            WordByWord one = before;
            for (int word = 0; word < 4; ++word) {
                const auto start = std::chrono::steady_clock::now();
                one.step({&target_[n - 1], 1});
                const std::chrono::duration<double, std::micro> spent =
                    std::chrono::steady_clock::now() - start;
                best = std::min(best, spent.count());
            }
        }
        return best;
    }

    random::Generator generator_{1};
    transformer::DecodingSizes sizes_;
    Transformer<float> model_;
    FastTransformer fast_;
    std::vector<std::int64_t> source_;
    std::vector<std::int64_t> target_;
    std::vector<std::size_t> lengths_;
    Memory<float> memory_;
    std::vector<transformer::LayerCache<float>> caches_;
    double times_chapter_12_ = 0; ///< chapter 12's over ours, both kept, in the last row
};

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
    text += with_peak([&] { return waterfall(csv, goals); });
    text += with_peak([&] { return wide_layer(goals); });
    text += with_peak([&] {
        const autograd::NoGradient<float> looking;
        return WordTimes().report(goals);
    });
#ifdef ATTN_TORCH
    text += "peer: " + torch_peer::version() + "\n";
#endif
    if (argc > 3) {
        std::ofstream(argv[3]) << csv;
    }
    return bench::write_report(text, argc, argv, goals);
}
