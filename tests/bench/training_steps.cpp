/// \file
/// \brief What a training step costs: forward, backward and Adam of five small models and of the
/// smallest graph there is, on one thread, beside PyTorch in the same process where it is
/// installed. First both sides train from the same numbers and must agree in their losses.
/// Deliberately only models of the size that the chapters train.
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/random.hpp"
#include "common/kernels/gemm.hpp"
#include "tests/bench/machine.hpp"
#include "tests/bench/our_steps.hpp"
#ifdef ATTN_TORCH
#include "tests/bench/torch_peers.hpp"
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace attn;
using namespace attn::bench;

using Step = std::function<void()>;

/// A product of matrices that a step makes: [m, k] times [k, n], some number of times.
struct Product
{
    Transpose a_transposed;
    Transpose b_transposed;
    std::size_t m;
    std::size_t n;
    std::size_t k;
    std::size_t times;
};

/// What is timed.
struct Case
{
    std::string name;
    std::size_t steps_a_sample; ///< so that a sample takes about a millisecond
    std::function<Step(const std::vector<InitialValues>&, float*)> ours;
    std::function<Step(const Report&)> theirs; ///< none if PyTorch is not installed
    std::vector<Product> products;             ///< of one step
    double wanted;                             ///< the ratio to reach
};

/// The numbers that both sides are given.
struct Data
{
    std::vector<float> x = std::vector<float>(64 * 784);
    std::vector<float> y = std::vector<float>(64);
    std::vector<std::int64_t> classes = std::vector<std::int64_t>(64);
    std::vector<std::int64_t> words = std::vector<std::int64_t>(1024); // of either language

    Data()
    {
        random::Generator generator(7);
        for (float& value : x) {
            value = static_cast<float>(generator.normal());
        }
        for (float& value : y) {
            value = static_cast<float>(generator.normal());
        }
        for (std::int64_t& value : classes) {
            value = static_cast<std::int64_t>(generator.below(8));
        }
        for (std::int64_t& word : words) {
            word = static_cast<std::int64_t>(generator.below(164));
        }
    }
};

constexpr Transpose no = Transpose::no;
constexpr Transpose yes = Transpose::yes;

/// Y = X W, dX = dY Wᵀ with W turned round beforehand, and dW = Xᵀ dY.
std::vector<Product> linear_products(std::size_t rows, std::size_t n_in, std::size_t n_out,
                                     std::size_t times, bool input_needs_gradient = true)
{
    std::vector<Product> products = {{no, no, rows, n_out, n_in, times},
                                     {yes, no, n_in, n_out, rows, times}};
    if (input_needs_gradient) {
        products.push_back({no, no, rows, n_in, n_out, times});
    }
    return products;
}

