/// \file
/// \brief The alignment models: scores by hand, what is masked, identities between them, gradients,
/// the one matrix call, and a step of the tutorial's decoder by hand.
#include "chapters/08_bahdanau/exercises/solutions.hpp"
#include "chapters/08_bahdanau/experiments/experiments.hpp"
#include "chapters/08_bahdanau/frozen_state.hpp"
#include "tests/07_seq2seq/samples.hpp"

#include "common/autograd/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::bahdanau;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

constexpr std::size_t hidden = 4;
constexpr std::size_t d_word = 3;
const std::array all_scores = {Score::additive, Score::concat, Score::dot, Score::general};

/// An encoding of random numbers.
/// \param lengths  of the sentences, at least one
/// \returns        with rows of random numbers behind the ends too
Encoding<double> random_encoding(const std::vector<std::size_t>& lengths)
{
    const std::size_t n = *std::max_element(lengths.begin(), lengths.end());
    return {Variable<double>(random_array({lengths.size(), n, hidden}, 1)),
            Variable<double>(random_array({lengths.size(), hidden}, 2)), lengths};
}

/// Every alignment model of four numbers, by its name.
std::vector<ContextFunction<double>> all_models(QueryState query_state)
{
    random::Generator generator(5);
    std::vector<ContextFunction<double>> models;
    for (const Score& score : all_scores) {
        models.push_back(alignment_model<double>(score, query_state, hidden, 5, generator));
    }
    return models;
}

Attended<double> asked(const ContextFunction<double>& function,
                       const Encoding<double>& encoding, const Variable<double>& state)
{
    const Variable<double> word(random_array({state.shape()[0], d_word}, 4));
    return function.prepare(encoding)({state, word});
}

using Row = std::vector<double>;

/// A row of numbers along the last axis.
Row row_of(const Variable<double>& x, std::size_t row)
{
    const std::size_t n = x.shape().back();
    return {x.value().data() + row * n, x.value().data() + (row + 1) * n};
}

Row joined(Row a, const Row& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

double dot_by_hand(const Row& a, const Row& b)
{
    REQUIRE(a.size() == b.size());
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// x W + start by plain loops.
Row product(const Row& x, const Variable<double>& W, Row start)
{
    REQUIRE(W.shape() == Shape{x.size(), start.size()});
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < start.size(); ++j) {
            start[j] += x[i] * W.value().data()[i * start.size() + j];
        }
    }
    return start;
}

/// A layer with a bias, by plain loops.
Row layer(const nn::Parameters<double>& parameters, const std::string& name, const Row& x)
{
    return product(x, parameters.at(name + ".weight").variable,
                   list_of(parameters.at(name + ".bias").variable.value()));
}

/// A score by plain loops from the parameters, of a state s and an annotation e.
double score_by_hand(Score score, const nn::Parameters<double>& parameters, const Row& s,
                     const Row& e)
{
    if (score == Score::dot) {
        return dot_by_hand(s, e);
    }
    const Variable<double>& W_k = parameters.at("keys.weight").variable;
    if (score == Score::general) {
        return dot_by_hand(s, product(e, W_k, Row(hidden, 0.0)));
    }
    Row inside =
        score == Score::additive ? layer(parameters, "keys", e) : product(e, W_k, Row(5, 0.0));
    inside = product(s, parameters.at("query.weight").variable, inside);
    for (double& number : inside) {
        number = std::tanh(number);
    }
    return dot_by_hand(inside, list_of(parameters.at("score.weight").variable.value()));
}

void check_row(const Row& found, const Row& wanted)
{
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        CHECK_THAT(found[i], WithinAbs(wanted[i], 1e-12));
    }
}

/// Weights from the scores of the words that there are, and the mean of the values from a row on, are
/// those found.
void check_attended(Row scores, const Variable<double>& values, std::size_t first,
                    const Row& weights, const Row& context)
{
    double all = 0;
    for (double& score : scores) {
        all += score = std::exp(score);
    }
    scores.resize(weights.size(), 0.0); // padding has no weight
    Row mean(context.size(), 0.0);
    for (std::size_t j = 0; j < scores.size(); ++j) {
        CHECK_THAT(weights[j], WithinAbs(scores[j] / all, 1e-12));
        for (std::size_t i = 0; i < mean.size(); ++i) {
            mean[i] += scores[j] / all * row_of(values, first + j)[i];
        }
    }
    check_row(context, mean);
}

seq2seq::Translator<double> tutorials_translator()
{
    random::Generator generator(6);
    return tiny_translator<double>(seq2seq::Unit::gru,
                                   location_only<double>(hidden, d_word, 5, generator),
                                   seq2seq::tutorial_architecture);
}

