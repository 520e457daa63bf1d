/// \file
/// \brief Greedy and beam search against an exhaustive search, on models that are random tables:
/// what may come next depends on all words before it, so that a search that mixes up the states
/// of its hypotheses finds something else.
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "common/text/search.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using attn::ContractError;
using attn::testing::contains;
using attn::text::batch_beam_search;
using attn::text::beam_search;
using attn::text::BeamOptions;
using attn::text::Decoder;
using attn::text::gnmt_length_penalty;
using attn::text::greedy_search;
using attn::text::Hypothesis;
using attn::text::LengthPenalty;
using attn::text::no_length_penalty;
using attn::text::power_length_penalty;
using attn::text::SearchLimits;
using attn::text::select_elements;
using attn::text::Step;

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

using WordNumbers = std::vector<std::size_t>;

/// The log-probabilities of the next word after a sentence's first words, [n_words].
using NextWord = std::function<std::vector<double>(const WordNumbers& prefix)>;

/// The state of a hypothesis is all that it has read; what it leaves behind is the same.
using PrefixStates = std::vector<WordNumbers>;
using PrefixDecoder = Decoder<PrefixStates, WordNumbers>;
using PrefixHypothesis = Hypothesis<WordNumbers>;

/// A decoder that looks each prefix up. The prefixes include what every sentence starts with.
PrefixDecoder prefix_decoder(const NextWord& next_word)
{
    const auto step = [next_word](PrefixStates prefixes, const WordNumbers& last_words) {
        Step<PrefixStates, WordNumbers> said;
        for (std::size_t i = 0; i < last_words.size(); ++i) {
            prefixes.at(i).push_back(last_words[i]);
            const std::vector<double> row = next_word(prefixes[i]);
            said.log_probabilities.insert(said.log_probabilities.end(), row.begin(), row.end());
        }
        said.extras = prefixes;
        said.state = std::move(prefixes);
        return said;
    };
    return {step, select_elements<WordNumbers>};
}

/// Normalised log-probabilities of random scores, other ones for every prefix and seed.
std::vector<double> random_next_word(std::uint64_t seed, const WordNumbers& prefix,
                                     std::size_t n_words)
{
    std::uint64_t stream = 1;
    for (const std::size_t word : prefix) {
        stream = 31 * stream + word;
    }
    attn::random::Generator generator(seed, stream);
    std::vector<double> scores;
    double sum = 0;
    for (std::size_t word = 0; word < n_words; ++word) {
        scores.push_back(generator.normal(0, 1.5));
        sum += std::exp(scores.back());
    }
    for (double& score : scores) {
        score -= std::log(sum);
    }
    return scores;
}

NextWord random_model(std::uint64_t seed, std::size_t n_words = 4)
{
    return [seed, n_words](const WordNumbers& prefix) {
        return random_next_word(seed, prefix, n_words);
    };
}

/// The same distribution whatever was read before.
NextWord fixed_model(const std::vector<double>& log_probabilities)
{
    return [log_probabilities](const WordNumbers&) { return log_probabilities; };
}

/// Word 7 stands before every sentence in these tests: it is not among those that may come.
SearchLimits limits_of(std::size_t end, std::size_t max_length)
{
    return {.start = 7, .end = end, .max_length = max_length};
}

struct Sentence
{
    WordNumbers words;
    double log_probability;
    bool finished;
    double score;
};

/// Every sentence that a model allows, by depth first.
void enumerate_sentences(const NextWord& model, const SearchLimits& limits,
                         const LengthPenalty& penalty, WordNumbers prefix,
                         double log_probability, std::vector<Sentence>& all)
{
    const std::vector<double> next = model(prefix);
    const std::size_t length = prefix.size(); // the start symbol stands for the step at hand
    for (std::size_t word = 0; word < next.size(); ++word) {
        const double sum = log_probability + next[word];
        WordNumbers longer = prefix;
        longer.push_back(word);
        if (word == limits.end) {
            all.push_back(
                {{prefix.begin() + 1, prefix.end()}, sum, true, sum / penalty.divisor(length)});
        } else if (length == limits.max_length) {
            all.push_back({{longer.begin() + 1, longer.end()},
                           sum,
                           false,
                           sum / penalty.divisor(length)});
        } else {
            enumerate_sentences(model, limits, penalty, longer, sum, all);
        }
    }
}

