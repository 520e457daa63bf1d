/// \file
/// \brief How the reports of chapter 6 hold contests.
#pragma once

#include "chapters/06_recurrent_attention/experiments/contest.hpp"
#include "common/program/seeds.hpp"

#include <vector>

namespace attn::recurrent_attention::report {

/// Holds contests with the program's seeds and threads, under a line of progress; with --quick
/// they are shortened to 50 steps.
inline std::vector<std::vector<Entry>> hold(const program::Frame& frame, const char* label,
                                            std::vector<Contest> contests)
{
    for (Contest& contest : contests) {
        contest.n_steps = frame.options.quick ? 50 : contest.n_steps;
    }
    return hold_contests(contests, program::seeds_of(frame),
                         [&](std::size_t n, const std::function<void(std::size_t)>& work) {
                             program::side_by_side(frame, label, n, work);
                         });
}

} // namespace attn::recurrent_attention::report
