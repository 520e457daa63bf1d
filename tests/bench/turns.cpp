#include "tests/bench/turns.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

namespace attn::bench {

namespace {

double milliseconds_passed()
{
    const std::chrono::duration<double, std::milli> now =
        std::chrono::steady_clock::now().time_since_epoch();
    return now.count();
}

double milliseconds_now(std::size_t n_threads)
{
    return n_threads == 1 ? 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC
                          : milliseconds_passed();
}

double milliseconds_of(const Candidate& one, std::size_t n_runs)
{
    const double start = milliseconds_now(one.n_threads);
    for (std::size_t run = 0; run < n_runs; ++run) {
        one.run();
    }
    return (milliseconds_now(one.n_threads) - start) / static_cast<double>(n_runs);
}

/// Threads that have nothing left to do turn in circles before they sleep, OpenBLAS's for 2^26
/// cycles. The next candidate is not to pay for that.
void let_threads_fall_asleep()
{
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
}

void take_turn(Candidate& one, std::size_t n_samples)
{
    if (one.prepare) {
        one.prepare();
    }
    std::size_t n_runs = 1;
    while (milliseconds_of(one, n_runs) < 1 / static_cast<double>(n_runs)) {
        n_runs *= 2;
    }
    for (std::size_t sample = 0; sample < n_samples; ++sample) {
        one.samples.push_back(milliseconds_of(one, n_runs));
    }
}

} // namespace

double Candidate::best() const
{
    return *std::min_element(samples.begin(), samples.end());
}

double Candidate::median() const
{
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
}

void time_in_turns(std::vector<Candidate>& candidates, const Turns& turns)
{
    const bool threads = std::any_of(candidates.begin(), candidates.end(),
                                     [](const Candidate& one) { return one.n_threads > 1; });
    const double begin = milliseconds_passed();
    for (std::size_t turn = 0;
         turn < turns.n_turns || milliseconds_passed() - begin < 1e3 * turns.seconds; ++turn) {
        for (Candidate& one : candidates) {
            if (threads) {
                let_threads_fall_asleep();
            }
            take_turn(one, turns.n_samples);
        }
    }
    if (threads) {
        let_threads_fall_asleep();
    }
}

const Candidate& fastest(const std::vector<Candidate>& candidates, std::string_view beginning)
{
    const Candidate* best = nullptr;
    for (const Candidate& one : candidates) {
        if (one.name.rfind(beginning, 0) == 0 &&
            (best == nullptr || one.best() < best->best())) {
            best = &one;
        }
    }
    expect(best != nullptr, "fastest: no candidate's name begins with '{}'", beginning);
    return *best;
}

} // namespace attn::bench