std::vector<Sentence> exhaustive_search(const NextWord& model, const SearchLimits& limits,
                                        const LengthPenalty& penalty)
{
    std::vector<Sentence> all;
    enumerate_sentences(model, limits, penalty, {limits.start}, 0, all);
    std::sort(all.begin(), all.end(), [](const Sentence& a, const Sentence& b) {
        return a.finished != b.finished ? a.finished : a.score > b.score;
    });
    return all;
}

/// Takes the most probable word again and again, written without any of the library.
Sentence most_probable_word_again_and_again(const NextWord& model, const SearchLimits& limits)
{
    Sentence sentence{{}, 0, false, 0};
    WordNumbers prefix{limits.start};
    for (std::size_t step = 0; step < limits.max_length && !sentence.finished; ++step) {
        const std::vector<double> next = model(prefix);
        const auto best = std::max_element(next.begin(), next.end());
        sentence.log_probability += *best;
        prefix.push_back(static_cast<std::size_t>(best - next.begin()));
        sentence.finished = prefix.back() == limits.end;
    }
    const auto last = sentence.finished ? prefix.end() - 1 : prefix.end();
    sentence.words.assign(prefix.begin() + 1, last);
    return sentence;
}

void check_same_hypothesis(const PrefixHypothesis& a, const PrefixHypothesis& b)
{
    CHECK(a.words == b.words);
    CHECK(a.log_probability == b.log_probability);
    CHECK(a.score == b.score);
    CHECK(a.finished == b.finished);
    CHECK(a.extras == b.extras);
}

/// What a search says when a model returns these numbers, or nothing if it accepts them.
std::string search_complaint(const std::vector<double>& log_probabilities,
                             SearchLimits limits = limits_of(0, 3), std::size_t width = 2)
{
    try {
        beam_search(prefix_decoder(fixed_model(log_probabilities)), PrefixStates(1), limits,
                    BeamOptions{.width = width});
        return "";
    } catch (const ContractError& error) {
        return error.what();
    }
}

const std::vector<LengthPenalty>& tested_penalties()
{
    static const std::vector<LengthPenalty> penalties = {
        no_length_penalty(), gnmt_length_penalty(0.6), power_length_penalty(0.75),
        power_length_penalty(1)};
    return penalties;
}

} // namespace

TEST_CASE("a beam as wide as there are sentences is an exhaustive search", "[text][property]")
{
    // Words 0, 1, 2 and the end, 5 steps: 1 + 3 + 9 + 27 + 81 sentences that end, 243 that do not.
    constexpr std::size_t n_sentences = 364;
    const SearchLimits limits = limits_of(3, 5);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        for (const LengthPenalty& penalty : tested_penalties()) {
            INFO("seed " << seed << ", penalty " << penalty.name);
            const NextWord model = random_model(seed);
            const std::vector<Sentence> wanted = exhaustive_search(model, limits, penalty);
            REQUIRE(wanted.size() == n_sentences);
            const std::vector<PrefixHypothesis> found =
                beam_search(prefix_decoder(model), PrefixStates(1), limits,
                            BeamOptions{.width = n_sentences, .penalty = penalty});
            REQUIRE(found.size() == n_sentences);
            bool same_words = true;
            bool same_numbers = true;
            for (std::size_t i = 0; i < n_sentences; ++i) {
                same_words = same_words && found[i].words == wanted[i].words &&
                             found[i].finished == wanted[i].finished;
                same_numbers =
                    same_numbers &&
                    std::abs(found[i].log_probability - wanted[i].log_probability) < 1e-12 &&
                    std::abs(found[i].score - wanted[i].score) < 1e-12;
            }
            CHECK(same_words);
            CHECK(same_numbers);
        }
    }
}

