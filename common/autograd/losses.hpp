/// \file
/// \brief What a training makes small: the cross entropy of classes and the mean squared error,
/// each one step of the tape. Deliberately no penalty on parameters; that is the optimisers'.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace attn::autograd {

/// How the losses of the rows become one number.
enum class Reduction
{
    mean, ///< over the rows that count
    sum   ///< over the same
};

/// What a cross entropy may be told.
struct CrossEntropy
{
    std::optional<std::int64_t> ignored = -100; ///< rows with this target do not count
    double label_smoothing = 0.0;               ///< epsilon, from 0 to 1
    Reduction reduction = Reduction::mean;      ///< how the rows become one number
};

/// The cross entropy of softmax(logits) against targets,
/// \f$ -\sum_c q_c \log p_c \f$ a row, where \f$ q_c = (1 - \varepsilon) [c = t] +
/// \varepsilon / V \f$ for target t of V classes (\cite szegedy2016, section 7). Its gradient
/// is \f$ p - q \f$. If no row counts, the loss and its gradient are 0, where PyTorch's mean is
/// nan. A logit of -infinity is a class of probability 0: harmless as long as q is 0 there.
/// \param logits   [n, n_classes]
/// \param targets  [n], each from 0 to n_classes - 1, or the ignored one
/// \returns        the loss, of rank 0
/// \throws ContractError if the logits' rank is not 2, there is not one target a row, a target
///         is no class, or the smoothing is not from 0 to 1
template <typename T>
Variable<T> cross_entropy(const Variable<T>& logits, std::span<const std::int64_t> targets,
                          const CrossEntropy& options = {});

/// The mean of the squared differences over all entries; 0 if there are none.
/// \param target  of the prediction's shape, constant or not
/// \returns       the loss, of rank 0
/// \throws ContractError if the shapes differ
template <typename T>
Variable<T> mean_squared_error(const Variable<T>& prediction, const Variable<T>& target);

} // namespace attn::autograd
