/// \file
/// \brief The checks of the generated book: what neither the compiler nor Doxygen sees. Each is
/// a function from a book to what it found; the tables below name them, so that the book and
/// the planted defects go through the same list.
#pragma once

#include "tests/book/html.hpp"

#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace attn::book {

/// A chapter as the table of contents has it.
struct Chapter
{
    std::string id;                     ///< "02_nadaraya_watson"
    std::vector<std::string> builds_on; ///< ids of earlier chapters
};

/// What is checked: where a book was made from, and where it was put.
struct Book
{
    std::filesystem::path source;           ///< holds chapters/, tests/, docs/
    std::filesystem::path html;             ///< holds index.html
    std::vector<Chapter> chapters;          ///< in reading order
    std::vector<std::string> machine_paths; ///< folders that no reader may see named
};

/// Something that is wrong, and where.
struct Finding
{
    std::string file; ///< relative to the html or to the source folder
    std::size_t line; ///< 0 where no line is meant
    std::string what; ///< one sentence without an end
};

/// \param finding  something wrong
/// \returns        "index.html:3: what"
std::string to_string(const Finding& finding);

/// \param stream   where to print
/// \param finding  something wrong
/// \returns        the stream
std::ostream& operator<<(std::ostream& stream, const Finding& finding);

/// A check under its name.
struct Check
{
    const char* name;                         ///< what must not be there: "dead links"
    std::vector<Finding> (*run)(const Book&); ///< all that is wrong, none when all is well
};

/// \returns the checks of what the finished pages name: links, anchors, outside resources
const std::vector<Check>& link_checks();

/// \returns the checks of the finished pages, each on its own: left-over markup, tables, paths
///          of the machine
const std::vector<Check>& page_checks();

/// \returns the checks of the pages against the table of contents: side bar, contents page,
///          titles, previous and next, map
const std::vector<Check>& order_checks();

/// \returns the checks of the snippets that the pages ask for: markers, listings
const std::vector<Check>& snippet_checks();

/// \returns the checks of the pages against what else they were written from: promised outputs,
///          figures, fences
const std::vector<Check>& source_checks();

/// \returns the checks of the pages that send readers on: questions and their sentences,
///          resources and their chapters, the index of functions
const std::vector<Check>& reader_checks();

/// \returns all checks
std::vector<Check> all_checks();

/// A page that was read.
struct Page
{
    std::string name; ///< relative to the html folder, with slashes
    Node root;        ///< what it holds
};

/// \param file  a text
/// \returns     its content, nothing where there is no such file
std::string content_of(const std::filesystem::path& file);

/// \param text   of a file
/// \param place  in it
/// \returns      the number of the line that it is in, from 1
std::size_t line_at(const std::string& text, std::size_t place);

/// \param book  a book
/// \returns     its pages, those in folders below included, in the order of their names
std::vector<Page> pages_of(const Book& book);

/// \param root  a folder
/// \param ends  how a file's name must end, ".html"
/// \returns     all such files in it and below, relative to it, sorted; not those of mathjax
std::vector<std::filesystem::path> files_below(const std::filesystem::path& root,
                                               const std::string& ends);

/// \param page  a page's root
/// \returns     where its text stands without code, drawings, scripts and formulas, one entry a
///              piece of text; a formula that is not closed stays in it
std::vector<Node> prose_of(const Node& page);

/// \param page  a page's root
/// \returns     how many formulas its source holds
std::size_t formula_count(const Node& page);

} // namespace attn::book
