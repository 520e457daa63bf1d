/// \file
/// \brief The residual stream: what runs through all layers, and what each sublayer adds to.
#pragma once

#include "common/nn/layers.hpp"

#include <optional>

namespace attn::transformer {

using autograd::Variable;

/// Rows to which each sublayer adds something.
template <typename T>
class ResidualStream
{
public:
    /// \param rows   [batch, n, d]
    /// \param fused  whether a sum and its norm, or a product and its ReLU, are one walk over
    ///               the rows; the bits are the same
    ResidualStream(Variable<T> rows, // NOLINT(google-explicit-constructor)
                   bool fused = true);

    /// \returns  the rows [batch, n, d]
    Variable<T> sum();
    /// \param norm  of d numbers
    /// \returns     norm(sum()) [batch, n, d]
    Variable<T> normalised(const nn::LayerNorm<T>& norm);
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

extern template class ResidualStream<float>;
extern template class ResidualStream<double>;

} // namespace attn::transformer
