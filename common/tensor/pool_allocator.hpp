/// \file
/// \brief Memory that stays between the steps of a training. A step allocates the same sizes as
/// the step before; asked for afresh, the system takes large blocks back in between and faults
/// them in again. A block goes back to the list of the thread that frees it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
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

/// How the pool is made. It stands here, and not with the other definitions, because a step on
/// small arrays spends a tenth of its time on the way into a function and out again.
namespace pool {

constexpr std::size_t alignment = 64; ///< of every block, in bytes
constexpr std::size_t n_small = 64;   ///< sizes that are multiples of the alignment
constexpr std::size_t n_classes = n_small + 4 * 52; ///< all sizes

/// One of the sizes that blocks have.
struct SizeClass
{
    std::size_t index;   ///< its free list
    std::size_t n_bytes; ///< of each block
};

/// The smallest block that holds a number of bytes. Up to 4 KiB blocks come in multiples of 64
/// bytes; above, each power of two is cut into four.
inline SizeClass class_of(std::size_t n_bytes)
{
    if (n_bytes <= alignment * n_small) {
        const std::size_t index = n_bytes == 0 ? 0 : (n_bytes - 1) / alignment;
        return {index, (index + 1) * alignment};
    }
    const auto exponent = static_cast<std::size_t>(std::bit_width(n_bytes - 1)) - 1;
    const std::size_t quarter = std::size_t{1} << (exponent - 2);
    const std::size_t step = (n_bytes - 1 - (std::size_t{1} << exponent)) / quarter;
    return {n_small + 4 * (exponent - 12) + step,
            (std::size_t{1} << exponent) + (step + 1) * quarter};
}

/// A free block holds the address of the next one in its first bytes.
struct FreeBlock
{
    FreeBlock* next; ///< null in the last one
};

/// The free blocks of a thread. Constant-initialised and never destroyed, so that an array which
/// outlives the thread's other objects still finds it.
struct Lists
{
    std::array<FreeBlock*, n_classes> first; ///< of each size
    std::ptrdiff_t live;                     ///< bytes in use
    std::size_t waiting;                     ///< bytes that are not
    bool keeps;                              ///< whether a block that is freed may wait here
};

inline constinit thread_local Lists lists = {}; ///< this thread's

/// Asks the system for a block, since none is waiting.
/// \throws std::bad_alloc if the system has none
void* from_system(const SizeClass& size);

/// Gives a block back to the system.
/// \param block  from from_system
void to_system(void* block) noexcept;

} // namespace pool

/// Takes a block from the free list of its size, or from the system if that is empty.
/// \returns at least n_bytes, aligned to 64
/// \throws std::bad_alloc if the system has none
inline void* pool_allocate(std::size_t n_bytes)
{
    const pool::SizeClass size = pool::class_of(n_bytes);
    pool::FreeBlock*& first = pool::lists.first[size.index];
    void* block = first;
    if (first != nullptr) {
        first = first->next;
        pool::lists.waiting -= size.n_bytes;
    } else {
        block = pool::from_system(size);
    }
    pool::lists.live += static_cast<std::ptrdiff_t>(size.n_bytes);
    return block;
}

/// Puts a block into the free list of its size.
/// \param block    from pool_allocate
/// \param n_bytes  what it was asked for
inline void pool_deallocate(void* block, std::size_t n_bytes) noexcept
{
    const pool::SizeClass size = pool::class_of(n_bytes);
    pool::lists.live -= static_cast<std::ptrdiff_t>(size.n_bytes);
    if (!pool::lists.keeps) {
        pool::to_system(block);
        return;
    }
    pool::FreeBlock*& first = pool::lists.first[size.index];
    first = ::new (block) pool::FreeBlock{first};
    pool::lists.waiting += size.n_bytes;
}

/// An allocator for containers on top of this.
template <typename T>
struct PoolAllocator
{
    using value_type = T; ///< what is allocated

    PoolAllocator() noexcept = default;

    /// All pool allocators are one, whatever they hold.
    template <typename Other>
    PoolAllocator(const PoolAllocator<Other>& /*unused*/) noexcept
    {
    }

    /// \returns memory for them, not initialised
    /// \throws std::bad_alloc if there is none
    T* allocate(std::size_t n)
    {
        if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
            throw std::bad_array_new_length();
        }
        return static_cast<T*>(pool_allocate(n * sizeof(T)));
    }

    /// Takes back what allocate gave.
    void deallocate(T* block, std::size_t n) noexcept { pool_deallocate(block, n * sizeof(T)); }

    /// \returns true: what one allocated, the other may free
    template <typename Other>
    bool operator==(const PoolAllocator<Other>& /*unused*/) const noexcept
    {
        return true;
    }

    /// \returns false
    template <typename Other>
    bool operator!=(const PoolAllocator<Other>& /*unused*/) const noexcept
    {
        return false;
    }
};

/// Base of objects that are made of the pool's memory one by one.
struct Pooled
{
    /// \param n_bytes  of the object
    /// \returns        memory for it
    /// \throws std::bad_alloc if there is none
    static void* operator new(std::size_t n_bytes) { return pool_allocate(n_bytes); }

    /// \param block    from new
    /// \param n_bytes  of the object
    static void operator delete(void* block, std::size_t n_bytes) noexcept
    {
        pool_deallocate(block, n_bytes);
    }
};

/// Hands an object to owners that are counted, the count in the pool as well. Objects of many
/// derived types have one type of count here; by allocate_shared they would have as many, each
/// to be compiled.
/// \param object  derived from Pooled, with a virtual destructor
template <typename Object>
std::shared_ptr<Object> owned(std::unique_ptr<Object> object)
{
    return {object.release(), std::default_delete<Object>(), PoolAllocator<Object>()};
}

/// All that a computation's thread asks of the system while it runs, in a thread of its own, whose
/// pool is empty at first.
/// \param work  what to do, on the thread that calls it
/// \returns     bytes
std::size_t bytes_taken(const std::function<void()>& work);

} // namespace attn
