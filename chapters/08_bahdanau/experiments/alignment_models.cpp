#include "chapters/08_bahdanau/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/04_backpropagation/learnt_scores.hpp"
#include "chapters/07_seq2seq/translator.hpp"
#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "chapters/08_bahdanau/frozen_state.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/attention_scores.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/grammar/grammar_corpus.hpp"
#include "common/kernels/elementary.hpp"
#include "common/nn/initialise.hpp"
#include "common/program/number.hpp"
#include "common/program/trace.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

namespace attn::bahdanau {

using autograd::as_matrix;
using autograd::as_variable;
using program::Frame;
using program::significant;
using seq2seq::AttentionFunction;
using seq2seq::DecoderQuery;

void show_pencil_steps(Frame& frame)
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

    const Matrix twice = xt::concatenate(xt::xtuple(keys, keys)); // for both
    const Variable<double> q = as_variable(queries, {2, 1, 2});
    const Variable<double> e = as_variable(twice, {2, 3, 2});
    const Variable<double> w(filled<double>({2}, 1.0));
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
    const Variable<double> scores = reshape(backpropagation::additive_scores(q, e, w), {2, 3});
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

// ---------------------------------------------------------------- what is computed once

std::vector<AlignmentCost> alignment_costs(std::size_t hidden, std::size_t d_embedding,
                                           std::size_t n_positions, std::size_t n_source)
{
    expect(hidden > 0 && d_embedding > 0 && n_positions > 0 && n_source > 0,
           "alignment_costs: no number may be 0, got {}, {}, {} and {}", hidden, d_embedding,
           n_positions, n_source);
    random::Generator generator(1);
    const std::size_t context = n_source * hidden;  // weights times values
    const std::size_t products = n_source * hidden; // one row a score: w or the query
    std::vector<AlignmentCost> costs;
    for (const Score& score : score_table()) {
        const auto function =
            alignment_model<double>(score, QueryState::current, hidden, hidden, generator);
        AlignmentCost cost{std::string(score.name), function.parameters.n_numbers(), 0,
                           products + context};
        for (const nn::NamedParameter<double>& parameter : function.parameters) {
            const std::size_t for_one_vector = parameter.variable.size();
            cost.once += parameter.name == "keys.weight" ? n_source * for_one_vector : 0;
            cost.each_step += parameter.name == "query.weight" ? for_one_vector : 0;
        }
        costs.push_back(std::move(cost));
    }
    const auto positions = location_only<double>(hidden, d_embedding, n_positions, generator);
    costs.push_back({"location only", positions.parameters.n_numbers(), 0,
                     (d_embedding + hidden) * n_positions + context});
    return costs;
}

void show_costs(Frame& frame)
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

// ---------------------------------------------------------------- all queries at once

namespace {

/// Queries and what they met, step by step.
struct Record
{
    bool zero_contexts = false;             ///< the decoder gets zeros for every context
    std::vector<Variable<double>> queries;  ///< [n_target], each [batch, hidden]
    std::vector<Variable<double>> contexts; ///< [n_target], each [batch, hidden], as computed
    std::vector<Variable<double>> weights;  ///< [n_target], each [batch, n_source]
};

/// The same way to a context, recorded; with zeros for contexts if the record says so.
ContextFunction<double> recorded(const ContextFunction<double>& function,
                                 const std::shared_ptr<Record>& record)
{
    ContextFunction<double> recording = function;
    recording.prepare = [prepare = function.prepare, record](const Encoding<double>& encoding) {
        record->queries.clear();
        record->contexts.clear();
        record->weights.clear();
        return AttentionFunction<double>(
            [attend = prepare(encoding), record](const DecoderQuery<double>& query) {
                Attended<double> attended = attend(query);
                record->queries.push_back(query.state);
                record->contexts.push_back(attended.context);
                record->weights.push_back(attended.weights);
                if (record->zero_contexts) {
                    attended.context =
                        Variable<double>(filled<double>(attended.context.shape(), 0.0));
                }
                return attended;
            });
    };
    return recording;
}

/// Three sentences of random words, of 4, 5 and 6 words, and translations of 5 to 7.
text::Batch random_batch(std::size_t n_words, random::Generator& generator)
{
    std::vector<text::NumberedPair> pairs(3);
    const auto word = [&] {
        return static_cast<text::WordId>(3 + generator.below(n_words - 3)); // no special symbol
    };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        for (std::size_t t = 0; t < 4 + i; ++t) {
            pairs[i].source.push_back(word());
        }
        for (std::size_t t = 0; t < 5 + i; ++t) {
            pairs[i].target.push_back(word());
        }
    }
    return text::batch_of(pairs, std::vector<std::size_t>{0, 1, 2});
}

double largest_difference(const Variable<double>& a, const Variable<double>& b)
{
    expect(a.shape() == b.shape(), "largest_difference: {} and {} numbers", a.size(), b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a.value().data()[i] - b.value().data()[i]));
    }
    return largest;
}

