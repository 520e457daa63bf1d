#include "chapters/12_transformer/experiments/depth.hpp"

#include "common/autograd/losses.hpp"

#include <cmath>

namespace attn::transformer {

namespace {

constexpr std::uint64_t depth_stream = 125ULL << 40U;

double square_sum(const Array<double>& numbers)
{
    double sum = 0;
    for (const double number : numbers_of(numbers)) {
        sum += number * number;
    }
    return sum;
}

/// The sum of squares of rows less the mean row of their sentence.
double square_sum_apart(const Array<double>& rows)
{
    const std::size_t n = rows.shape()[1];
    const std::size_t d = rows.shape()[2];
    double sum = 0;
    for (std::size_t b = 0; b < rows.shape()[0]; ++b) {
        for (std::size_t m = 0; m < d; ++m) {
            const auto number = [&](std::size_t t) { return rows.data()[(b * n + t) * d + m]; };
            double mean = 0;
            for (std::size_t t = 0; t < n; ++t) {
                mean += number(t) / static_cast<double>(n);
            }
            for (std::size_t t = 0; t < n; ++t) {
                sum += (number(t) - mean) * (number(t) - mean);
            }
        }
    }
    return sum;
}

Variable<double> random_rows(const Shape& shape, random::Generator& generator)
{
    Array<double> rows = uninitialised<double>(shape);
    for (double& number : numbers_of(rows)) {
        number = generator.normal();
    }
    return Variable<double>(std::move(rows));
}

} // namespace

const std::vector<DepthKind>& depth_kinds()
{
    static const std::vector<DepthKind> kinds = {
        {"pre-norm", "pre", {.norm = NormPlace::before}, true},
        {"post-norm", "post", {.norm = NormPlace::after}, false}, // has one there already
        {"no norm", "none", {.norm = NormPlace::nowhere}, true},
        {"pre-norm, no residual", "no_residual", {.residual = false}, true},
        {"pre-norm, no last", "pre_bare", {.norm = NormPlace::before}, false},
        {"no norm, no last", "none_bare", {.norm = NormPlace::nowhere}, false}};
    return kinds;
}

DepthNorms norms_by_depth(const DepthKind& kind, std::size_t n_layers, std::uint64_t seed)
{
    const std::size_t d = kind.layer.d_model;
    const Shape shape = {4, 10, d};
    random::Generator generator(seed, depth_stream);
    std::vector<EncoderLayer<double>> layers;
    for (std::size_t i = 0; i < n_layers; ++i) {
        layers.emplace_back(kind.layer, generator);
    }
    const Variable<double> target = random_rows(shape, generator);
    Variable<double> rows = random_rows(shape, generator);

    const autograd::Tape<double> tape;
    DepthNorms norms;
    for (const EncoderLayer<double>& one : layers) {
        rows = one(rows, {}).sum();
        const double squares = square_sum(rows.value());
        norms.rows.push_back(std::sqrt(squares / static_cast<double>(rows.size())));
        norms.apart.push_back(std::sqrt(square_sum_apart(rows.value()) / squares));
    }
    const nn::LayerNorm<double> last(d);
    backward(mean_squared_error(kind.last_norm ? last(rows) : rows, target));
    for (const EncoderLayer<double>& one : layers) {
        double sum = 0;
        for (const nn::NamedParameter<double>& parameter : one.parameters()) {
            sum += square_sum(parameter.variable.gradient());
        }
        norms.gradients.push_back(std::sqrt(sum));
    }
    return norms;
}

} // namespace attn::transformer
