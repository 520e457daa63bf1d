/// \file
/// \brief Attempts at chapter 6's choice of windows. The first is right; each other makes one
/// mistake.
#pragma once

#include "tests/support/attempts.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attn::recurrent_attention::your_turn::learning_windows_attempts {

using Rows = std::vector<std::size_t>;

/// From first while t + ahead is below end.
inline Rows rows(std::size_t first, std::size_t ahead, std::size_t end)
{
    Rows result;
    for (std::size_t t = first; t + ahead < end; ++t) {
        result.push_back(t);
    }
    return result;
}

inline Rows right(std::size_t window, std::size_t n_horizons, std::size_t kept_back)
{
    return rows(window - 1, n_horizons, kept_back);
}

/// Looks only at the first answer.
inline Rows first_answer_only(std::size_t window, std::size_t, std::size_t kept_back)
{
    return rows(window - 1, 1, kept_back);
}

inline Rows one_too_far(std::size_t window, std::size_t n_horizons, std::size_t kept_back)
{
    return rows(window - 1, n_horizons, kept_back + 1);
}

inline Rows one_too_few(std::size_t window, std::size_t n_horizons, std::size_t kept_back)
{
    return rows(window - 1, n_horizons + (n_horizons > 1 ? 1 : 0), kept_back);
}

inline Rows begins_too_early(std::size_t window, std::size_t n_horizons, std::size_t kept_back)
{
    return rows(window == 4 ? 0 : window - 1, n_horizons, kept_back);
}

inline Rows begins_too_late(std::size_t window, std::size_t n_horizons, std::size_t kept_back)
{
    return rows(std::max<std::size_t>(window - 1, 1), n_horizons, kept_back);
}

/// A subtraction that goes below zero; stopped before memory runs out.
inline Rows wraps_around(std::size_t window, std::size_t n_horizons, std::size_t kept_back)
{
    Rows result;
    for (std::size_t t = window - 1; t < kept_back - n_horizons && result.size() < 1000; ++t) {
        result.push_back(t);
    }
    return result;
}

inline const testing::Attempts<Rows(std::size_t, std::size_t, std::size_t)>
    all("learning_windows",
        {{"right", right, ""},
         {"first_answer_only", first_answer_only, "with three answers the last window ends at"},
         {"one_too_far", one_too_far, "the last one ends at 4"},
         {"one_too_few", one_too_few, "next to what is kept back may be used"},
         {"begins_too_early", begins_too_early, "would begin before row 0"},
         {"begins_too_late", begins_too_late, "the first one ends at row 0"},
         {"wraps_around", wraps_around, "compare sums"}});

} // namespace attn::recurrent_attention::your_turn::learning_windows_attempts
