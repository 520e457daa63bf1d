/// \file
/// \brief Solutions of exercises 2.1 to 2.3.
#pragma once

#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"

#include <cstddef>
#include <vector>

/// Solutions of the exercises of chapter 2. Queries are [n_queries], keys and values [n_keys], and
/// the width is above 0, as for predict.
namespace attn::nadaraya_watson::solutions {

/// Exercise 2.1: a window that grows until it holds enough keys. Each query has a width of
/// its own, the distance to the first key beyond the k nearest, so that the window of a
/// kernel that reaches one width is never empty, and crowded regions are seen more sharply
/// than thin ones.
/// \param k  how many keys at least lie inside the window, off its edge; 1 to n_keys
/// \returns  [n_queries] predictions; none of them is nan if the kernel reaches one width, as
///           all of kernels() do, and cut(kernel, r) of them with r >= 1
/// \throws ContractError as predict, and if k is out of range
Vector predict_with_k_in_window(const Vector& queries, const Vector& keys, const Vector& values,
                                const Kernel& kernel, std::size_t k);

/// Exercise 2.2: similarity as a classifier. With the value +1 for one class and -1 for the
/// other, the sign of the estimate is the class.
/// \param classes  [n_keys], each +1 or -1
/// \returns        [n_queries], each +1 or -1, or 0 for a tie or an empty window
/// \throws ContractError as predict, and if a class is neither +1 nor -1
std::vector<int> classify(const Vector& queries, const Vector& keys, const Vector& classes,
                          const Kernel& kernel, double bandwidth);

/// Exercise 2.2, the other side of the equation: Parzen's estimate of a density
/// (\cite parzen1962), \f$ \hat p(q) = \frac{1}{n h} \sum_j K((q - k_j)/h) \f$.
/// \param kernel  one that integrates to 1
/// \returns       [n_queries]
/// \throws ContractError if there is no key or the width is not positive and finite
Vector density(const Vector& queries, const Vector& keys, const Kernel& kernel,
               double bandwidth);

/// Exercise 2.3: the local line instead of the local mean. Around each query a straight
/// line is fitted to the values, by least squares with the kernel's values as weights, and
/// read off at the query (\cite wand1995, chapter 5). Where the keys of the
/// window are all equal there is no line, and the mean is the answer.
/// \returns [n_queries]; nan where no key is in the window
/// \throws ContractError as predict
Vector local_line(const Vector& queries, const Vector& keys, const Vector& values,
                  const Kernel& kernel, double bandwidth);

} // namespace attn::nadaraya_watson::solutions
