/// \file
/// \brief The caches of the processor that this runs on. Sizes of blocks follow from them, and no bit
/// does.
#pragma once

#include <cstddef>

namespace attn::kernels {

/// The size of a core's second cache, as the system reports it.
/// \returns  bytes; 1 MiB where it reports none
std::size_t second_cache_bytes();

/// How deep a block of a matrix product is, so that what it reads fills at most half of a cache: the
/// other half is C's, and other programs'. No bit depends on it, for a chain goes on where it was
/// interrupted.
/// \param cache_bytes     the size of the cache
/// \param bytes_of_depth  what one step of the depth takes, at least 1
/// \returns               a power of two, flattest_block to deepest_block
std::size_t block_depth(std::size_t cache_bytes, std::size_t bytes_of_depth);

/// The deepest block: after each, the sums go to C and come back. Measured at 2048 square, with a
/// second cache that has room for it: 256 costs a tenth more time than 1024.
constexpr std::size_t deepest_block = 1024;
/// The least deep one, whatever the cache.
constexpr std::size_t flattest_block = 128;

} // namespace attn::kernels
