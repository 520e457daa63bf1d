/// \file
/// \brief What the program of chapter 6 prints and saves, one function an experiment.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// The program's tables and files.
namespace attn::recurrent_attention::report {

void distances(program::Frame& frame); ///< how much of a gradient is left after many steps
void recall(program::Frame& frame);    ///< how well networks with and without attention recall
void memories(program::Frame& frame);  ///< attending to inputs, own states and states below
void constructed(program::Frame& frame);  ///< contests on constructed series, with the weights
void measured(program::Frame& frame);     ///< contests on measured series
void horizons(program::Frame& frame);     ///< errors against the horizon, direct and recursive
void pencil_steps(program::Frame& frame); ///< every intermediate of the pencil example

/// What a reader asks about a table.
struct TableQuestion
{
    std::optional<std::string> data;   ///< the CSV file
    std::optional<std::string> target; ///< the column to forecast
    std::size_t horizon = 1;           ///< rows ahead, at most
    std::size_t window = 24;           ///< rows that a forecast is made from
    std::size_t season = 0;            ///< rows in a season, 0 if there is none
    bool changes = false;              ///< whether all columns become changes first
};

/// Holds the contest on a reader's table, and forecasts what comes after its last row.
/// \throws program::BadInput if the table cannot be used
void readers_table(program::Frame& frame, const TableQuestion& question);

} // namespace attn::recurrent_attention::report
