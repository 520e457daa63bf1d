/// \file
/// \brief Forecasts of several rows ahead, multi-output, direct and recursive: of sunspots, and of a reader's table.
#pragma once

#include "chapters/06_recurrent_attention/series.hpp"
#include "common/program/run.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace attn::recurrent_attention {

/// The same windows with one of their targets.
/// \param horizon  which one, from 0
/// \throws ContractError if there is no such horizon
Problem only_horizon(const Problem& problem, std::size_t horizon);

/// Prints and saves errors against the horizon, multi-output, direct and recursive.
void show_horizons(program::Frame& frame);

/// What a reader wants of a table.
struct TableRequest
{
    std::optional<std::string> data;   ///< the CSV file
    std::optional<std::string> target; ///< the column to forecast
    std::size_t horizon = 1;           ///< rows ahead, at most
    std::size_t window = 24;           ///< rows that a forecast is made from
    std::size_t season = 0;            ///< rows in a season, 0 if there is none
    bool changes = false;              ///< whether all columns become changes first
};

/// Compares all models on a reader's table, and forecasts what comes after its last row.
/// \throws program::BadInput if the table cannot be used
void show_readers_table(program::Frame& frame, const TableRequest& request);

} // namespace attn::recurrent_attention
