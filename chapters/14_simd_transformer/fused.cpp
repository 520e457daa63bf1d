/// \file
/// \brief The bodies of fused.hpp. What all rows add to, as a bias' gradient, is added up for
/// each block of rows, and the blocks' sums in order.
#include "chapters/14_simd_transformer/fused.hpp"

#include "chapters/14_simd_transformer/row_blocks.hpp"
#include "common/autograd/affine.hpp"
#include "common/autograd/layer_norm.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/elementary.hpp"
#include "common/tensor/gemm.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace attn::simd_transformer {

namespace {

using autograd::GradientSum;
using autograd::open_gradient;
using autograd::record;
using autograd::zeroed_gradient;

// ---------------------------------------------------------------- sums over rows

/// Sums over the rows of each block: [n_blocks, n], from zero.
Array<float> sums_of_blocks(const RowBlocks& blocks, std::size_t n)
{
    return filled<float>({blocks.count(), n}, 0.0F);
}

/// Adds the blocks' sums to a gradient, in order, if one is needed.
void add_sums(const Variable<float>& x, const Array<float>& sums)
{
    if (!x.needs_gradient()) {
        return;
    }
    float* const dx = zeroed_gradient(x);
    const std::size_t n = x.size();
    for (std::size_t block = 0; block < sums.shape()[0]; ++block) {
        const float* const sum = sums.data() + block * n;
        for (std::size_t j = 0; j < n; ++j) {
            dx[j] += sum[j];
        }
    }
}

/// Where a gradient's numbers are, or null if none is needed.
GradientSum<float> gradient_if_needed(const Variable<float>& x)
{
    return x.needs_gradient() ? open_gradient(x) : GradientSum<float>{nullptr, 0.0F};
}

// ---------------------------------------------------------------- product, bias, activation

/// What follows a product with its bias.
enum class Behind
{
    nothing,
    relu,
    gelu
};

/// How many rows there are, even of no numbers: what is in front of the last axis, multiplied.
std::size_t rows_of(const Shape& shape)
{
    return size_of(Shape(shape.begin(), shape.end() - 1));
}

/// The way back of Y = f(X W + b).
struct LinearRule
{
    Execution how;          ///< kernels and threads
    Behind behind;          ///< f
    Variable<float> x;      ///< X [..., n_in]
    Variable<float> weight; ///< W [n_in, n_out]
    Variable<float> bias;   ///< b [n_out]
    Array<float> slope;     ///< f' [..., n_out] for gelu, else empty

    /// dZ = dY f' and the sums of its columns, for one block of rows.
    void back_through_activation(RowsSize size, const float* y, const float* at,
                                 const float* dy, float* dz, float* dbias) const
    {
        const RowKernels& kernels = how.kernels->rows;
        switch (behind) {
        case Behind::nothing:
            kernels.sum_columns(size, dy, dbias);
            break;
        case Behind::relu:
            kernels.relu_back(size, y, dy, dz, dbias);
            break;
        case Behind::gelu:
            kernels.gelu_back(size, at, dy, dz, dbias);
            break;
        }
    }

    /// dX += dZ Wᵀ and dW += Xᵀ dZ, where they are needed.
    void back_through_product(const float* dz, std::size_t n_rows) const
    {
        const std::size_t n_in = weight.shape()[0];
        const std::size_t n_out = weight.shape()[1];
        if (x.needs_gradient()) {
            const auto [dx, beta] = open_gradient(x);
            gemm(Transpose::no, Transpose::yes, n_rows, n_in, n_out, 1.0F, dz, n_out,
                 weight.value().data(), n_out, beta, dx, n_in);
        }
        if (weight.needs_gradient()) {
            const auto [dweight, beta] = open_gradient(weight);
            gemm(Transpose::yes, Transpose::no, n_in, n_out, n_rows, 1.0F, x.value().data(),
                 n_in, dz, n_out, beta, dweight, n_out);
        }
    }

