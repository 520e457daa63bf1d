/// \file
/// \brief Memory that stays between the steps of a training. A step allocates the same sizes as
/// the step before; asked for afresh, the system takes large blocks back in between and faults
/// them in again. Deliberately one free list a size and a thread, and no more: a block goes back
/// to the list of the thread that frees it.
#pragma once

#include <cstddef>
#include <limits>
#include <new>

namespace attn {

/// How many bytes the arrays of this thread occupy, rounded up to the blocks that hold them.
/// A training that does not leak has the same number after 10 and after 1000 steps. An array
/// that another thread frees is still counted here, and counts negatively there.
/// \returns  bytes in use, without those that wait in free lists
std::ptrdiff_t live_bytes();

/// How many bytes wait in this thread's free lists.
/// \returns  bytes that the next arrays are made of
std::size_t pooled_bytes();

/// Gives this thread's free lists back to the system.
void release_pool() noexcept;

/// Takes a block from the free list of its size, or from the system if that is empty.
/// \param n_bytes  any number
/// \returns        at least n_bytes, aligned to 64
/// \throws std::bad_alloc if the system has none
void* pool_allocate(std::size_t n_bytes);

/// Puts a block into the free list of its size.
/// \param block    from pool_allocate
/// \param n_bytes  what it was asked for
void pool_deallocate(void* block, std::size_t n_bytes) noexcept;

/// An allocator for containers on top of this.
/// \tparam T  what the container holds
template <typename T>
struct PoolAllocator
{
    using value_type = T; ///< what is allocated

    PoolAllocator() noexcept = default;

    /// All pool allocators are one, whatever they hold.
    /// \tparam Other  what the other one's container holds
    template <typename Other>
    PoolAllocator(const PoolAllocator<Other>& /*unused*/) noexcept
    {
    }

    /// \param n  how many elements
    /// \returns  memory for them, not initialised
    /// \throws std::bad_alloc if there is none
    T* allocate(std::size_t n)
    {
        if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
            throw std::bad_array_new_length();
        }
        return static_cast<T*>(pool_allocate(n * sizeof(T)));
    }

    /// \param block  from allocate
    /// \param n      what it was asked for
    void deallocate(T* block, std::size_t n) noexcept { pool_deallocate(block, n * sizeof(T)); }

    /// \tparam Other  what the other one's container holds
    /// \returns       true: what one allocated, the other may free
    template <typename Other>
    bool operator==(const PoolAllocator<Other>& /*unused*/) const noexcept
    {
        return true;
    }

    /// \tparam Other  what the other one's container holds
    /// \returns       false
    template <typename Other>
    bool operator!=(const PoolAllocator<Other>& /*unused*/) const noexcept
    {
        return false;
    }
};

} // namespace attn