TEST_CASE(
    "whatever the width, the sentences are different ones, worth what they are said to be",
    "[text][property]")
{
    const SearchLimits limits = limits_of(3, 5);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const NextWord model = random_model(seed);
        const std::vector<Sentence> all =
            exhaustive_search(model, limits, gnmt_length_penalty(0.6));
        for (const std::size_t width : {1U, 2U, 3U, 7U, 20U, 100U}) {
            INFO("seed " << seed << ", width " << width);
            const std::vector<PrefixHypothesis> found =
                beam_search(prefix_decoder(model), PrefixStates(1), limits,
                            BeamOptions{.width = width, .penalty = gnmt_length_penalty(0.6)});
            CHECK(found.size() == width);
            std::set<WordNumbers> different;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const PrefixHypothesis& hypothesis = found[i];
                different.insert(hypothesis.words);
                const auto known =
                    std::find_if(all.begin(), all.end(), [&hypothesis](const Sentence& other) {
                        return other.words == hypothesis.words &&
                               other.finished == hypothesis.finished;
                    });
                REQUIRE(known != all.end());
                CHECK(std::abs(known->score - hypothesis.score) < 1e-12);
                CHECK((i == 0 || found[i - 1].finished > hypothesis.finished ||
                       (found[i - 1].finished == hypothesis.finished &&
                        found[i - 1].score >= hypothesis.score)));
            }
            CHECK(different.size() == found.size());
        }
    }
}

TEST_CASE("a beam of width 1 and a greedy search take the most probable word at each step",
          "[text][property]")
{
    const SearchLimits limits = limits_of(2, 8);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const NextWord model = random_model(seed, 6);
        const Sentence wanted = most_probable_word_again_and_again(model, limits);
        const PrefixHypothesis greedy =
            greedy_search(prefix_decoder(model), PrefixStates(1), 1, limits).at(0);
        CHECK(greedy.words == wanted.words);
        CHECK(greedy.finished == wanted.finished);
        CHECK(std::abs(greedy.log_probability - wanted.log_probability) < 1e-12);
        CHECK(greedy.score == greedy.log_probability);
        for (const LengthPenalty& penalty : tested_penalties()) {
            const PrefixHypothesis beam =
                beam_search(prefix_decoder(model), PrefixStates(1), limits,
                            BeamOptions{.width = 1, .penalty = penalty})
                    .at(0);
            CHECK(beam.words == wanted.words);
            CHECK(std::abs(beam.log_probability - wanted.log_probability) < 1e-12);
        }
    }
}

TEST_CASE("sentences searched side by side are those searched alone", "[text][property]")
{
    // Each state begins with a number of its own, so that the sentences differ.
    const PrefixDecoder decoder = prefix_decoder(random_model(5, 6));
    const SearchLimits limits = limits_of(2, 9);
    PrefixStates states;
    for (std::size_t sentence = 0; sentence < 25; ++sentence) {
        states.push_back({100 + sentence});
    }
    const std::vector<PrefixHypothesis> greedy =
        greedy_search(decoder, states, states.size(), limits);
    const std::vector<std::vector<PrefixHypothesis>> beams =
        batch_beam_search(decoder, states, states.size(), limits,
                          BeamOptions{.width = 3, .penalty = power_length_penalty(0.75)});
    REQUIRE(greedy.size() == 25);
    REQUIRE(beams.size() == 25);
    std::set<std::size_t> lengths;
    for (std::size_t sentence = 0; sentence < 25; ++sentence) {
        check_same_hypothesis(greedy[sentence],
                              greedy_search(decoder, {states[sentence]}, 1, limits)[0]);
        lengths.insert(greedy[sentence].words.size());
        const std::vector<PrefixHypothesis> alone =
            beam_search(decoder, {states[sentence]}, limits,
                        BeamOptions{.width = 3, .penalty = power_length_penalty(0.75)});
        REQUIRE(alone.size() == beams[sentence].size());
        for (std::size_t i = 0; i < alone.size(); ++i) {
            check_same_hypothesis(beams[sentence][i], alone[i]);
        }
    }
    CHECK(lengths.size() >= 4); // they end at different steps
    CHECK(greedy_search(decoder, {}, 0, limits).empty());
}

