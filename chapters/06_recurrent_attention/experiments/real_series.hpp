/// \file
/// \brief Five measured series, with the transformation and the split under which the page
/// compares forecasts of them. Deliberately small tables: they are compiled into the program.
#pragma once

#include "chapters/06_recurrent_attention/series.hpp"

#include <string>
#include <vector>

namespace attn::recurrent_attention {

/// A measured series and how it is split.
struct RealSeries
{
    Series series;    ///< transformed
    Plan plan;        ///< horizon 1
    std::string what; ///< "square roots of yearly sunspot numbers"
};

/// All of them: yearly sunspots (square roots), sales with a leading indicator (differences),
/// monthly deaths from lung diseases (logarithms, by sex and together), car drivers killed or
/// injured (logarithms, with kilometres driven and the price of petrol), and daily returns of a
/// share index in per cent.
/// \returns  [5], in that order
std::vector<RealSeries> real_series();

/// The table of car drivers as it was published, with its column `law`, which is 0 until the
/// last two of sixteen years.
/// \returns  columns drivers, kms, PetrolPrice, law
program::NumericTable seatbelts_table();

} // namespace attn::recurrent_attention
