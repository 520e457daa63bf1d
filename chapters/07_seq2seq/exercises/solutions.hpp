/// \file
/// \brief Solutions of exercises of chapter 7.
#pragma once

#include <cstddef>

/// Solutions of the exercises of chapter 7.
namespace attn::seq2seq::solutions {

/// Exercise 7.1: how probable each word must be right, if the words of a sentence are right
/// independently of each other and the whole sentence shall be, \f$ q^{1/L} \f$.
/// \param q        the probability of a sentence without a mistake, above 0, at most 1
/// \param n_words  L, at least 1
/// \returns        the probability of a word
/// \throws ContractError if an argument is not as stated
double needed_of_a_word(double q, std::size_t n_words);

/// Exercise 7.2: from which alpha on Google's length penalty prefers the longer of two sentences,
/// \f$ \ln(l_2/l_1) / \ln((5 + n_2)/(5 + n_1)) \f$.
/// \param log_p_1  l_1, the log-probability of the shorter sentence, below 0
/// \param n_1      its steps, the end among them
/// \param log_p_2  l_2, that of the longer sentence, at most l_1
/// \param n_2      its steps, above n_1
/// \returns        alpha
/// \throws ContractError if an argument is not as stated
double alpha_of_equal_scores(double log_p_1, std::size_t n_1, double log_p_2, std::size_t n_2);

/// Exercise 7.3: the state that the circular equation \f$ e = \tanh(u e + x) \f$ defines, found by
/// putting in what comes out.
/// \param u      between -1 and 1: then there is exactly one
/// \param x      the input
/// \param start  where to begin; the result does not depend on it
/// \returns      the state
/// \throws ContractError if u is not between -1 and 1, or too near to one of them
double circular_state(double u, double x, double start);

} // namespace attn::seq2seq::solutions
