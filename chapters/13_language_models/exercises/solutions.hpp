/// \file
/// \brief Solutions of the exercises of chapter 13 that are functions.
#pragma once

#include <cstddef>
#include <span>

/// Solutions of the exercises of chapter 13.
namespace attn::language_models::solutions {

/// Exercise 13.1: how many numbers a model in GPT-2's form learns,
/// \f$ V d + P d + L (12 d^2 + 13 d) + 2 d \f$, with tied weights.
/// \param n_tokens     V
/// \param n_positions  P
std::size_t numbers_in_gpt2(std::size_t n_layers, std::size_t d, std::size_t n_tokens,
                            std::size_t n_positions);

/// Exercise 13.2: how many tokens a second memory allows if each token reads all weights, and
/// the keys and values of all positions before it.
/// \param weights      bytes
/// \param position     bytes of the keys and values of one position
/// \param n_before     positions before it
/// \param bandwidth    bytes a second, above 0
/// \throws ContractError if the bandwidth is not above 0, or nothing is read
double tokens_a_second(double weights, double position, std::size_t n_before, double bandwidth);

/// Exercise 13.3: a loss a token in nats as bits a character.
/// \param characters  of a token, on average, above 0
/// \throws ContractError if there are none
double bits_per_character(double loss, double characters);

/// Exercise 13.6: how many answers a causal model gets, the end symbol of each text among them.
std::size_t causal_answers(std::size_t n_texts, std::size_t n_words);

/// Exercise 13.6: how many answers a masked model gets, on average.
/// \param share  of the words that are chosen
double masked_answers(std::size_t n_texts, std::size_t n_words, double share);

/// Exercise 13.7: with which probability two gaps agree that are filled at once, if each word of one
/// gap agrees with one of the other, \f$ \sum_i p_i^2 \f$.
/// \param p  the probability of each pair of words that agree, which sum to 1
double agreeing_at_once(std::span<const double> p);

} // namespace attn::language_models::solutions
