#include "common/program/seeds.hpp"

#include "common/parallel/for_each_index.hpp"
#include "common/program/terminal.hpp"

#include <mutex>

namespace attn::program {

std::vector<std::uint64_t> seeds_of(const Frame& frame)
{
    const std::uint64_t seed = frame.options.seed;
    return frame.options.quick ? std::vector<std::uint64_t>{seed}
                               : std::vector<std::uint64_t>{seed, seed + 1, seed + 2};
}

void side_by_side(const Frame& frame, const char* label, std::size_t n,
                  const std::function<void(std::size_t)>& work)
{
    Progress progress(label, n);
    std::mutex one_at_a_time;
    parallel::for_each_index(n, frame.options.threads, [&](std::size_t index) {
        work(index);
        const std::lock_guard lock(one_at_a_time);
        progress.advance();
    });
}

} // namespace attn::program
