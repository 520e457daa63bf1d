#include "common/autograd/softmax.hpp"

#include "common/autograd/layout.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/elementary.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/kernels/vector_math.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace attn::autograd {

namespace {

template <typename T>
constexpr T hidden_score = -std::numeric_limits<T>::infinity();

// ---------------------------------------------------------------- a mask, row by row

/// A mask repeated to a shape, walked through row by row along the last axis.
class MaskRows
{
public:
    MaskRows(const Mask& mask, const Shape& shape, const char* function) : row_(mask.data())
    {
        expect(mask.dimension() <= shape.size(),
               "{}: mask must have at most as many axes as x, {}, got {}", function, shape,
               mask.shape());
        const std::size_t missing = shape.size() - mask.dimension();
        std::size_t stride = 1;
        for (std::size_t a = shape.size(); a-- > 0;) {
            const std::size_t length = a < missing ? 1 : mask.shape()[a - missing];
            expect(length == 1 || length == shape[a],
                   "{}: mask must have x's shape, {}, or 1 in place of a length, got {}",
                   function, shape, mask.shape());
            counters_.push_back({0, shape[a], length == 1 ? 0 : stride});
            stride *= length;
        }
    }

    /// The scores of the current row, -infinity where they are hidden. The mask is read as bytes,
    /// for as bool g++ 12 takes them one by one.
    template <typename T>
    void hide(std::span<const T> x, std::span<T> shown) const
    {
        const auto* const visible = reinterpret_cast<const unsigned char*>(row_);
        const bool one_for_all = counters_.front().step == 0;
        const int is_visible_throughout = visible[0];
        for (std::size_t j = 0; j < x.size(); ++j) {
            const int is_visible = one_for_all ? is_visible_throughout : visible[j];
            const T score = x[j];
            shown[j] = is_visible != 0 ? score : hidden_score<T>;
        }
    }

