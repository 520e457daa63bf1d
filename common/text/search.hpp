/// \file
/// \brief Greedy and beam search for the sentence that a model finds most probable, over any
/// model that can be asked for one step: recurrent decoders, with attention or without, and
/// transformers with their caches.
#pragma once

#include "common/text/beams.hpp"

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace attn::text {

/// What a model says about the next word of several hypotheses.
/// \tparam State  of all hypotheses together, one row each, in whatever form the model has it:
///                hidden arrays `[n_hypotheses, d]`, caches, a vector with an element for each
template <typename State>
struct Step
{
    std::vector<double> log_probabilities; ///< [n_hypotheses, n_words], row by row
    State state; ///< after the last words were read, n_hypotheses rows
};

/// A model as a search sees it. What stays the same for a sentence, as the memory of its source
/// words, belongs into the state if several sentences are translated side by side: rows of
/// sentences that have ended are left out.
template <typename State>
struct Decoder
{
    /// Reads the last word of each hypothesis and says what may come next. It owns the state
    /// that it is given, and may change it in place.
    std::function<Step<State>(State state, const std::vector<std::size_t>& last_words)> step;

    /// The state of some of the hypotheses: row i of the result is row rows[i] of the state.
    /// Rows may come several times or not at all.
    std::function<State(const State& state, const std::vector<std::size_t>& rows)> select;
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

/// Beam search for several sentences side by side (greedy search is a beam of width 1): each step
/// asks the model once, about all hypotheses of all sentences that have not ended. How hypotheses
/// are chosen and how ties are resolved is told at Beams.
/// \param state  at the start, one row for each sentence
/// \returns      [n_sentences][1 to width], finished ones first, then by falling score
/// \throws ContractError if the width or the longest length is 0, or the model returns
///         something else than log-probabilities (not a number, above 0, too many or too few)
template <typename State>
std::vector<std::vector<Hypothesis>>
batch_beam_search(const Decoder<State>& decoder, std::type_identity_t<State> state,
                  std::size_t n_sentences, const SearchLimits& limits,
                  const BeamOptions& options)
{
    Beams beams(n_sentences, limits, options);
    while (!beams.done()) {
        Step<State> step = decoder.step(std::move(state), beams.last_words());
        beams.extend(step.log_probabilities);
        if (!beams.done()) {
            state = beams.rows_moved() ? decoder.select(step.state, beams.rows())
                                       : std::move(step.state);
        }
    }
    return beams.best_first();
}

} // namespace attn::text
