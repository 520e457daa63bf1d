#include "common/kernels/caches.hpp"

#include <algorithm>
#include <bit>

#include <unistd.h>

namespace attn::kernels {

namespace {

std::size_t reported_second_cache_bytes()
{
#if defined(_SC_LEVEL2_CACHE_SIZE)
    const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (bytes > 0) {
        return static_cast<std::size_t>(bytes);
    }
#endif
    return std::size_t{1} << 20;
}

} // namespace

std::size_t second_cache_bytes()
{
    static const std::size_t bytes = reported_second_cache_bytes();
    return bytes;
}

std::size_t block_depth(std::size_t cache_bytes, std::size_t bytes_of_depth)
{
    return std::clamp(std::bit_floor(cache_bytes / 2 / bytes_of_depth), flattest_block,
                      deepest_block);
}

} // namespace attn::kernels
