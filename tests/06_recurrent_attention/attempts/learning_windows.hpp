/// \file
/// \brief Attempts at chapter 6's choice of windows. The first is right; each other makes one
/// mistake.
#pragma once

#include "tests/support/attempts.hpp"

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

inline const testing::Attempts<Rows(std::size_t, std::size_t, std::size_t)>
    all("learning_windows",
        {{"right", right, ""},
         {"first_answer_only", first_answer_only, "with three answers the last window ends at"},
         {"one_too_far", one_too_far, "the last one ends at 4"}});

} // namespace attn::recurrent_attention::your_turn::learning_windows_attempts
