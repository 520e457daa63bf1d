/// \file
/// \brief How everything that is compared is timed: in turns, so that a slow while of the
/// machine and a change of its clock meet all alike. One clock, one way to sample and one
/// way to choose for us and for the peers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::bench {

/// What is timed, and how long it took.
struct Candidate
{
    std::string name;
    std::size_t n_threads = 1; ///< that it computes on
    std::function<void()> run;
    std::function<void()> prepare = {}; ///< before each of its turns, not timed; may be empty
    std::vector<double> samples = {};   ///< milliseconds of one run, a number for each sample

    double best() const;   ///< \returns the shortest sample, milliseconds
    double median() const; ///< \returns the middle one, milliseconds
};

/// How often, and how long.
struct Turns
{
    std::size_t n_turns = 3;   ///< of each candidate, at least
    std::size_t n_samples = 3; ///< in each turn
    double seconds = 0;        ///< for all candidates together, at least
};

/// Times each candidate in its turn, turn after turn. A turn begins with runs that do not
/// count, until as many as make a sample have taken a millisecond, one if it takes as long. The
/// clock is the processor's time where a candidate computes on one thread, so that what other
/// programs take does not count, and the time that passes where it computes on several.
void time_in_turns(std::vector<Candidate>& candidates, const Turns& turns = {});

/// The fastest of those whose names begin alike: a peer that computes in several ways, or under
/// several settings, is measured by its best.
/// \throws ContractError if no name begins so
const Candidate& fastest(const std::vector<Candidate>& candidates, std::string_view beginning);

} // namespace attn::bench
