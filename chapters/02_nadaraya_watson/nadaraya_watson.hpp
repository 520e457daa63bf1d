/// \file
/// \brief Prediction by similarity alone: the estimator of Nadaraya and Watson, written as
/// chapter 1's `attend` with a kernel as its score.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "chapters/02_nadaraya_watson/kernels.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

/// Chapter 2: kernels, their bandwidth, and leave-one-out as a mask.
namespace attn::nadaraya_watson {

/// A table of data: each key with its value. Bandwidths are in the units of the keys.
struct Sample
{
    Vector keys;   ///< [n_keys]
    Vector values; ///< [n_keys], in the order of the keys
};

// ---------------------------------------------------------------- prediction

/// Demands a table that the estimator can answer from: enough keys, one value a key, and every
/// number finite.
/// \throws ContractError if the table is none
void expect_table(const Sample& sample, std::size_t at_least, std::string_view function);

/// The distance of every query from every key, \f$ \lVert q_i - k_j \rVert \f$.
/// \param queries  [n_queries, d]
/// \param keys     [n_keys, d]
/// \returns        [n_queries, n_keys]
/// \throws ContractError if a query and a key have different sizes
Matrix distances(const Matrix& queries, const Matrix& keys);

/// A kernel as a score for `attend`: \f$ s_{ij} = \log K(\lVert q_i - k_j \rVert / h) \f$,
/// so that the softmax of the scores is each key's share of the kernel's values. A key
/// outside the window scores -infinity: it is masked.
/// \returns the score; it throws ContractError if the bandwidth is so small for the
///                   distance of a key in the window that the score is not a finite number
/// \throws ContractError if the bandwidth is not positive and finite
lookup::Score score(const Kernel& kernel, double bandwidth);

/// What one query gathers, key by key, where no weights are asked for: the two sums of the
/// estimator.
struct KernelSums
{
    double weight = 0; ///< \f$ \sum_j K(u_j) \f$
    double value = 0;  ///< \f$ \sum_j K(u_j) v_j \f$

    /// One key more.
    void add(double key_weight, double key_value)
    {
        weight += key_weight;
        value += key_weight * key_value;
    }
    /// \returns  what the estimator says; nan if no key counts
    double mean() const { return value / weight; }
};

/// What the estimator says for each query, and what it rests on.
struct Prediction
{
    Vector predictions;                      ///< [n_queries]; nan where no key is in the window
    std::vector<std::size_t> keys_in_window; ///< [n_queries]
    Matrix weights;                          ///< [n_queries, n_keys]; rows sum to 1, or to 0
};

/// Nadaraya's and Watson's estimator (\cite nadaraya1964, \cite watson1964),
/// \f$ f(q) = \sum_j \alpha_j v_j \f$ with \f$ \alpha_j = K(u_j) / \sum_l K(u_l) \f$ and
/// \f$ u_j = (q - k_j) / h \f$.
/// \returns [n_queries] predictions, counts and rows of weights
/// \throws ContractError if there is no key, not one value a key, a number is not finite, or
///         the bandwidth is out of range for score()
Prediction predict(const Vector& queries, const Sample& sample, const Kernel& kernel,
                   double bandwidth);

// ---------------------------------------------------------------- leave one out

/// A score under which no key counts for itself: the diagonal is masked. For queries that
/// are the keys.
/// \returns the same but for -infinity on the diagonal; it throws ContractError unless there
///          are as many queries as keys
lookup::Score mask_diagonal(const lookup::Score& score);

/// Each key's value predicted from all the others, as by predict, of at least two keys.
/// \returns [n_keys] predictions, counts and rows of weights; nan and 0 where no other key is in
///          the window
/// \throws ContractError as predict, and if there is only one key
Prediction leave_one_out(const Sample& sample, const Kernel& kernel, double bandwidth);

} // namespace attn::nadaraya_watson
