/// \file
/// \brief What the program of chapter 2 prints and writes: the chapter's experiments, one function
/// each, and a prediction from a reader's own table.
#pragma once

#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"
#include "common/program/run.hpp"

#include <string>
#include <vector>

/// The program's tables and files.
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
void warn_of_empty_windows(program::Frame& frame, const Answer& answer);

/// Prints the lines query,prediction,keys_in_window with ten significant digits.
void answer_as_csv(program::Frame& frame, const Answer& answer);

/// Prints predictions with the width, its error and the weights, for a reader.
void answer_as_table(program::Frame& frame, const NamedSample& sample, const Answer& answer);

/// Prints the weights of some queries as a heat map, keys across in rising order.
/// \param queries   [n_queries]
/// \param key_name  of the keys, for the caption
void show_weights(program::Frame& frame, const Vector& queries, const Sample& sample,
                  const Kernel& kernel, double bandwidth, const std::string& key_name);

/// Prints each kernel with the width that leave-one-out chooses, and keeps their shapes.
void kernel_table(program::Frame& frame, const std::vector<Choice>& choices);

/// Prints and writes what a narrow, the chosen and a wide Gaussian make of Old Faithful.
/// \param chosen  the width that leave-one-out chooses
void width_table(program::Frame& frame, const Sample& real, double chosen);

/// Prints what each kernel answers where there is no key.
void empty_window(program::Frame& frame, const Sample& real);

/// Prints and writes the weights over a synthetic sample.
/// \param synthetic  keys in rising order
void weights(program::Frame& frame, const Sample& synthetic);

/// Prints and writes the errors with and without the mask.
/// \param synthetic  keys that all differ
void mask(program::Frame& frame, const Sample& synthetic, const Sample& real);

/// Prints how the kernels fare where the truth is known.
void comparison(program::Frame& frame);

/// Writes what the bandwidth slider of the page shows.
void slider(program::Frame& frame, const Sample& real, const std::vector<Choice>& choices);

/// Prints the pencil example, every intermediate by its name and shape.
void pencil_steps(program::Frame& frame);

} // namespace attn::nadaraya_watson::report
