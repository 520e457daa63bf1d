/// \file
/// \brief What the seeds of a model came to, in one of its measures, here and in chapter 12.
/// Deliberately only the spread: which measures are shown is each report's own.
#pragma once

#include "chapters/08_bahdanau/comparison.hpp"
#include "common/program/spread.hpp"

#include <vector>

namespace attn::bahdanau::report {

/// \param measures  [n_seeds]
/// \param number    one of them
/// \param factor    100 for per cent
/// \returns         the spread of the number over the seeds
inline program::Spread spread_of(const std::vector<Measures>& measures,
                                 double Measures::*number, double factor = 1)
{
    return program::spread(measures,
                           [&](const Measures& one) { return factor * (one.*number); });
}

} // namespace attn::bahdanau::report
