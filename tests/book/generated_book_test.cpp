/// \file
/// \brief The generated book goes through all checks.
#include "tests/book/checks.hpp"

#include "tests/support/catch.hpp"

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace {

/// The book in the build folder. A home that is the root of the file system is in every path.
attn::book::Book generated_book()
{
    std::vector<std::string> chapters;
    std::istringstream list(ATTN_CHAPTERS);
    for (std::string id; std::getline(list, id, ',');) {
        chapters.push_back(id);
    }
    std::vector<std::string> machine_paths = {ATTN_SOURCE_DIR, ATTN_BUILD_DIR};
    const char* home = std::getenv("HOME");
    if (home != nullptr && std::string(home).size() > 1) {
        machine_paths.push_back(std::string(home) + "/");
    }
    return attn::book::read_book(ATTN_SOURCE_DIR, ATTN_BOOK_HTML, chapters, machine_paths);
}

} // namespace

TEST_CASE("the generated book passes every check", "[book][generated]")
{
    const attn::book::Book book = generated_book();
    if (book.pages.empty()) {
        std::cout << "The book has not been generated: there is nothing to check.\n";
        return;
    }
    for (const attn::book::Check& check : attn::book::all_checks()) {
        std::string list;
        for (const std::string& finding : findings_of(book, check)) {
            list += "\n  " + finding;
        }
        INFO(check.name << ":" << list);
        CHECK(list.empty());
    }
}
