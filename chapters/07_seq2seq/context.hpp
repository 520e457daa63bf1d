/// \file
/// \brief What a decoder gets to see of the encoder's states. Here one vector for the whole
/// sentence, f_c as a parameter: the last state, the mean, the maximum. Chapter 8 brings
/// functions whose query is the decoder's state.
#pragma once

#include "chapters/06_recurrent_attention/memory_attention.hpp"
#include "chapters/07_seq2seq/encoder.hpp"

#include <functional>
#include <string>
#include <vector>

namespace attn::seq2seq {

using recurrent_attention::Attended;

/// What a decoder's query is made from.
template <typename T>
struct DecoderQuery
{
    const Variable<T>& state; ///< of the decoder [batch, hidden]
    const Variable<T>& word;  ///< the embedding of the word that was written last [batch, d]
};

/// From a query to the context of the encoded sentences; with weights where there are some.
template <typename T>
using AttentionFunction = std::function<Attended<T>(const DecoderQuery<T>& query)>;

/// Which state of the decoder is the query.
enum class QueryState
{
    none,     ///< the context is the same for every word, and enters the step
    previous, ///< \f$ s_{t-1} \f$, so that the context can enter the step
    current   ///< \f$ s_t \f$, so that it can enter the readout alone
};

/// A way from the encoder's states to a context.
template <typename T>
struct ContextFunction
{
    std::string name;                          ///< as the program prints it
    QueryState query_state = QueryState::none; ///< which of the decoder's states is the query
    /// Computes what is needed once a sentence, the keys for one, and leaves the rest to the
    /// queries.
    std::function<AttentionFunction<T>(const Encoding<T>& encoding)> prepare;
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
