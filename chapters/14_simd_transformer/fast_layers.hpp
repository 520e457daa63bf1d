/// \file
/// \brief The layers of chapter 12 on this chapter's kernels: the same parameters, the same
/// results up to rounding, and each fusion by itself can be left away, to see what it brings.
/// Deliberately no formula of its own: what a layer is stands in chapter 12.
#pragma once

#include "chapters/12_transformer/layers.hpp"
#include "chapters/14_simd_transformer/ladder_kernels.hpp"
#include "common/tensor/gemm_instead.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attn::simd_transformer {

using autograd::Variable;
using multi_head::Visible;
using transformer::DecoderLayer;
using transformer::Dropping;
using transformer::EncoderLayer;

/// What is computed on this chapter's kernels, and together with what stands beside it.
struct Fusions
{
    bool products = true;   ///< matrix products on the register tile, instead of OpenBLAS,
                            ///< while a Products lives
    bool attention = true;  ///< scores, softmax and contexts without a matrix of weights
    bool norms = true;      ///< the residual sum and the norm behind it in one pass
    bool activation = true; ///< bias and ReLU in one pass behind the product
    bool loss = true;       ///< the softmax of the scores and its cross-entropy
};

/// \returns  nothing fused: chapter 12, operator by operator
Fusions no_fusions();

/// One fusion more than before.
struct FusionStep
{
    std::string name; ///< as tables print it
    std::string idea; ///< in one line
    Fusions fusions;  ///< it and all before it
};

/// The fusions in the order in which they are switched on.
/// \returns  the first fuses nothing, the last everything
const std::vector<FusionStep>& fusion_steps();

/// Makes every float product of the tape that this thread asks for run on this chapter's kernels
/// while it lives, forward and back; changes nothing if that fusion is off. FastTransformer makes
/// one by itself, a single layer does not.
class Products
{
public:
    /// \param how      with which kernels, on how many threads
    /// \param fusions  whether at all
    Products(const Execution& how, const Fusions& fusions);

private:
    std::optional<GemmInstead> instead_;
};

/// Rows to which each sublayer adds something. What the last one adds waits until the next one
/// asks for the sum normalised, so that adding and normalising are one pass.
class ResidualRows
{
public:
    /// \param rows     [batch, n, d]
    /// \param how      with which kernels, on how many threads
    /// \param fusions  whether adding and normalising are one
    ResidualRows(Variable<float> rows, const Execution& how, const Fusions& fusions);

    /// \returns  the rows [batch, n, d]
    const Variable<float>& sum();
    /// \param norm  of d numbers
    /// \returns     norm(sum()) [batch, n, d]
    Variable<float> normalised(const nn::LayerNorm<float>& norm);
    /// \param y  added to the rows [batch, n, d]
    void add(const Variable<float>& y);
    /// \param y  instead of the rows [batch, n, d]
    void replace(Variable<float> y);

private:
    Variable<float> rows_;
    std::optional<Variable<float>> waiting_; ///< not yet added
    Execution how_;
    bool fused_;
};

/// A layer of the encoder that shares the parameters of another. Its products are OpenBLAS's
/// unless its caller holds a Products, around the call and around backward() as well: what it is
/// given as fusions.products makes no difference to it.
class FastEncoderLayer
{
public:
    /// \param layer    whose parameters it uses and trains
    /// \param how      with which kernels, on how many threads
    /// \param fusions  what is fused; products are the caller's affair
    FastEncoderLayer(const EncoderLayer<float>& layer, const Execution& how,
                     const Fusions& fusions = {});

    /// The same as EncoderLayer: attention, dense layers.
    /// \param x         [batch, n, d], receives what the layer adds
    /// \param visible   which words there are
    /// \param dropping  null: nothing is dropped
    /// \throws ContractError naming the shapes if they do not go together
    void operator()(ResidualRows& x, const Visible& visible, Dropping dropping = nullptr) const;

    /// The same of rows that come from nowhere.
    /// \param x         [batch, n, d]
    /// \param visible   which words there are
    /// \param dropping  null: nothing is dropped
    /// \returns         [batch, n, d]
    /// \throws ContractError naming the shapes if they do not go together
    Variable<float> operator()(const Variable<float>& x, const Visible& visible,
                               Dropping dropping = nullptr) const;

private:
    EncoderLayer<float> layer_;
    Execution how_;
    Fusions fusions_;
};

/// A layer of the decoder that shares the parameters of another. Its products are OpenBLAS's
/// unless its caller holds a Products, around the call and around backward() as well: what it is
/// given as fusions.products makes no difference to it.
class FastDecoderLayer
{
public:
    /// \param layer    whose parameters it uses and trains
    /// \param how      with which kernels, on how many threads
    /// \param fusions  what is fused; products are the caller's affair
    FastDecoderLayer(const DecoderLayer<float>& layer, const Execution& how,
                     const Fusions& fusions = {});

    /// The same as DecoderLayer: causal attention, attention to the source, dense layers.
    /// \param x          [batch, n_target, d], receives what the layer adds
    /// \param memory     the encoder's rows [batch, n_source, d]
    /// \param in_memory  which of them are words
    /// \param dropping   null: nothing is dropped
    /// \throws ContractError naming the shapes if they do not go together
    void operator()(ResidualRows& x, const Variable<float>& memory, const Visible& in_memory,
                    Dropping dropping = nullptr) const;

private:
    DecoderLayer<float> layer_;
    Execution how_;
    Fusions fusions_;
};

} // namespace attn::simd_transformer
