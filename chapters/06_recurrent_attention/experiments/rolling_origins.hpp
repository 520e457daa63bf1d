/// \file
/// \brief Are differences between forecasts more than chance? Each series is forecast from several
/// origins, and the differences come with a standard error.
#pragma once

#include "chapters/06_recurrent_attention/series.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <vector>

namespace attn::recurrent_attention {

/// The series as it was known at several moments: each time a block of rows later, that block being
/// tested on, so that the last blocks are forecast one after the other.
/// \param plan      n_test is the length of a block
/// \returns         [n_blocks], the earliest first
/// \throws program::BadInput if there are too few rows for the first
std::vector<Problem> rolling_origins(const Series& series, const Plan& plan,
                                     std::size_t n_blocks);

/// Prints and saves how models compare with ridge regression from origin to origin.
void show_rolling_origins(program::Frame& frame);

} // namespace attn::recurrent_attention
