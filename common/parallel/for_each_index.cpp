#include "common/parallel/for_each_index.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace attn::parallel {

std::size_t threads_by_default()
{
#ifdef _OPENMP
    return static_cast<std::size_t>(std::max(1, omp_get_max_threads()));
#else
    return std::max(1U, std::thread::hardware_concurrency());
#endif
}

void for_each_index(std::size_t n, std::size_t n_threads,
                    const std::function<void(std::size_t)>& work)
{
    std::vector<std::exception_ptr> failures(n);
    [[maybe_unused]] const int team =
        static_cast<int>(std::clamp<std::size_t>(n_threads, 1, std::max<std::size_t>(n, 1)));

#ifdef _OPENMP
#pragma omp parallel for num_threads(team) schedule(dynamic)
#endif
    for (std::size_t i = 0; i < n; ++i) {
        try {
            work(i);
        } catch (...) {
            failures[i] = std::current_exception();
        }
    }

    for (const auto& failure : failures) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
}

} // namespace attn::parallel