    /// Adds to all three gradients.
    void operator()(const Array<float>& y, const Array<float>& dy) const
    {
        const std::size_t n_out = weight.shape()[1];
        const std::size_t n_rows = rows_of(y.shape());
        const bool bent = behind != Behind::nothing;
        const RowBlocks blocks = blocks_of_rows(n_rows, n_out);
        Array<float> changed = uninitialised<float>(bent ? y.shape() : Shape{0});
        Array<float> dbias = sums_of_blocks(blocks, n_out);
        blocks.for_each(how, [&](std::size_t block, std::size_t first, std::size_t n) {
            const std::size_t at = first * n_out;
            back_through_activation(
                {n, n_out}, y.data() + at, slope.data() + (slope.size() == 0 ? 0 : at),
                dy.data() + at, changed.data() + (bent ? at : 0), dbias.data() + block * n_out);
        });
        back_through_product(bent ? changed.data() : dy.data(), n_rows);
        add_sums(bias, dbias);
    }
};

/// Adds the bias to a block of products, and applies what is behind.
void finish_product(const Execution& how, Behind behind, RowsSize size, const float* bias,
                    float* y, float* slope)
{
    const RowKernels& kernels = how.kernels->rows;
    switch (behind) {
    case Behind::nothing:
        kernels.add_bias(size, bias, y);
        break;
    case Behind::relu:
        kernels.bias_relu(size, bias, y);
        break;
    case Behind::gelu:
        kernels.bias_gelu(size, bias, y, slope);
        break;
    }
}

Variable<float> product_and(Behind behind, const char* name, const Execution& how,
                            const Variable<float>& x, const Variable<float>& weight,
                            const Variable<float>& bias)
{
    const Shape shape = autograd::affine_shape(x, weight, &bias, name);
    const std::size_t n_in = weight.shape()[0];
    const std::size_t n_out = weight.shape()[1];
    const std::size_t n_rows = rows_of(shape);
    const bool needs_gradient =
        x.needs_gradient() || weight.needs_gradient() || bias.needs_gradient();
    const bool keeps_slope =
        behind == Behind::gelu && needs_gradient && autograd::Tape<float>::current != nullptr;
    Array<float> y = uninitialised<float>(shape);
    Array<float> slope = uninitialised<float>(keeps_slope ? shape : Shape{0});
    gemm(Transpose::no, Transpose::no, n_rows, n_out, n_in, 1.0F, x.value().data(), n_in,
         weight.value().data(), n_out, 0.0F, y.data(), n_out);
    blocks_of_rows(n_rows, n_out)
        .for_each(how, [&](std::size_t, std::size_t first, std::size_t n) {
            finish_product(how, behind, {n, n_out}, bias.value().data(),
                           y.data() + first * n_out,
                           keeps_slope ? slope.data() + first * n_out : nullptr);
        });
    return record(std::move(y), needs_gradient,
                  LinearRule{how, behind, x, weight, bias, std::move(slope)});
}

// ---------------------------------------------------------------- normalisation

/// What the way back of a normalisation needs of its rows.
struct Moments
{
    Array<float> means;              ///< [n_rows]
    Array<float> inverse_deviations; ///< [n_rows]

    explicit Moments(std::size_t n_rows)
        : means(uninitialised<float>({n_rows})),
          inverse_deviations(uninitialised<float>({n_rows}))
    {
    }

    /// Those of the rows from the first one given.
    RowMoments from(std::size_t first)
    {
        return {means.data() + first, inverse_deviations.data() + first};
    }
};

/// The way back of layer_norm.
struct NormRule
{
    Execution how;           ///< kernels and threads
    Variable<float> x;       ///< [..., d]
    Variable<float> gain;    ///< [d]
    Variable<float> bias;    ///< [d]
    mutable Moments moments; ///< of x; the kernels read them through pointers that could write

