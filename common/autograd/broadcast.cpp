#include "common/autograd/broadcast.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::autograd {

namespace {

/// The length of the axis that is the given number of places from the last one.
std::size_t length_from_back(const Shape& shape, std::size_t place)
{
    return place < shape.size() ? shape[shape.size() - 1 - place] : 1;
}

} // namespace

Shape broadcast_shape(const Shape& a, const Shape& b)
{
    const std::size_t rank = std::max(a.size(), b.size());
    Shape shape(rank);
    for (std::size_t place = 0; place < rank; ++place) {
        const std::size_t in_a = length_from_back(a, place);
        shape[rank - 1 - place] = in_a == 1 ? length_from_back(b, place) : in_a;
    }
    return shape;
}

Broadcast::Broadcast(const Shape& a, const Shape& b, const char* function)
{
    if (a == b) { // the usual case, without a look at the axes
        equal_shapes_ = true;
        size_ = size_of(a);
        axes_[n_axes_++] = {size_, 1, 1};
        return;
    }
    const std::size_t rank = std::max(a.size(), b.size());
    expect(rank <= max_rank, "{}: at most {} axes, got shapes {} and {}", function, +max_rank,
           a, b);
    std::size_t step_a = 1;
    std::size_t step_b = 1;
    for (std::size_t place = 0; place < rank; ++place) {
        const std::size_t in_a = length_from_back(a, place);
        const std::size_t in_b = length_from_back(b, place);
        expect(in_a == in_b || in_a == 1 || in_b == 1,
               "{}: shapes {} and {} do not go together at axis {} from the back", function, a,
               b, place + 1);
        const std::size_t length = in_a == 1 ? in_b : in_a;
        add_axis({length, in_a == 1 ? 0 : step_a, in_b == 1 ? 0 : step_b});
        step_a *= in_a;
        step_b *= in_b;
        size_ *= length;
    }
    if (n_axes_ == 0) {
        axes_[n_axes_++] = {1, 0, 0};
    }
}

void Broadcast::add_axis(const Axis& axis)
{
    if (axis.length == 1) {
        return;
    }
    if (n_axes_ > 0) {
        Axis& inner = axes_[n_axes_ - 1];
        if (axis.step_a == inner.step_a * inner.length &&
            axis.step_b == inner.step_b * inner.length) {
            inner.length *= axis.length;
            return;
        }
    }
    axes_[n_axes_++] = axis;
}

} // namespace attn::autograd
