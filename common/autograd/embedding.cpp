#include "common/autograd/embedding.hpp"

#include "common/autograd/rule.hpp"

#include <algorithm>
#include <utility>

namespace attn::autograd {

namespace {

void expect_row(std::int64_t index, const Shape& table, const char* what)
{
    expect(index >= 0 && static_cast<std::uint64_t>(index) < table[0],
           "gather_rows: {} {} is no row of a table of shape {}", what, index, table);
}

/// dtable[index] += dy[i], for the i-th index.
template <typename T>
void scatter_add(std::span<const std::int64_t> indices, std::optional<std::int64_t> padding,
                 std::size_t d, const T* dy, T* dtable)
{
    for (const std::int64_t index : indices) {
        if (index != padding) {
            T* const row = dtable + static_cast<std::size_t>(index) * d;
            for (std::size_t j = 0; j < d; ++j) {
                row[j] += dy[j];
            }
        }
        dy += d;
    }
}

} // namespace

template <typename T>
Variable<T> gather_rows(const Variable<T>& table, std::span<const std::int64_t> indices,
                        const Shape& index_shape, std::optional<std::int64_t> padding)
{
    // Check what is asked for.
    expect(table.rank() == 2, "gather_rows: the table must be [n_rows, d], got {}",
           table.shape());
    expect(indices.size() == size_of(index_shape),
           "gather_rows: indices of shape {} must be {}, got {}", index_shape,
           size_of(index_shape), indices.size());
    for (const std::int64_t index : indices) {
        expect_row(index, table.shape(), "index");
    }
    if (padding) {
        expect_row(*padding, table.shape(), "padding");
    }

    // Copy the rows.
    const std::size_t d = table.shape()[1];
    Shape shape = index_shape;
    shape.push_back(d);
    Array<T> rows = uninitialised<T>(shape);
    T* to = rows.data();
    for (const std::int64_t index : indices) {
        to = std::copy_n(table.value().data() + static_cast<std::size_t>(index) * d, d, to);
    }

    Array<std::int64_t> kept = array_of({indices.size()}, indices);
    return record(
        std::move(rows), table.needs_gradient(),
        [table, padding, d, kept = std::move(kept)](const Array<T>& /*y*/, const Array<T>& dy) {
            scatter_add(numbers_of(kept), padding, d, dy.data(), zeroed_gradient(table));
        });
}

template Variable<float> gather_rows(const Variable<float>&, std::span<const std::int64_t>,
                                     const Shape&, std::optional<std::int64_t>);
template Variable<double> gather_rows(const Variable<double>&, std::span<const std::int64_t>,
                                      const Shape&, std::optional<std::int64_t>);

} // namespace attn::autograd
