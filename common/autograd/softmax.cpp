#include "common/autograd/softmax.hpp"

#include "common/autograd/rule.hpp"
#include "common/kernels/elementary.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/kernels/vector_math.hpp"

#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace attn::autograd {

namespace {

template <typename T>
constexpr T hidden_score = -std::numeric_limits<T>::infinity();

// ---------------------------------------------------------------- an array as rows

/// An array, seen as rows along one axis: in memory, a row's entries are `stride` apart.
struct Rows
{
    std::size_t n;      ///< how many rows
    std::size_t length; ///< entries of a row
    std::size_t stride; ///< 1 along the last axis

    /// Where a row begins.
    std::size_t first(std::size_t row) const
    {
        return stride == 1 ? row * length : row / stride * stride * length + row % stride;
    }
};

Rows rows_along(const Shape& shape, std::size_t axis)
{
    std::size_t stride = 1;
    for (std::size_t later = axis + 1; later < shape.size(); ++later) {
        stride *= shape[later];
    }
    const std::size_t length = shape[axis];
    const std::size_t size = size_of(shape);
    return {size == 0 ? 0 : size / length, length, stride};
}

/// Reads rows: where they lie, or gathered into a buffer if their entries are apart.
template <typename T>
class Reader
{
public:
    Reader(const Rows& rows, const T* data)
        : rows_(rows), data_(data),
          buffer_(uninitialised<T>({rows.stride == 1 ? 0 : rows.length}))
    {
    }

    /// The row; valid until the next one is asked for.
    std::span<const T> operator[](std::size_t row)
    {
        const T* const first = data_ + rows_.first(row);
        if (rows_.stride == 1) {
            return {first, rows_.length};
        }
        for (std::size_t j = 0; j < rows_.length; ++j) {
            buffer_.data()[j] = first[j * rows_.stride];
        }
        return {buffer_.data(), rows_.length};
    }

private:
    Rows rows_;
    const T* data_;
    Array<T> buffer_;
};

/// Writes rows: f(row, y) computes one, where it belongs or in a buffer that is then scattered.
template <typename T, typename RowFunction>
void write_rows(const Rows& rows, T* data, RowFunction f)
{
    Array<T> buffer = uninitialised<T>({rows.stride == 1 ? 0 : rows.length});
    for (std::size_t row = 0; row < rows.n; ++row) {
        T* const first = data + rows.first(row);
        if (rows.stride == 1) {
            f(row, std::span<T>(first, rows.length));
            continue;
        }
        f(row, numbers_of(buffer));
        for (std::size_t j = 0; j < rows.length; ++j) {
            first[j * rows.stride] = buffer.data()[j];
        }
    }
}

/// Adds rows to a gradient: f(row, dx) computes one row's contribution.
template <typename T, typename RowFunction>
void add_rows(const Rows& rows, const Variable<T>& x, RowFunction f)
{
    const GradientSum<T> sum = open_gradient(x);
    if (sum.beta == T(0)) {
        write_rows(rows, sum.data, f);
        return;
    }
    Array<T> buffer = uninitialised<T>({rows.length});
    for (std::size_t row = 0; row < rows.n; ++row) {
        f(row, numbers_of(buffer));
        T* const first = sum.data + rows.first(row);
        for (std::size_t j = 0; j < rows.length; ++j) {
            first[j * rows.stride] += buffer.data()[j];
        }
    }
}

// ---------------------------------------------------------------- a mask, row by row

/// A mask repeated to a shape, walked through row by row along an axis.
class MaskRows
{
public:
    MaskRows(const Mask& mask, const Shape& shape, std::size_t axis, const char* function)
        : row_(mask.data())
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
            const std::size_t step = length == 1 ? 0 : stride;
            stride *= length;
            if (a == axis) {
                stride_ = step;
            } else {
                counters_.push_back({0, shape[a], step});
            }
        }
    }

    /// The current row: its entry j, whatever stands between the entries.
    bool operator[](std::size_t j) const { return row_[j * stride_]; }

    /// The current row's entries, 0 or 1, if they are side by side. As bytes, for as bool
    /// g++ 12 takes them one by one.
    const unsigned char* side_by_side() const
    {
        return stride_ == 1 ? reinterpret_cast<const unsigned char*>(row_) : nullptr;
    }

    /// On to the next row, as one counts: the last axis first.
    void advance()
    {
        for (Counter& axis : counters_) {
            row_ += axis.step;
            if (++axis.index < axis.length) {
                return;
            }
            row_ -= axis.length * axis.step;
            axis.index = 0;
        }
    }

private:
    /// An axis that is walked along, the last one first.
    struct Counter
    {
        std::size_t index;  ///< where the walk is
        std::size_t length; ///< the array's
        std::size_t step;   ///< in the mask's memory; 0 if repeated
    };
    const bool* row_;
    std::size_t stride_ = 0;
    std::vector<Counter, PoolAllocator<Counter>> counters_;
};

