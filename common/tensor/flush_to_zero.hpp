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

#include <cstdint>

namespace attn {

/// While it lives, this thread's results and operands below the smallest normal number are zero.
class FlushToZero
{
    // The bits of the processor's control register that say so.
#if defined(__SSE2__)
    using Control = unsigned;
    static constexpr Control flush = 0x8000 | 0x0040; // results, and operands too

    static Control control()
    {
        return _mm_getcsr();
    }
    static void set_control(Control bits)
    {
        _mm_setcsr(bits);
    }
#elif defined(__aarch64__)
    using Control = std::uint64_t;
    static constexpr Control flush = 1U << 24; // both

    static Control control()
    {
        Control bits;
        asm volatile("mrs %0, fpcr" : "=r"(bits));
        return bits;
    }
    static void set_control(Control bits)
    {
        asm volatile("msr fpcr, %0" : : "r"(bits) : "memory");
    }
#else
    using Control = unsigned;
    static constexpr Control flush = 0;

    static Control control()
    {
        return 0;
    }
    static void set_control(Control) {}
#endif

public:
    static constexpr bool has_effect = flush != 0; ///< whether this processor's switch is known

    /// Begins.
    FlushToZero() : before_(control())
    {
        set_control(before_ | flush);
    }
    /// Ends: as it was before.
    ~FlushToZero()
    {
        set_control(before_);
    }
    FlushToZero(const FlushToZero&) = delete;            ///< one scope, one guard
    FlushToZero& operator=(const FlushToZero&) = delete; ///< one scope, one guard

private:
    Control before_;
};

} // namespace attn
