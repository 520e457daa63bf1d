/// \file
/// \brief Memory for large arrays that are read from end to end: in pages of 2 MiB, where the
/// system has them. It has 4 KiB otherwise, and looks up where each of them lies.
#pragma once

#include <cstddef>
#include <limits>
#include <new>

namespace attn {

/// Memory that begins at a multiple of 64 bytes; at one of 2 MiB, if it is as large, and then
/// its whole multiples of 2 MiB are large pages where the system grants them.
/// \throws std::bad_alloc if there is none
void* allocate_large_pages(std::size_t n_bytes);

/// Takes back what allocate_large_pages gave.
/// \param n_bytes  as asked for
void deallocate_large_pages(void* block, std::size_t n_bytes) noexcept;

/// An allocator for containers on top of this.
template <typename T>
struct LargePageAllocator
{
    using value_type = T; ///< what is allocated

    LargePageAllocator() noexcept = default;

    /// All of them are one, whatever they hold.
    template <typename Other>
    LargePageAllocator(const LargePageAllocator<Other>& /*unused*/) noexcept
    {
    }

    /// \returns memory for them, not initialised
    /// \throws std::bad_alloc if there is none
    T* allocate(std::size_t n)
    {
        if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
            throw std::bad_array_new_length();
        }
        return static_cast<T*>(allocate_large_pages(n * sizeof(T)));
    }

    /// Takes back what allocate gave.
    void deallocate(T* block, std::size_t n) noexcept
    {
        deallocate_large_pages(block, n * sizeof(T));
    }

    /// \returns true: what one allocated, the other may free
    template <typename Other>
    bool operator==(const LargePageAllocator<Other>& /*unused*/) const noexcept
    {
        return true;
    }
};

} // namespace attn