TEST_CASE("a step is asked only about what has not ended", "[text]")
{
    // Sentence s ends after s words: word 1 is "on", word 0 the end.
    std::vector<std::size_t> n_asked;
    Decoder<std::vector<std::size_t>> decoder; // the state is how many words are to come
    decoder.step = [&n_asked](std::vector<std::size_t> left, const WordNumbers& last_words) {
        n_asked.push_back(last_words.size());
        Step<std::vector<std::size_t>> said;
        for (std::size_t& n : left) {
            said.log_probabilities.push_back(n == 0 ? 0 : minus_infinity);
            said.log_probabilities.push_back(n == 0 ? minus_infinity : 0);
            n -= n == 0 ? 0 : 1;
        }
        said.state = std::move(left);
        return said;
    };
    decoder.select = select_elements<std::size_t>;
    const std::vector<Hypothesis<>> found =
        greedy_search(decoder, {2, 0, 3, 0}, 4, limits_of(0, 10));
    CHECK(n_asked == std::vector<std::size_t>{4, 2, 2, 1});
    CHECK(found[0].words == WordNumbers{1, 1});
    CHECK(found[1].words.empty());
    CHECK(found[2].words == WordNumbers{1, 1, 1});
    CHECK(found[3].words.empty());
    CHECK(found[2].extras.empty());
}

TEST_CASE("what the model leaves behind is kept along the path of each hypothesis",
          "[text][property]")
{
    const SearchLimits limits = limits_of(3, 5);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        for (const PrefixHypothesis& found :
             beam_search(prefix_decoder(random_model(seed)), PrefixStates(1), limits,
                         BeamOptions{.width = 9})) {
            REQUIRE(found.extras.size() == found.words.size() + (found.finished ? 1 : 0));
            WordNumbers prefix{limits.start}; // what the first step has read
            for (std::size_t step = 0; step < found.extras.size(); ++step) {
                CHECK(found.extras[step] == prefix);
                prefix.push_back(step < found.words.size() ? found.words[step] : limits.end);
            }
        }
    }
}

TEST_CASE("two words at each step find what the most probable word misses", "[text]")
{
    // The example of Dive into Deep Learning, section 10.8, words A, B, C and the end:
    // A, B, C, end has the probability .5 .4 .4 .6 = .048, but A, C, B, end .5 .3 .6 .6 = .054.
    const auto model = [](const WordNumbers& prefix) -> std::vector<double> {
        std::vector<double> p = {.25, .25, .25, .25};
        if (prefix.size() == 1) {
            p = {.5, .2, .2, .1};
        } else if (prefix == WordNumbers{7, 0}) {
            p = {.1, .4, .3, .2};
        } else if (prefix == WordNumbers{7, 0, 1}) {
            p = {.2, .2, .4, .2};
        } else if (prefix == WordNumbers{7, 0, 2}) {
            p = {.1, .6, .2, .1};
        } else if (prefix == WordNumbers{7, 0, 1, 2} || prefix == WordNumbers{7, 0, 2, 1}) {
            p = {.1, .2, .1, .6};
        }
        for (double& value : p) {
            value = std::log(value);
        }
        return p;
    };
    const SearchLimits limits = limits_of(3, 4);
    const PrefixHypothesis greedy =
        greedy_search(prefix_decoder(model), PrefixStates(1), 1, limits)[0];
    CHECK(greedy.words == WordNumbers{0, 1, 2});
    CHECK_THAT(std::exp(greedy.log_probability), Catch::Matchers::WithinAbs(0.048, 1e-12));
    const PrefixHypothesis best =
        beam_search(prefix_decoder(model), PrefixStates(1), limits, BeamOptions{.width = 2})[0];
    CHECK(best.words == WordNumbers{0, 2, 1});
    CHECK(best.finished);
    CHECK_THAT(std::exp(best.log_probability), Catch::Matchers::WithinAbs(0.054, 1e-12));
}

