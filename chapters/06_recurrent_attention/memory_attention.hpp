/// \file
/// \brief A state attends to a memory: scores, weights and context of a batch, with a mean, a
/// root, a sum or an additive score.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <optional>

/// Attention in a recurrent network: remembering and forecasting.
namespace attn::recurrent_attention {

using autograd::Variable;

/// How a lookup vector u of d numbers is compared with a remembered vector v.
enum class Score
{
    mean,    ///< \f$ u \cdot v / d \f$
    root,    ///< \f$ u \cdot v / \sqrt d \f$
    sum,     ///< \f$ u \cdot v \f$
    additive ///< \f$ w^\top \tanh(W_q u + W_k v + b) \f$
};

/// How a state becomes a lookup vector, where the score has no parameters of its own.
enum class Lookup
{
    itself, ///< u = h: query and memory are of one kind
    learnt  ///< u = W_u h: they are not, or have another size
};

/// What attending to a memory gives.
template <typename T>
struct Attended
{
    Variable<T> context; ///< \f$ c = \sum_i p_i v_i \f$ [batch, d]
    Variable<T> weights; ///< p [batch, n]
};

/// The parameters of the additive score.
template <typename T>
struct AdditiveParameters
{
    Variable<T> w_1; ///< [d, d_hidden]
    Variable<T> w_2; ///< [d_u, d_hidden]
    Variable<T> b;   ///< [d_hidden]
    Variable<T> q;   ///< [d_hidden, 1]
};

/// The scores of u [batch, d] with each vector of a memory v [batch, n, d], n at least 1.
/// \returns [batch, n]
/// \throws ContractError naming both shapes if they do not go together, or if the score has
///         parameters
template <typename T>
Variable<T> memory_scores(Score score, const Variable<T>& query, const Variable<T>& memory);

/// The additive scores of u [batch, d_u] with each vector of a memory v [batch, n, d].
/// \returns [batch, n]
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Variable<T> additive_scores(const AdditiveParameters<T>& parameters, const Variable<T>& query,
                            const Variable<T>& memory);

/// A memory v [batch, n, d] under the softmax of its scores [batch, n].
/// \throws ContractError naming both shapes if they do not go together
template <typename T>
Attended<T> read_memory(const Variable<T>& scores, const Variable<T>& memory);

/// Attention to a memory, with its parameters.
/// \tparam T  float or double
template <typename T>
class MemoryAttention
{
public:
    /// Matrices start as in \cite glorot2010, the bias as 0.
    /// \param d_query   numbers in a state that attends, at least 1
    /// \param d_memory  numbers in a remembered vector, at least 1
    /// \param lookup    how the state becomes u; of no account for the additive score
    /// \throws ContractError if a size is 0, or the state shall be the lookup vector itself and
    ///         has another size than what is remembered
    MemoryAttention(Score score, std::size_t d_query, std::size_t d_memory,
                    random::Generator& generator, Lookup lookup);

    /// \f$ p = \softmax(s) \f$, \f$ c = \sum_i p_i v_i \f$, for a query h [batch, d_query] and a
    /// memory v [batch, n, d_memory], n at least 1.
    /// \throws ContractError naming both shapes if they do not go together
    Attended<T> operator()(const Variable<T>& query, const Variable<T>& memory) const;

    /// \returns lookup, or w_1, w_2, b, q, or nothing
    nn::Parameters<T> parameters() const;

private:
    Score score_;
    std::size_t d_query_;
    std::size_t d_memory_;
    std::optional<Variable<T>> lookup_; // [d_query, d_memory]
    std::optional<AdditiveParameters<T>> additive_;
};

extern template class MemoryAttention<float>;
extern template class MemoryAttention<double>;

} // namespace attn::recurrent_attention
