/// \file
/// \brief The rows that a transformer's sublayers read and add to. What the last one has added
/// waits until somebody asks for the sum: mostly that is the next norm, and then adding and
/// normalising can be one walk over the rows.
#pragma once

#include "common/nn/layers.hpp"

#include <optional>

namespace attn::nn {

using autograd::Variable;

/// Rows to which each sublayer adds something.
/// \tparam T  float or double
template <typename T>
class ResidualRows
{
public:
    /// \param rows   [batch, n, d]
    /// \param fused  whether a sum and its norm, or a product and its ReLU, are one walk over
    ///               the rows; the bits are the same
    ResidualRows(Variable<T> rows, // NOLINT(google-explicit-constructor)
                 bool fused = true);

    /// \returns  the rows [batch, n, d]
    Variable<T> sum();
    /// \param norm  of d numbers
    /// \returns     norm(sum()) [batch, n, d]
    Variable<T> normalised(const LayerNorm<T>& norm);
    /// \param y  added to the rows [batch, n, d]
    void add(const Variable<T>& y);
    /// \param y  instead of the rows [batch, n, d]
    void replace(Variable<T> y);
    /// \returns  as given
    bool fused() const { return fused_; }

private:
    Variable<T> rows_;
    std::optional<Variable<T>> waiting_; ///< not yet added
    bool fused_;
};

extern template class ResidualRows<float>;
extern template class ResidualRows<double>;

} // namespace attn::nn
