/// \file
/// \brief Stands in for the file of the same name that the reader writes: each function is
/// the attempt that this run is about.
#pragma once

#include "tests/06_recurrent_attention/attempts/context_of_last.hpp"
#include "tests/06_recurrent_attention/attempts/learning_windows.hpp"

namespace attn::recurrent_attention::your_turn {

inline Vector context_of_last(const Matrix& states)
{
    return context_of_last_attempts::all.chosen()(states);
}

inline std::vector<std::size_t> learning_windows(std::size_t window, std::size_t n_horizons,
                                                 std::size_t kept_back)
{
    return learning_windows_attempts::all.chosen()(window, n_horizons, kept_back);
}

} // namespace attn::recurrent_attention::your_turn
