/// \file
/// \brief Attention of a decoder over every word of the source: the query, the score and the keys are
/// parameters. Encoder and decoder are chapter 7's. A score of one's own is a row at the end of the
/// table in alignment.cpp, and one more at the end of the table in alignment_kinds.cpp, which says
/// what its query is and gives it a learning rate. All programs find it there: `--kind` trains it,
/// the comparison prints it under "More translators", and the figures draw it.

#pragma once

#include "chapters/07_seq2seq/context.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// Alignment models, and what they learn.
namespace attn::bahdanau {

using autograd::Variable;
using recurrent_attention::Attended;
using seq2seq::ContextFunction;
using seq2seq::Encoding;
using seq2seq::QueryState;

/// Makes the attention with a score; the arguments are those of alignment_model.
template <typename T>
using AlignmentMaker = ContextFunction<T> (*)(QueryState query_state, std::size_t hidden,
                                              std::size_t d_alignment,
                                              random::Generator& generator);

/// How a state of the decoder, q, is compared with the annotation of a source word, k.
struct Score
{
    /// \f$ w \cdot \tanh(W_q q + W_k k + b) \f$ (\cite bahdanau2015)
    static const Score additive;
    /// \f$ w \cdot \tanh(W [q; k]) \f$ (\cite luong2015): the same with b = 0
    static const Score concat;
    static const Score dot;     ///< \f$ q \cdot k \f$
    static const Score general; ///< \f$ q \cdot W k \f$

    std::string_view name; ///< as tables print it: "additive"
    std::tuple<AlignmentMaker<float>, AlignmentMaker<double>> makers; ///< for both types

    bool operator==(const Score& other) const { return name == other.name; } ///< the same name
};

/// All scores, a row each: additive, concat, dot, general.
const std::vector<Score>& score_table();

/// The one with a name.
/// \throws ContractError if there is none
const Score& score_named(std::string_view name);

/// "s_{t-1}", "s_t", or "nothing" if there is no query.
std::string name_of(QueryState query_state);

/// The alignment model \f$ a_{tj} = \softmax_j f(q, k_j) \f$ with the context
/// \f$ c_t = \sum_j a_{tj} k_j \f$. What depends on the annotations alone is computed once a
/// sentence.
/// \param score        how they are compared
/// \param query_state  whether q is the state before the step or after it
/// \param hidden       numbers in a state, and in an annotation
/// \param d_alignment  numbers under the tanh; of no account without one
/// \returns            the function, with parameters "query", "keys" and "score", as it needs them:
///                     "keys" multiply each annotation once a sentence, "query" each query
/// \throws ContractError if a size is 0, or no state is the query
template <typename T>
ContextFunction<T> alignment_model(const Score& score, QueryState query_state,
                                   std::size_t hidden, std::size_t d_alignment,
                                   random::Generator& generator);

/// Weights that the decoder's state and its last word decide on, whatever stands in the source:
/// \f$ a_t = \softmax(W [y_{t-1}; s_{t-1}] + b) \f$, over the positions that there are. It is
/// attention by dot products with one-hot keys, one a position.
/// \param hidden       numbers in a state
/// \param d_embedding  numbers of a word
/// \param n_positions  words of the longest source
/// \returns            with the parameters "positions"
/// \throws ContractError if a size is 0
template <typename T>
ContextFunction<T> location_only(std::size_t hidden, std::size_t d_embedding,
                                 std::size_t n_positions, random::Generator& generator);

/// One matrix call for all queries of a sentence, \f$ C = \softmax(Q K^\top) V \f$: possible
/// where the queries do not wait for the contexts.
/// \param queries   Q [batch, n_target, d]
/// \param keys      K [batch, n_source, d]
/// \param values    V [batch, n_source, d_v]
/// \param lengths   [batch], words of each source
/// \returns         contexts [batch, n_target, d_v] and weights [batch, n_target, n_source]
/// \throws ContractError naming the shapes if they do not go together, or if there is not one
///         length for each sentence
template <typename T>
Attended<T> attend(const Variable<T>& queries, const Variable<T>& keys,
                   const Variable<T>& values, const std::vector<std::size_t>& lengths);

} // namespace attn::bahdanau
