/// \file
/// \brief The alignment models: scores by hand, what is masked, identities between them, slopes,
/// and the one matrix call.
#include "chapters/08_bahdanau/exercises/solutions.hpp"
#include "chapters/08_bahdanau/experiments/alignment_models.hpp"
#include "chapters/08_bahdanau/frozen_state.hpp"
#include "tests/07_seq2seq/samples.hpp"

#include "common/autograd/layout.hpp"

#include <algorithm>
#include <array>

using namespace attn;
using namespace attn::bahdanau;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

constexpr std::size_t hidden = 4;
constexpr std::size_t d_word = 3;
constexpr std::array all_scores = {Score::additive, Score::concat, Score::dot, Score::general};

/// An encoding of random numbers.
/// \param lengths  of the sentences, at least one
/// \returns        with rows of random numbers behind the ends too
seq2seq::Encoding<double> random_encoding(const std::vector<std::size_t>& lengths,
                                          std::size_t hidden)
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
    for (const Score score : all_scores) {
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

/// One number of a parameter.
double at(const ContextFunction<double>& function, const char* name, std::size_t i,
          std::size_t j)
{
    const Variable<double>& matrix = function.parameters.at(name).variable;
    return matrix.value().data()[i * matrix.shape().back() + j];
}

/// A score by plain loops from the parameters, of a state s and an annotation e.
double score_by_hand(Score score, const ContextFunction<double>& function, const double* s,
                     const double* e)
{
    double sum = 0;
    if (score == Score::dot || score == Score::general) {
        for (std::size_t i = 0; i < hidden; ++i) {
            double key = score == Score::dot ? e[i] : 0.0;
            for (std::size_t j = 0; score == Score::general && j < hidden; ++j) {
                key += e[j] * at(function, "keys.weight", j, i);
            }
            sum += s[i] * key;
        }
        return sum;
    }
    for (std::size_t m = 0; m < 5; ++m) {
        double inside = score == Score::additive ? at(function, "keys.bias", 0, m) : 0.0;
        for (std::size_t i = 0; i < hidden; ++i) {
            inside += s[i] * at(function, "query.weight", i, m) +
                      e[i] * at(function, "keys.weight", i, m);
        }
        sum += at(function, "score.weight", m, 0) * std::tanh(inside);
    }
    return sum;
}

} // namespace

TEST_CASE("names of scores and of states that ask", "[08]")
{
    CHECK(name_of(Score::additive) == "additive");
    CHECK(name_of(Score::concat) == "concat");
    CHECK(name_of(Score::dot) == "dot");
    CHECK(name_of(Score::general) == "general");
    CHECK(name_of(QueryState::previous) == "s_{t-1}");
    CHECK(name_of(QueryState::current) == "s_t");
    CHECK(all_models(QueryState::current)[3].name == "general, s_t");
    CHECK(all_models(QueryState::previous)[0].query_state == QueryState::previous);
}

TEST_CASE("weights and context of every score, by hand", "[08][oracle]")
{
    const Encoding<double> encoding = random_encoding({3, 2}, hidden);
    const Variable<double> state(random_array({2, hidden}, 3));
    const std::vector<ContextFunction<double>> models = all_models(QueryState::previous);
    for (std::size_t k = 0; k < models.size(); ++k) {
        CAPTURE(models[k].name);
        const Attended<double> found = asked(models[k], encoding, state);
        for (std::size_t b = 0; b < 2; ++b) {
            std::vector<double> powers;
            double all = 0;
            for (std::size_t j = 0; j < encoding.lengths[b]; ++j) {
                const double* const e = encoding.states.value().data() + (b * 3 + j) * hidden;
                powers.push_back(std::exp(score_by_hand(all_scores[k], models[k],
                                                        state.value().data() + b * hidden, e)));
                all += powers.back();
            }
            std::vector<double> context(hidden, 0.0);
            for (std::size_t j = 0; j < 3; ++j) {
                const double weight = j < powers.size() ? powers[j] / all : 0.0;
                CHECK_THAT(found.weights.value().data()[b * 3 + j], WithinAbs(weight, 1e-12));
                for (std::size_t i = 0; i < hidden; ++i) {
                    context[i] +=
                        weight * encoding.states.value().data()[(b * 3 + j) * hidden + i];
                }
            }
            for (std::size_t i = 0; i < hidden; ++i) {
                CHECK_THAT(found.context.value().data()[b * hidden + i],
                           WithinAbs(context[i], 1e-12));
            }
        }
    }
}

TEST_CASE("what stands behind the end of a sentence changes no bit", "[08][property]")
{
    const Encoding<double> encoding = random_encoding({4, 2}, hidden);
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
    const Encoding<double> encoding = random_encoding({5}, hidden);
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
    const Encoding<double> encoding = random_encoding({5, 3}, hidden);
    const Variable<double> state(random_array({2, hidden}, 3));
    const Attended<double> general = asked(models[3], encoding, state);
    const Attended<double> dot = asked(models[2], encoding, state);
    for (std::size_t i = 0; i < dot.weights.size(); ++i) {
        CHECK_THAT(general.weights.value().data()[i],
                   WithinAbs(dot.weights.value().data()[i], 1e-12));
    }
}

