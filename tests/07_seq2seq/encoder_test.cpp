/// \file
/// \brief The encoder reads sentences of any length, and takes no notice of what fills them up;
/// the ways to a context, by hand.
#include "tests/07_seq2seq/samples.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/07_seq2seq/experiments/experiments.hpp"
#include "common/autograd/layout.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::seq2seq;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

Encoder<double> encoder_of(Unit unit)
{
    random::Generator generator(11);
    return {{n_tiny_words, 3, 4, unit}, generator};
}

/// Three states of two numbers, the pencil example's keys, and a sentence of two words.
Encoding<double> pencil_encoding()
{
    return {
        Variable<double>(array_of<double>({2, 3, 2}, {1, 0, 0, 1, 2, 2, 3, -5, -1, -1, 0, 0})),
        Variable<double>(array_of<double>({2, 2}, {2, 2, -1, -1})),
        {3, 2}};
}

Attended<double> pencil_context(const ContextFunction<double>& context)
{
    const Encoding<double> encoding = pencil_encoding();
    return context.prepare(encoding)({encoding.last, encoding.last});
}

} // namespace

TEST_CASE("what stands behind the end of a sentence changes no bit", "[07][property]")
{
    for (const Unit unit : {Unit::gru, Unit::lstm}) {
        const Encoder<double> encoder = encoder_of(unit);
        const std::vector<std::size_t> lengths = {4, 2};
        const std::vector<std::int64_t> words = {3, 4, 5, 6, 6, 3, 0, 0};
        const std::vector<std::int64_t> other = {3, 4, 5, 6, 6, 3, 5, 1};
        const Encoding<double> a = encoder({words, lengths, 4});
        const Encoding<double> b = encoder({other, lengths, 4});
        CAPTURE(static_cast<int>(unit));
        CHECK(list_of(a.states.value()) == list_of(b.states.value()));
        CHECK(list_of(a.last.value()) == list_of(b.last.value()));
        const std::vector<double> states = list_of(a.states.value());
        CHECK(std::all_of(states.end() - 8, states.end(), [](double x) { return x == 0; }));
    }
}

// [claim_reversed]
TEST_CASE("an encoder in both directions gains nothing new from a reversed source",
          "[07][claim]")
{
    for (const Unit unit : {Unit::gru, Unit::lstm}) {
        const Encoder<double> encoder = encoder_of(unit);
        const Encoder<double> exchanged = encoder_of(unit);
        const nn::Parameters<double> weights = exchanged.parameters();
        const nn::Parameters<double> original = encoder.parameters();
        for (const nn::NamedParameter<double>& forward : original) {
            const std::string other = forward.name + "_reverse";
            if (forward.name.starts_with("recurrent.") && !forward.name.ends_with("_reverse")) {
                Variable<double>(weights.at(other).variable).value() = forward.variable.value();
                Variable<double>(weights.at(forward.name).variable).value() =
                    original.at(other).variable.value();
            }
        }
        const std::vector<std::size_t> lengths = {4};
        const std::vector<double> read =
            list_of(encoder({std::vector<std::int64_t>{3, 4, 5, 6}, lengths, 4}).last.value());
        std::vector<double> reversed = list_of(
            exchanged({std::vector<std::int64_t>{6, 5, 4, 3}, lengths, 4}).last.value());
        std::rotate(reversed.begin(), reversed.begin() + 2, reversed.end()); // the two halves
        CAPTURE(static_cast<int>(unit));
        CHECK(read == reversed);
    }
}
// [claim_reversed]

// [claim_padding]
TEST_CASE("a sentence alone is read as in a padded batch", "[07][property][claim]")
{
    for (const Unit unit : {Unit::gru, Unit::lstm}) {
        const Encoder<double> encoder = encoder_of(unit);
        const std::vector<std::size_t> lengths = {4, 2};
        const std::vector<std::int64_t> words = {3, 4, 5, 6, 6, 3, 0, 0};
        const Encoding<double> together = encoder({words, lengths, 4});
        const std::vector<std::size_t> length = {2};
        const std::vector<std::int64_t> short_one = {6, 3};
        const Encoding<double> alone = encoder({short_one, length, 2});
        check_close(slice(slice(together.states, 0, 1, 2), 1, 0, 2).value(),
                    alone.states.value(), 1e-12);
        check_close(slice(together.last, 0, 1, 2).value(), alone.last.value(), 1e-12);
    }
}
// [claim_padding]

