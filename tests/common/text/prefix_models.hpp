/// \file
/// \brief Models for tests of searches: what may come next depends on all words before it, so
/// that a search that mixes up the states of its hypotheses finds something else.
#pragma once

#include "common/random/random.hpp"
#include "common/text/search.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace attn::testing {

/// The logarithm of a probability of 0.
inline constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// Words by their numbers.
using WordNumbers = std::vector<std::size_t>;

/// The log-probabilities of the next word after a sentence's first words, [n_words].
using NextWord = std::function<std::vector<double>(const WordNumbers& prefix)>;

/// The state of a hypothesis is all that it has read.
using PrefixStates = std::vector<WordNumbers>;

/// A model of such states.
using PrefixDecoder = text::Decoder<PrefixStates>;

/// A decoder that looks each prefix up. The prefixes include what every sentence starts
/// with.
inline PrefixDecoder prefix_decoder(const NextWord& next_word)
{
    const auto step = [next_word](PrefixStates prefixes, const WordNumbers& last_words) {
        text::Step<PrefixStates> said;
        for (std::size_t i = 0; i < last_words.size(); ++i) {
            prefixes.at(i).push_back(last_words[i]);
            const std::vector<double> row = next_word(prefixes[i]);
            said.log_probabilities.insert(said.log_probabilities.end(), row.begin(), row.end());
        }
        said.state = std::move(prefixes);
        return said;
    };
    return {step, text::select_elements<WordNumbers>};
}

/// Normalised log-probabilities of random scores, other ones for every prefix and seed.
/// \returns [n_words]
inline std::vector<double> random_next_word(std::uint64_t seed, const WordNumbers& prefix,
                                            std::size_t n_words)
{
    std::uint64_t stream = 1;
    for (const std::size_t word : prefix) {
        stream = 31 * stream + word;
    }
    random::Generator generator(seed, stream);
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

/// A model that draws what may follow each prefix.
inline NextWord random_model(std::uint64_t seed, std::size_t n_words = 4)
{
    return [seed, n_words](const WordNumbers& prefix) {
        return random_next_word(seed, prefix, n_words);
    };
}

/// The same distribution whatever was read before.
/// \param log_probabilities  [n_words]
inline NextWord fixed_model(const std::vector<double>& log_probabilities)
{
    return [log_probabilities](const WordNumbers&) { return log_probabilities; };
}

/// Searches for one sentence.
inline std::vector<text::Hypothesis> beam_search(const NextWord& model,
                                                 const text::SearchLimits& limits,
                                                 const text::BeamOptions& options)
{
    return text::batch_beam_search(prefix_decoder(model), PrefixStates(1), 1, limits,
                                   options)[0];
}

/// Takes the most probable word at each step.
inline text::Hypothesis greedy_search(const NextWord& model, const text::SearchLimits& limits)
{
    return beam_search(model, limits, {.width = 1})[0];
}

/// Word 7 stands before every sentence in these tests: it is not among those that may come.
inline text::SearchLimits limits_of(std::size_t end, std::size_t max_length)
{
    return {.start = 7, .end = end, .max_length = max_length};
}

} // namespace attn::testing
