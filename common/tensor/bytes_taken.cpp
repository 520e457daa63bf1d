#include "common/tensor/bytes_taken.hpp"

#include "common/tensor/pool_allocator.hpp"

#include <exception>
#include <thread>

namespace attn {

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