/// Queries, weights and contexts while the right words are decoded one by one.
Record decoded_word_by_word(const seq2seq::Translator<double>& translator,
                            const text::Batch& batch, const Record& record)
{
    seq2seq::DecodingState<double> decoding = translator.encode(translation::sources_of(batch));
    const std::vector<std::int64_t> words =
        translation::by_step(batch.target_input, batch.n_pairs);
    for (std::size_t t = 0; t < batch.n_target; ++t) {
        const std::span<const std::int64_t> last(words.data() + t * batch.n_pairs,
                                                 batch.n_pairs);
        decoding.state = translator.step(last, decoding).state;
    }
    return record;
}

} // namespace

AtOnce attend_at_once(const Score& score, QueryState query_state, std::uint64_t seed)
{
    expect(score == Score::dot || score == Score::general,
           "attend_at_once: the score '{}' is no product of a query with a key", score.name);
    const autograd::NoGradient<double> forwards;
    constexpr std::size_t n_words = 12;
    constexpr std::size_t hidden = 8;
    random::Generator generator(seed, random::Stream::all_steps_at_once);
    const auto alignment =
        alignment_model<double>(score, query_state, hidden, hidden, generator);
    const auto record = std::make_shared<Record>();
    const seq2seq::Translator<double> translator({n_words, n_words, 6, hidden},
                                                 recorded(alignment, record), generator);
    const text::Batch batch = random_batch(n_words, generator);

    // The loop, with the contexts and without.
    const Record loop = decoded_word_by_word(translator, batch, *record);
    record->zero_contexts = true;
    const Record loop_without = decoded_word_by_word(translator, batch, *record);

    // The pass through all states that never sees a context.
    translator.decode(batch);
    const Variable<double> Q = stack(record->queries, 1); // [batch, n_target, hidden]

    // One matrix call.
    const Encoding<double> encoding =
        translator.encode(translation::sources_of(batch)).encoding;
    const Variable<double> V = encoding.states;
    const Variable<double> K =
        score == Score::dot ? V : matmul(V, alignment.parameters.at("keys.weight").variable);
    const Attended<double> all = attend(Q, K, V, encoding.lengths);
    return {largest_difference(stack(loop.queries, 1), stack(loop_without.queries, 1)),
            largest_difference(stack(loop.weights, 1), all.weights),
            largest_difference(stack(loop.contexts, 1), all.context)};
}

void show_at_once(Frame& frame)
{
    frame.terminal.introduce(
        "All queries in one matrix call",
        "Three sentences, written with teacher forcing by untrained translators in double. "
        "First the loop: word by word, one question a step. Then the same with every context "
        "replaced by zeros: do the states that ask change? If not, all of them can be taken "
        "through first. They are the rows of Q, and C = softmax(Q K^T) V is one call. Its "
        "weights and contexts are compared with the loop's.");
    program::Table table(
        {"score", "query", "queries without contexts", "one call and the loop"});
    for (const QueryState query_state : {QueryState::previous, QueryState::current}) {
        for (const Score& score : {Score::dot, Score::general}) {
            const AtOnce found = attend_at_once(score, query_state, frame.options.seed);
            const bool equal = found.weights_differ < 1e-12 && found.contexts_differ < 1e-12;
            table.row({std::string(score.name), name_of(query_state),
                       found.states_change == 0
                           ? "the same"
                           : "change by " + significant(found.states_change, 2),
                       equal ? "equal"
                             : "weights differ by " + significant(found.weights_differ, 2)});
        }
    }
    frame.terminal.table(table);
}

// ---------------------------------------------------------------- who sees the source

void show_frozen_state(Frame& frame)
{
    constexpr std::size_t n = 6;
    constexpr std::size_t hidden = 8;
    constexpr std::size_t d_embedding = 4;
    frame.terminal.introduce(
        "The frozen-state test",
        "State and last word of the decoder are frozen, and {} annotations are put into "
        "another order. Who looks at what stands there gives each annotation the weight that "
        "it had, wherever it stands now. Who sees positions alone does not notice. Untrained, "
        "in double.",
        n);
    random::Generator generator(frame.options.seed, random::Stream::frozen_states);
    std::vector<ContextFunction<double>> all;
    for (const Score& score : score_table()) {
        all.push_back(
            alignment_model<double>(score, QueryState::previous, hidden, hidden, generator));
        all.back().name = score.name;
    }
    all.push_back(location_only<double>(hidden, d_embedding, n, generator));
    const auto normal = [&](const Shape& shape) {
        return Variable<double>(nn::initialise::normal<double>(shape, 0.0, 1.0, generator));
    };
    const Encoding<double> encoding{normal({1, n, hidden}), normal({1, hidden}), {n}};
    const Variable<double> state = normal({1, hidden});
    const Variable<double> word = normal({1, d_embedding});
    program::Table table({"score", "weights of the positions", "weights of the annotations"});
    for (const ContextFunction<double>& function : all) {
        const FrozenStateTest test =
            frozen_state_test(function, encoding, state, word, {3, 0, 5, 1, 2, 4});
        table.row({function.name,
                   test.same_bits ? "the same bits"
                                  : "change by " + significant(test.largest_difference, 2),
                   test.largest_unmoved < 1e-12
                       ? "the same"
                       : "change by " + significant(test.largest_unmoved, 2)});
    }
    frame.terminal.table(table);
}

} // namespace attn::bahdanau
