/// \file
/// \brief Equality of arrays as files must keep them: bit by bit, so that nan equals itself and 0
/// does not equal -0.
#pragma once

#include "common/tensor/array.hpp"

#include <cmath>
#include <cstring>

namespace attn::testing {

/// Whether two numbers have the same bits, or are both nan.
template <typename T>
bool same_number(T a, T b)
{
    return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

/// Whether two arrays have the same shape and the same bits.
template <typename T>
bool same_bits(const Array<T>& a, const Array<T>& b)
{
    return a.shape() == b.shape() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

} // namespace attn::testing
