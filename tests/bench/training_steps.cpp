/// \file
/// \brief What a training step costs: forward, backward and Adam of six small models and of the
/// smallest graph there is, on one thread, beside PyTorch in the same process where it is
/// installed. First both sides train from the same numbers and must agree in their losses.
#include "common/kernels/gemm.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/random.hpp"
#include "tests/bench/our_steps.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/turns.hpp"
#ifdef ATTN_TORCH
#include "tests/bench/torch_peers.hpp"
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <memory>
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
        for (std::vector<float>* const list : {&x, &y}) {
            for (float& value : *list) {
                value = static_cast<float>(generator.normal());
            }
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

/// The products of a step, added up one after the other.
struct Products
{
    std::vector<Product> all = {};

    /// Y = X W, dX = dY Wᵀ with W transposed beforehand, and dW = Xᵀ dY.
    Products& linear(std::size_t rows, std::size_t n_in, std::size_t n_out,
                     std::size_t times = 1, bool input_needs_gradient = true)
    {
        all.push_back({no, no, rows, n_out, n_in, times});
        all.push_back({yes, no, n_in, n_out, rows, times});
        if (input_needs_gradient) {
            all.push_back({no, no, rows, n_in, n_out, times});
        }
        return *this;
    }
    /// A recurrent unit's map of its state with three gates: a product a step, forward and
    /// back, and one for the weights' gradient of all steps, since nothing stands between them.
    Products& gates(std::size_t batch, std::size_t n_steps, std::size_t hidden,
                    std::size_t times = 1)
    {
        all.push_back({no, no, batch, 3 * hidden, hidden, times * n_steps});
        all.push_back({no, no, batch, hidden, 3 * hidden, times * n_steps});
        all.push_back({yes, no, hidden, 3 * hidden, batch * n_steps, times});
        return *this;
    }
    /// Scores and contexts of one attention, a product for each head of each sentence, forward
    /// and back.
    Products& heads(const TransformerSizes& s, std::size_t n_queries, std::size_t n_keys)
    {
        const std::size_t d = s.d / s.n_heads;
        const std::size_t times = s.batch * s.n_heads;
        all.push_back({no, yes, n_queries, n_keys, d, 2 * times});
        all.push_back({no, no, n_queries, d, n_keys, 2 * times});
        all.push_back({yes, no, n_keys, d, n_queries, 2 * times});
        return *this;
    }
};

Products gru_products()
{
    const RecurrentSizes& s = gru_sizes;
    return Products()
        .linear(s.batch * s.n_steps, s.n_features, 3 * s.hidden, 1, false)
        .gates(s.batch, s.n_steps, s.hidden);
}

Products attentive_rnn_products()
{
    const RecurrentSizes& s = attentive_rnn_sizes;
    return Products()
        .linear(s.batch * s.n_steps, s.n_features, s.hidden, 1, false)
        .linear(s.batch, 2 * s.hidden, s.hidden, s.n_steps);
}

Products perceptron_products()
{
    const PerceptronSizes& s = perceptron_sizes;
    return Products()
        .linear(s.batch, s.n_features, s.hidden, 1, false)
        .linear(s.batch, s.hidden, s.n_classes);
}

Products translator_products(const TranslatorSizes& s)
{
    const std::size_t half = s.hidden / 2;
    const std::size_t read = s.batch * s.n_source;
    const std::size_t written = s.batch * s.n_target;
    Products products;
    products.linear(read, s.d_embedding, 3 * half, 2).gates(s.batch, s.n_source, half, 2);
    products.linear(s.batch, s.hidden, s.hidden);
    products.linear(written, s.d_embedding, 3 * s.hidden);
    products.linear(s.batch, s.hidden, 3 * s.hidden, s.n_target);
    products.linear(s.batch, s.hidden, 3 * s.hidden, s.attends ? s.n_target : 1);
    if (s.attends) {
        products.linear(read, s.hidden, s.hidden);
        products.linear(s.batch, s.hidden, s.hidden, s.n_target);
    }
    products.linear(written, 2 * s.hidden + s.d_embedding, s.hidden);
    return products.linear(written, s.hidden, s.n_target_words);
}

Products transformer_products(const TransformerSizes& s)
{
    const std::size_t read = s.batch * s.n_source;
    const std::size_t written = s.batch * s.n_target;
    Products products;
    products.linear(read, s.d, s.d, 6); // encoder: 4, decoder: K, V
    products.linear(written, s.d, s.d, 6);
    for (const std::size_t rows : {read, written}) {
        products.linear(rows, s.d, s.d_ff).linear(rows, s.d_ff, s.d);
    }
    products.heads(s, s.n_source, s.n_source);
    products.heads(s, s.n_target, s.n_target);
    products.heads(s, s.n_target, s.n_source);
    return products.linear(written, s.d, s.n_target_words);
}

/// One way in which PyTorch takes a step.
struct Way
{
    std::string name;
    std::function<Step(const Report&)> make;
};

/// What is timed.
struct Case
{
    std::string name;
    std::function<Step(const std::vector<InitialValues>&, float*)> ours;
    Products products;            ///< of one step
    double wanted;                ///< the ratio to reach; 0 if none was set
    std::vector<Way> theirs = {}; ///< none if PyTorch is not installed
};

std::vector<Case> cases(const Data& data)
{
    const float* const x = data.x.data();
    const float* const y = data.y.data();
    const std::int64_t* const classes = data.classes.data();
    const std::int64_t* const words = data.words.data();
    const auto translator = [=](const TranslatorSizes& sizes) {
        return std::bind_front(ours::translator_step, sizes, words, words, words + 1);
    };
    std::vector<Case> all = {
        {"GRU 64, 15 steps, batch 32", std::bind_front(ours::gru_step, x, y), gru_products(),
         4.4},
        {"RNN 32 over its own 8 states, batch 64",
         std::bind_front(ours::attentive_rnn_step, x, classes), attentive_rnn_products(), 2.4},
        {"perceptron 784-128-10, batch 64", std::bind_front(ours::perceptron_step, x, classes),
         perceptron_products(), 1.9},
        {"translator by one vector, GRU 128, batch 32", translator(translator_sizes),
         translator_products(translator_sizes), 2.6},
        {"translator with Bahdanau's attention, GRU 64, batch 32", translator(aligner_sizes),
         translator_products(aligner_sizes), 4.4},
        {"transformer 64, 4 heads, a layer on either side, batch 32",
         std::bind_front(ours::transformer_step, transformer_sizes, words, words, words + 1),
         transformer_products(transformer_sizes), 3.0},
        {"a + b of [1, 1], and back",
         [=](const auto& /*initial*/, float* loss) { return ours::add_step(x, loss); },
         {},
         0}};
#ifdef ATTN_TORCH
    for (const bool written : {false, true}) {
        all[0].theirs.push_back({written ? "operators" : "nn::GRU",
                                 std::bind_front(torch_peer::gru_step, x, y, written)});
    }
    all[1].theirs = {
        {"operators", std::bind_front(torch_peer::attentive_rnn_step, x, classes)}};
    all[2].theirs = {{"nn::Linear", std::bind_front(torch_peer::perceptron_step, x, classes)}};
    for (const TranslatorSizes& sizes : {translator_sizes, aligner_sizes}) {
        all[sizes.attends ? 4 : 3].theirs = {
            {"operators",
             std::bind_front(torch_peer::translator_step, sizes, words, words, words + 1)}};
    }
    for (const auto form :
         {torch_peer::AttentionForm::operators, torch_peer::AttentionForm::fused}) {
        all[5].theirs.push_back(
            {torch_peer::name_of(form),
             std::bind_front(torch_peer::transformer_step, transformer_sizes, form, words,
                             words, words + 1)});
    }
    all[6].theirs = {
        {"backward", std::bind_front(torch_peer::add_step, x)},
        {"autograd::grad", std::bind_front(torch_peer::add_step_without_leaves, x)}};
#endif
    return all;
}

/// What the products of a step take when nothing else is done, in milliseconds.
double time_of_products(const std::vector<Product>& products)
{
    std::vector<float> a(1 << 18, 0.5F);
    std::vector<float> b(1 << 18, 0.5F);
    std::vector<float> c(1 << 18);
    std::vector<Candidate> candidates;
    for (const Product& p : products) {
        candidates.push_back({"", 1, [&, p] {
                                  gemm(p.a_transposed, p.b_transposed, p.m, p.n, p.k, 1.0F,
                                       a.data(), p.a_transposed == no ? p.k : p.m, b.data(),
                                       p.b_transposed == no ? p.n : p.k, 0.0F, c.data(), p.n);
                              }});
    }
    time_in_turns(candidates, {.n_turns = 3, .n_samples = 5});
    double total = 0;
    for (std::size_t i = 0; i < products.size(); ++i) {
        total += candidates[i].best() * static_cast<double>(products[i].times);
    }
    return total;
}

/// Both sides train 20 steps from the same parameters; their losses must not part.
void expect_agreement(const Case& one, const Way& way)
{
    float our_loss = 0;
    float their_loss = 0;
    std::vector<InitialValues> initial;
    const Step theirs = way.make({&their_loss, &initial});
    const Step ours = one.ours(initial, &our_loss);
    for (int step = 0; step < 20; ++step) {
        theirs();
        ours();
        if (!(std::abs(our_loss - their_loss) <=
              1e-4F * std::max(1.0F, std::abs(their_loss)))) {
            fmt::print(stderr, "{}, {}: the loss of step {} is {} here and {} there\n",
                       one.name, way.name, step, our_loss, their_loss);
            std::exit(1);
        }
    }
}

/// A candidate whose model is made anew for each of its turns: after hundreds of steps on one
/// batch the moments of vanished gradients would be so small that the processor slows down.
Candidate candidate(const std::string& name, const std::function<Step()>& make)
{
    const auto step = std::make_shared<Step>();
    return {name, 1, [step] { (*step)(); },
            [step, make] {
                *step = nullptr; // a tape ends before the next one begins
                *step = make();
            }};
}

std::vector<Candidate> measured(const Case& one)
{
    std::vector<Candidate> candidates = {
        candidate("ours", [&one] { return one.ours({}, nullptr); })};
    for (const Way& way : one.theirs) {
        expect_agreement(one, way);
        candidates.push_back(
            candidate("PyTorch, " + way.name, [&way] { return way.make({}); }));
    }
    time_in_turns(candidates, {.n_turns = 10, .n_samples = 20});
    return candidates;
}

std::string microseconds(double milliseconds)
{
    return program::fixed(1e3 * milliseconds, milliseconds < 1e-2 ? 3 : 0);
}

/// One row of the table.
std::vector<std::string> row_of(const Case& one, const std::vector<Candidate>& candidates)
{
    const Candidate& ours = candidates.front();
    std::vector<std::string> row = {
        one.name, microseconds(ours.best()), microseconds(ours.median()),
        one.products.all.empty()
            ? "-"
            : program::fixed(100 * time_of_products(one.products.all) / ours.best(), 0) + " %"};
    if (one.theirs.empty()) {
        row.insert(row.end(), {"-", "-", "-", "-", "-"});
        return row;
    }
    const Candidate& theirs = fastest(candidates, "PyTorch");
    row.insert(row.end(), {microseconds(theirs.best()), microseconds(theirs.median()),
                           theirs.name.substr(theirs.name.rfind(", ") + 2),
                           program::fixed(theirs.best() / ours.best(), 2),
                           program::fixed(theirs.median() / ours.median(), 2)});
    return row;
}

} // namespace

