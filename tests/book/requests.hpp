/// \file
/// \brief What the book's Markdown pages ask Doxygen to show, and the listings that the finished
/// pages show. Deliberately no reader of Markdown: it knows lines, fences and commands.
#pragma once

#include "tests/book/checks.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace attn::book {

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
/// \returns     the same without any white space, so that listings can be compared whatever
///              their indentation
std::string squeezed(const std::string& text);

/// \param book  a book
/// \param id    of one of its chapters
/// \returns     the chapter's Markdown pages from the source folder: chapter.md, then its
///              sub-pages in the order of their headings' names
std::vector<std::filesystem::path> pages_of_chapter(const Book& book, const std::string& id);

/// \param book  a book
/// \returns     its Markdown pages, of chapters and of docs/, from the source folder
std::vector<std::filesystem::path> markdown_pages(const Book& book);

/// \param page  a Markdown page's text
/// \returns     its lines outside fenced blocks, code spans cut out
std::vector<Line> outside_code(const std::string& page);

/// \param page  a Markdown page's text
/// \returns     the HTML page that it becomes, by the name in its heading; empty without one
std::string html_of(const std::string& page);

/// A command of a page that shows a file or a part of one.
struct Request
{
    std::string page;           ///< the Markdown page
    std::size_t line;           ///< where in it
    std::string html;           ///< the page it becomes
    std::string command;        ///< "snippet", "verbinclude", "include"
    std::filesystem::path file; ///< from the source folder; empty where there is none
    std::string asked;          ///< the file as the page names it
    std::string name;           ///< the snippet's
};

/// \param book  a book
/// \returns     all that its pages ask for, page by page
std::vector<Request> requests_of(const Book& book);

/// \param book  a book
/// \param html  one of its finished pages
/// \returns     what it shows as listings, each without white space
std::vector<std::string> listings_of(const Book& book, const std::string& html);

} // namespace attn::book
