/// \file
/// \brief The bodies of fast_layers.hpp.
#include "chapters/14_simd_transformer/fast_layers.hpp"

#include "chapters/14_simd_transformer/flash_attention.hpp"
#include "chapters/14_simd_transformer/fused.hpp"
#include "chapters/14_simd_transformer/matrix_product.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/dropout.hpp"

#include <utility>

namespace attn::simd_transformer {

using transformer::LayerOptions;
using transformer::NormPlace;

// ---------------------------------------------------------------- what is fused

Fusions no_fusions()
{
    return {.products = false,
            .attention = false,
            .norms = false,
            .activation = false,
            .loss = false};
}

const std::vector<FusionStep>& fusion_steps()
{
    static const std::vector<FusionStep> list = [] {
        Fusions now = no_fusions();
        std::vector<FusionStep> steps = {
            {"chapter 12", "every operator a pass of its own, products by OpenBLAS", now}};
        const auto then = [&](const char* name, const char* idea, bool Fusions::*fusion) {
            now.*fusion = true;
            steps.push_back({name, idea, now});
        };
        then("products", "a register tile that reads its left factor where it lies",
             &Fusions::products);
        then("norms",
             "residual sum, moments and normalised row while the row is in the first cache",
             &Fusions::norms);
        then("attention", "scores become weights and contexts tile by tile, nothing is kept",
             &Fusions::attention);
        then("activation",
             "bias and ReLU in one walk over the product, which begins without a bias",
             &Fusions::activation);
        then("loss", "softmax and cross-entropy of a row of scores in one visit",
             &Fusions::loss);
        return steps;
    }();
    return list;
}

Products::Products(const Execution& how, const Fusions& fusions)
{
    if (fusions.products) {
        instead_.emplace([how](auto... product) { multiply(how, product...); });
    }
}

// ---------------------------------------------------------------- rows that grow by adding

ResidualRows::ResidualRows(Variable<float> rows, const Execution& how, const Fusions& fusions)
    : rows_(std::move(rows)), how_(how), fused_(fusions.norms)
{
}

const Variable<float>& ResidualRows::sum()
{
    if (waiting_) {
        rows_ = rows_ + *std::exchange(waiting_, std::nullopt);
    }
    return rows_;
}

Variable<float> ResidualRows::normalised(const nn::LayerNorm<float>& norm)
{
    if (!fused_) {
        return norm(sum());
    }
    if (!waiting_) {
        return layer_norm(how_, rows_, norm.weight, norm.bias, norm.epsilon);
    }
    const Variable<float> y = *std::exchange(waiting_, std::nullopt);
    Normalised both = add_and_normalise(how_, rows_, y, norm.weight, norm.bias, norm.epsilon);
    rows_ = std::move(both.sum);
    return both.normalised;
}

void ResidualRows::add(const Variable<float>& y)
{
    sum();
    waiting_ = y;
}

void ResidualRows::replace(Variable<float> y)
{
    waiting_.reset();
    rows_ = std::move(y);
}

// ---------------------------------------------------------------- layers

namespace {

/// Chapter 12's sublayer: x + f(norm(x)), or norm(x + f(x)).
template <typename Function>
void fused_sublayer(const LayerOptions& options, const nn::LayerNorm<float>& norm,
                    ResidualRows& x, Dropping dropping, Function f)
{
    Variable<float> y =
        f(options.norm == NormPlace::before ? x.normalised(norm) : Variable<float>(x.sum()));
    if (dropping != nullptr) {
        y = dropout(y, options.dropout, *dropping);
    }
    if (options.residual) {
        x.add(y);
    } else {
        x.replace(std::move(y));
    }
    if (options.norm == NormPlace::after) {
        x.replace(x.normalised(norm));
    }
}

/// The dense layers, if there are some.
void fused_dense(const LayerOptions& options, const transformer::FeedForward<float>& dense,
                 const nn::LayerNorm<float>& norm, ResidualRows& x, Dropping dropping,
                 const Execution& how, const Fusions& fusions)
{
    if (!options.feed_forward) {
        return;
    }
    fused_sublayer(options, norm, x, dropping, [&](const Variable<float>& rows) {
        return fusions.activation
                   ? dense.W_2(linear_relu(how, rows, dense.W_1.weight, *dense.W_1.bias))
                   : dense(rows);
    });
}

} // namespace

FastEncoderLayer::FastEncoderLayer(const EncoderLayer<float>& layer, const Execution& how,
                                   const Fusions& fusions)
    : layer_(layer), how_(how), fusions_(fusions)
{
    if (fusions_.attention) {
        layer_.self.attend = flash_kernel(how_);
    }
}

void FastEncoderLayer::operator()(ResidualRows& x, const Visible& visible,
                                  Dropping dropping) const
{
    fused_sublayer(layer_.options, layer_.norm_self, x, dropping,
                   [&](const Variable<float>& rows) {
                       return layer_.self.look(rows, layer_.self.project(rows, rows), visible);
                   });
    fused_dense(layer_.options, layer_.feed_forward, layer_.norm_forward, x, dropping, how_,
                fusions_);
}

Variable<float> FastEncoderLayer::operator()(const Variable<float>& x, const Visible& visible,
                                             Dropping dropping) const
{
    ResidualRows rows(x, how_, fusions_);
    (*this)(rows, visible, dropping);
    return rows.sum();
}

FastDecoderLayer::FastDecoderLayer(const DecoderLayer<float>& layer, const Execution& how,
                                   const Fusions& fusions)
    : layer_(layer), how_(how), fusions_(fusions)
{
    if (fusions_.attention) {
        layer_.self.attend = flash_kernel(how_);
        layer_.source.attend = layer_.self.attend;
    }
}

void FastDecoderLayer::operator()(ResidualRows& x, const Variable<float>& memory,
                                  const Visible& in_memory, Dropping dropping) const
{
    const Visible no_later_word{.causal = true};
    if (layer_.options.own_past) {
        fused_sublayer(
            layer_.options, layer_.norm_self, x, dropping, [&](const Variable<float>& rows) {
                return layer_.self.look(rows, layer_.self.project(rows, rows), no_later_word);
            });
    }
    fused_sublayer(
        layer_.options, layer_.norm_source, x, dropping, [&](const Variable<float>& rows) {
            return layer_.source.look(rows, layer_.source.project(memory, memory), in_memory);
        });
    fused_dense(layer_.options, layer_.feed_forward, layer_.norm_forward, x, dropping, how_,
                fusions_);
}

} // namespace attn::simd_transformer
