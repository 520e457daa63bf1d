#include "common/autograd/layout.hpp"

#include "common/autograd/rule.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attn::autograd {

namespace {

/// A shape seen from one of its axes: what stands before it, it, and what stands behind.
struct Around
{
    std::size_t outer;
    std::size_t length;
    std::size_t inner;
};

Around around(const Shape& shape, std::size_t axis)
{
    const auto at = shape.begin() + static_cast<std::ptrdiff_t>(axis);
    return {size_of(Shape(shape.begin(), at)), shape[axis],
            size_of(Shape(at + 1, shape.end()))};
}

/// Copies, or adds, n_rows rows of n numbers each between two arrays.
template <typename T>
void copy_rows(std::size_t n_rows, std::size_t n, const T* from, std::size_t from_step, T* to,
               std::size_t to_step)
{
    for (std::size_t i = 0; i < n_rows; ++i) {
        std::copy_n(from + i * from_step, n, to + i * to_step);
    }
}

template <typename T>
void add_rows(std::size_t n_rows, std::size_t n, const T* from, std::size_t from_step, T* to,
              std::size_t to_step)
{
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            to[i * to_step + j] += from[i * from_step + j];
        }
    }
}

/// An order of axes, and what it does to the way through an array.
struct Permutation
{
    Shape shape;   ///< of the result
    Shape strides; ///< how far apart neighbours of the result lie in x
};

Permutation permutation_of(const Shape& shape, const std::vector<std::size_t>& order)
{
    Shape strides(shape.size());
    std::size_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        strides[axis] = stride;
        stride *= shape[axis];
    }
    Permutation result{shape, strides};
    for (std::size_t i = 0; i < order.size(); ++i) {
        result.shape[i] = shape[order[i]];
        result.strides[i] = strides[order[i]];
    }
    return result;
}

/// Calls visit(offset in x, stride in x, n) for each row of the result, in order.
template <typename Visit>
void for_each_row(const Permutation& order, Visit visit)
{
    const std::size_t rank = order.shape.size();
    if (size_of(order.shape) == 0) {
        return;
    }
    if (rank == 0) {
        visit(std::size_t{0}, std::size_t{1}, std::size_t{1});
        return;
    }
    Shape index(rank, 0);
    std::size_t offset = 0;
    for (bool done = false; !done;) {
        visit(offset, order.strides[rank - 1], order.shape[rank - 1]);
        done = true;
        for (std::size_t axis = rank - 1; axis-- > 0;) { // go on to the next row
            offset += order.strides[axis];
            if (++index[axis] < order.shape[axis]) {
                done = false;
                break;
            }
            offset -= order.strides[axis] * order.shape[axis];
            index[axis] = 0;
        }
    }
}

/// The slices of a concatenation: part i covers [begins[i], begins[i + 1]) of the axis.
template <typename T>
std::vector<std::size_t> begins_of(const std::vector<Variable<T>>& parts, std::size_t axis)
{
    std::vector<std::size_t> begins{0};
    for (const Variable<T>& part : parts) {
        begins.push_back(begins.back() + part.shape()[axis]);
    }
    return begins;
}

template <typename T>
void expect_parts_fit(const std::vector<Variable<T>>& parts, std::size_t axis)
{
    const Shape& first = parts.front().shape();
    for (const Variable<T>& part : parts) {
        Shape shape = part.shape();
        if (shape.size() == first.size()) {
            shape[axis] = first[axis];
        }
        expect(shape == first, "concatenate: shapes {} and {} do not go together along axis {}",
               first, part.shape(), axis);
    }
}

} // namespace

template <typename T>
Variable<T> reshape(const Variable<T>& x, const Shape& shape)
{
    expect(x.size() == size_of(shape), "reshape: shape {} does not hold as many numbers as {}",
           shape, x.shape());
    return record(array_of<T>(shape, numbers_of(x.value())), x.needs_gradient(),
                  [x](const Array<T>& /*y*/, const Array<T>& dy) {
                      add_to_gradient(x, [g = dy.data()](std::size_t i) { return g[i]; });
                  });
}

template <typename T>
Variable<T> permute(const Variable<T>& x, const std::vector<std::size_t>& order)
{
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    bool each_once = sorted.size() == x.rank();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        each_once = each_once && sorted[i] == i;
    }
    expect(each_once, "permute: the order must hold each axis of shape {} once", x.shape());

    Permutation permutation = permutation_of(x.shape(), order);
    Array<T> y(permutation.shape);
    T* to = y.data();
    for_each_row(permutation, [&](std::size_t offset, std::size_t stride, std::size_t n) {
        const T* const from = x.value().data() + offset;
        for (std::size_t i = 0; i < n; ++i) {
            *to++ = from[i * stride];
        }
    });
    return record(
        std::move(y), x.needs_gradient(),
        [x, permutation = std::move(permutation)](const Array<T>& /*y*/, const Array<T>& dy) {
            T* const dx = zeroed_gradient(x);
            const T* from = dy.data();
            for_each_row(permutation,
                         [&](std::size_t offset, std::size_t stride, std::size_t n) {
                             for (std::size_t i = 0; i < n; ++i) {
                                 dx[offset + i * stride] += *from++;
                             }
                         });
        });
}