// [claim_places]
TEST_CASE("weights by location are dot attention with one-hot keys", "[08][identity][claim]")
{
    random::Generator generator(6);
    const auto function = location_only<double>(hidden, d_word, 6, generator);
    const Encoding<double> encoding = random_encoding({4}, hidden);
    const Variable<double> state(random_array({1, hidden}, 3));
    const Variable<double> word(random_array({1, d_word}, 4));
    const Attended<double> found = function.prepare(encoding)({state, word});

    Vector u = xt::zeros<double>({6}); // W [y; s] + b
    for (std::size_t p = 0; p < 6; ++p) {
        u(p) = at(function, "positions.bias", 0, p);
        for (std::size_t i = 0; i < d_word; ++i) {
            u(p) += word.value().data()[i] * at(function, "positions.weight", i, p);
        }
        for (std::size_t i = 0; i < hidden; ++i) {
            u(p) += state.value().data()[i] * at(function, "positions.weight", d_word + i, p);
        }
    }
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
    CHECK_THROWS_WITH(function.prepare(random_encoding({4}, hidden)),
                      contains("3 words at most") && contains("got 4"));
}

TEST_CASE("slopes of a translator's loss with every alignment model", "[08]")
{
    const text::Batch batch = tiny_batch();
    for (const QueryState query_state : {QueryState::previous, QueryState::current}) {
        std::vector<ContextFunction<double>> models;
        random::Generator generator(8);
        for (const Score score : all_scores) {
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
            for (std::size_t i = 0; i < n_tiny_words; ++i) {
                CHECK_THAT(a.logits.value().data()[(t * 3 + 1) * n_tiny_words + i],
                           WithinAbs(b.logits.value().data()[t * n_tiny_words + i], 1e-12));
            }
            for (std::size_t j = 0; j < 2; ++j) {
                CHECK_THAT(a.weights[t].value().data()[a.weights[t].shape()[1] + j],
                           WithinAbs(b.weights[t].value().data()[j], 1e-12));
            }
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
            std::vector<double> powers(4, 0.0);
            double all = 0;
            for (std::size_t j = 0; j < (b == 0 ? 4U : 2U); ++j) {
                double score = 0;
                for (std::size_t i = 0; i < hidden; ++i) {
                    score += Q.value().data()[(b * 3 + t) * hidden + i] *
                             K.value().data()[(b * 4 + j) * hidden + i];
                }
                all += powers[j] = std::exp(score);
            }
            for (std::size_t m = 0; m < 2; ++m) {
                double context = 0;
                for (std::size_t j = 0; j < 4; ++j) {
                    context += powers[j] / all * V.value().data()[(b * 4 + j) * 2 + m];
                }
                CHECK_THAT(found.context.value().data()[(b * 3 + t) * 2 + m],
                           WithinAbs(context, 1e-12));
            }
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
        for (const Score score : {Score::dot, Score::general}) {
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

TEST_CASE("a record holds queries and what they met", "[08]")
{
    random::Generator generator(5);
    const auto record = std::make_shared<Record>();
    const auto inner =
        alignment_model<double>(Score::dot, QueryState::previous, hidden, hidden, generator);
    const auto recording = recorded(inner, record);
    const Encoding<double> encoding = random_encoding({3}, hidden);
    const Variable<double> state(random_array({1, hidden}, 3));
    const Attended<double> found = asked(recording, encoding, state);
    REQUIRE(record->queries.size() == 1);
    CHECK(list_of(record->queries[0].value()) == list_of(state.value()));
    CHECK(list_of(record->contexts[0].value()) == list_of(found.context.value()));
    record->zero_contexts = true;
    const Attended<double> hidden_context = asked(recording, encoding, state);
    REQUIRE(record->queries.size() == 1); // a new reading begins a new record
    CHECK(list_of(record->contexts[0].value()) == list_of(found.context.value()));
    for (const double number : list_of(hidden_context.context.value())) {
        CHECK(number == 0);
    }
}

// ---------------------------------------------------------------- the frozen state

// [claim_blind]
TEST_CASE("weights by location do not see what stands in the source", "[08][claim]")
{
    const Encoding<double> encoding = random_encoding({5}, hidden);
    const Variable<double> state(random_array({1, hidden}, 3));
    const Variable<double> word(random_array({1, d_word}, 4));
    const std::vector<std::size_t> order = {2, 0, 4, 1, 3};
    random::Generator generator(6);
    const FrozenStateTest blind = frozen_state_test(
        location_only<double>(hidden, d_word, 5, generator), encoding, state, word, order);
    CHECK(blind.same_bits);
    CHECK(blind.largest_unmoved > 0.01);
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
    const Encoding<double> encoding = random_encoding({3}, hidden);
    const Variable<double> state(random_array({1, hidden}, 3));
    const auto model = all_models(QueryState::previous)[0];
    CHECK_THROWS_WITH(frozen_state_test(model, encoding, state, state, {0, 0, 1}),
                      contains("each of the 3 positions"));
    CHECK_THROWS_AS(frozen_state_test(model, encoding, state, state, {0, 1}), ContractError);
}
