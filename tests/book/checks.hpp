/// \file
/// \brief The checks of the generated book: what neither the compiler nor Doxygen sees. Each is
/// a function of a book that adds what it found; one list names them, so that the book and the
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
    const char* name;                                ///< what must not be there: "dead links"
    void (*run)(const Book&, std::vector<Finding>&); ///< adds all that is wrong
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

/// \returns what a check finds, "index.html:3: what" each
std::vector<std::string> findings_of(const Book& book, const Check& check);

/// \returns the book with its pages; what is given goes into it
Book read_book(const std::filesystem::path& source, const std::filesystem::path& html,
               const std::vector<std::string>& chapters,
               const std::vector<std::string>& machine_paths);

/// \returns a page's root, empty where there is no page of the name
const Node& page_named(const Book& book, const std::string& name);

/// \returns a file's content, nothing where there is no such file
std::string content_of(const std::filesystem::path& file);

/// \param ends  how a file's name must end, ".html"
/// \returns     all such files below a folder, relative to it, sorted; not those of mathjax
std::vector<std::filesystem::path> files_below(const std::filesystem::path& root,
                                               const std::string& ends);

/// A line of a text.
struct Line
{
    std::string text;   ///< without its end
    std::size_t number; ///< from 1
};

/// \returns the lines of a text
std::vector<Line> lines_of(const std::string& text);

/// \returns the words of a text with one blank between them
std::string on_one_line(const std::string& text);

/// \returns the number of the line that a place of a text is in, from 1
std::size_t line_at(const std::string& text, std::ptrdiff_t place);

/// \param text  must outlive the result
/// \returns     all that match an expression, in their order
std::vector<std::smatch> matches_of(const std::string& text, const std::regex& expression);

/// \returns the chapter's Markdown pages from the source folder: chapter.md, then its sub-pages in
///          the order of their headings' names
std::vector<std::filesystem::path> pages_of_chapter(const Book& book, const std::string& id);

/// What a Markdown page begins with; empty without it.
struct Heading
{
    std::string title; ///< "2 Nadaraya–Watson, prediction by similarity"
    std::string html;  ///< the HTML page that it becomes, by the name in its heading
};

/// \returns the heading of a Markdown page
Heading heading_of(const std::string& page);

/// \returns where a page's text stands without code, drawings, scripts and formulas, one entry a
///          piece of text; a formula that is not closed stays in it
std::vector<Node> prose_of(const Node& page);

/// \returns how many formulas a page's source holds
std::size_t formula_count(const Node& page);

} // namespace attn::book