TEST_CASE("a sentence may end at once, and is cut off at its longest length", "[text]")
{
    // Word 0 is the end: probable at first, impossible later, and the other way round.
    const PrefixHypothesis empty = greedy_search(prefix_decoder(fixed_model({-0.1, -3})),
                                                 PrefixStates(1), 1, limits_of(0, 5))[0];
    CHECK(empty.words.empty());
    CHECK(empty.finished);
    CHECK(empty.log_probability == -0.1);
    CHECK(empty.extras.size() == 1);

    const PrefixHypothesis endless = greedy_search(prefix_decoder(fixed_model({-3, -0.25})),
                                                   PrefixStates(1), 1, limits_of(0, 5))[0];
    CHECK(endless.words == WordNumbers{1, 1, 1, 1, 1});
    CHECK_FALSE(endless.finished);
    CHECK(endless.log_probability == -1.25);
    CHECK(endless.extras.size() == 5);
    CHECK(greedy_search(prefix_decoder(fixed_model({-3, -0.25})), PrefixStates(1), 1,
                        limits_of(0, 1))[0]
              .words == WordNumbers{1});
}

TEST_CASE("a sentence that ended stands before those that were cut off", "[text]")
{
    // The empty sentence, log-probability -3, takes one of two places in the first step; the other
    // goes on with word 1 at -0.25 a step.
    const std::vector<PrefixHypothesis> found =
        beam_search(prefix_decoder(fixed_model({-3, -0.25})), PrefixStates(1), limits_of(0, 4),
                    BeamOptions{.width = 2});
    REQUIRE(found.size() == 2);
    CHECK(found[0].words.empty());
    CHECK(found[0].finished);
    CHECK(found[0].score == -3);
    CHECK(found[1].words == WordNumbers{1, 1, 1, 1});
    CHECK_FALSE(found[1].finished);
    CHECK(found[1].score == -1);
}

TEST_CASE("of equally probable continuations the lower word goes first", "[text]")
{
    // Four equal words, word 3 is the end, width 3. Step 1 keeps 0, 1, 2. Step 2: all twelve are
    // equal, so word 0 after each of the three.
    const double quarter = std::log(0.25);
    const std::vector<double> equal(4, quarter);
    const std::vector<PrefixHypothesis> found =
        beam_search(prefix_decoder(fixed_model(equal)), PrefixStates(1), limits_of(3, 2),
                    BeamOptions{.width = 3});
    REQUIRE(found.size() == 3);
    CHECK(found[0].words == WordNumbers{0, 0});
    CHECK(found[1].words == WordNumbers{1, 0});
    CHECK(found[2].words == WordNumbers{2, 0});
    CHECK(greedy_search(prefix_decoder(fixed_model(equal)), PrefixStates(1), 1,
                        limits_of(3, 3))[0]
              .words == WordNumbers{0, 0, 0});
    CHECK(greedy_search(prefix_decoder(fixed_model(equal)), PrefixStates(1), 1,
                        limits_of(0, 3))[0]
              .words.empty());
}

TEST_CASE("impossible words are never taken, and a beam becomes narrower by them", "[text]")
{
    // Only word 2 or the end, 0, may come.
    const std::vector<double> next = {std::log(0.4), minus_infinity, std::log(0.6),
                                      minus_infinity};
    const std::vector<PrefixHypothesis> found =
        beam_search(prefix_decoder(fixed_model(next)), PrefixStates(1), limits_of(0, 3),
                    BeamOptions{.width = 50});
    REQUIRE(found.size() == 4); // ended after 0, 1, 2 words, and one cut off
    CHECK(found[0].words.empty());
    CHECK(found[1].words == WordNumbers{2});
    CHECK(found[2].words == WordNumbers{2, 2});
    CHECK(found[3].words == WordNumbers{2, 2, 2});
}

