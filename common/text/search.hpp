/// \file
/// \brief Greedy and beam search for the sentence that a model finds most probable, over any
/// model that can be asked for one step: recurrent decoders, with attention or without, and
/// transformers with their caches.
#pragma once

#include "common/tensor/check.hpp"
#include "common/text/beams.hpp"

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace attn::text {

/// What a model returns beside words, if it returns nothing.
struct NoExtra
{
};

/// What a model says about the next word of several hypotheses.
/// \tparam State  of all hypotheses together, one row each, in whatever form the model has it:
///                hidden arrays `[n_hypotheses, d]`, caches, a vector with an element for each
/// \tparam Extra  what one step of one hypothesis leaves behind: its attention weights
template <typename State, typename Extra = NoExtra>
struct Step
{
    std::vector<double> log_probabilities; ///< [n_hypotheses, n_words], row by row
    State state;                    ///< after the last words were read, n_hypotheses rows
    std::vector<Extra> extras = {}; ///< [n_hypotheses]; ignored if it is NoExtra
};

/// A model as a search sees it. What stays the same for a sentence, as the memory of its source
/// words, belongs into the state if several sentences are translated side by side: rows of
/// sentences that have ended are left out.
template <typename State, typename Extra = NoExtra>
struct Decoder
{
    /// Reads the last word of each hypothesis and says what may come next. It owns the state
    /// that it is given, and may change it in place.
    std::function<Step<State, Extra>(State state, const std::vector<std::size_t>& last_words)>
        step;

    /// The state of some of the hypotheses: row i of the result is row rows[i] of the state.
    /// Rows may come several times or not at all.
    std::function<State(const State& state, const std::vector<std::size_t>& rows)> select;
};

/// A sentence that a search has found.
template <typename Extra = NoExtra>
struct Hypothesis
{
    std::vector<std::size_t> words; ///< [n_words], without the start and the end symbol
    double log_probability;         ///< of all its words and, if it is finished, of its end
    double score;                   ///< log_probability / penalty(length): what decides
    bool finished;                  ///< whether it ends with the end symbol, or was cut off

    /// What the model left behind at each step: one for each word and, if it is finished, one
    /// for the end symbol at the back. Empty for NoExtra.
    std::vector<Extra> extras;
};

/// The select of a model whose state is a vector with an element for each hypothesis.
/// \param rows  [n], each below n_hypotheses
template <typename Element>
std::vector<Element> select_elements(const std::vector<Element>& state,
                                     const std::vector<std::size_t>& rows)
{
    std::vector<Element> selected;
    selected.reserve(rows.size());
    for (const std::size_t row : rows) {
        selected.push_back(state.at(row));
    }
    return selected;
}

/// What was left behind along a path.
/// \param extras  [n_steps][n_rows of that step]
template <typename Extra>
Hypothesis<Extra> with_extras(const Path& path, const std::vector<std::vector<Extra>>& extras)
{
    Hypothesis<Extra> hypothesis{
        path.words, path.log_probability, path.score, path.finished, {}};
    if constexpr (!std::is_same_v<Extra, NoExtra>) {
        for (std::size_t step = 0; step < path.rows.size(); ++step) {
            hypothesis.extras.push_back(extras[step][path.rows[step]]);
        }
    }
    return hypothesis;
}

/// Beam search for several sentences side by side (greedy search is a beam of width 1): each step asks the model once, about all
/// hypotheses of all sentences that have not ended. How hypotheses are chosen and how ties are
/// resolved is told at Beams.
/// \param state  at the start, one row for each sentence
/// \returns      [n_sentences][1 to width], finished ones first, then by falling score
/// \throws ContractError if the width or the longest length is 0, or the model returns
///         something else than log-probabilities (not a number, above 0, too many or too few)
///         or than one extra for each hypothesis
template <typename State, typename Extra>
std::vector<std::vector<Hypothesis<Extra>>>
batch_beam_search(const Decoder<State, Extra>& decoder, std::type_identity_t<State> state,
                  std::size_t n_sentences, const SearchLimits& limits,
                  const BeamOptions& options)
{
    Beams beams(n_sentences, limits, options);
    std::vector<std::vector<Extra>> extras; // [n_steps][n_rows of that step]
    while (!beams.done()) {
        Step<State, Extra> step = decoder.step(std::move(state), beams.last_words());
        if constexpr (!std::is_same_v<Extra, NoExtra>) {
            expect(step.extras.size() == beams.n_rows(),
                   "search: the model must return one extra for each of {} hypotheses, got {}",
                   beams.n_rows(), step.extras.size());
            extras.push_back(std::move(step.extras));
        }
        beams.extend(step.log_probabilities);
        if (!beams.done()) {
            state = beams.rows_moved() ? decoder.select(step.state, beams.rows())
                                       : std::move(step.state);
        }
    }

    std::vector<std::vector<Hypothesis<Extra>>> found(n_sentences);
    const std::vector<std::vector<Path>> paths = beams.best_first();
    for (std::size_t sentence = 0; sentence < n_sentences; ++sentence) {
        for (const Path& path : paths[sentence]) {
            found[sentence].push_back(with_extras(path, extras));
        }
    }
    return found;
}

/// Beam search for one sentence.
/// \param state  at the start, one row
/// \returns      [1 to width], finished ones first, then by falling score
/// \throws ContractError as batch_beam_search
template <typename State, typename Extra>
std::vector<Hypothesis<Extra>>
beam_search(const Decoder<State, Extra>& decoder, std::type_identity_t<State> state,
            const SearchLimits& limits, const BeamOptions& options)
{
    return batch_beam_search(decoder, std::move(state), 1, limits, options)[0];
}

} // namespace attn::text
