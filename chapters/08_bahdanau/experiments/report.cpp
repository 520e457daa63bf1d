#include "chapters/08_bahdanau/experiments/report.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/08_bahdanau/blindness.hpp"
#include "chapters/08_bahdanau/experiments/alignment_cost.hpp"
#include "chapters/08_bahdanau/experiments/at_once.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/attention_scores.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/softmax.hpp"
#include "common/kernels/elementary.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"
#include "common/text/alignment_error.hpp"

#include <algorithm>

namespace attn::bahdanau::report {

using autograd::as_matrix;
using program::fixed;
using program::Frame;
using program::significant;

void aligners(Frame& frame, const TranslationTask& task)
{
    const std::vector<text::SentencePair>& pairs = task.pairs.test;
    frame.terminal.introduce(
        "Aligners that learn nothing",
        "The {} sentences to test on are made by a grammar that knows which word comes from "
        "which. Links are compared with its sure and possible ones. The oracle has one sure "
        "link a target word, the diagonal the source word at the same relative place, uniform "
        "is what a link drawn at random may expect. AER is the alignment error rate.",
        pairs.size());
    program::Table table({"links", "AER", "sure", "sure or possible"});
    for (const text::TrivialAligner& aligner : text::trivial_aligners()) {
        const text::AlignmentCounts counts = text::alignment_counts(aligner, pairs);
        table.row({aligner.name, fixed(counts.error(), 3), fixed(counts.share_in_sure(), 3),
                   fixed(counts.precision(), 3)});
    }
    frame.terminal.table(table);
}

void costs(Frame& frame)
{
    constexpr TranslatorSizes sizes;
    constexpr std::size_t n_source = 14;
    constexpr std::size_t n_steps = 15;
    frame.terminal.introduce(
        "What is computed once a sentence",
        "Multiplications for a sentence of {} words and {} steps, with {} numbers in a state. "
        "The keys depend on the source alone: once is enough. The last column is what the "
        "sentence would cost if they were computed again at every step.",
        n_source, n_steps, sizes.hidden);
    program::Table table(
        {"score", "parameters", "once", "each step", "in all", "keys at every step"});
    for (const AlignmentCost& cost :
         alignment_costs(sizes.hidden, sizes.d_embedding, text::longest_source, n_source)) {
        table.row({cost.name, std::to_string(cost.n_parameters), std::to_string(cost.once),
                   std::to_string(cost.each_step),
                   std::to_string(cost.once + n_steps * cost.each_step),
                   std::to_string(n_steps * (cost.once + cost.each_step))});
    }
    frame.terminal.table(table);
}

void at_once(Frame& frame)
{
    frame.terminal.introduce(
        "All questions in one matrix call",
        "Three sentences, written with teacher forcing by untrained translators in double. "
        "First the loop: word by word, one question a step. Then the same with every context "
        "replaced by zeros: do the states that ask change? If not, all of them can be walked "
        "through first. They are the rows of Q, and C = softmax(Q K^T) V is one call. Its "
        "weights and contexts are compared with the loop's.");
    program::Table table(
        {"score", "query", "queries without contexts", "one call and the loop"});
    for (const Asks asks : {Asks::before, Asks::after}) {
        for (const Score score : {Score::dot, Score::general}) {
            const AtOnce found = ask_at_once(score, asks, frame.options.seed);
            const bool equal = found.weights_differ < 1e-12 && found.contexts_differ < 1e-12;
            table.row({name_of(score), name_of(asks),
                       found.states_change == 0
                           ? "the same"
                           : "change by " + significant(found.states_change, 2),
                       equal ? "equal"
                             : "weights differ by " + significant(found.weights_differ, 2)});
        }
    }
    frame.terminal.table(table);
}

namespace {

struct AlignmentInDouble
{
    std::string name;
    ContextFunction<double> function;
};

std::vector<AlignmentInDouble> all_in_double(std::size_t hidden, std::size_t d_embedding,
                                             std::size_t n, random::Generator& generator)
{
    std::vector<AlignmentInDouble> all;
    for (const Score score : {Score::additive, Score::concat, Score::dot, Score::general}) {
        all.push_back({name_of(score), alignment_model<double>(score, Asks::before, hidden,
                                                               hidden, generator)});
    }
    all.push_back({"location only", location_only<double>(hidden, d_embedding, n, generator)});
    return all;
}

Variable<double> normals(const Shape& shape, std::size_t n, random::Generator& generator)
{
    const Vector numbers = generator.normals(n);
    return Variable<double>(
        array_of<double>(shape, std::span<const double>(numbers.data(), numbers.size())));
}

} // namespace

void frozen_state(Frame& frame)
{
    constexpr std::size_t n = 6;
    constexpr std::size_t hidden = 8;
    constexpr std::size_t d_embedding = 4;
    constexpr std::uint64_t stream = 84ULL << 40U;
    frame.terminal.introduce(
        "The frozen-state test",
        "State and last word of the decoder are frozen, and {} annotations are put into "
        "another order. Who looks at what stands there gives each annotation the weight that "
        "it had, wherever it stands now. Who looks at places alone does not notice. Untrained, "
        "in double.",
        n);
    random::Generator generator(frame.options.seed, stream);
    const std::vector<AlignmentInDouble> all = all_in_double(hidden, d_embedding, n, generator);
    const Encoding<double> encoding{normals({1, n, hidden}, n * hidden, generator),
                                    normals({1, hidden}, hidden, generator),
                                    {n}};
    const Variable<double> state = normals({1, hidden}, hidden, generator);
    const Variable<double> word = normals({1, d_embedding}, d_embedding, generator);
    program::Table table({"score", "weights of the places", "weights of the annotations"});
    for (const AlignmentInDouble& one : all) {
        const BlindnessTest test =
            blindness(one.function, encoding, state, word, {3, 0, 5, 1, 2, 4});
        table.row({one.name,
                   test.same_bits ? "the same bits"
                                  : "change by " + significant(test.largest_difference, 2),
                   test.largest_unmoved < 1e-12
                       ? "the same"
                       : "change by " + significant(test.largest_unmoved, 2)});
    }
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- the pencil

void pencil_steps(Frame& frame)
{
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "A source of three words has left the annotations e_1, e_2 and e_3, the keys of the "
        "example. Two decoders are in the states s, its queries. Each looks back by an "
        "additive score with W_q and W_k the identity, b = 0 and w = (1, 1), and then by a dot "
        "product. The annotations are keys and values. The context of the additive score "
        "enters "
        "the next state of a simple network, s' = tanh(s/2 + c/2).");
    const Matrix queries = lookup::pencil_example::queries();
    const Matrix keys = lookup::pencil_example::keys();
    trace(terminal, "s", "the states that ask, one a decoder", "batch, d", queries);
    trace(terminal, "e", "annotations of the source words", "n_source, d", keys);

    const Variable<double> q(array_of<double>({2, 1, 2}, std::vector<double>{1, 0, 1, 1}));
    const Variable<double> e(array_of<double>(
        {2, 3, 2}, std::vector<double>{1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2})); // for both
    const Variable<double> w(array_of<double>({2}, std::vector<double>{1, 1}));
    for (std::size_t i = 0; i < 2; ++i) {
        Matrix tanhs = Matrix::from_shape({3, 2});
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t m = 0; m < 2; ++m) {
                tanhs(j, m) = elementary::tanh(queries(i, m) + keys(j, m));
            }
        }
        trace(terminal, "t_" + std::to_string(i + 1),
              "tanh(W_q s + W_k e_j) of decoder " + std::to_string(i + 1), "n_source, d",
              tanhs);
    }
    const Variable<double> scores = reshape(additive_scores(q, e, w), {2, 3});
    trace(terminal, "scores", "w . t", "batch, n_source", as_matrix(scores));
    const Variable<double> a = softmax(scores);
    trace(terminal, "a", "softmax of the scores", "batch, n_source", as_matrix(a));
    const Variable<double> c = weighted_sum(a, e);
    trace(terminal, "c", "a_1 e_1 + a_2 e_2 + a_3 e_3", "batch, d", as_matrix(c));
    const Variable<double> s = reshape(q, {2, 2});
    trace(terminal, "s'", "tanh(s/2 + c/2), the next states", "batch, d",
          as_matrix(tanh(0.5 * s + 0.5 * c)));
    const Variable<double> products = dot_scores(s, e);
    trace(terminal, "dot", "s . e_j", "batch, n_source", as_matrix(products));
    trace(terminal, "a'", "softmax of the products", "batch, n_source",
          as_matrix(softmax(products)));
}

} // namespace attn::bahdanau::report
