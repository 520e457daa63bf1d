/// \file
/// \brief Are the gradients by hand right, and what is the derivative of a context? Both
/// computed in several ways, and the pencil example forwards and backwards.
#pragma once

#include "chapters/04_backpropagation/backpropagation.hpp"
#include "common/program/run.hpp"
#include "common/tensor/tensor.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::backpropagation {

/// A loss as a function of one matrix, everything else being fixed.
using Loss = std::function<double(const Matrix& x)>;

/// The gradient of a loss by central differences of steps h and h / 2, extrapolated to 0; h is a
/// thousandth of the entry, or of 1 if that is larger.
/// \param loss  called four times an entry
/// \returns     of the shape of x
Matrix gradient_by_differences(const Loss& loss, const Matrix& x);

/// One gradient, computed in three ways.
struct ThreeGradients
{
    std::string operation; ///< whose backward pass it is of
    std::string name;      ///< the gradient's, as on the page: "dQ"
    Matrix by_hand;        ///< by the formulas of backpropagation.hpp
    Matrix by_tape;        ///< by the operators of common/autograd
    Matrix by_differences; ///< by gradient_by_differences
};

/// The gradients of softmax, masked softmax, dot-product attention, the same with a mask, and
/// additive attention, for 3 random queries of 4 numbers, 5 keys, values of 2 numbers and 6
/// hidden units. The loss is a random projection of the result, so that every entry of it
/// counts. The mask hides some keys from the first two queries and all from the third.
std::vector<ThreeGradients> three_gradients(std::uint64_t seed);

/// Prints how far gradients by hand are from those of the tape and from central differences.
void show_gradients(program::Frame& frame);

/// A score and its gradient.
struct DifferentiableScore
{
    lookup::Score score; ///< as in chapter 3, or the logarithm of chapter 2's kernel
    std::string formula; ///< of the gradient of key j's score with respect to the query
    /// query [d_q], keys [n_keys, d_k] -> the gradient of each key's score, [n_keys, d_q]
    std::function<Matrix(const Vector& query, const Matrix& keys)> gradients;
};

/// Every score of chapter 3, and the Gaussian kernel of chapter 2. At a query of zeros the cosine,
/// which is 0 there by convention, has no gradient, and zeros are returned.
/// \param W          [d_q, d_k], of the multiplicative score
/// \param bandwidth  the Gaussian's width
/// \returns          dot, scaled dot, cosine, dot + key bias, multiplicative, additive,
///                   gaussian
/// \throws ContractError if the width is not positive and finite
std::vector<DifferentiableScore>
differentiable_scores(const Matrix& W, const scoring_functions::Additive& parameters,
                      double bandwidth);

/// The Jacobian of a context with respect to its query under one score.
struct ContextJacobian
{
    std::string score;     ///< the score's name
    std::string formula;   ///< of the score's gradient
    Matrix by_covariance;  ///< d c / d q, [d_v, d]
    Matrix by_differences; ///< the same by central differences
};

/// The Jacobian of a context with respect to its query, for several scores.
/// \param query   [d]
/// \param keys    [n_keys, d]
/// \param values  [n_keys, d_v]
std::vector<ContextJacobian> context_jacobians(const Vector& query, const Matrix& keys,
                                               const Matrix& values,
                                               const std::vector<DifferentiableScore>& scores);

/// Prints the Jacobian of a context with respect to its query, for every score.
void show_covariance(program::Frame& frame);

/// Prints the pencil example forwards and backwards, every intermediate by its name and shape.
/// The first query should find the first value, the second the mean of the first two.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::backpropagation
