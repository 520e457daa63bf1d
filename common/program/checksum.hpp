/// \file
/// \brief A checksum of a file's content: enough to see a change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attn::program {

/// The 64-bit hash FNV-1a of Fowler, Noll and Vo.
std::uint64_t fnv_1a(std::string_view bytes);

/// The same as text.
/// \returns 16 hexadecimal digits: "cbf29ce484222325" of no bytes
std::string checksum(std::string_view bytes);

} // namespace attn::program
