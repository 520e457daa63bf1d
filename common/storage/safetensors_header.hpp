/// \file
/// \brief The header of a safetensors file, which is JSON. Deliberately for the reader and the
/// writer beside it only, and for little-endian machines, on which an array lies in memory as
/// it lies in the file.
#pragma once

#include "common/storage/safetensors.hpp"

#include <bit>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attn::storage {

static_assert(std::endian::native == std::endian::little);

/// The highest rank in a file, NumPy's own limit.
inline constexpr std::size_t highest_rank = 64;

/// The name of what a file says about itself.
inline constexpr const char* metadata_key = "__metadata__";

/// What a header holds. That the tensors fill the file is not yet known.
struct SafetensorsHeader
{
    std::vector<StoredTensor> tensors;           ///< in the header's order, names all different
    std::map<std::string, std::string> metadata; ///< what the file says about itself
};

/// Reads a header piece by piece, so that what has no place in it costs neither memory nor depth.
/// \param source  the file's name, for messages
/// \throws BadInput if it is no JSON in UTF-8, or says anything else than a header may
SafetensorsHeader read_header(std::string_view text, const std::string& source);

/// A text as JSON writes it, between quotes.
/// \throws ContractError if it is not UTF-8
std::string as_json(const std::string& text);

/// How many bytes a number of a type takes, 0 if the type is not known.
std::size_t n_bytes_of_type(std::string_view type);

/// A tensor's name as it stands in a message: between quotes, cut if it is long.
std::string shown(std::string_view name);

} // namespace attn::storage
