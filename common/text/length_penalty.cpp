#include "common/text/length_penalty.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <cmath>

namespace attn::text {

LengthPenalty no_length_penalty()
{
    return {"none", [](std::size_t) { return 1.0; }};
}

LengthPenalty gnmt_length_penalty(double alpha)
{
    expect(alpha >= 0 && std::isfinite(alpha),
           "gnmt_length_penalty: alpha must be a finite number not below 0, got {}", alpha);
    return {"gnmt", [alpha](std::size_t length) {
                return elementary::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
            }};
}

} // namespace attn::text
