/// \file
/// \brief Processes that share a training, each a thread of the test: what they exchange is copied.
#pragma once

#include "common/parallel/processes.hpp"

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace attn::testing {

/// What the simulated processes have in common.
struct SharedMemory
{
    explicit SharedMemory(std::size_t n)
        : meeting(static_cast<std::ptrdiff_t>(n)), said(n), letters(n)
    {
    }

    std::barrier<> meeting;
    std::vector<std::uint64_t> said;
    /// [sender], by receiver and first part
    std::vector<std::map<std::pair<std::size_t, std::size_t>, std::span<const float>>> letters;
    std::vector<float> gathered;
};

/// One of several processes, which does all that add_up() asks for in memory.
class SimulatedProcess final : public parallel::Processes
{
public:
    SimulatedProcess(SharedMemory& memory, std::size_t rank) : memory_(memory), rank_(rank) {}

    std::size_t rank() const override { return rank_; }
    std::size_t size() const override { return memory_.said.size(); }

    std::vector<std::uint64_t> all(std::uint64_t here) const override
    {
        memory_.said[rank_] = here;
        memory_.meeting.arrive_and_wait();
        const std::vector<std::uint64_t> each = memory_.said;
        memory_.meeting.arrive_and_wait();
        return each;
    }

private:
    void exchange(std::span<const Message> sent,
                  std::span<const Message> received) const override
    {
        memory_.letters[rank_].clear();
        for (const Message& one : sent) {
            memory_.letters[rank_][{one.process, one.first_part}] = one.numbers;
        }
        memory_.meeting.arrive_and_wait();
        for (const Message& one : received) {
            const std::span<const float> letter =
                memory_.letters[one.process].at({rank_, one.first_part});
            std::copy(letter.begin(), letter.end(), one.numbers.begin());
        }
        memory_.meeting.arrive_and_wait();
    }

    void gather(std::span<float> numbers) const override
    {
        if (is_first()) {
            memory_.gathered.assign(numbers.size(), 0.0F);
        }
        memory_.meeting.arrive_and_wait();
        const parallel::Range own = parallel::share_of(numbers.size(), rank_, size());
        for (std::size_t i = own.first; i < own.end; ++i) {
            memory_.gathered[i] = numbers[i];
        }
        memory_.meeting.arrive_and_wait();
        std::copy(memory_.gathered.begin(), memory_.gathered.end(), numbers.begin());
        memory_.meeting.arrive_and_wait();
    }

    SharedMemory& memory_;
    std::size_t rank_;
};

/// Lets n processes do the same side by side.
/// \throws what the lowest of them threw, if all did
inline void run_simulated(std::size_t n,
                          const std::function<void(const parallel::Processes&)>& work)
{
    SharedMemory memory(n);
    std::vector<std::exception_ptr> failures(n);
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < n; ++rank) {
        threads.emplace_back([&, rank] {
            try {
                work(SimulatedProcess(memory, rank));
            } catch (...) {
                failures[rank] = std::current_exception();
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
}

} // namespace attn::testing
