#include "common/program/checksum.hpp"

#include <cstdint>
#include <fmt/format.h>

namespace attn::program {

std::string checksum(std::string_view bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3u;
    }
    return fmt::format("{:016x}", hash);
}

} // namespace attn::program
