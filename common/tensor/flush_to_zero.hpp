/// \file
/// \brief Numbers too small to be normal count as zero for a while. Arithmetic with them takes a
/// hundred times longer on many processors, and they come up by themselves: Adam's mean of a
/// gradient that has become zero shrinks by a tenth a step, is below the smallest normal float
/// after 830 steps, and rounding then keeps it from ever reaching zero. Deliberately a switch of
/// the processor, and so without effect where we do not know that switch.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace attn {

/// While it lives, this thread's results and operands below the smallest normal number are zero.
class FlushToZero
{
public:
#if defined(__SSE2__)
    FlushToZero() : before_(_mm_getcsr())
    {
        _mm_setcsr(before_ | flush | operands_too);
    }
    ~FlushToZero()
    {
        _mm_setcsr(before_);
    }
#else
    FlushToZero() = default;
    ~FlushToZero() = default;
#endif
    FlushToZero(const FlushToZero&) = delete;            ///< one scope, one guard
    FlushToZero& operator=(const FlushToZero&) = delete; ///< one scope, one guard

private:
#if defined(__SSE2__)
    static constexpr unsigned flush = 0x8000;
    static constexpr unsigned operands_too = 0x0040;
    unsigned before_;
#endif
};

} // namespace attn
