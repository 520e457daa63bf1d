#include "common/kernels/caches.hpp"

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

} // namespace attn::kernels