std::vector<Product> joined(std::vector<Product> a, const std::vector<Product>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

std::vector<Product> gru_products()
{
    const RecurrentSizes& s = gru_sizes;
    const std::size_t rows = s.batch * s.n_steps;
    return joined(linear_products(rows, s.n_features, 3 * s.hidden, 1, false),
                  {{no, no, s.batch, 3 * s.hidden, s.hidden, s.n_steps},
                   {no, no, s.batch, s.hidden, 3 * s.hidden, s.n_steps},
                   {yes, no, s.hidden, 3 * s.hidden, rows, 1}});
}

std::vector<Product> attentive_rnn_products()
{
    const RecurrentSizes& s = attentive_rnn_sizes;
    return joined(linear_products(s.batch * s.n_steps, s.n_features, s.hidden, 1, false),
                  linear_products(s.batch, 2 * s.hidden, s.hidden, s.n_steps));
}

std::vector<Product> perceptron_products()
{
    const PerceptronSizes& s = perceptron_sizes;
    return joined(linear_products(s.batch, s.n_features, s.hidden, 1, false),
                  linear_products(s.batch, s.hidden, s.n_classes, 1));
}

/// A step of a recurrent unit after another: the weights' gradient is one product if nothing
/// stands between the steps, a product a step otherwise.
std::vector<Product> translator_products(const TranslatorSizes& s)
{
    const std::size_t half = s.hidden / 2;
    const std::size_t read = s.batch * s.n_source;
    const std::size_t written = s.batch * s.n_target;
    const std::vector<Product> direction =
        joined(linear_products(read, s.d_embedding, 3 * half, 2),
               {{no, no, s.batch, 3 * half, half, 2 * s.n_source},
                {no, no, s.batch, half, 3 * half, 2 * s.n_source},
                {yes, no, half, 3 * half, read, 2}});
    std::vector<Product> all =
        joined(direction, linear_products(s.batch, s.hidden, s.hidden, 1));
    all = joined(all, linear_products(written, s.d_embedding, 3 * s.hidden, 1));
    all = joined(all, linear_products(s.batch, s.hidden, 3 * s.hidden, s.n_target));
    all = joined(all,
                 linear_products(s.batch, s.hidden, 3 * s.hidden, s.attends ? s.n_target : 1));
    if (s.attends) {
        all = joined(all, linear_products(read, s.hidden, s.hidden, 1));
        all = joined(all, linear_products(s.batch, s.hidden, s.hidden, s.n_target));
    }
    all = joined(all, linear_products(written, 2 * s.hidden + s.d_embedding, s.hidden, 1));
    return joined(all, linear_products(written, s.hidden, s.n_target_words, 1));
}

/// Scores and contexts of one attention, a product for each head of each sentence, forward and
/// back.
std::vector<Product> heads_products(const TransformerSizes& s, std::size_t n_queries,
                                    std::size_t n_keys)
{
    const std::size_t d = s.d / s.n_heads;
    const std::size_t times = s.batch * s.n_heads;
    return {{no, yes, n_queries, n_keys, d, 2 * times},
            {no, no, n_queries, d, n_keys, 2 * times},
            {yes, no, n_keys, d, n_queries, 2 * times}};
}

std::vector<Product> transformer_products(const TransformerSizes& s)
{
    const std::size_t read = s.batch * s.n_source;
    const std::size_t written = s.batch * s.n_target;
    std::vector<Product> all = linear_products(read, s.d, s.d, 6); // encoder: 4, decoder: K, V
    all = joined(all, linear_products(written, s.d, s.d, 6));
    for (const std::size_t rows : {read, written}) {
        all = joined(all, linear_products(rows, s.d, s.d_ff, 1));
        all = joined(all, linear_products(rows, s.d_ff, s.d, 1));
    }
    all = joined(all, heads_products(s, s.n_source, s.n_source));
    all = joined(all, heads_products(s, s.n_target, s.n_target));
    all = joined(all, heads_products(s, s.n_target, s.n_source));
    return joined(all, linear_products(written, s.d, s.n_target_words, 1));
}

std::vector<Case> cases(const Data& data)
{
    const float* const x = data.x.data();
    const float* const y = data.y.data();
    const std::int64_t* const classes = data.classes.data();
    const std::int64_t* const words = data.words.data();
    std::vector<Case> all = {
        {"GRU 64, 15 steps, batch 32",
         1,
         [=](const auto& initial, float* loss) { return ours::gru_step(x, y, initial, loss); },
         {},
         gru_products(),
         3},
        {"RNN 32 over its own 8 states, batch 64",
         2,
         [=](const auto& initial, float* loss) {
             return ours::attentive_rnn_step(x, classes, initial, loss);
         },
         {},
         attentive_rnn_products(),
         3},
        {"perceptron 784-128-10, batch 64",
         2,
         [=](const auto& initial, float* loss) {
             return ours::perceptron_step(x, classes, initial, loss);
         },
         {},
         perceptron_products(),
         1},
        {"translator by one vector, GRU 128, batch 32",
         1,
         [=](const auto& initial, float* loss) {
             return ours::translator_step(translator_sizes, words, words, words + 1, initial,
                                          loss);
         },
         {},
         translator_products(translator_sizes),
         3},
        {"translator with Bahdanau's attention, GRU 64, batch 32",
         1,
         [=](const auto& initial, float* loss) {
             return ours::translator_step(aligner_sizes, words, words, words + 1, initial,
                                          loss);
         },
         {},
         translator_products(aligner_sizes),
         3},
        {"transformer 64, 4 heads, a layer on either side, batch 32",
         1,
         [=](const auto& initial, float* loss) {
             return ours::transformer_step(transformer_sizes, words, words, words + 1, initial,
                                           loss);
         },
         {},
         transformer_products(transformer_sizes),
         2},
        {"a + b of [1, 1], and back",
         5000,
         [=](const auto& /*initial*/, float* loss) { return ours::add_step(x, loss); },
         {},
         {},
         1}};
#ifdef ATTN_TORCH
    all[0].theirs = [=](const Report& report) { return torch_peer::gru_step(x, y, report); };
    all[1].theirs = [=](const Report& report) {
        return torch_peer::attentive_rnn_step(x, classes, report);
    };
    all[2].theirs = [=](const Report& report) {
        return torch_peer::perceptron_step(x, classes, report);
    };
    all[3].theirs = [=](const Report& report) {
        return torch_peer::translator_step(translator_sizes, words, words, words + 1, report);
    };
    all[4].theirs = [=](const Report& report) {
        return torch_peer::translator_step(aligner_sizes, words, words, words + 1, report);
    };
    all[5].theirs = [=](const Report& report) {
        return torch_peer::transformer_step(transformer_sizes, words, words, words + 1, report);
    };
    all[6].theirs = [=](const Report& report) { return torch_peer::add_step(x, report); };
#endif
    return all;
}

/// The shortest and the middle time of 100 samples, in microseconds a step.
struct Times
{
    double shortest;
    double median;
};

Times time_of(const Step& step, std::size_t steps_a_sample)
{
    constexpr std::size_t n_samples = 100;
    std::vector<double> samples;
    for (std::size_t sample = 0; sample < n_samples; ++sample) {
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < steps_a_sample; ++i) {
            step();
        }
        const std::chrono::duration<double, std::micro> spent =
            std::chrono::steady_clock::now() - start;
        samples.push_back(spent.count() / static_cast<double>(steps_a_sample));
    }
    std::sort(samples.begin(), samples.end());
    return {samples.front(), samples[n_samples / 2]};
}

