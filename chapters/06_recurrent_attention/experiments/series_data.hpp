/// \file
/// \brief The series that are forecast: constructed ones, five measured ones, a reader's table.
#pragma once

#include "chapters/06_recurrent_attention/series.hpp"
#include "common/program/csv_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::recurrent_attention {

/// Which lag the target of a constructed series depends on.
enum class Lags
{
    switched, ///< \f$ y_t = .9 x_{1, t-3} \f$ if \f$ z_{t-1} = 1 \f$, else
              ///< \f$ .9 x_{1, t-12} \f$; columns x1, x2, z, y
    fixed     ///< \f$ y_t = .8 x_{1, t-3} - .6 x_{2, t-12} \f$; columns x1, x2, y
};

/// The standard deviation of the noise of constructed series: what no forecast can avoid.
inline constexpr double series_noise = 0.3;

inline constexpr std::size_t lag_if_1 = 3;  ///< of the switched series, where z is 1
inline constexpr std::size_t lag_if_0 = 12; ///< of the switched series, where z is 0
inline constexpr std::size_t z_column = 2;  ///< of the switched series

/// Whether the switch stood at 1 in the last row of each window.
std::vector<bool> switched_on(const Problem& problem, const Windows& windows);

/// Draws a series: x is autoregressive, \f$ x_t = .3 x_{t-1} + \varepsilon \f$ with standard
/// normal \f$ \varepsilon \f$, z is 0 or 1 with equal probability, y is the target.
Series draw_series(Lags lags, std::size_t n_rows, std::uint64_t seed);

/// A measured series and how it is split.
struct RealSeries
{
    Series series; ///< transformed
    Plan plan;     ///< horizon 1
};

/// Yearly sunspots (square roots of x + 1), sales with a leading indicator (differences), monthly
/// deaths from lung diseases (logarithms, by sex and together), car drivers killed or seriously injured
/// (logarithms, with kilometres driven and the price of petrol), and daily returns of a share
/// index in per cent.
/// \returns [5], in that order
std::vector<RealSeries> real_series();

/// The table of car drivers as it was published, with its column `law`, which is 0 until the
/// last two of sixteen years.
program::NumericTable seatbelts_table();

/// All columns of a table whose rows are in the order of time.
/// \throws program::BadInput if there is no column of the target's name
Series series_of(const program::NumericTable& table, const std::string& target);

/// Each row less the one before it: for a series whose level wanders out of what was learnt.
/// \throws program::BadInput if there is one row only
Series changes_of(const Series& series);

} // namespace attn::recurrent_attention
