#include "common/tensor/pool_allocator.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace attn {

namespace {

constexpr std::size_t alignment = 64;

/// Blocks up to 4 KiB come in multiples of 64 bytes; above, each power of two is cut into four.
constexpr std::size_t n_small = 64;
constexpr std::size_t n_classes = n_small + 4 * 52;

struct SizeClass
{
    std::size_t index;
    std::size_t n_bytes;
};

SizeClass class_of(std::size_t n_bytes)
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
    FreeBlock* next;
};

/// Constant-initialised and never destroyed, so that an array which outlives the thread's other
/// objects still finds it.
struct Lists
{
    std::array<FreeBlock*, n_classes> first;
    std::ptrdiff_t live;
    std::size_t waiting;
    bool closed;
};
constinit thread_local Lists lists = {};

void release_all() noexcept
{
    for (FreeBlock*& first : lists.first) {
        while (first != nullptr) {
            FreeBlock* const next = first->next;
            ::operator delete (first, std::align_val_t{alignment});
            first = next;
        }
    }
    lists.waiting = 0;
}

/// Gives the lists back when the thread ends; what is freed later goes to the system directly.
struct AtThreadEnd
{
    AtThreadEnd() noexcept = default;
    AtThreadEnd(const AtThreadEnd&) = delete;
    AtThreadEnd& operator=(const AtThreadEnd&) = delete;
    ~AtThreadEnd()
    {
        release_all();
        lists.closed = true;
    }
    void keep_alive() const noexcept {}
};

void* from_system(const SizeClass& size)
{
    thread_local const AtThreadEnd at_thread_end;
    at_thread_end.keep_alive();
    return ::operator new (size.n_bytes, std::align_val_t{alignment});
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_blocks = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool keeps_blocks = false; // a block used after it was freed must be noticed
#else
constexpr bool keeps_blocks = true;
#endif
#else
constexpr bool keeps_blocks = true;
#endif

} // namespace

std::ptrdiff_t live_bytes()
{
    return lists.live;
}

std::size_t pooled_bytes()
{
    return lists.waiting;
}

void release_pool() noexcept
{
    release_all();
}

void* pool_allocate(std::size_t n_bytes)
{
    const SizeClass size = class_of(n_bytes);
    FreeBlock*& first = lists.first[size.index];
    void* block = first;
    if (first != nullptr) {
        first = first->next;
        lists.waiting -= size.n_bytes;
    } else {
        block = from_system(size);
    }
    lists.live += static_cast<std::ptrdiff_t>(size.n_bytes);
    return block;
}

void pool_deallocate(void* block, std::size_t n_bytes) noexcept
{
    const SizeClass size = class_of(n_bytes);
    lists.live -= static_cast<std::ptrdiff_t>(size.n_bytes);
    if (!keeps_blocks || lists.closed) {
        ::operator delete (block, std::align_val_t{alignment});
        return;
    }
    FreeBlock*& first = lists.first[size.index];
    first = ::new (block) FreeBlock{first};
    lists.waiting += size.n_bytes;
}

} // namespace attn