Times shorter(const Times& a, const Times& b)
{
    return {std::min(a.shortest, b.shortest), std::min(a.median, b.median)};
}

/// What the products of a step take when nothing else is done, in microseconds.
double time_of_products(const std::vector<Product>& products)
{
    std::vector<float> a(1 << 18, 0.5F);
    std::vector<float> b(1 << 18, 0.5F);
    std::vector<float> c(1 << 18);
    double total = 0;
    for (const Product& p : products) {
        const Step once = [&] {
            gemm(p.a_transposed, p.b_transposed, p.m, p.n, p.k, 1.0F, a.data(),
                 p.a_transposed == no ? p.k : p.m, b.data(), p.b_transposed == no ? p.n : p.k,
                 0.0F, c.data(), p.n);
        };
        total += time_of(once, 10).shortest * static_cast<double>(p.times);
    }
    return total;
}

/// Both sides train 20 steps from the same parameters; their losses must not part.
void expect_agreement(const Case& one)
{
    float our_loss = 0;
    float their_loss = 0;
    std::vector<InitialValues> initial;
    const Step theirs = one.theirs({&their_loss, &initial});
    const Step ours = one.ours(initial, &our_loss);
    for (int step = 0; step < 20; ++step) {
        theirs();
        ours();
        if (!(std::abs(our_loss - their_loss) <=
              1e-4F * std::max(1.0F, std::abs(their_loss)))) {
            fmt::print(stderr, "{}: the loss of step {} is {} here and {} there\n", one.name,
                       step, our_loss, their_loss);
            std::exit(1);
        }
    }
}

/// One row of the table.
std::vector<std::string> measured(const Case& one)
{
    Times ours{1e300, 1e300};
    Times theirs{1e300, 1e300};
    for (int round = 0; round < 3; ++round) {
        {
            const Step step = one.ours({}, nullptr);
            time_of(step, one.steps_a_sample); // caches, pools and clocks get warm
            ours = shorter(ours, time_of(step, one.steps_a_sample));
        }
        if (one.theirs) {
            const Step step = one.theirs({});
            time_of(step, std::max<std::size_t>(1, one.steps_a_sample / 50));
            theirs = shorter(theirs,
                             time_of(step, std::max<std::size_t>(1, one.steps_a_sample / 50)));
        }
    }
    const auto micro = [](double t) { return program::fixed(t, t < 10 ? 3 : 0); };
    std::vector<std::string> row = {one.name, micro(ours.shortest), micro(ours.median)};
    if (one.products.empty()) {
        row.push_back("-");
    } else {
        row.push_back(program::fixed(100 * time_of_products(one.products) / ours.shortest, 0) +
                      " %");
    }
    if (one.theirs) {
        row.insert(row.end(), {micro(theirs.shortest), micro(theirs.median),
                               program::fixed(theirs.shortest / ours.shortest, 2),
                               program::fixed(theirs.median / ours.median, 2),
                               program::fixed(one.wanted, 0)});
    } else {
        row.insert(row.end(), {"-", "-", "-", "-", program::fixed(one.wanted, 0)});
    }
    return row;
}

} // namespace

int main(int argc, char** argv)
{
    const Data data;
    std::string peer = "PyTorch is not installed";
#ifdef ATTN_TORCH
    torch_peer::keep_freed_memory();
    torch_peer::set_threads(1);
    peer = torch_peer::version() + ", eager";
#endif
    program::Table table({"one training step", "ours (us)", "median", "products' share",
                          "PyTorch (us)", "median", "ratio", "of medians", "wanted"});
    for (const Case& one : cases(data)) {
        if (one.theirs) {
            expect_agreement(one);
        }
        table.row(measured(one));
    }
    return bench::write_report(
        fmt::format(
            "{}\nOne thread; the shortest and the middle of 300 samples. The products' "
            "share is what the step's\nmatrix products take by themselves, as a part of "
            "the step.\nBeside it: {}.\n",
            table.to_string(), peer),
        argc, argv);
}
