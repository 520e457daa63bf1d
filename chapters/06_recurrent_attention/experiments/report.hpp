/// \file
/// \brief What the program of chapter 6 prints and keeps, one function an experiment.
/// Deliberately without formulas: the other headers have them.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// The program's tables and files.
namespace attn::recurrent_attention::report {

/// Prints how much of a gradient is left after many steps.
/// \param frame  the program's terminal
void distances(program::Frame& frame);

/// Prints and keeps how well networks with and without attention recall.
/// \param frame  the program's terminal and files
void recall(program::Frame& frame);

/// Prints and keeps what comes of attending inputs, own states and states below.
/// \param frame  the program's terminal and files
void memories(program::Frame& frame);

/// Prints and keeps the contests on constructed series, with the weights of attention.
/// \param frame  the program's terminal and files
void constructed(program::Frame& frame);

/// Prints and keeps the contests on measured series.
/// \param frame  the program's terminal and files
void measured(program::Frame& frame);

/// Prints and keeps errors against the horizon, direct and recursive.
/// \param frame  the program's terminal and files
void horizons(program::Frame& frame);

/// What a reader asks about a table.
struct TableQuestion
{
    std::optional<std::string> data;   ///< the CSV file
    std::optional<std::string> target; ///< the column to forecast
    std::size_t horizon = 1;           ///< rows ahead, at most
    std::size_t window = 24;           ///< rows that a forecast may look at
    std::size_t season = 0;            ///< rows in a season, 0 if there is none
    bool changes = false;              ///< whether all columns become changes first
};

/// Holds the contest on a reader's table, and forecasts what comes behind its last row.
/// \param frame     the program's terminal and files
/// \param question  the table and what is asked of it
/// \throws program::BadInput if the table cannot be used
void readers_table(program::Frame& frame, const TableQuestion& question);

/// Prints the pencil example, every intermediate by its name and shape.
/// \param frame  the program's terminal
void pencil_steps(program::Frame& frame);

} // namespace attn::recurrent_attention::report
