#include "common/program/checksum.hpp"

#include <fmt/format.h>

namespace attn::program {

std::uint64_t fnv_1a(std::string_view bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3u;
    }
    return hash;
}

std::string checksum(std::string_view bytes)
{
    return fmt::format("{:016x}", fnv_1a(bytes));
}

} // namespace attn::program