    /// Adds to all three gradients.
    void operator()(const Array<float>& /*y*/, const Array<float>& dy) const
    {
        const std::size_t d = gain.size();
        const RowBlocks blocks = blocks_of_rows(x.size() / d, d);
        Array<float> dgain = sums_of_blocks(blocks, d);
        Array<float> dbias = sums_of_blocks(blocks, d);
        const GradientSum<float> dx = gradient_if_needed(x);
        blocks.for_each(how, [&](std::size_t block, std::size_t first, std::size_t n) {
            const std::size_t at = first * d;
            how.kernels->rows.normalise_back({n, d},
                                             {x.value().data() + at, dy.data() + at,
                                              gain.value().data(), moments.from(first)},
                                             {dx.data == nullptr ? nullptr : dx.data + at,
                                              dx.beta != 0.0F, dgain.data() + block * d,
                                              dbias.data() + block * d});
        });
        add_sums(gain, dgain);
        add_sums(bias, dbias);
    }
};

/// Writes a normalisation down.
Variable<float> record_norm(const Execution& how, Array<float>&& y, const Variable<float>& x,
                            const Variable<float>& gain, const Variable<float>& bias,
                            Moments&& moments)
{
    return record(std::move(y),
                  x.needs_gradient() || gain.needs_gradient() || bias.needs_gradient(),
                  NormRule{how, x, gain, bias, std::move(moments)});
}

// ---------------------------------------------------------------- cross entropy

/// The way back of a cross entropy.
struct EntropyRule
{
    Execution how;                  ///< kernels and threads
    Variable<float> logits;         ///< [n, n_classes]
    Array<std::int64_t> targets;    ///< [n]
    autograd::CrossEntropy options; ///< as they were given
    double weight;                  ///< of a row
    Array<float> largest;           ///< [n], of each row that counts
    Array<float> powers;            ///< [n], their sums

    /// Adds scale (p - q) to a row's gradient.
    void back_through_row(std::size_t row, double scale, const GradientSum<float>& sum) const
    {
        const std::size_t n_classes = logits.shape()[1];
        float* const dx = sum.data + row * n_classes;
        const std::int64_t target = targets.data()[row];
        const bool adds = sum.beta != 0.0F;
        if (target == options.ignored) {
            if (!adds) {
                std::fill_n(dx, n_classes, 0.0F);
            }
            return;
        }
        const double smooth = options.label_smoothing / static_cast<double>(n_classes);
        how.kernels->rows.logit_gradient(n_classes, logits.value().data() + row * n_classes,
                                         {largest.data()[row],
                                          static_cast<float>(scale) / powers.data()[row],
                                          static_cast<float>(scale * smooth), adds},
                                         dx);
        dx[target] -= static_cast<float>(scale * (1 - options.label_smoothing));
    }

    /// Adds to the logits' gradient.
    void operator()(const Array<float>& /*loss*/, const Array<float>& gradient) const
    {
        const GradientSum<float> sum = open_gradient(logits);
        const double scale = weight * static_cast<double>(gradient.data()[0]);
        blocks_of_rows(targets.size(), logits.shape()[1])
            .for_each(how, [&](std::size_t, std::size_t first, std::size_t n) {
                for (std::size_t row = first; row < first + n; ++row) {
                    back_through_row(row, scale, sum);
                }
            });
    }
};

/// One row's loss, from what a walk along it brought.
double loss_from(const LogitSums& sums, float target_logit, std::size_t n_classes,
                 double smoothing)
{
    double from_largest = static_cast<double>(target_logit - sums.largest);
    if (smoothing > 0) {
        from_largest =
            (1 - smoothing) * from_largest +
            smoothing * static_cast<double>(sums.differences) / static_cast<double>(n_classes);
    }
    return elementary::log(static_cast<double>(sums.powers)) - from_largest;
}

} // namespace

Variable<float> linear(const Execution& how, const Variable<float>& x,
                       const Variable<float>& weight, const Variable<float>& bias)
{
    return product_and(Behind::nothing, "linear", how, x, weight, bias);
}

Variable<float> linear_relu(const Execution& how, const Variable<float>& x,
                            const Variable<float>& weight, const Variable<float>& bias)
{
    return product_and(Behind::relu, "linear_relu", how, x, weight, bias);
}

Variable<float> linear_gelu(const Execution& how, const Variable<float>& x,
                            const Variable<float>& weight, const Variable<float>& bias)
{
    return product_and(Behind::gelu, "linear_gelu", how, x, weight, bias);
}