/// The scores of a row, -infinity where they are hidden.
template <typename T>
void hide(std::span<const T> x, const MaskRows& visible, std::span<T> shown)
{
    if (const unsigned char* const side_by_side = visible.side_by_side()) {
        for (std::size_t j = 0; j < x.size(); ++j) {
            const int is_visible = side_by_side[j];
            const T score = x[j];
            shown[j] = is_visible != 0 ? score : hidden_score<T>;
        }
    } else {
        for (std::size_t j = 0; j < x.size(); ++j) {
            shown[j] = visible[j] ? x[j] : hidden_score<T>;
        }
    }
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

// [softmax_row_backward]
/// dx_j = y_j (dy_j - sum_l y_l dy_l), without what arrives at weights of 0.
template <typename T>
void softmax_row_backward(std::span<const T> y, std::span<const T> dy, std::span<T> dx)
{
    for (std::size_t j = 0; j < y.size(); ++j) {
        dx[j] = y[j] == T(0) ? T(0) : dy[j];
    }
    const T mean = vector_math::dot(y, std::span<const T>(dx));
    for (std::size_t j = 0; j < y.size(); ++j) {
        dx[j] = y[j] * (dx[j] - mean);
    }
}
// [softmax_row_backward]

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

/// A function of each row of x, forward.
template <typename T, typename RowFunction>
Array<T> each_row(const Variable<T>& x, const Rows& rows, RowFunction f)
{
    Array<T> y = uninitialised<T>(x.shape());
    Reader<T> from(rows, x.value().data());
    write_rows(rows, y.data(),
               [&](std::size_t row, std::span<T> y_row) { f(from[row], y_row); });
    return y;
}

/// A function of each row's visible scores, forward.
template <typename T, typename RowFunction>
Array<T> each_visible_row(const Variable<T>& x, const Rows& rows, MaskRows visible,
                          RowFunction f)
{
    Array<T> shown = uninitialised<T>({rows.length});
    return each_row(x, rows, [&](std::span<const T> x_row, std::span<T> y_row) {
        hide(x_row, visible, numbers_of(shown));
        visible.advance();
        f(numbers_of(std::as_const(shown)), y_row);
    });
}

/// A softmax, with its way back.
template <typename T>
Variable<T> record_softmax(Array<T>&& y, const Variable<T>& x, const Rows& rows)
{
    return record(std::move(y), x.needs_gradient(),
                  [x, rows](const Array<T>& value, const Array<T>& gradient) {
                      Reader<T> y_rows(rows, value.data());
                      Reader<T> dy_rows(rows, gradient.data());
                      add_rows(rows, x, [&](std::size_t row, std::span<T> dx) {
                          softmax_row_backward(y_rows[row], dy_rows[row], dx);
                      });
                  });
}

/// A logarithm of a softmax, with its way back.
template <typename T>
Variable<T> record_log_softmax(Array<T>&& y, const Variable<T>& x, const Rows& rows)
{
    return record(std::move(y), x.needs_gradient(),
                  [x, rows](const Array<T>& value, const Array<T>& gradient) {
                      Reader<T> y_rows(rows, value.data());
                      Reader<T> dy_rows(rows, gradient.data());
                      Array<T> arrived = uninitialised<T>({rows.length});
                      add_rows(rows, x, [&](std::size_t row, std::span<T> dx) {
                          log_softmax_row_backward(y_rows[row], dy_rows[row], dx,
                                                   numbers_of(arrived));
                      });
                  });
}

} // namespace

template <typename T>
Variable<T> softmax(const Variable<T>& x, std::ptrdiff_t axis)
{
    const Rows rows = rows_along(x.shape(), axis_from(axis, x.rank(), "softmax"));
    return record_softmax(each_row(x, rows, softmax_row<T>), x, rows);
}

template <typename T>
Variable<T> log_softmax(const Variable<T>& x, std::ptrdiff_t axis)
{
    const Rows rows = rows_along(x.shape(), axis_from(axis, x.rank(), "log_softmax"));
    return record_log_softmax(each_row(x, rows, log_softmax_row<T>), x, rows);
}

template <typename T>
Variable<T> masked_softmax(const Variable<T>& x, const Mask& mask, std::ptrdiff_t axis)
{
    const std::size_t along = axis_from(axis, x.rank(), "masked_softmax");
    const Rows rows = rows_along(x.shape(), along);
    const MaskRows visible(mask, x.shape(), along, "masked_softmax");
    return record_softmax(each_visible_row(x, rows, visible, softmax_row<T>), x, rows);
}

template Variable<float> softmax(const Variable<float>&, std::ptrdiff_t);
template Variable<double> softmax(const Variable<double>&, std::ptrdiff_t);
template Variable<float> log_softmax(const Variable<float>&, std::ptrdiff_t);
template Variable<double> log_softmax(const Variable<double>&, std::ptrdiff_t);
template Variable<float> masked_softmax(const Variable<float>&, const Mask&, std::ptrdiff_t);
template Variable<double> masked_softmax(const Variable<double>&, const Mask&, std::ptrdiff_t);

} // namespace attn::autograd