double sigma(double x)
{
    return 1 / (1 + std::exp(-x));
}

/// PyTorch's gated unit, from what its gates get of the input.
Row gru_by_hand(const nn::Parameters<double>& parameters, const Row& input, const Row& s)
{
    const Row gates = product(s, parameters.at("decoder.weight_hh").variable,
                              list_of(parameters.at("decoder.bias_hh").variable.value()));
    Row next;
    for (std::size_t i = 0; i < hidden; ++i) {
        const double r = sigma(input[i] + gates[i]);
        const double z = sigma(input[hidden + i] + gates[hidden + i]);
        const double n = std::tanh(input[2 * hidden + i] + r * gates[2 * hidden + i]);
        next.push_back((1 - z) * n + z * s[i]);
    }
    return next;
}

} // namespace

TEST_CASE("weights and context of every score, by hand", "[08][oracle]")
{
    const Encoding<double> encoding = random_encoding({3, 2});
    const Variable<double> state(random_array({2, hidden}, 3));
    const std::vector<ContextFunction<double>> models = all_models(QueryState::previous);
    for (std::size_t k = 0; k < models.size(); ++k) {
        CAPTURE(models[k].name);
        const Attended<double> found = asked(models[k], encoding, state);
        for (std::size_t b = 0; b < 2; ++b) {
            Row scores;
            for (std::size_t j = 0; j < encoding.lengths[b]; ++j) {
                scores.push_back(score_by_hand(all_scores[k], models[k].parameters,
                                               row_of(state, b),
                                               row_of(encoding.states, b * 3 + j)));
            }
            check_attended(scores, encoding.states, b * 3, row_of(found.weights, b),
                           row_of(found.context, b));
        }
    }
}

TEST_CASE("a score is found by its name", "[08]")
{
    REQUIRE(score_table().size() >= all_scores.size());
    for (std::size_t i = 0; i < all_scores.size(); ++i) {
        CHECK(score_table()[i] == all_scores[i]);
    }
    for (const Score& score : score_table()) {
        CHECK(&score_named(score.name) == &score);
    }
    CHECK_THROWS_WITH(score_named("cosine"), contains("'cosine'"));
}

TEST_CASE("what stands behind the end of a sentence changes no bit", "[08][property]")
{
    const Encoding<double> encoding = random_encoding({4, 2});
    Array<double> other(encoding.states.value());
    for (std::size_t i = 0; i < 2 * hidden; ++i) {
        other.data()[(4 + 2) * hidden + i] = 1e6; // words 2 and 3 of the second sentence
    }
    const Encoding<double> changed{Variable<double>(other), encoding.last, encoding.lengths};
    const Variable<double> state(random_array({2, hidden}, 3));
    random::Generator generator(6);
    std::vector<ContextFunction<double>> models = all_models(QueryState::previous);
    models.push_back(location_only<double>(hidden, d_word, 6, generator));
    for (const ContextFunction<double>& model : models) {
        CAPTURE(model.name);
        const Attended<double> a = asked(model, encoding, state);
        const Attended<double> b = asked(model, changed, state);
        CHECK(list_of(a.weights.value()) == list_of(b.weights.value()));
        CHECK(list_of(a.context.value()) == list_of(b.context.value()));
        CHECK(a.weights.value().data()[6] == 0);
        CHECK(a.weights.value().data()[7] == 0);
    }
}

TEST_CASE("concat is additive with a bias of 0", "[08][identity]")
{
    random::Generator one(9);
    random::Generator other(9);
    const auto additive =
        alignment_model<double>(Score::additive, QueryState::current, hidden, 5, one);
    const auto concat =
        alignment_model<double>(Score::concat, QueryState::current, hidden, 5, other);
    for (const char* name : {"keys.weight", "query.weight", "score.weight"}) {
        const Array<double> from(concat.parameters.at(name).variable.value());
        std::copy(from.begin(), from.end(),
                  additive.parameters.at(name).variable.node().value.data());
    }
    Array<double>& bias = additive.parameters.at("keys.bias").variable.node().value;
    std::fill(bias.data(), bias.data() + bias.size(), 0.0);
    const Encoding<double> encoding = random_encoding({5});
    const Variable<double> state(random_array({1, hidden}, 3));
    CHECK(list_of(asked(additive, encoding, state).weights.value()) ==
          list_of(asked(concat, encoding, state).weights.value()));
}

