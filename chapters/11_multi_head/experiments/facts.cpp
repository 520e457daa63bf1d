#include "chapters/11_multi_head/experiments/facts.hpp"

#include "chapters/11_multi_head/experiments/streams.hpp"
#include "chapters/11_multi_head/linear_attention.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/kernels/elementary.hpp"
#include "common/nn/initialise.hpp"

#include <algorithm>
#include <cmath>

namespace attn::multi_head {

namespace {

using random::Generator;

constexpr std::size_t d_model = 12;
constexpr std::size_t n_tokens = 6;

Variable<double> normals(const Shape& shape, Generator& generator)
{
    return Variable<double>(nn::initialise::normal<double>(shape, 0.0, 1.0, generator));
}

double largest_difference(const Array<double>& a, const Array<double>& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
    }
    return largest;
}

Variable<double> in_order(const Variable<double>& x, const std::vector<std::size_t>& order)
{
    std::vector<Variable<double>> rows;
    for (const std::size_t row : order) {
        rows.push_back(slice(x, 1, row, row + 1));
    }
    return autograd::concatenate(rows, 1);
}

} // namespace

double difference_of_orders(Positions positions, std::uint64_t seed)
{
    Generator generator(seed, stream::facts);
    MultiHeadAttention<double> layer({.d_model = d_model, .n_heads = 3}, generator);
    const Variable<double> x = normals({1, n_tokens, d_model}, generator);
    Variable<double> rows(filled<double>({n_tokens, d_model}, 0.0));
    if (positions == Positions::rotary) {
        layer.rotate = rotated_by_position<double>;
    } else if (positions == Positions::sinusoidal) {
        rows = Variable<double>(sinusoids<double>(n_tokens, d_model));
    } else if (positions == Positions::learnt) {
        rows = normals({n_tokens, d_model}, generator);
    }
    const std::vector<std::size_t> order = generator.permutation(n_tokens);
    return largest_difference(layer(in_order(x, order) + rows).value(),
                              in_order(layer(x + rows), order).value());
}

double difference_of_shifts(std::size_t d, std::size_t shift)
{
    constexpr std::size_t n = 100;
    const Array<double> p = sinusoids<double>(n + shift, d);
    const Matrix r = rotation_between_positions(d, static_cast<double>(shift));
    double largest = 0;
    for (std::size_t t = 0; t < n; ++t) {
        for (std::size_t j = 0; j < d; ++j) {
            double rotated = 0;
            for (std::size_t i = 0; i < d; ++i) {
                rotated += p.data()[t * d + i] * r(i, j);
            }
            largest = std::max(largest, std::abs(rotated - p.data()[(t + shift) * d + j]));
        }
    }
    return largest;
}

double likeness_to_the_one_before(std::size_t d, std::size_t n_pairs, std::size_t distance)
{
    const Vector omega = frequencies(d);
    expect(n_pairs >= 1 && n_pairs <= omega.size() && distance >= 1,
           "likeness_to_the_one_before: 1 to {} pairs and a distance are wanted, got {} and {}",
           omega.size(), n_pairs, distance);
    double sum = 0;
    for (std::size_t j = 0; j < n_pairs; ++j) {
        sum += elementary::cos(omega(j) * static_cast<double>(distance - 1));
    }
    return sum / static_cast<double>(n_pairs);
}

MultiHeadAttention<double> heads_in_order(const MultiHeadAttention<double>& layer,
                                          const std::vector<std::size_t>& order,
                                          bool with_output)
{
    const std::size_t n_heads = layer.n_heads;
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t h = 0; h < std::max(n_heads, sorted.size()); ++h) {
        expect(sorted.size() == n_heads && sorted[h] == h,
               "heads_in_order: each of {} heads must be named once, got {} names", n_heads,
               order.size());
    }
    const std::size_t d = layer.W_q.weight.shape()[1];
    const auto source = [d_head = d / n_heads, &order](std::size_t column) {
        return order[column / d_head] * d_head + column % d_head;
    };
    const auto columns_in_order = [&](const Variable<double>& from) { // a matrix or a bias
        Array<double> to = from.value();
        for (std::size_t i = 0; i < to.size(); ++i) {
            to.data()[i] = from.value().data()[i / d * d + source(i % d)];
        }
        return autograd::parameter(to);
    };
    MultiHeadAttention<double> result = layer;
    for (nn::Linear<double>* const projection : {&result.W_q, &result.W_k, &result.W_v}) {
        projection->weight = columns_in_order(projection->weight);
        if (projection->bias) {
            projection->bias = columns_in_order(*projection->bias);
        }
    }
    result.W_o.weight = autograd::parameter(layer.W_o.weight.value());
    for (std::size_t row = 0; with_output && row < d; ++row) {
        std::copy_n(layer.W_o.weight.value().data() + source(row) * d, d,
                    result.W_o.weight.value().data() + row * d);
    }
    return result;
}

double difference_of_heads(bool with_output, std::uint64_t seed)
{
    Generator generator(seed, stream::facts);
    const MultiHeadAttention<double> layer({.d_model = d_model, .n_heads = 3}, generator);
    const Variable<double> x = normals({1, n_tokens, d_model}, generator);
    return largest_difference(heads_in_order(layer, {1, 2, 0}, with_output)(x).value(),
                              layer(x).value());
}

double difference_of_forms(std::size_t n, std::size_t d, std::uint64_t seed)
{
    Generator generator(seed, stream::facts);
    const Variable<double> q = normals({1, n, d}, generator);
    const Variable<double> k = normals({1, n, d}, generator);
    const Variable<double> v = normals({1, n, d}, generator);
    const Variable<double> at_once = attend_linearly(q, k, v, 1, {{}, true});
    const auto row = [&](const Variable<double>& x, std::size_t t) {
        Vector numbers = Vector::from_shape({d});
        std::copy_n(x.value().data() + t * d, d, numbers.begin());
        return numbers;
    };
    LinearState state(d, d);
    double largest = 0;
    for (std::size_t t = 0; t < n; ++t) {
        const Vector c = state.step(row(q, t), row(k, t), row(v, t));
        for (std::size_t j = 0; j < d; ++j) {
            largest = std::max(largest, std::abs(c(j) - at_once.value().data()[t * d + j]));
        }
    }
    return largest;
}

} // namespace attn::multi_head
