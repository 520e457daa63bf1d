#include "common/parallel/for_each_index.hpp"

#include "tests/support/catch.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

using attn::parallel::for_each_index;

TEST_CASE("every index is worked on once, with any number of threads", "[parallel][property]")
{
    const std::size_t n_threads = GENERATE(as<std::size_t>{}, 1, 2, 3, 100);
    const std::size_t n = GENERATE(as<std::size_t>{}, 0, 1, 7, 1000);
    std::vector<int> visits(n, 0);
    for_each_index(n, n_threads, [&](std::size_t i) { ++visits[i]; });
    CHECK(visits == std::vector<int>(n, 1));
}

TEST_CASE("the lowest failing index is reported, after all others have run", "[parallel]")
{
    const std::size_t n_threads = GENERATE(as<std::size_t>{}, 1, 4);
    std::atomic<int> n_done = 0;
    const auto work = [&](std::size_t i) {
        if (i == 3 || i == 8) {
            throw std::runtime_error("index " + std::to_string(i));
        }
        ++n_done;
    };
    CHECK_THROWS_WITH(for_each_index(10, n_threads, work), "index 3");
    CHECK(n_done == 8);
}
