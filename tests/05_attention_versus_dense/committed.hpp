/// \file
/// \brief What the program wrote over three seeds, as it is committed. Deliberately only read:
/// the target figures makes it.
#pragma once

#include "common/program/atomic_file.hpp"
#include "common/program/csv.hpp"

#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace attn::testing {

/// A committed table of chapter 5; a cell that holds no number is -1000.
/// \param file  its name
/// \returns     the table
inline program::NumericTable committed_table(const std::string& file)
{
    const std::filesystem::path folder =
        std::filesystem::path(ATTN_SOURCE_DIR) / "chapters/05_attention_versus_dense/expected";
    std::string text = program::read_file(folder / file);
    for (std::size_t at = text.find("nan"); at != std::string::npos; at = text.find("nan")) {
        text.replace(at, 3, "-1000");
    }
    return program::parse_numeric_csv(text, file);
}

} // namespace attn::testing
