/// \file
/// \brief A tiny book without a defect: what the checks must pass, and in which the tests plant
/// one defect at a time. Deliberately not generated: each page is only what the checks read.
#pragma once

#include "tests/book/checks.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace attn::book {

/// Names in the book's folder, and what the files hold.
using Files = std::map<std::string, std::string>;

/// \returns two chapters, the contents page, the side bar, and what they were written from
Files clean_book();

/// \returns a book of those two chapters, whose files are written into a folder; no page of it may
///          name /home/smith
Book written(const Files& files, const std::filesystem::path& folder);

} // namespace attn::book
