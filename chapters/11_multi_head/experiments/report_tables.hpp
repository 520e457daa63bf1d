/// \file
/// \brief How the reports of chapter 11 save tables of weights for their figures.
#pragma once

#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"

#include <string>
#include <vector>

namespace attn::multi_head::report {

/// Saves square tables of weights [n, n], a named column each, for heat maps: query and key count
/// from 1.
inline void save_tables(program::Frame& frame, const char* file,
                        const std::vector<std::string>& names,
                        const std::vector<Matrix>& tables)
{
    const std::size_t n = tables.front().shape(0);
    std::vector<double> queries;
    std::vector<double> keys;
    for (std::size_t i = 0; i < n * n; ++i) {
        queries.push_back(static_cast<double>(i / n + 1));
        keys.push_back(static_cast<double>(i % n + 1));
    }
    program::CsvColumns columns;
    columns.add("query", queries, program::fixed, 0).add("key", keys, program::fixed, 0);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        columns.add(names[i], tables[i], program::fixed, 4);
    }
    frame.files.write_csv(file, columns);
}

} // namespace attn::multi_head::report
