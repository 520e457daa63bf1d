/// \file
/// \brief Properties of the beam search: against an exhaustive search, against each
/// other, and one sentence against many.
#include "common/text/search.hpp"
#include "tests/common/text/prefix_models.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <set>

using namespace attn::testing;
using namespace attn::text;

namespace {

struct ListedSentence
{
    WordNumbers words;
    double log_probability;
    bool finished;
    double score;
};

/// Every sentence that a model allows, by depth first.
void enumerate_sentences(const NextWord& model, const SearchLimits& limits,
                         const LengthPenalty& penalty, WordNumbers prefix,
                         double log_probability, std::vector<ListedSentence>& all)
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

std::vector<ListedSentence> exhaustive_search(const NextWord& model, const SearchLimits& limits,
                                              const LengthPenalty& penalty)
{
    std::vector<ListedSentence> all;
    enumerate_sentences(model, limits, penalty, {limits.start}, 0, all);
    std::sort(all.begin(), all.end(), [](const ListedSentence& a, const ListedSentence& b) {
        return a.finished != b.finished ? a.finished : a.score > b.score;
    });
    return all;
}

/// Takes the most probable word again and again, written without any of the library.
ListedSentence most_probable_word_again_and_again(const NextWord& model,
                                                  const SearchLimits& limits)
{
    ListedSentence sentence{{}, 0, false, 0};
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

void check_same_hypothesis(const Hypothesis& a, const Hypothesis& b)
{
    CHECK(a.words == b.words);
    CHECK(a.log_probability == b.log_probability);
    CHECK(a.score == b.score);
    CHECK(a.finished == b.finished);
}

const std::vector<LengthPenalty>& tested_penalties()
{
    static const std::vector<LengthPenalty> penalties = {
        no_length_penalty(), gnmt_length_penalty(0.6), gnmt_length_penalty(2)};
    return penalties;
}

} // namespace

TEST_CASE("a beam as wide as there are sentences is an exhaustive search", "[text][property]")
{
    // Words 0, 1, 2 and the end, 5 steps: 1 + 3 + 9 + 27 + 81 that end, 243 that do not.
    constexpr std::size_t n_sentences = 364;
    const SearchLimits limits = limits_of(3, 5);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        for (const LengthPenalty& penalty : tested_penalties()) {
            INFO("seed " << seed << ", penalty " << penalty.name);
            const NextWord model = random_model(seed);
            const std::vector<ListedSentence> wanted =
                exhaustive_search(model, limits, penalty);
            REQUIRE(wanted.size() == n_sentences);
            const std::vector<Hypothesis> found = beam_search(
                model, limits, BeamOptions{.width = n_sentences, .penalty = penalty});
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
        const std::vector<ListedSentence> all =
            exhaustive_search(model, limits, gnmt_length_penalty(0.6));
        for (const std::size_t width : {1U, 2U, 3U, 7U, 20U, 100U}) {
            INFO("seed " << seed << ", width " << width);
            const std::vector<Hypothesis> found =
                beam_search(model, limits,
                            BeamOptions{.width = width, .penalty = gnmt_length_penalty(0.6)});
            CHECK(found.size() == width);
            std::set<WordNumbers> different;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const Hypothesis& hypothesis = found[i];
                different.insert(hypothesis.words);
                const auto known = std::find_if(
                    all.begin(), all.end(), [&hypothesis](const ListedSentence& other) {
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

TEST_CASE("a beam of width 1 takes the most probable word at each step", "[text][property]")
{
    const SearchLimits limits = limits_of(2, 8);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const NextWord model = random_model(seed, 6);
        const ListedSentence wanted = most_probable_word_again_and_again(model, limits);
        for (const LengthPenalty& penalty : tested_penalties()) {
            const Hypothesis beam =
                beam_search(model, limits, {.width = 1, .penalty = penalty}).at(0);
            CHECK(beam.words == wanted.words);
            CHECK(beam.finished == wanted.finished);
            CHECK(std::abs(beam.log_probability - wanted.log_probability) < 1e-12);
        }
        const Hypothesis greedy = greedy_search(model, limits);
        CHECK(greedy.score == greedy.log_probability);
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
    for (const std::size_t width : {1U, 3U}) {
        const BeamOptions options{.width = width, .penalty = gnmt_length_penalty(2)};
        const std::vector<std::vector<Hypothesis>> beams =
            batch_beam_search(decoder, states, states.size(), limits, options);
        REQUIRE(beams.size() == 25);
        std::set<std::size_t> lengths;
        for (std::size_t sentence = 0; sentence < 25; ++sentence) {
            lengths.insert(beams[sentence][0].words.size());
            const std::vector<Hypothesis> alone =
                batch_beam_search(decoder, {states[sentence]}, 1, limits, options)[0];
            REQUIRE(alone.size() == beams[sentence].size());
            for (std::size_t i = 0; i < alone.size(); ++i) {
                check_same_hypothesis(beams[sentence][i], alone[i]);
            }
        }
        CHECK(lengths.size() >= 4); // they end at different steps
    }
    CHECK(batch_beam_search(decoder, {}, 0, limits, {.width = 1}).empty());
}
