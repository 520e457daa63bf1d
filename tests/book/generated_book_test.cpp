/// \file
/// \brief The generated book goes through all checks; each is a test of its own.
#include "tests/book/checks.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace {

using attn::book::Book;
using attn::book::Check;
using attn::book::Finding;

/// The table of contents as CMake hands it over: "01_lookup:|02_nadaraya_watson:01_lookup".
std::vector<attn::book::Chapter> chapters()
{
    std::vector<attn::book::Chapter> all;
    std::istringstream list(ATTN_CONTENTS);
    for (std::string entry; std::getline(list, entry, '|');) {
        const std::size_t colon = entry.find(':');
        attn::book::Chapter chapter{entry.substr(0, colon), {}};
        std::istringstream earlier(entry.substr(colon + 1));
        for (std::string id; std::getline(earlier, id, ',');) {
            chapter.builds_on.push_back(id);
        }
        all.push_back(chapter);
    }
    return all;
}

/// The book in the build folder. A home that is the root of the file system is in every path.
Book generated_book()
{
    Book book{ATTN_SOURCE_DIR, ATTN_BOOK_HTML, chapters(), {ATTN_SOURCE_DIR, ATTN_BUILD_DIR}};
    const char* home = std::getenv("HOME");
    if (home != nullptr && std::string(home).size() > 1) {
        book.machine_paths.push_back(std::string(home) + "/");
    }
    return book;
}

/// Runs the check of a name over the generated book and fails with all that it finds.
void require_nothing(const std::string& name)
{
    const std::vector<Check> checks = attn::book::all_checks();
    const auto check = std::find_if(checks.begin(), checks.end(),
                                    [&](const Check& c) { return c.name == name; });
    REQUIRE(check != checks.end());
    const Book book = generated_book();
    if (!std::filesystem::is_regular_file(book.html / "index.html")) {
        std::cout << "The book has not been generated: there is nothing to check.\n";
        return;
    }
    const std::vector<Finding> findings = check->run(book);
    std::ostringstream list;
    for (const Finding& finding : findings) {
        list << "\n  " << finding;
    }
    INFO(name << ":" << list.str());
    CHECK(findings.empty());
}

} // namespace

TEST_CASE("every file that the generated book names is there", "[book][generated]")
{
    require_nothing("dead links");
}

TEST_CASE("every branch of the side bar can be read by a browser", "[book][generated]")
{
    require_nothing("unreadable branches");
}

TEST_CASE("every place that a link or a label names is there", "[book][generated]")
{
    require_nothing("dead anchors");
}

TEST_CASE("no page gives one name to two places", "[book][generated]")
{
    require_nothing("names given twice");
}

TEST_CASE("no page loads anything over the network", "[book][generated]")
{
    require_nothing("outside resources");
}

TEST_CASE("no markup is left over in the text", "[book][generated]")
{
    require_nothing("left-over markup");
}

TEST_CASE("every table has rows of one length", "[book][generated]")
{
    require_nothing("broken tables");
}

TEST_CASE("no folder of the machine is named", "[book][generated]")
{
    require_nothing("paths of the machine");
}

TEST_CASE("chapters have the numbers of their folders", "[book][generated]")
{
    require_nothing("wrong numbers");
}

TEST_CASE("chapters have the titles of their sources", "[book][generated]")
{
    require_nothing("wrong titles");
}

TEST_CASE("the side bar has the chapters in their order", "[book][generated]")
{
    require_nothing("wrong side bar");
}

TEST_CASE("sub-pages have the letters of their order", "[book][generated]")
{
    require_nothing("wrong sub-pages");
}

TEST_CASE("the side bar has sub-pages below their chapters", "[book][generated]")
{
    require_nothing("wrong side bar below a chapter");
}

TEST_CASE("the contents page has the chapters in their order", "[book][generated]")
{
    require_nothing("wrong contents page");
}

TEST_CASE("previous and next form one chain", "[book][generated]")
{
    require_nothing("wrong previous and next");
}

TEST_CASE("the map has a box a chapter and an arrow for each it builds on", "[book][generated]")
{
    require_nothing("wrong map");
}

TEST_CASE("markers stand in pairs around code", "[book][generated]")
{
    require_nothing("empty snippets");
}

TEST_CASE("every marked snippet is shown by a page", "[book][generated]")
{
    require_nothing("unused snippets");
}

TEST_CASE("at most six snippets are marked for a page", "[book][generated]")
{
    require_nothing("too many snippets");
}

TEST_CASE("every snippet that a page asks for is on it", "[book][generated]")
{
    require_nothing("snippets not shown");
}

TEST_CASE("no listing is empty", "[book][generated]")
{
    require_nothing("empty listings");
}

TEST_CASE("every output that a page promises is on it", "[book][generated]")
{
    require_nothing("outputs not shown");
}

TEST_CASE("every figure is a drawing with a caption", "[book][generated]")
{
    require_nothing("figures not shown");
}

TEST_CASE("no C++ is typed into a chapter's page", "[book][generated]")
{
    require_nothing("typed code");
}

TEST_CASE("every question of a chapter is answered by its sentence", "[book][generated]")
{
    require_nothing("unanswered questions");
}

TEST_CASE("every resource has a chapter and is reached by https", "[book][generated]")
{
    require_nothing("resources astray");
}

TEST_CASE("the index of functions leads to every function", "[book][generated]")
{
    require_nothing("functions not in the index");
}
