/// \file
/// \brief Rows of a table by their numbers: what words become before anything is computed with
/// them. Deliberately a dense gradient, as large as the table.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace attn::autograd {

/// The rows with the given numbers; the same as one-hot rows times the table. The gradient of a
/// row that was asked for several times is the sum of what flows back from each.
/// \param table        [n_rows, d]
/// \param indices      each from 0 to n_rows - 1, in the order of index_shape
/// \param index_shape  holds as many numbers as there are indices
/// \param padding      a row that is not learnt: it receives no gradient from here
/// \returns            [index_shape..., d]
/// \throws ContractError if the table has another rank, an index or the padding is no row of it,
///         or index_shape holds more or fewer numbers than there are indices
template <typename T>
Variable<T> gather_rows(const Variable<T>& table, std::span<const std::int64_t> indices,
                        const Shape& index_shape,
                        std::optional<std::int64_t> padding = std::nullopt);

} // namespace attn::autograd
