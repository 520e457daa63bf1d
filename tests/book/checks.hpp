/// \file
/// \brief The checks of the generated book: what neither the compiler nor Doxygen sees. Each is
/// a function from a book to what it found; one list names them, so that the book and the
/// planted defects go through the same.
#pragma once

#include "tests/book/html.hpp"

#include <cstddef>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace attn::book {

/// A finished page.
struct Page
{
    std::string name; ///< relative to the html folder, with slashes
    Node root;        ///< what it holds
};

/// What is checked: what a book was made from, and what it became.
struct Book
{
    std::filesystem::path source;           ///< holds chapters/, tests/, docs/
    std::filesystem::path html;             ///< holds index.html
    std::vector<std::string> chapters;      ///< their ids in reading order
    std::vector<std::string> machine_paths; ///< folders that no reader may see named
    std::vector<Page> pages;                ///< all below html, by name
};

/// Something that is wrong, and where.
struct Finding
{
    std::string file; ///< relative to the html or to the source folder
    std::size_t line; ///< 0 where no line is meant
    std::string what; ///< one sentence without an end
};

/// A check under its name.
struct Check
{
    const char* name;                         ///< what must not be there: "dead links"
    std::vector<Finding> (*run)(const Book&); ///< all that is wrong, none when all is well
};

/// \returns the checks of what the finished pages name: links, anchors, outside resources
std::vector<Check> link_checks();

/// \returns the checks of the finished pages as they are: left-over markup, tables, paths of
///          the machine, the index of functions
std::vector<Check> page_checks();

/// \returns the checks of the pages against their reading order: numbers, titles, side bar,
///          previous and next
std::vector<Check> order_checks();

/// \returns the checks of the pages against their sources: snippets, outputs, figures
std::vector<Check> source_checks();

/// \returns all checks
std::vector<Check> all_checks();

/// \param book   a book
/// \param check  one of the checks
/// \returns      what it finds, "index.html:3: what" each
std::vector<std::string> findings_of(const Book& book, const Check& check);

/// \param source         where the book was made from
/// \param html           where its pages are
/// \param chapters       their ids in reading order
/// \param machine_paths  folders that no reader may see named
/// \returns              the book with its pages
Book read_book(const std::filesystem::path& source, const std::filesystem::path& html,
               const std::vector<std::string>& chapters,
               const std::vector<std::string>& machine_paths);

/// \param book  a book
/// \param name  of one of its pages
/// \returns     the page's root, empty where there is no such page
const Node& page_named(const Book& book, const std::string& name);

/// \param file  a text
/// \returns     its content, nothing where there is no such file
std::string content_of(const std::filesystem::path& file);

/// \param root  a folder
/// \param ends  how a file's name must end, ".html"
/// \returns     all such files in it and below, relative to it, sorted; not those of mathjax
std::vector<std::filesystem::path> files_below(const std::filesystem::path& root,
                                               const std::string& ends);

/// A line of a text.
struct Line
{
    std::string text;   ///< without its end
    std::size_t number; ///< from 1
};

/// \param text  any
/// \returns     its lines
std::vector<Line> lines_of(const std::string& text);

/// \param text  any
/// \returns     its words with one blank between them
std::string on_one_line(const std::string& text);

/// \param text   of a file
/// \param place  in it
/// \returns      the number of the line that it is in, from 1
std::size_t line_at(const std::string& text, std::ptrdiff_t place);

/// \param text        any, which must outlive the result
/// \param expression  what is looked for
/// \returns           all that match it, in their order
std::vector<std::smatch> matches_of(const std::string& text, const std::regex& expression);

/// \param book  a book
/// \param id    of one of its chapters
/// \returns     the chapter's Markdown pages from the source folder: chapter.md, then its
///              sub-pages in the order of their headings' names
std::vector<std::filesystem::path> pages_of_chapter(const Book& book, const std::string& id);

/// \param page  a Markdown page's text
/// \returns     the HTML page that it becomes, by the name in its heading; empty without one
std::string html_of(const std::string& page);

/// \param page  a page's root
/// \returns     where its text stands without code, drawings, scripts and formulas, one entry a
///              piece of text; a formula that is not closed stays in it
std::vector<Node> prose_of(const Node& page);

/// \param page  a page's root
/// \returns     how many formulas its source holds
std::size_t formula_count(const Node& page);

} // namespace attn::book
