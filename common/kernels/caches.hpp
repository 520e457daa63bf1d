/// \file
/// \brief The caches of the processor that this runs on. Sizes of blocks follow from them, and no bit
/// does.
#pragma once

#include <cstddef>

namespace attn::kernels {

/// The size of a core's second cache, as the system reports it.
/// \returns  bytes; 1 MiB where it reports none
std::size_t second_cache_bytes();

} // namespace attn::kernels
