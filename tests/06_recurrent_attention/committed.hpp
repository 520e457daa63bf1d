/// \file
/// \brief What the program wrote over three seeds, as it is committed. Deliberately only read:
/// the target figures makes it.
#pragma once

#include "common/program/atomic_file.hpp"
#include "common/program/csv.hpp"

#include <filesystem>
#include <sstream>
#include <string>

namespace attn::testing {

/// A committed table of chapter 6, without the rows that hold no number.
/// \param file  its name
/// \returns     the table
inline program::NumericTable committed_table(const std::string& file)
{
    const std::filesystem::path folder =
        std::filesystem::path(ATTN_SOURCE_DIR) / "chapters/06_recurrent_attention/expected";
    std::istringstream lines(program::read_file(folder / file));
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        kept += line.find("nan") == std::string::npos ? line + "\n" : "";
    }
    return program::parse_numeric_csv(kept, file);
}

} // namespace attn::testing