TEST_CASE("general with the identity is dot", "[08][identity]")
{
    std::vector<ContextFunction<double>> models = all_models(QueryState::current);
    Array<double>& W = models[3].parameters.at("keys.weight").variable.node().value;
    for (std::size_t i = 0; i < W.size(); ++i) {
        W.data()[i] = i % (hidden + 1) == 0 ? 1.0 : 0.0;
    }
    const Encoding<double> encoding = random_encoding({5, 3});
    const Variable<double> state(random_array({2, hidden}, 3));
    const Attended<double> general = asked(models[3], encoding, state);
    const Attended<double> dot = asked(models[2], encoding, state);
    check_close(general.weights.value(), dot.weights.value(), 1e-12);
}

// [claim_places]
TEST_CASE("weights by location are dot attention with one-hot keys", "[08][identity][claim]")
{
    random::Generator generator(6);
    const auto function = location_only<double>(hidden, d_word, 6, generator);
    const Encoding<double> encoding = random_encoding({4});
    const Variable<double> state(random_array({1, hidden}, 3));
    const Variable<double> word(random_array({1, d_word}, 4));
    const Attended<double> found = function.prepare(encoding)({state, word});

    const Row row =
        layer(function.parameters, "positions", joined(row_of(word, 0), row_of(state, 0)));
    Vector u = Vector::from_shape({6});
    std::copy(row.begin(), row.end(), u.begin());
    const Vector weights = solutions::weights_by_one_hot_keys(u, 4);
    for (std::size_t j = 0; j < 4; ++j) {
        CHECK_THAT(found.weights.value().data()[j], WithinAbs(weights(j), 1e-12));
    }
}
// [claim_places]

TEST_CASE("location only refuses a sentence without a place", "[08][bad_input]")
{
    random::Generator generator(6);
    const auto function = location_only<double>(hidden, d_word, 3, generator);
    CHECK_THROWS_WITH(function.prepare(random_encoding({4})),
                      contains("3 words at most") && contains("got 4"));
}

TEST_CASE("gradients of a translator's loss with every alignment model", "[08]")
{
    const text::Batch batch = tiny_batch();
    for (const QueryState query_state : {QueryState::previous, QueryState::current}) {
        std::vector<ContextFunction<double>> models;
        random::Generator generator(8);
        for (const Score& score : all_scores) {
            models.push_back(alignment_model<double>(score, query_state, hidden, 3, generator));
        }
        if (query_state == QueryState::previous) {
            models.push_back(location_only<double>(hidden, d_word, 5, generator));
        }
        for (const ContextFunction<double>& model : models) {
            CAPTURE(model.name);
            const auto translator = tiny_translator<double>(seq2seq::Unit::gru, model);
            check_all_gradients(translator.parameters(),
                                [&] { return translator.loss(batch); });
        }
    }
}

TEST_CASE("a sentence alone and in a batch, with every alignment model", "[08][property]")
{
    const text::Batch all = tiny_batch();
    const text::Batch alone =
        text::batch_of(tiny_pairs(), std::vector<std::size_t>{1}); // the shortest one
    for (const ContextFunction<double>& model : all_models(QueryState::previous)) {
        CAPTURE(model.name);
        const auto translator = tiny_translator<double>(seq2seq::Unit::gru, model);
        const auto a = translator.decode(all);
        const auto b = translator.decode(alone);
        for (std::size_t t = 0; t < alone.n_target; ++t) {
            check_close(slice(a.logits, 0, t * 3 + 1, t * 3 + 2).value(),
                        slice(b.logits, 0, t, t + 1).value(), 1e-12);
            check_close(slice(slice(a.weights[t], 0, 1, 2), 1, 0, 2).value(),
                        b.weights[t].value(), 1e-12);
        }
    }
}

// ---------------------------------------------------------------- all at once

TEST_CASE("one matrix call for all queries, by hand", "[08][oracle]")
{
    const Variable<double> Q(random_array({2, 3, hidden}, 11));
    const Variable<double> K(random_array({2, 4, hidden}, 12));
    const Variable<double> V(random_array({2, 4, 2}, 13));
    const Attended<double> found = attend(Q, K, V, {4, 2});
    REQUIRE(found.weights.shape() == Shape{2, 3, 4});
    REQUIRE(found.context.shape() == Shape{2, 3, 2});
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t t = 0; t < 3; ++t) {
            Row scores;
            for (std::size_t j = 0; j < (b == 0 ? 4U : 2U); ++j) {
                scores.push_back(dot_by_hand(row_of(Q, b * 3 + t), row_of(K, b * 4 + j)));
            }
            check_attended(scores, V, b * 4, row_of(found.weights, b * 3 + t),
                           row_of(found.context, b * 3 + t));
        }
    }
    CHECK_THROWS_AS(attend(Q, V, V, {4, 2}), ContractError);
    CHECK_THROWS_AS(attend(Q, K, V, {4, 2, 3}), ContractError);
    CHECK_THROWS_AS(attend(Q, K, V, {4}), ContractError);
}

