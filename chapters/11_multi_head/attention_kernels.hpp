/// \file
/// \brief Scaled dot-product attention in several heads, between the projections: which keys a
/// query may attend to, and two ways to compute the same.
#pragma once

#include "common/autograd/softmax.hpp"

#include <cstddef>
#include <functional>
#include <vector>

/// Multi-head attention.
namespace attn::multi_head {

using autograd::Mask;
using autograd::Variable;

/// Which keys a query may attend to: the first so many of its sentence, and none that comes later
/// than the query itself.
struct AttentionMask
{
    /// [batch], keys that are no padding; empty: all.
    std::vector<std::size_t> key_lengths = {};
    /// Whether the last query stands where the last key does, and none attends to a later key.
    bool causal = false;

    /// How many of the first keys a query attends to, 0 to n_keys.
    /// \param sentence  below the batch
    /// \param query     below n_queries
    /// \param n_keys    at least n_queries if causal
    std::size_t n_attended(std::size_t sentence, std::size_t query, std::size_t n_queries,
                           std::size_t n_keys) const;
};

/// Demands that a mask fits.
/// \throws ContractError if there is not one length a sentence, a length is above n_keys, or a
///         causal query would stand before the first key
void expect_fitting(const AttentionMask& mask, std::size_t batch, std::size_t n_queries,
                    std::size_t n_keys);

/// Demands that Q [batch, n_queries, H d_k], K [batch, n_keys, H d_k] and V [batch, n_keys, H d_v]
/// go together: no batch is repeated for another.
/// \throws ContractError naming the shapes if they do not
void expect_together(const Shape& queries, const Shape& keys, const Shape& values,
                     std::size_t n_heads);

/// The mask [batch, 1, n_queries, n_keys], the 1 for the heads.
/// \throws ContractError as expect_fitting
Mask mask_of(const AttentionMask& mask, std::size_t batch, std::size_t n_queries,
             std::size_t n_keys);

/// The heads side by side in x [batch, n, d] become axes of their own: head h has the numbers
/// \f$ h d / H \f$ to \f$ (h + 1) d / H - 1 \f$ of each row.
/// \returns [batch, H, n, d / H]
/// \throws ContractError naming the shape if H does not divide d
template <typename T>
Variable<T> split_heads(const Variable<T>& x, std::size_t n_heads);

/// The inverse of split_heads.
/// \throws ContractError if the rank is not 4
template <typename T>
Variable<T> merge_heads(const Variable<T>& x);

/// Attention of every head for itself, from split to merged:
///
/// \f[ A^{(h)} = \softmax(Q^{(h)} K^{(h)\top} / \sqrt{d_k}) , \f]
/// \f[ C^{(h)} = A^{(h)} V^{(h)} . \f]
///
/// A query that may attend to no key has weights 0 and the context 0, and moves no gradient.
/// \tparam T       float or double
/// \param queries  Q [batch, n_queries, H d_k]
/// \param keys     K [batch, n_keys, H d_k]
/// \param values   V [batch, n_keys, H d_v]
/// \param n_heads  H
/// \param mask  which keys a query may attend to
/// \param weights  if not null, receives A [batch, H, n_queries, n_keys]
/// \returns        C [batch, n_queries, H d_v]
/// \throws ContractError naming the shapes if they do not go together, or as expect_fitting
template <typename T>
using Attend = std::function<Variable<T>(const Variable<T>& queries, const Variable<T>& keys,
                                         const Variable<T>& values, std::size_t n_heads,
                                         const AttentionMask& mask, Array<T>* weights)>;

/// Attend in the tape's operators, one for each sign of the formula.
template <typename T>
Variable<T> attend_by_operators(const Variable<T>& queries, const Variable<T>& keys,
                                const Variable<T>& values, std::size_t n_heads,
                                const AttentionMask& mask, Array<T>* weights = nullptr);

/// Attend as one step of the tape: a head is read where it lies, between those beside it, and
/// masked keys are not read at all. The weights are kept for the backward pass.
template <typename T>
Variable<T> attend_in_one_step(const Variable<T>& queries, const Variable<T>& keys,
                               const Variable<T>& values, std::size_t n_heads,
                               const AttentionMask& mask, Array<T>* weights = nullptr);

} // namespace attn::multi_head
