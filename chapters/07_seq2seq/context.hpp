/// \file
/// \brief What a decoder gets to see of the encoder's states. Here one vector for the whole
/// sentence, f_c as a parameter: the last state, the mean, the maximum. Chapter 8 brings
/// functions that ask with the decoder's state.
#pragma once

#include "chapters/06_recurrent_attention/memory_attention.hpp"
#include "chapters/07_seq2seq/encoder.hpp"

#include <functional>
#include <string>
#include <vector>

namespace attn::seq2seq {

using recurrent_attention::Attended;

/// What the decoder tells when it asks.
template <typename T>
struct Question
{
    const Variable<T>& state; ///< of the decoder [batch, hidden]
    const Variable<T>& word;  ///< the embedding of the word that was written last [batch, d]
};

/// The context of sentences that have been read, for a question of the decoder; weights only
/// where there are some.
template <typename T>
using Answer = std::function<Attended<T>(const Question<T>& question)>;

/// When a decoder asks.
enum class Asks
{
    never,  ///< the context is the same for every word, and enters the step
    before, ///< by \f$ s_{t-1} \f$, so that the context can enter the step
    after   ///< by \f$ s_t \f$, so that it can enter the readout alone
};

/// A way from the encoder's states to a context.
template <typename T>
struct ContextFunction
{
    std::string name;        ///< as the program prints it
    Asks asks = Asks::never; ///< with which of its states the decoder asks, if it does
    /// Takes what is needed once a sentence from the encoding, and leaves the rest for the
    /// questions.
    std::function<Answer<T>(const Encoding<T>& encoding)> read;
    nn::Parameters<T> parameters = {}; ///< shared with the function
};

/// The last state, \f$ c = e^{(\tau)} \f$, as Sutskever et al. and Cho et al. did; in both
/// directions, the last one of each.
template <typename T>
ContextFunction<T> last_state();

/// The mean, \f$ c = \frac 1 \tau \sum_t e^{(t)} \f$: attention with equal weights.
template <typename T>
ContextFunction<T> mean_state();

/// The largest number of each column, \f$ c_j = \max_t e^{(t)}_j \f$.
template <typename T>
ContextFunction<T> largest_numbers();

} // namespace attn::seq2seq