    /// On to the next row, as one counts: the last axis but one first.
    void advance()
    {
        for (auto axis = counters_.begin() + 1; axis != counters_.end(); ++axis) {
            row_ += axis->step;
            if (++axis->index < axis->length) {
                return;
            }
            row_ -= axis->length * axis->step;
            axis->index = 0;
        }
    }

private:
    /// An axis, the last one first.
    struct Counter
    {
        std::size_t index;  ///< where the walk is
        std::size_t length; ///< the array's
        std::size_t step;   ///< in the mask's memory; 0 if repeated
    };
    const bool* row_;
    std::vector<Counter, PoolAllocator<Counter>> counters_;
};

/// A mask with as many axes as x, of which one has changed places with the last.
Mask with_last(const Mask& mask, const Shape& x, std::size_t axis)
{
    Shape shape(x.size(), 1);
    std::copy_backward(mask.shape().begin(), mask.shape().end(), shape.end());
    Mask whole = mask;
    whole.reshape(shape);
    std::vector<std::size_t> order(x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::swap(order[axis], order.back());
    return Mask(xt::transpose(whole, order));
}

// ---------------------------------------------------------------- one row

/// The largest score of a row; 0 if there is none, or only -infinity.
template <typename T>
T shift_of(std::span<const T> x)
{
    const T largest = vector_math::maximum(x);
    return largest == hidden_score<T> ? T(0) : largest;
}

/// y_j = e^(x_j - shift) / sum.
template <typename T>
void softmax_row(std::span<const T> x, std::span<T> y)
{
    kernels::current<T>().rows.softmax(x.size(), x.data(), y.data());
}

/// y_j = x_j - shift - log sum.
template <typename T>
void log_softmax_row(std::span<const T> x, std::span<T> y)
{
    const T shift = shift_of(x);
    const T sum = vector_math::exp_of_difference(x, shift, y);
    const T log_sum = sum == T(0) ? T(0) : elementary::log(sum);
    for (std::size_t j = 0; j < x.size(); ++j) {
        y[j] = (x[j] - shift) - log_sum;
    }
}

/// dx_j = y_j (dy_j - sum_l y_l dy_l), without what arrives at weights of 0.
template <typename T>
void softmax_row_backward(std::span<const T> y, std::span<const T> dy, std::span<T> dx)
{
    kernels::current<T>().rows.softmax_backward(y.size(), y.data(), dy.data(), dx.data());
}

/// dx_j = dy_j - e^(y_j) sum_l dy_l, without what arrives at -infinity.
template <typename T>
void log_softmax_row_backward(std::span<const T> y, std::span<const T> dy, std::span<T> dx,
                              std::span<T> arrived)
{
    for (std::size_t j = 0; j < y.size(); ++j) {
        arrived[j] = y[j] == hidden_score<T> ? T(0) : dy[j];
    }
    const T sum = vector_math::sum(std::span<const T>(arrived));
    vector_math::exp(y, dx);
    for (std::size_t j = 0; j < y.size(); ++j) {
        dx[j] = arrived[j] - dx[j] * sum;
    }
}

// ---------------------------------------------------------------- all rows

/// f(x's row, y's row) of each row along the last axis.
template <typename T, typename RowFunction>
Array<T> each_row(const Variable<T>& x, RowFunction f)
{
    Array<T> y = uninitialised<T>(x.shape());
    const std::size_t n = x.shape().back();
    for (std::size_t first = 0; first < x.size(); first += n) {
        f(std::span<const T>(x.value().data() + first, n), std::span<T>(y.data() + first, n));
    }
    return y;
}

/// Adds to the gradient of x what f(y's row, dy's row, dx's row) makes of each row.
template <typename T, typename RowFunction>
void add_rows(const Variable<T>& x, const Array<T>& y, const Array<T>& dy, RowFunction f)
{
    const GradientSum<T> sum = open_gradient(x);
    const std::size_t n = x.shape().back();
    Array<T> buffer = uninitialised<T>({n});
    for (std::size_t first = 0; first < x.size(); first += n) {
        T* const dx = sum.data + first;
        f(std::span<const T>(y.data() + first, n), std::span<const T>(dy.data() + first, n),
          sum.beta == T(0) ? std::span<T>(dx, n) : numbers_of(buffer));
        for (std::size_t j = 0; sum.beta != T(0) && j < n; ++j) {
            dx[j] += buffer.data()[j];
        }
    }
}

/// A softmax, with its backward pass.
template <typename T>
Variable<T> record_softmax(Array<T>&& y, const Variable<T>& x)
{
    return record(std::move(y), x.needs_gradient(),
                  [x](const Array<T>& value, const Array<T>& gradient) {
                      add_rows(x, value, gradient, softmax_row_backward<T>);
                  });
}

} // namespace

template <typename T>
Variable<T> softmax(const Variable<T>& x, std::ptrdiff_t axis)
{
    if (axis_from(axis, x.rank(), "softmax") + 1 < x.rank()) {
        return transpose(softmax(transpose(x, axis, -1)), axis, -1);
    }
    return record_softmax(each_row(x, softmax_row<T>), x);
}

template <typename T>
Variable<T> log_softmax(const Variable<T>& x, std::ptrdiff_t axis)
{
    if (axis_from(axis, x.rank(), "log_softmax") + 1 < x.rank()) {
        return transpose(log_softmax(transpose(x, axis, -1)), axis, -1);
    }
    return record(each_row(x, log_softmax_row<T>), x.needs_gradient(),
                  [x](const Array<T>& value, const Array<T>& gradient) {
                      Array<T> arrived = uninitialised<T>({x.shape().back()});
                      add_rows(
                          x, value, gradient,
                          [&](std::span<const T> y, std::span<const T> dy, std::span<T> dx) {
                              log_softmax_row_backward(y, dy, dx, numbers_of(arrived));
                          });
                  });
}

template <typename T>
Variable<T> masked_softmax(const Variable<T>& x, const Mask& mask, std::ptrdiff_t axis)
{
    const std::size_t along = axis_from(axis, x.rank(), "masked_softmax");
    MaskRows visible(mask, x.shape(), "masked_softmax");
    if (along + 1 < x.rank()) {
        return transpose(
            masked_softmax(transpose(x, axis, -1), with_last(mask, x.shape(), along)), axis,
            -1);
    }
    Array<T> shown = uninitialised<T>({x.shape().back()});
    return record_softmax(each_row(x,
                                   [&](std::span<const T> x_row, std::span<T> y_row) {
                                       visible.hide(x_row, numbers_of(shown));
                                       visible.advance();
                                       softmax_row(numbers_of(std::as_const(shown)), y_row);
                                   }),
                          x);
}

template Variable<float> softmax(const Variable<float>&, std::ptrdiff_t);
template Variable<double> softmax(const Variable<double>&, std::ptrdiff_t);
template Variable<float> log_softmax(const Variable<float>&, std::ptrdiff_t);
template Variable<double> log_softmax(const Variable<double>&, std::ptrdiff_t);
template Variable<float> masked_softmax(const Variable<float>&, const Mask&, std::ptrdiff_t);
template Variable<double> masked_softmax(const Variable<double>&, const Mask&, std::ptrdiff_t);

} // namespace attn::autograd