// [claim_at_once]
TEST_CASE("Luong's queries can be taken at once, Bahdanau's cannot", "[08][claim]")
{
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        for (const Score& score : {Score::dot, Score::general}) {
            const AtOnce after = attend_at_once(score, QueryState::current, seed);
            // Word by word, by Translator::step, with the contexts and without: the same bits.
            CHECK(after.states_change == 0);
            // The one call, over all states of one pass, and the contexts of that loop.
            CHECK(after.weights_differ < 1e-12);
            CHECK(after.contexts_differ < 1e-12);
            const AtOnce before = attend_at_once(score, QueryState::previous, seed);
            CHECK(before.states_change > 0.01);
            CHECK(before.weights_differ > 1e-3);
        }
    }
    CHECK_THROWS_WITH(attend_at_once(Score::additive, QueryState::current, 1),
                      contains("'additive'"));
}
// [claim_at_once]

// ---------------------------------------------------------------- the frozen state

// [claim_blind]
TEST_CASE("weights by location do not see what stands in the source", "[08][claim]")
{
    const Encoding<double> encoding = random_encoding({5});
    const Variable<double> state(random_array({1, hidden}, 3));
    const Variable<double> word(random_array({1, d_word}, 4));
    const std::vector<std::size_t> order = {2, 0, 4, 1, 3};
    random::Generator generator(6);
    const FrozenStateTest location = frozen_state_test(
        location_only<double>(hidden, d_word, 5, generator), encoding, state, word, order);
    CHECK(location.same_bits);
    CHECK(location.largest_unmoved > 0.01);
    for (const ContextFunction<double>& model : all_models(QueryState::previous)) {
        CAPTURE(model.name);
        const FrozenStateTest seeing = frozen_state_test(model, encoding, state, word, order);
        CHECK(!seeing.same_bits); // the same test must fail
        CHECK(seeing.largest_difference > 0.001);
        CHECK(seeing.largest_unmoved < 1e-12);
    }
}
// [claim_blind]

TEST_CASE("the frozen-state test asks for a permutation", "[08][bad_input]")
{
    const Encoding<double> encoding = random_encoding({3});
    const Variable<double> state(random_array({1, hidden}, 3));
    const auto model = all_models(QueryState::previous)[0];
    CHECK_THROWS_WITH(frozen_state_test(model, encoding, state, state, {0, 0, 1}),
                      contains("each of the 3 positions"));
    CHECK_THROWS_AS(frozen_state_test(model, encoding, state, state, {0, 1}), ContractError);
}

// ---------------------------------------------------------------- the tutorial's decoder

TEST_CASE("a step of the tutorial's decoder, by hand", "[08][oracle]")
{
    const auto translator = tutorials_translator();
    const nn::Parameters<double> parameters = translator.parameters();
    const text::Batch batch = tiny_batch();
    const seq2seq::DecodingState<double> decoding =
        translator.encode(translation::sources_of(batch));
    const std::vector<std::int64_t> words = {1, 4, 3};
    const seq2seq::NextWord<double> found = translator.step(words, decoding);
    for (std::size_t b = 0; b < 3; ++b) {
        CAPTURE(b);
        const Row s = row_of(decoding.state.hidden, b);
        const Row y = row_of(parameters.at("decoder.embedding.weight").variable,
                             static_cast<std::size_t>(words[b]));

        // The weights: of the positions that this sentence has.
        Row scores = layer(parameters, "context.positions", joined(y, s));
        scores.resize(batch.source_lengths[b]);
        const Row weights = row_of(found.weights, b);
        Row c(hidden, 0.0);
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const Row e = row_of(decoding.encoding.states, b * batch.n_source + j);
            for (std::size_t i = 0; i < hidden; ++i) {
                c[i] += weights[j] * e[i];
            }
        }
        check_attended(scores, decoding.encoding.states, b * batch.n_source, weights, c);

        // The step, and the word that is read out of the state.
        Row x = layer(parameters, "decoder.join", joined(y, c));
        for (double& number : x) {
            number = std::max(number, 0.0);
        }
        const Row next = gru_by_hand(parameters, layer(parameters, "decoder.word", x), s);
        const Row logits = layer(parameters, "decoder.output", next);
        check_row(row_of(found.state.hidden, b), next);
        check_row(row_of(found.logits, b), logits);
    }
}

TEST_CASE("gradients of the tutorial's decoder", "[08]")
{
    const auto translator = tutorials_translator();
    const text::Batch batch = tiny_batch();
    check_all_gradients(translator.parameters(), [&] { return translator.loss(batch); });
}
