#include "common/tensor/large_pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace attn {

namespace {

constexpr std::size_t large_page = std::size_t{1} << 21U;
constexpr std::size_t line = 64;

/// Where blocks of a size begin.
std::align_val_t alignment_of(std::size_t n_bytes)
{
    return std::align_val_t{n_bytes < large_page ? line : large_page};
}

/// With what is left of the last large page, if that is little.
std::size_t rounded(std::size_t n_bytes)
{
    const std::size_t whole = (n_bytes + large_page - 1) / large_page * large_page;
    return n_bytes < large_page / 4 * 3 || whole - n_bytes > n_bytes / 4 ? n_bytes : whole;
}

} // namespace

void* allocate_large_pages(std::size_t n_bytes)
{
    const std::size_t taken = rounded(n_bytes);
    void* const block = ::operator new(taken, alignment_of(taken));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (taken >= large_page) {
        // A system without them refuses, and small pages do as well.
        static_cast<void>(::madvise(block, taken / large_page * large_page, MADV_HUGEPAGE));
    }
#endif
    return block;
}

void deallocate_large_pages(void* block, std::size_t n_bytes) noexcept
{
    ::operator delete(block, alignment_of(rounded(n_bytes)));
}

} // namespace attn