int main(int argc, char** argv)
{
    std::string peer = "PyTorch is not installed";
#ifdef ATTN_TORCH
    torch_peer::keep_freed_memory();
    torch_peer::set_threads({1, 1});
    peer = torch_peer::version();
#endif
    const Data data;
    std::vector<Goal> goals;
    program::Table ways({"PyTorch's ways", "as", "us", "median"});
    program::Table table({"one training step", "ours (us)", "median", "products' share",
                          "PyTorch (us)", "median", "as", "ratio", "of medians"});
    for (const Case& one : cases(data)) {
        const std::vector<Candidate> candidates = measured(one);
        table.row(row_of(one, candidates));
        for (std::size_t i = 0; i < one.theirs.size(); ++i) {
            ways.row({one.name, one.theirs[i].name, microseconds(candidates[i + 1].best()),
                      microseconds(candidates[i + 1].median())});
        }
        if (one.wanted > 0 && !one.theirs.empty()) {
            goals.push_back(
                {.what = "training step; " + one.name.substr(0, one.name.find(',')),
                 .sizes = "best",
                 .unit = "times PyTorch",
                 .bound = one.wanted,
                 .measured = {fastest(candidates, "PyTorch").best() / candidates[0].best()}});
        }
    }
    return write_report(
        fmt::format("{}\nOne thread; the shortest and the middle of 200 samples of the "
                    "processor's time. The products'\nshare is what the step's matrix products "
                    "take by themselves, as a part of the step. Of the ways\nin which PyTorch "
                    "takes the step, the fastest stands beside ours.\n\n{}\npeer: {}\n",
                    table.to_string(), ways.to_string(), peer),
        argc, argv, goals);
}
