/// \file
/// \brief Your turn: write chapter 6's question of the last state to all earlier ones, and the
/// choice of the windows that a forecaster may learn from.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 06 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

#include <cstddef>
#include <vector>

/// What the reader writes in chapter 6.
namespace attn::recurrent_attention::your_turn {

/// The last state asks all states before it, with the sum of the products as score: the context
/// is their mean under softmax(last . state_i).
/// \param states  [n_states, d], the earliest first, n_states at least 1
/// \returns       [d]; zeros if there is no earlier state
inline Vector context_of_last([[maybe_unused]] const Matrix& states)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/06_recurrent_attention/your_turn.hpp: context_of_last");
}

/// Which windows a forecaster may learn from. A window that ends at row t shows the rows
/// t - window + 1, ..., t, and its answers are the rows t + 1, ..., t + n_horizons. All of them
/// must lie before a row that is kept back.
/// \param window      rows in a window, at least 1
/// \param n_horizons  answers, at least 1
/// \param kept_back   the first row that must not be looked at; rows are counted from 0
/// \returns           the rows t at which windows end, in rising order
inline std::vector<std::size_t> learning_windows([[maybe_unused]] std::size_t window,
                                                 [[maybe_unused]] std::size_t n_horizons,
                                                 [[maybe_unused]] std::size_t kept_back)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/06_recurrent_attention/your_turn.hpp: learning_windows");
}

} // namespace attn::recurrent_attention::your_turn
