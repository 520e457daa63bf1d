/// \file
/// \brief What the program of chapter 4 measures about gradients, as functions that its tests
/// ask as well. Deliberately without printing: report.cpp does that. The descents on the width
/// are in kernel_width.hpp.
#pragma once

#include "chapters/04_backpropagation/backpropagation.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::backpropagation {

// ---------------------------------------------------------------- three ways to a gradient

/// A loss as a function of one matrix, everything else being fixed.
using Loss = std::function<double(const Matrix& x)>;

/// The slopes of a loss by central differences of steps h and h / 2, extrapolated to 0; h is a
/// thousandth of the entry, or of 1 if that is larger.
/// \param loss  called four times an entry
/// \param x     where
/// \returns     of the shape of x
Matrix slopes_by_differences(const Loss& loss, const Matrix& x);

/// One gradient, computed in three ways.
struct ThreeGradients
{
    std::string operation; ///< what is walked back through
    std::string name;      ///< the gradient's, as on the page: "dQ"
    Matrix by_hand;        ///< by the formulas of backpropagation.hpp
    Matrix by_tape;        ///< by the operators of common/autograd
    Matrix by_differences; ///< by slopes_by_differences
};

/// The gradients of softmax, masked softmax, dot-product attention, the same with a mask, and
/// additive attention, for 3 random queries of 4 numbers, 5 keys, values of 2 numbers and 6
/// hidden units. The loss is a random projection of the result, so that every entry of it
/// counts. The mask hides some keys from the first two queries and all from the third.
/// \param seed  of all random numbers
/// \returns     in the order of the page
std::vector<ThreeGradients> three_gradients(std::uint64_t seed);

// ---------------------------------------------------------------- the covariance

/// How a context answers to its query under one score.
struct QuerySlope
{
    std::string score;     ///< the score's name
    std::string slope;     ///< of the score, as a formula
    Matrix by_covariance;  ///< d c / d q, [d_v, d]
    Matrix by_differences; ///< the same by central differences
};

/// The slope of a context with respect to its query, for every score of sloping_scores.
/// \param query      [d]
/// \param keys       [n_keys, d]
/// \param values     [n_keys, d_v]
/// \param scores     whose slopes to take
/// \returns          one result a score
std::vector<QuerySlope> query_slopes(const Vector& query, const Matrix& keys,
                                     const Matrix& values,
                                     const std::vector<SlopingScore>& scores);

/// The scores with the parameters that chapter 3 traces: a W that swaps two numbers, two hidden
/// units that look at q - k + 1, and a Gaussian of width 2.
/// \returns  those of sloping_scores
std::vector<SlopingScore> pencil_scores();

// ---------------------------------------------------------------- the pencil example

/// The pencil example forwards and backwards.
struct PencilWalk
{
    lookup::Attention forward;       ///< scores, weights, context of the dot product
    Matrix targets;                  ///< [n_queries, d_v], what the contexts should be
    double loss;                     ///< half the sum of the squared differences to them
    Matrix dcontext;                 ///< [n_queries, d_v], context - targets
    AttentionGradients gradients;    ///< all that flows back
    std::vector<Matrix> covariances; ///< d c_i / d q_i for each query, [d_v, d]
    Matrix dqueries;                 ///< [n_queries, d], rows of dcontext times covariances
    double loss_after;               ///< once the queries went 0.1 dQ downhill
};

/// Walks forwards and backwards. The first query should find the first value, the second the
/// mean of the first two.
/// \returns  every intermediate
PencilWalk pencil_walk();

} // namespace attn::backpropagation
