/// \file
/// \brief Sequences of random tokens that repeat, how much a head attends to what followed before,
/// and how well a model goes on with them.
#pragma once

#include "chapters/13_language_models/language_model.hpp"

#include <cstddef>
#include <vector>

namespace attn::language_models {

/// How large the task is: n tokens, a random order of some of n_tokens symbols, repeated.
struct RepetitionTask
{
    std::size_t n_tokens = 64;       ///< symbols
    std::size_t n = 48;              ///< tokens of a sequence that are read
    std::size_t shortest_period = 8; ///< symbols before the first repetition, at least 1
    std::size_t longest_period = 24; ///< the same, at most n and n_tokens
};

/// Sequences, and after how many tokens each repeats.
struct Repetitions
{
    TokenBatch batch;                 ///< the answer is the next token everywhere
    std::vector<std::size_t> periods; ///< [n_texts]
};

/// Draws sequences: a period p, p different symbols in random order, these over and over.
/// \throws ContractError if the periods are not as stated
Repetitions draw_repetitions(const RepetitionTask& task, std::size_t n_texts,
                             random::Generator& generator);

/// How much a head attends to the tokens that followed earlier copies of the present one: over
/// the queries q >= p the mean of the weight on all keys k with (q + 1 - k) mod p = 0
/// (the prefix-matching score of \cite olsson2022, over all earlier copies instead of one).
/// \param weights  of a layer [n_texts, H, n, n]
/// \returns        [H], from 0 to 1
std::vector<double> induction_scores(const Array<float>& weights,
                                     const std::vector<std::size_t>& periods);

/// The mean weight of each head on the token before the query's.
/// \param weights  of a layer [n_texts, H, n, n], n at least 2
/// \returns        [H], from 0 to 1
std::vector<double> previous_token_scores(const Array<float>& weights);

/// What a model came to on sequences that it has not learnt from.
struct RepetitionMeasures
{
    double loss_first;  ///< mean of -ln p where nothing has been repeated yet
    double loss_repeat; ///< the same from the first repetition on
    double accuracy;    ///< share of repeated tokens for which the answer is the most probable
    double chance;      ///< the same for an answer guessed among the symbols of the period
};

/// From the scores of all tokens at all places.
/// \param logits  [n_texts * n, n_tokens]
RepetitionMeasures measure_repetitions(const Array<float>& logits,
                                       const Repetitions& repetitions);

} // namespace attn::language_models
