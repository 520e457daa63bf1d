/// \file
/// \brief The bodies of bytes.hpp.
#include "common/storage/bytes.hpp"

#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace attn::storage {

namespace {

constexpr std::size_t longest_name = 1000;
constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max();

} // namespace

std::string name_in_messages(std::string_view name)
{
    return program::is_printable(name) ? std::string(name)
                                       : program::in_quotes(name, longest_name);
}

std::optional<std::size_t> n_bytes_of(const Shape& shape, std::size_t n_a_item)
{
    // A length of 0 comes last: the strides of an empty array must not overflow either.
    std::size_t product = n_a_item;
    for (const std::size_t length : shape) {
        const std::size_t factor = std::max<std::size_t>(length, 1);
        if (product > most_bytes / factor) {
            return std::nullopt;
        }
        product *= factor;
    }
    return std::find(shape.begin(), shape.end(), 0u) == shape.end() ? product : 0;
}

std::uint64_t number_from_bytes(std::string_view bytes)
{
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), bytes.size());
    return number;
}

std::string bytes_of_number(std::uint64_t number, std::size_t n_bytes)
{
    std::string bytes(n_bytes, '\0');
    std::memcpy(bytes.data(), &number, n_bytes);
    return bytes;
}

template <typename T>
Array<T> array_from_bytes(const Shape& shape, std::string_view bytes)
{
    expect(n_bytes_of(shape, sizeof(T)) == bytes.size(),
           "array_from_bytes: shape {} does not take {} bytes", shape, bytes.size());
    Array<T> array = uninitialised<T>(shape);
    if (!bytes.empty()) {
        std::memcpy(array.data(), bytes.data(), bytes.size());
    }
    return array;
}

/// \cond
template Array<float> array_from_bytes(const Shape&, std::string_view);
template Array<double> array_from_bytes(const Shape&, std::string_view);
template Array<std::int64_t> array_from_bytes(const Shape&, std::string_view);
/// \endcond

} // namespace attn::storage
