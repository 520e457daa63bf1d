#include "common/tensor/pool_allocator.hpp"

#include <cstdlib>
#include <exception>
#include <new>
#include <thread>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace attn {

namespace pool {

namespace {

void release_all() noexcept
{
    for (FreeBlock*& first : lists.first) {
        while (first != nullptr) {
            FreeBlock* const next = first->next;
            to_system(first);
            first = next;
        }
    }
    lists.waiting = 0;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool may_keep = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool may_keep = false; // a block used after it was freed must be noticed
#else
constexpr bool may_keep = true;
#endif
#else
constexpr bool may_keep = true;
#endif

/// What one entry of the processor's table of pages covers where the system gives large ones: 2 MiB
/// on x86-64, and on ARM with small pages of 4 KiB.
constexpr std::size_t large_page = std::size_t{1} << 21;
/// A block of so many bytes is made of large pages. A matrix of 4 MiB needs a thousand entries of that
/// table with ordinary ones, and a product that reads it panel by panel waits for them.
constexpr std::size_t worth_large_pages = large_page / 2;

/// Lets blocks wait while the thread lives, and gives them back when it ends; what is freed later
/// goes to the system directly.
struct WhileThreadLives
{
    WhileThreadLives() noexcept { lists.keeps = may_keep; }
    WhileThreadLives(const WhileThreadLives&) = delete;
    WhileThreadLives& operator=(const WhileThreadLives&) = delete;
    ~WhileThreadLives()
    {
        release_all();
        lists.keeps = false;
    }
    void begin() const noexcept {}
};

} // namespace

void* from_system(const SizeClass& size)
{
    thread_local const WhileThreadLives while_thread_lives;
    while_thread_lives.begin();
    const bool large = size.n_bytes >= worth_large_pages;
    const std::size_t unit = large ? large_page : alignment;
    const std::size_t n_bytes = (size.n_bytes + unit - 1) / unit * unit;
    void* const block = std::aligned_alloc(unit, n_bytes);
    if (block == nullptr) {
        throw std::bad_alloc();
    }
#if defined(__linux__)
    if (large) {
        // A wish: a system that has no large pages refuses, and nothing is lost.
        static_cast<void>(madvise(block, n_bytes, MADV_HUGEPAGE));
    }
#endif
    return block;
}

void to_system(void* block) noexcept
{
    std::free(block);
}

} // namespace pool

std::ptrdiff_t live_bytes()
{
    return pool::lists.live;
}

std::size_t pooled_bytes()
{
    return pool::lists.waiting;
}

void release_pool() noexcept
{
    pool::release_all();
}

std::size_t bytes_taken(const std::function<void()>& work)
{
    std::size_t bytes = 0;
    std::exception_ptr failure;
    std::thread([&] {
        // Under the address sanitizer blocks do not wait in the pool, which a thread's first
        // block decides. Here they shall.
        pool_deallocate(pool_allocate(1), 1);
        release_pool();
        pool::lists.keeps = true;
        try {
            work();
            bytes = pooled_bytes() + static_cast<std::size_t>(live_bytes());
        } catch (...) {
            failure = std::current_exception();
        }
        release_pool();
        pool::lists.keeps = false;
    }).join();
    if (failure) {
        std::rethrow_exception(failure);
    }
    return bytes;
}

} // namespace attn
