/// \file
/// \brief The one example small enough for a pencil, the same in every chapter's `--trace`:
/// 2 queries, 3 keys, d = 2. The first query equals the first key; the second is equally
/// near to the first two; the third key is the longest; the values span a triangle, so that
/// a context tells its weights.
#pragma once

#include "common/tensor/tensor.hpp"

/// The example that every chapter's `--trace` computes.
namespace attn::lookup::pencil_example {

/// The queries.
/// \returns  [n_queries = 2, d = 2]
inline Matrix queries()
{
    return {{1, 0}, {1, 1}};
}

/// The keys.
/// \returns  [n_keys = 3, d = 2]
inline Matrix keys()
{
    return {{1, 0}, {0, 1}, {2, 2}};
}

/// The values.
/// \returns  [n_keys = 3, d_v = 2]
inline Matrix values()
{
    return {{0, 2}, {6, 2}, {3, 8}};
}

} // namespace attn::lookup::pencil_example