// [claim_any_length]
TEST_CASE("one encoder reads sentences of 1 and of 200 words", "[07][claim]")
{
    const Encoder<double> encoder = encoder_of(Unit::gru);
    for (const std::size_t n : {1U, 2U, 7U, 200U}) {
        const std::vector<std::int64_t> words(n, 5);
        const std::vector<std::size_t> length = {n};
        const Encoding<double> read = encoder({words, length, n});
        CHECK(read.states.shape() == Shape{1, n, 4}); // grows with the sentence
        CHECK(read.last.shape() == Shape{1, 4});      // does not
    }
}
// [claim_any_length]

TEST_CASE("the last states of both directions stand at both ends", "[07]")
{
    const Encoder<double> encoder = encoder_of(Unit::gru);
    const std::vector<std::int64_t> words = {3, 4, 5};
    const std::vector<std::size_t> length = {3};
    const Encoding<double> read = encoder({words, length, 3});
    const std::vector<double> states = list_of(read.states.value());
    const std::vector<double> last = list_of(read.last.value());
    CHECK(last == std::vector<double>{states[8], states[9], states[2], states[3]});
}

TEST_CASE("an encoder refuses sizes and words that are none", "[07]")
{
    random::Generator generator(1);
    CHECK_THROWS_WITH(Encoder<double>({5, 3, 3, Unit::gru}, generator),
                      contains("3 numbers in a state"));
    CHECK_THROWS_AS(Encoder<double>({0, 3, 4, Unit::gru}, generator), ContractError);
    const Encoder<double> encoder = encoder_of(Unit::gru);
    const std::vector<std::size_t> length = {2};
    const std::vector<std::int64_t> words = {3, 7};
    CHECK_THROWS_AS(encoder({words, length, 2}), ContractError);
    CHECK(encoder.parameters().size() > 4);
}

TEST_CASE("contexts with a pencil", "[07][oracle]")
{
    const Attended<double> last = pencil_context(last_state<double>());
    CHECK(list_of(last.context.value()) == std::vector<double>{2, 2, -1, -1});
    CHECK(list_of(last.weights.value()) == std::vector<double>(6, 0.0));

    const Attended<double> mean = pencil_context(mean_state<double>());
    check_close(mean.context.value(), // (3 - 1) / 2 and (-5 - 1) / 2
                array_of<double>({2, 2}, {1, 1, 1, -3}), 1e-12);
    const std::vector<double> weights = list_of(mean.weights.value());
    CHECK_THAT(weights[0], WithinAbs(1.0 / 3, 1e-12));
    CHECK(std::vector<double>(weights.begin() + 3, weights.end()) ==
          std::vector<double>{0.5, 0.5, 0});

    // A state behind the end is 0, and larger than -1: it must not be the maximum.
    const Attended<double> maximum = pencil_context(largest_numbers<double>());
    CHECK(list_of(maximum.context.value()) == std::vector<double>{2, 2, 3, -1});
}

TEST_CASE("a context of this chapter does not depend on the query", "[07]")
{
    const Encoding<double> encoding = pencil_encoding();
    for (const ContextFunction<double>& context : tiny_contexts()) {
        const AttentionFunction<double> attend = context.prepare(encoding);
        const Variable<double> other(array_of<double>({2, 2}, {9, 8, 7, 6}));
        CHECK(context.query_state == QueryState::none);
        CHECK(context.parameters.size() == 0);
        CHECK(list_of(attend({encoding.last, other}).context.value()) ==
              list_of(attend({other, encoding.last}).context.value()));
    }
}

// [claim_embedding]
TEST_CASE("an embedding is the lookup of chapter 1", "[07][claim]")
{
    const EmbeddingComparison compared = compare_embedding(3, 6, {5, 0, 0, 2, 5, 5}, 4);
    CHECK(compared.gathered.shape(0) == 6);
    CHECK(compared.largest_difference == 0);
    CHECK(compared.difference_of_gradients == 0);
    CHECK(xt::amax(xt::abs(compared.gathered))() > 0);
    CHECK(compared.gradient(1, 0) == 0); // a word that was not read learns nothing
}
// [claim_embedding]

// [claim_search]
TEST_CASE("greedy misses the most probable sentence", "[07][claim]")
{
    const text::Hypothesis greedy = search_example(1).front();
    const std::vector<text::Hypothesis> beam = search_example(2);
    CHECK(greedy.words == std::vector<std::size_t>{2});
    CHECK_THAT(std::exp(greedy.log_probability), WithinAbs(0.55 * 0.4, 1e-12));
    REQUIRE(beam.size() == 2);
    CHECK(beam.front().words == std::vector<std::size_t>{3});
    CHECK_THAT(std::exp(beam.front().log_probability), WithinAbs(0.45 * 0.9, 1e-12));
}
// [claim_search]
