/// \file
/// \brief Prediction by similarity alone: the estimator of Nadaraya and Watson, written as
/// chapter 1's `attend` with a kernel as its score. Deliberately nothing is learnt here
/// but one number, the width, and that by trying.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Chapter 2: kernels, their width, and leave-one-out as a mask.
namespace attn::nadaraya_watson {

// ---------------------------------------------------------------- kernels

/// How much a key counts at a distance of u widths: symmetric, and falling away from 0.
struct Kernel
{
    std::string name;                          ///< as programs, figures and tests print it
    std::string idea;                          ///< its formula, in one line
    std::function<double(double u)> value;     ///< K(u), at least 0
    std::function<double(double u)> log_value; ///< log K(u), exact where K(u) underflows
    double half_width;                         ///< no key farther than this counts, in widths
    bool includes_edge;                        ///< whether a key exactly that far counts

    /// The kernel's value.
    /// \param u  a distance in widths
    /// \returns  K(u)
    double operator()(double u) const { return value(u); }

    /// Whether a key at that distance counts at all. It is asked of the distance, not of
    /// K(u), since a Gaussian is positive everywhere although exp(-u * u / 2) underflows.
    /// \param u  a distance in widths
    /// \returns  true if K(u) > 0 in exact arithmetic
    bool in_window(double u) const;
};

/// The five kernels, each integrating to 1 but the constant one, which cannot.
/// \returns  gaussian, boxcar, epanechnikov, triangular, constant
const std::vector<Kernel>& kernels();

/// A kernel of the table by its name.
/// \param name  "gaussian"
/// \returns     the kernel
/// \throws ContractError if there is none of that name; the message lists the names
const Kernel& kernel_named(std::string_view name);

/// A kernel that is zero beyond a radius, and unchanged up to it. R's ksmooth cuts its
/// Gaussian so, at four widths.
/// \param kernel  any
/// \param radius  in widths, positive; a key exactly that far still counts
/// \returns       the kernel cut there; it integrates to less than the whole one
/// \throws ContractError if the radius is not positive and finite
Kernel cut(const Kernel& kernel, double radius);

// ---------------------------------------------------------------- prediction

/// The distance of every query from every key, \f$ \lVert q_i - k_j \rVert \f$.
/// \param queries  [n_queries, d]
/// \param keys     [n_keys, d]
/// \returns        [n_queries, n_keys]
/// \throws ContractError if a query and a key have different sizes
Matrix distances(const Matrix& queries, const Matrix& keys);

/// A kernel as a score for `attend`: \f$ s_{ij} = \log K(\lVert q_i - k_j \rVert / h) \f$,
/// so that the softmax of the scores is each key's share of the kernel's values. A key
/// outside the window scores -infinity: it is masked.
/// \param kernel     any
/// \param bandwidth  the width h > 0, in the units of the keys
/// \returns          the score; it throws ContractError if the width is so small for the
///                   distance of a key in the window that the score is not a finite number
/// \throws ContractError if the width is not positive and finite
lookup::Score score(const Kernel& kernel, double bandwidth);

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
/// \param queries    [n_queries]
/// \param keys       [n_keys], n_keys >= 1
/// \param values     [n_keys]
/// \param kernel     how much a key counts at a distance
/// \param bandwidth  the width h > 0, in the units of the keys
/// \returns          [n_queries] predictions, counts and rows of weights
/// \throws ContractError if there is no key, not one value a key, a number is not finite, or
///         the width is out of range for score()
Prediction predict(const Vector& queries, const Vector& keys, const Vector& values,
                   const Kernel& kernel, double bandwidth);

// ---------------------------------------------------------------- the width

/// A score under which no key sees itself: the diagonal is masked. For queries that are
/// the keys.
/// \param score  any
/// \returns      the same but for -infinity on the diagonal; it throws ContractError unless
///               there are as many queries as keys
lookup::Score without_itself(const lookup::Score& score);

/// Each key's value predicted from all the others.
/// \param keys       [n_keys], n_keys >= 2
/// \param values     [n_keys]
/// \param kernel     how much a key counts at a distance
/// \param bandwidth  the width h > 0, in the units of the keys
/// \returns          [n_keys] predictions, counts and rows of weights; nan and 0 where no
///                   other key is in the window
/// \throws ContractError as predict, and if there is only one key
Prediction leave_one_out(const Vector& keys, const Vector& values, const Kernel& kernel,
                         double bandwidth);

/// The mean squared error of leave_one_out, where an empty window counts as the mean of
/// the other values. In plain loops, since choosing a width asks for it some 440 times.
/// \param keys       [n_keys], n_keys >= 2
/// \param values     [n_keys]
/// \param kernel     how much a key counts at a distance
/// \param bandwidth  the width h > 0, in the units of the keys
/// \returns          in the square of the values' units
/// \throws ContractError as leave_one_out
double leave_one_out_error(const Vector& keys, const Vector& values, const Kernel& kernel,
                           double bandwidth);

/// The same error without the mask, every point helping to predict itself. It says nothing
/// about new queries: as the width goes to 0, so does this error where no two keys are equal.
/// \param keys       [n_keys], n_keys >= 1
/// \param values     [n_keys]
/// \param kernel     how much a key counts at a distance
/// \param bandwidth  the width h > 0, in the units of the keys
/// \returns          in the square of the values' units
/// \throws ContractError as predict
double self_seeing_error(const Vector& keys, const Vector& values, const Kernel& kernel,
                         double bandwidth);

/// Widths to try, each the same factor above the one before.
/// \param keys  [n_keys], not all equal
/// \param n     how many, at least 2
/// \returns     [n], from a two-hundredth of the keys' range to twice the range
/// \throws ContractError if there are fewer than two different keys or n is below 2
Vector width_grid(const Vector& keys, std::size_t n);

/// A width and its leave-one-out error.
struct Choice
{
    double bandwidth; ///< in the units of the keys
    double error;     ///< in the square of the values' units
};

/// The width of the smallest leave-one-out error: the best of 401 on width_grid, refined by
/// a golden-section search between its neighbours. Of equal errors the width tried first
/// counts, so on a plateau, which every step of a boxcar is, the smallest width of the grid.
/// \param keys    [n_keys], not all equal
/// \param values  [n_keys]
/// \param kernel  how much a key counts at a distance
/// \returns       the best width of all that were tried
/// \throws ContractError as width_grid and leave_one_out
Choice choose_bandwidth(const Vector& keys, const Vector& values, const Kernel& kernel);

} // namespace attn::nadaraya_watson
