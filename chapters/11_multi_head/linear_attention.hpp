/// \file
/// \brief Attention with a kernel that factors: chapter 2's weighted mean with
/// K(q, k) = phi(q) . phi(k). All queries at once, or step by step with a state that does not
/// grow: a recurrent network. Both are causal.
#pragma once

#include "chapters/11_multi_head/attention_kernels.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>

namespace attn::multi_head {

/// phi(x) = x + 1 above 0 and e^x below: never negative, and 0 only where e^x is none of the
/// type's numbers, below -103 in float (\cite katharopoulos2020, equation 7).
template <typename T>
Variable<T> feature_map(const Variable<T>& x);

/// The parallel form, for all queries at once: the weight of key j for query i is
/// \f$ \phi(q_i) \cdot \phi(k_j) / \sum_{l \le i} \phi(q_i) \cdot \phi(k_l) \f$ for
/// \f$ j \le i \f$. Its signature is that of Attend, with n_keys = n_queries.
/// \param mask  must be causal, without lengths
/// \throws ContractError naming the shapes if they do not go together, if it is not causal, or if
///         all features of a query or of its keys are 0
template <typename T>
Variable<T> attend_linearly(const Variable<T>& queries, const Variable<T>& keys,
                            const Variable<T>& values, std::size_t n_heads,
                            const AttentionMask& mask, Array<T>* weights = nullptr);

// [recurrent]
/// The recurrent form of one head: all that it keeps of the past, whatever its length.
struct LinearState
{
    Matrix s; ///< S [d_k, d_v], the sum of phi(k_j) v_j^T
    Vector z; ///< z [d_k], the sum of phi(k_j)

    /// Nothing has been read: zeros.
    LinearState(std::size_t d_k, std::size_t d_v)
        : s(xt::zeros<double>({d_k, d_v})), z(xt::zeros<double>({d_k}))
    {
    }

    /// Reads a key and a value, \f$ S \leftarrow S + \phi(k) v^\top \f$ and
    /// \f$ z \leftarrow z + \phi(k) \f$, then answers a query, \f$ c = S^\top \phi(q) / z^\top
    /// \phi(q) \f$ (\cite katharopoulos2020, equations 18 to 20).
    /// \param query  q [d_k]
    /// \param key    k [d_k]
    /// \param value  v [d_v]
    /// \returns      c [d_v]
    /// \throws ContractError if a length does not fit, or z^T phi(q) is 0
    Vector step(const Vector& query, const Vector& key, const Vector& value);
};
// [recurrent]

} // namespace attn::multi_head
