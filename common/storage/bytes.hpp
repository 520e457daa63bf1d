/// \file
/// \brief What the readers and writers of array files share: sizes that cannot overflow, numbers
/// as bytes, names in messages. Deliberately for little-endian machines only, on which an array
/// lies in memory as it lies in the file.
#pragma once

#include "common/tensor/array.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn::storage {

static_assert(std::endian::native == std::endian::little);

/// The largest file that is read, in bytes: 4 GiB.
inline constexpr std::size_t largest_file = std::size_t{1} << 32;

/// The highest rank in a file, NumPy's own limit.
inline constexpr std::size_t highest_rank = 64;

/// A file's name as it stands at the beginning of a message.
/// \param name  any bytes
/// \returns     the name, between quotes if it could not be printed as it is
std::string name_in_messages(std::string_view name);

/// How many bytes an array takes.
/// \param shape     [rank], any numbers, also those that a damaged file holds
/// \param n_a_item  bytes a number
/// \returns         the product; nothing if no array can be that large, even if one of its
///                  lengths is 0
std::optional<std::size_t> n_bytes_of(const Shape& shape, std::size_t n_a_item);

/// A number from its bytes, the lowest first.
/// \param bytes  at most 8
/// \returns      the number
std::uint64_t number_from_bytes(std::string_view bytes);

/// A number as its bytes, the lowest first.
/// \param number   below 256 to the power of n_bytes
/// \param n_bytes  at most 8
/// \returns        [n_bytes]
std::string bytes_of_number(std::uint64_t number, std::size_t n_bytes);

/// An array from its bytes.
/// \param shape  [rank]
/// \param bytes  as many as n_bytes_of says
/// \returns      of that shape
/// \throws ContractError if there are more or fewer bytes
template <typename T>
Array<T> array_from_bytes(const Shape& shape, std::string_view bytes);

/// The bytes of an array, row by row.
/// \param array  any; must outlive the result
/// \returns      a view of its memory
template <typename T>
std::string_view bytes_of(const Array<T>& array)
{
    return {reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T)};
}

} // namespace attn::storage