Variable<float> layer_norm(const Execution& how, const Variable<float>& x,
                           const Variable<float>& gain, const Variable<float>& bias,
                           double epsilon)
{
    expect_normalisable(x, gain, bias, epsilon);
    const std::size_t d = gain.size();
    Array<float> y = uninitialised<float>(x.shape());
    Moments moments(x.size() / d);
    const NormScale scale{gain.value().data(), bias.value().data(),
                          static_cast<float>(epsilon)};
    blocks_of_rows(x.size() / d, d)
        .for_each(how, [&](std::size_t, std::size_t first, std::size_t n) {
            how.kernels->rows.normalise({n, d}, x.value().data() + first * d, scale,
                                        y.data() + first * d, moments.from(first));
        });
    return record_norm(how, std::move(y), x, gain, bias, std::move(moments));
}

Normalised add_and_normalise(const Execution& how, const Variable<float>& x,
                             const Variable<float>& y, const Variable<float>& gain,
                             const Variable<float>& bias, double epsilon)
{
    autograd::expect_shape(y, x.shape(), "add_and_normalise", "y");
    expect_normalisable(x, gain, bias, epsilon);
    const std::size_t d = gain.size();
    Array<float> sum = uninitialised<float>(x.shape());
    Array<float> normalised = uninitialised<float>(x.shape());
    Moments moments(x.size() / d);
    const NormScale scale{gain.value().data(), bias.value().data(),
                          static_cast<float>(epsilon)};
    blocks_of_rows(x.size() / d, d)
        .for_each(how, [&](std::size_t, std::size_t first, std::size_t n) {
            const std::size_t at = first * d;
            how.kernels->rows.add_and_normalise({n, d}, x.value().data() + at,
                                                y.value().data() + at, scale, sum.data() + at,
                                                normalised.data() + at, moments.from(first));
        });
    const Variable<float> total =
        record(std::move(sum), x.needs_gradient() || y.needs_gradient(),
               [x, y](const Array<float>& /*sum*/, const Array<float>& gradient) {
                   const float* const d_sum = gradient.data();
                   autograd::add_to_gradient(x, [=](std::size_t i) { return d_sum[i]; });
                   add_to_gradient(y, [=](std::size_t i) { return d_sum[i]; });
               });
    return {total,
            record_norm(how, std::move(normalised), total, gain, bias, std::move(moments))};
}

Variable<float> cross_entropy(const Execution& how, const Variable<float>& logits,
                              std::span<const std::int64_t> targets,
                              const autograd::CrossEntropy& options)
{
    const double weight = weight_of_rows(logits, targets, options);
    const std::size_t n_classes = logits.shape()[1];
    Array<float> largest = uninitialised<float>({targets.size()});
    Array<float> powers = uninitialised<float>({targets.size()});
    Array<double> losses = filled<double>({targets.size()}, 0.0);
    const auto walk_along = [&](std::size_t row) {
        const float* const x = logits.value().data() + row * n_classes;
        const LogitSums sums = how.kernels->rows.logit_sums(n_classes, x);
        largest.data()[row] = sums.largest;
        powers.data()[row] = sums.powers;
        losses.data()[row] =
            loss_from(sums, x[targets[row]], n_classes, options.label_smoothing);
    };
    blocks_of_rows(targets.size(), n_classes)
        .for_each(how, [&](std::size_t, std::size_t first, std::size_t n) {
            for (std::size_t row = first; row < first + n; ++row) {
                if (targets[row] != options.ignored) {
                    walk_along(row);
                }
            }
        });
    double loss = 0;
    for (const double of_row : numbers_of(losses)) {
        loss += of_row;
    }
    return record(Array<float>(Shape{}, static_cast<float>(weight * loss)),
                  logits.needs_gradient(),
                  EntropyRule{how, logits, array_of<std::int64_t>({targets.size()}, targets),
                              options, weight, std::move(largest), std::move(powers)});
}

} // namespace attn::simd_transformer
