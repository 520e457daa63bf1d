/// \file
/// \brief What the program of chapter 2 says of a reader's own question: a prediction, what it
/// rests on, and a warning where it rests on nothing. Deliberately without files.
#pragma once

#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"
#include "common/program/run.hpp"

#include <string>

namespace attn::nadaraya_watson::report {

/// How many digits tell in tables and files.
inline constexpr int digits = 5;

/// A table of data with the roles of its columns.
struct NamedSample
{
    std::string source;     ///< the file's name
    std::string key_name;   ///< of the column of keys
    std::string value_name; ///< of the column of values
    Sample rows;            ///< keys and values
};

/// What was predicted, and how.
struct Answer
{
    Vector queries;        ///< [n_queries]
    Kernel kernel;         ///< how much a key counted at a distance
    double bandwidth;      ///< the width
    Prediction prediction; ///< for each query
};

/// Says on standard error for which queries there is no answer.
/// \param frame   the program's terminal
/// \param answer  what was predicted
void warn_of_empty_windows(program::Frame& frame, const Answer& answer);

/// Prints the lines query,prediction,keys_in_window with ten significant digits.
/// \param frame   the program's terminal
/// \param answer  what was predicted
void answer_as_csv(program::Frame& frame, const Answer& answer);

/// Prints predictions with the width, its error and the weights, for a reader.
/// \param frame   the program's terminal
/// \param sample  what it was predicted from
/// \param answer  what was predicted
void answer_as_table(program::Frame& frame, const NamedSample& sample, const Answer& answer);

/// Prints the weights of some queries as a heat map, keys across in rising order.
/// \param frame      the program's terminal
/// \param queries    [n_queries]
/// \param sample     what is predicted from
/// \param kernel     how much a key counts at a distance
/// \param bandwidth  the width
/// \param key_name   of the keys, for the caption
void show_weights(program::Frame& frame, const Vector& queries, const Sample& sample,
                  const Kernel& kernel, double bandwidth, const std::string& key_name);

} // namespace attn::nadaraya_watson::report
