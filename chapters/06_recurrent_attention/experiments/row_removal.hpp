/// \file
/// \brief Is the row with the largest weight the one that the forecast rests on? It is taken out of the
/// window, and the error says so.
#pragma once

#include "chapters/06_recurrent_attention/experiments/forecast_comparison.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

namespace attn::recurrent_attention {

/// The windows with one number of each replaced by its column's mean, which is 0 when scaled.
/// \param windows  [n, window, n_columns]
/// \param lags     [n], lag 1 is the last row of the window
/// \throws ContractError if there is not one lag a window, or a lag or the column is not in it
Array<float> without_rows(const Array<float>& windows, const std::vector<std::size_t>& lags,
                          std::size_t column);

/// Prints and saves, for the networks of the switched series, the error without the row that y depends
/// on and without the row of the largest weight.
void show_row_removal(program::Frame& frame, const Problem& problem,
                      const std::vector<ComparedModel>& compared);

} // namespace attn::recurrent_attention
