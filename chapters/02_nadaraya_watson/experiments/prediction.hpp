/// \file
/// \brief What does similarity predict from a reader's own table?
#pragma once

#include "common/program/run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attn::nadaraya_watson {

/// What the reader may choose; without a table Old Faithful is taken.
struct PredictionOptions
{
    std::optional<std::string> data;      ///< a CSV file
    std::optional<std::string> key;       ///< the column of the keys
    std::optional<std::string> value;     ///< that of the values
    std::optional<std::string> kernel;    ///< a kernel's name
    std::optional<std::string> bandwidth; ///< a number, or loo
    std::optional<double> cut;            ///< where the kernel ends, in bandwidths
    std::vector<double> queries;          ///< where to predict
    std::optional<std::string> format;    ///< table or csv

    /// Whether any was given: else the chapter's own experiments are wanted.
    bool any() const
    {
        return data || key || value || kernel || bandwidth || cut || !queries.empty() || format;
    }
};

/// The names of the kernels, the default first.
std::vector<std::string> kernel_names();

/// Predicts the reader's queries from the reader's table.
/// \throws BadInput if something cannot be used
void show_prediction(program::Frame& frame, const PredictionOptions& options);

} // namespace attn::nadaraya_watson