TEST_CASE("a length penalty lets the longer sentence win", "[text]")
{
    // Empty: log .3 = -1.204. One word and the end: log .7 + log .35 = -1.406, a mean of -.703.
    const auto model = [](const WordNumbers& prefix) -> std::vector<double> {
        return prefix.size() == 1 ? std::vector<double>{std::log(0.3), std::log(0.7)}
                                  : std::vector<double>{std::log(0.35), std::log(0.65)};
    };
    const auto best_length = [&model](const LengthPenalty& penalty) {
        return beam_search(prefix_decoder(model), PrefixStates(1), limits_of(0, 2),
                           BeamOptions{.width = 3, .penalty = penalty})[0]
            .words.size();
    };
    CHECK(best_length(no_length_penalty()) == 0);
    CHECK(best_length(power_length_penalty(0)) == 0);
    CHECK(best_length(power_length_penalty(1)) == 1);
    CHECK(best_length(gnmt_length_penalty(0.6)) == 0); // -1.406 / (7/6)^.6 = -1.282
    CHECK(best_length(gnmt_length_penalty(2)) == 1);   // -1.406 / (7/6)^2 = -1.033
}

TEST_CASE("length penalties are those of their sources", "[text]")
{
    for (const std::size_t length : {1U, 2U, 40U}) {
        CHECK(no_length_penalty().divisor(length) == 1);
        CHECK(gnmt_length_penalty(0).divisor(length) == 1);
        CHECK(power_length_penalty(0).divisor(length) == 1);
    }
    CHECK(gnmt_length_penalty(0.6).divisor(1) == 1);
    CHECK(gnmt_length_penalty(1).divisor(7) == 2);
    CHECK_THAT(gnmt_length_penalty(0.6).divisor(10),
               Catch::Matchers::WithinAbs(1.7328621, 1e-6)); // 2.5^.6
    CHECK(power_length_penalty(1).divisor(7) == 7);
    CHECK_THAT(power_length_penalty(0.75).divisor(4),
               Catch::Matchers::WithinAbs(2.8284271, 1e-6)); // 2^1.5
    const double bad =
        GENERATE(-0.1, std::numeric_limits<double>::quiet_NaN(), -minus_infinity);
    CHECK_THROWS_AS(gnmt_length_penalty(bad), ContractError);
    CHECK_THROWS_AS(power_length_penalty(bad), ContractError);
}

TEST_CASE("a model that returns no log-probabilities is refused in one sentence", "[text]")
{
    const double not_a_number = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(search_complaint({-1, not_a_number, -1}),
               contains("must be a number not above 0, got nan for word 1 of hypothesis 0"));
    CHECK_THAT(search_complaint({-1, -1, 2.5}), contains("got 2.5 for word 2"));
    CHECK_THAT(search_complaint({-1, -minus_infinity}), contains("got inf for word 1"));
    CHECK_THAT(search_complaint({minus_infinity, minus_infinity}),
               contains("every word of hypothesis 0 in step 0 has the log-probability minus"));
    CHECK_THAT(search_complaint({-1, -1}, limits_of(2, 3)),
               contains("the end symbol has the number 2, but the model knows 2 words"));
    CHECK_THAT(search_complaint({}), contains("the model knows 0 words"));
    CHECK_THAT(search_complaint({-1, -1}, limits_of(0, 0)), contains("max_length"));
    CHECK_THAT(search_complaint({-1, -1}, limits_of(0, 3), 0), contains("width"));
    CHECK(search_complaint({1e-7, minus_infinity}).empty()); // rounding in single precision
}

TEST_CASE("a step must speak about every hypothesis, and leave something behind for each",
          "[text]")
{
    using CountState = std::vector<int>;
    Decoder<CountState, int> decoder;
    decoder.select = select_elements<int>;
    decoder.step = [](CountState state, const WordNumbers&) {
        return Step<CountState, int>{{-1, -1, -1}, std::move(state), {0, 0}};
    };
    CHECK_THROWS_WITH(greedy_search(decoder, {0, 0}, 2, limits_of(0, 3)),
                      "search: the model must return as many log-probabilities for each of 2 "
                      "hypotheses, got 3 in all");
    decoder.step = [](CountState state, const WordNumbers&) {
        return Step<CountState, int>{{-1, -1, -1, -1}, std::move(state), {0}};
    };
    CHECK_THROWS_WITH(
        greedy_search(decoder, {0, 0}, 2, limits_of(0, 3)),
        "search: the model must return one extra for each of 2 hypotheses, got 1");
}
