/// \file
/// \brief Arrays in NumPy's file format, .npy (NumPy Enhancement Proposal 1, versions 1 to 3).
/// Deliberately one array a file, of the very type that was asked for: nothing is converted, and
/// what is not exactly such a file is refused.
#pragma once

#include "common/tensor/array.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// Files of arrays.
namespace attn::storage {

/// Reads an array that NumPy saved, in C or in Fortran order.
/// \tparam T    float, double or std::int64_t: what the file must hold, little-endian
/// \param file  at most 4 GiB
/// \returns     of the file's shape, row by row
/// \throws BadInput if it cannot be read, is no such file, holds another type, or has more or
///         fewer bytes than its header promises
template <typename T>
Array<T> read_npy(const std::filesystem::path& file);

/// The same for bytes at hand.
/// \tparam T           float, double or std::int64_t
/// \param bytes        the content of such a file
/// \param source_name  what stands for the file's name in messages
/// \returns            of the file's shape, row by row
/// \throws BadInput as read_npy
template <typename T>
Array<T> parse_npy(std::string_view bytes, std::string_view source_name);

/// Writes an array for NumPy, version 1 of the format, in C order. On failure the file that was
/// there is untouched.
/// \tparam T     float, double or std::int64_t
/// \param file   its folder must exist
/// \param array  any, of at most 64 axes
/// \throws BadInput if it cannot be written
/// \throws ContractError if it has more axes
template <typename T>
void write_npy(const std::filesystem::path& file, const Array<T>& array);

/// What write_npy writes.
/// \tparam T     float, double or std::int64_t
/// \param array  any, of at most 64 axes
/// \returns      the content of such a file
/// \throws ContractError if it has more axes
template <typename T>
std::string npy_bytes(const Array<T>& array);

} // namespace attn::storage
