/// \file
/// \brief The tree along which the parts of a batch are added: the same bits, whoever adds them.
#include "common/parallel/processes.hpp"

#include "tests/common/parallel/simulated_processes.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace attn::parallel;
using namespace attn::testing;

namespace {

/// The numbers of a part: of very different sizes, so that another order gives other bits.
std::vector<float> numbers_of_part(std::size_t part, std::size_t n)
{
    std::vector<float> numbers(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto x = static_cast<float>(7 * i + 13 * part + 1);
        numbers[i] = std::sin(x) * std::exp(8 * std::cos(3 * x));
    }
    return numbers;
}

/// What one of the processes receives when all parts are added.
std::vector<float> added(const Processes& processes, std::size_t n_parts, std::size_t n)
{
    const Range own = processes.own_parts(n_parts);
    std::vector<std::vector<float>> parts;
    for (std::size_t part = own.first; part < own.end; ++part) {
        parts.push_back(numbers_of_part(part, n));
    }
    std::vector<float> sum(n);
    processes.add_up(n_parts, parts, sum);
    return sum;
}

/// The tree, spelt out.
float tree_sum(const std::vector<float>& parts, std::size_t first, std::size_t end)
{
    const std::size_t middle = first + (end - first) / 2;
    return end - first == 1 ? parts[first]
                            : tree_sum(parts, first, middle) + tree_sum(parts, middle, end);
}

} // namespace

TEST_CASE("the sum of the parts has the same bits for any number of processes",
          "[parallel][property]")
{
    const std::size_t n_parts = GENERATE(as<std::size_t>{}, 1, 2, 5, 8, 24);
    const std::size_t n = GENERATE(as<std::size_t>{}, 1, 3, 101);
    const std::vector<float> sum = added(alone(), n_parts, n);
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<float> parts;
        for (std::size_t part = 0; part < n_parts; ++part) {
            parts.push_back(numbers_of_part(part, n)[i]);
        }
        REQUIRE(sum[i] == tree_sum(parts, 0, n_parts));
    }
    for (std::size_t n_processes = 1; n_processes <= n_parts; ++n_processes) {
        std::vector<std::vector<float>> received(n_processes);
        run_simulated(n_processes, [&](const Processes& processes) {
            received[processes.rank()] = added(processes, n_parts, n);
        });
        CAPTURE(n_parts, n, n_processes);
        CHECK(received == std::vector<std::vector<float>>(n_processes, sum));
    }
}

TEST_CASE("the order of the sum is one that bits depend on", "[parallel]")
{
    const std::size_t n = 101;
    std::vector<float> one_after_the_other(n);
    for (std::size_t part = 0; part < 8; ++part) {
        const std::vector<float> numbers = numbers_of_part(part, n);
        for (std::size_t i = 0; i < n; ++i) {
            one_after_the_other[i] += numbers[i];
        }
    }
    CHECK(added(alone(), 8, n) != one_after_the_other);
}

TEST_CASE("subtrees cover what is one's own, and are few where it is aligned", "[parallel]")
{
    for (const std::size_t n_parts : {1U, 7U, 8U, 24U}) {
        for (std::size_t first = 0; first < n_parts; ++first) {
            for (std::size_t end = first + 1; end <= n_parts; ++end) {
                std::size_t next = first;
                for (const Range& one : subtrees_within({0, n_parts}, {first, end})) {
                    REQUIRE(one.first == next);
                    REQUIRE(one.end > one.first);
                    next = one.end;
                }
                REQUIRE(next == end);
            }
        }
    }
    CHECK(subtrees_within({0, 8}, {4, 8}).size() == 1);
    CHECK(subtrees_within({0, 24}, {0, 3}).size() == 1);
    CHECK(subtrees_within({0, 8}, {2, 5}).size() == 2);
}

TEST_CASE("three and five processes have up to two sums of eight parts, others one",
          "[parallel]")
{
    for (const std::size_t n : {2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
        std::size_t most_sums = 0;
        std::size_t most_parts = 0;
        for (std::size_t process = 0; process < n; ++process) {
            const Range own = share_of(8, process, n);
            most_sums = std::max(most_sums, subtrees_within({0, 8}, own).size());
            most_parts = std::max(most_parts, own.size());
        }
        CAPTURE(n);
        CHECK(most_sums == (n == 3 || n == 5 ? 2U : 1U));
        CHECK(most_parts == (8 + n - 1) / n);
    }
}

TEST_CASE("parts that are missing or of another length are refused", "[parallel]")
{
    std::vector<std::vector<float>> parts(3, std::vector<float>(4));
    std::vector<float> sum(4);
    CHECK_THROWS(alone().add_up(4, parts, sum));
    CHECK_NOTHROW(alone().add_up(3, parts, sum));
    parts.back().resize(5);
    CHECK_THROWS(alone().add_up(3, parts, sum));
}

TEST_CASE("one yes is a yes of all", "[parallel]")
{
    CHECK_FALSE(alone().any(false));
    CHECK(alone().any(true));
    run_simulated(3, [](const Processes& processes) {
        const bool nobody = processes.any(false);
        const bool somebody = processes.any(processes.rank() == 2);
        if (nobody || !somebody) {
            throw std::runtime_error("any");
        }
    });
}