template <typename T>
Variable<T> transpose(const Variable<T>& x, std::ptrdiff_t axis, std::ptrdiff_t with)
{
    std::vector<std::size_t> order(x.rank());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::swap(order[axis_from(axis, x.rank(), "transpose")],
              order[axis_from(with, x.rank(), "transpose")]);
    return permute(x, order);
}

template <typename T>
Variable<T> slice(const Variable<T>& x, std::ptrdiff_t axis, std::size_t begin, std::size_t end)
{
    const std::size_t at = axis_from(axis, x.rank(), "slice");
    expect(begin <= end && end <= x.shape()[at],
           "slice: there is no part {} to {} of axis {} in shape {}", begin, end, at,
           x.shape());
    const Around whole = around(x.shape(), at);
    const std::size_t row = (end - begin) * whole.inner;
    const std::size_t step = whole.length * whole.inner;
    const std::size_t first = begin * whole.inner;
    Shape shape = x.shape();
    shape[at] = end - begin;
    Array<T> y(shape);
    copy_rows(whole.outer, row, x.value().data() + first, step, y.data(), row);
    return record(std::move(y), x.needs_gradient(),
                  [x, whole, row, step, first](const Array<T>& /*y*/, const Array<T>& dy) {
                      add_rows(whole.outer, row, dy.data(), row, zeroed_gradient(x) + first,
                               step);
                  });
}

template <typename T>
Variable<T> select(const Variable<T>& x, std::ptrdiff_t axis, std::size_t index)
{
    const std::size_t at = axis_from(axis, x.rank(), "select");
    expect(index < x.shape()[at], "select: there is no index {} along axis {} of shape {}",
           index, at, x.shape());
    Shape shape(x.shape().begin(), x.shape().end() - 1);
    std::copy(x.shape().begin() + static_cast<std::ptrdiff_t>(at) + 1, x.shape().end(),
              shape.begin() + static_cast<std::ptrdiff_t>(at));
    return reshape(slice(x, axis, index, index + 1), shape);
}

template <typename T>
Variable<T> concatenate(const std::vector<Variable<T>>& parts, std::ptrdiff_t axis)
{
    expect(!parts.empty(), "concatenate: there must be at least one part");
    const std::size_t at = axis_from(axis, parts.front().rank(), "concatenate");
    expect_parts_fit(parts, at);
    std::vector<std::size_t> begins = begins_of(parts, at);
    Shape shape = parts.front().shape();
    shape[at] = begins.back();
    const Around whole = around(shape, at);
    const std::size_t step = whole.length * whole.inner;

    Array<T> y(shape);
    bool needs_gradient = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t row = (begins[i + 1] - begins[i]) * whole.inner;
        copy_rows(whole.outer, row, parts[i].value().data(), row,
                  y.data() + begins[i] * whole.inner, step);
        needs_gradient = needs_gradient || parts[i].needs_gradient();
    }
    return record(std::move(y), needs_gradient,
                  [parts, begins = std::move(begins), whole, step](const Array<T>& /*y*/,
                                                                   const Array<T>& dy) {
                      for (std::size_t i = 0; i < parts.size(); ++i) {
                          const std::size_t row = (begins[i + 1] - begins[i]) * whole.inner;
                          if (parts[i].needs_gradient()) {
                              add_rows(whole.outer, row, dy.data() + begins[i] * whole.inner,
                                       step, zeroed_gradient(parts[i]), row);
                          }
                      }
                  });
}

template <typename T>
Variable<T> stack(const std::vector<Variable<T>>& parts, std::ptrdiff_t axis)
{
    expect(!parts.empty(), "stack: there must be at least one part");
    const Shape& part_shape = parts.front().shape();
    const std::size_t at = axis_from(axis, part_shape.size() + 1, "stack");
    const auto place = static_cast<std::ptrdiff_t>(at);
    Shape shape(part_shape.size() + 1, 1);
    std::copy(part_shape.begin(), part_shape.begin() + place, shape.begin());
    std::copy(part_shape.begin() + place, part_shape.end(), shape.begin() + place + 1);

    // A part with an axis of length 1 more; the axis is then what they are joined along.
    std::vector<Variable<T>> widened;
    widened.reserve(parts.size());
    for (const Variable<T>& part : parts) {
        expect(part.shape() == part_shape, "stack: shapes {} and {} differ", part_shape,
               part.shape());
        widened.push_back(reshape(part, shape));
    }
    return concatenate(widened, place);
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> reshape(const Variable<T>&, const Shape&);                            \
    template Variable<T> permute(const Variable<T>&, const std::vector<std::size_t>&);         \
    template Variable<T> transpose(const Variable<T>&, std::ptrdiff_t, std::ptrdiff_t);        \
    template Variable<T> slice(const Variable<T>&, std::ptrdiff_t, std::size_t, std::size_t);  \
    template Variable<T> select(const Variable<T>&, std::ptrdiff_t, std::size_t);              \
    template Variable<T> concatenate(const std::vector<Variable<T>>&, std::ptrdiff_t);         \
    template Variable<T> stack(const std::vector<Variable<T>>&, std::ptrdiff_t);

ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
