#include "tests/book/requests.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

namespace attn::book {

namespace {

namespace fs = std::filesystem;

/// Whether a line opens or closes a fenced block.
bool is_fence(const std::string& line)
{
    static const std::regex fence(R"(^\s*(```|~~~))");
    return std::regex_search(line, fence);
}

/// A file as Doxygen finds it: beside the folders of its EXAMPLE_PATH.
fs::path file_asked_for(const Book& book, const std::string& asked)
{
    for (const char* folder : {"chapters", "tests", "common", ""}) {
        const fs::path file = fs::path(folder) / asked;
        if (fs::is_regular_file(book.source / file)) {
            return file;
        }
    }
    return {};
}

} // namespace

std::vector<Line> lines_of(const std::string& text)
{
    std::vector<Line> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back({line, lines.size() + 1});
    }
    return lines;
}

std::string squeezed(const std::string& text)
{
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result),
                 [](unsigned char c) { return std::isspace(c) == 0; });
    return result;
}

std::vector<fs::path> pages_of_chapter(const Book& book, const std::string& id)
{
    const fs::path folder = fs::path("chapters") / id;
    std::map<std::string, fs::path> by_name; // "chapter_14a_matrix_product.html"
    for (const fs::path& file : files_below(book.source / folder, ".md")) {
        if (file != "chapter.md" && file != "questions.md") {
            by_name.emplace(html_of(content_of(book.source / folder / file)), folder / file);
        }
    }
    std::vector<fs::path> pages = {folder / "chapter.md"};
    for (const auto& [name, file] : by_name) {
        pages.push_back(file);
    }
    return pages;
}

std::vector<fs::path> markdown_pages(const Book& book)
{
    std::vector<fs::path> pages;
    for (const Chapter& chapter : book.chapters) {
        const std::vector<fs::path> more = pages_of_chapter(book, chapter.id);
        pages.insert(pages.end(), more.begin(), more.end());
    }
    for (const fs::path& file : files_below(book.source / "docs", ".md")) {
        pages.push_back("docs" / file);
    }
    return pages;
}

std::vector<Line> outside_code(const std::string& page)
{
    static const std::regex span("`[^`]*`");
    std::vector<Line> lines;
    bool fenced = false;
    for (Line line : lines_of(page)) {
        if (is_fence(line.text)) {
            fenced = !fenced;
        } else if (!fenced) {
            line.text = std::regex_replace(line.text, span, "");
            lines.push_back(line);
        }
    }
    return lines;
}

std::string html_of(const std::string& page)
{
    static const std::regex named(R"(^# .*\{#([A-Za-z0-9_]+)\})");
    for (const Line& line : lines_of(page)) {
        std::smatch match;
        if (std::regex_search(line.text, match, named)) {
            return match[1] == "mainpage" ? "index.html" : match[1].str() + ".html";
        }
    }
    return "";
}

std::vector<Request> requests_of(const Book& book)
{
    static const std::regex command(
        R"([\\@](snippet|snippetlineno|verbinclude|include|includelineno))"
        R"((?:\{[^}]*\})?\s+(\S+)(?:\s+(\S+))?)");
    std::vector<Request> requests;
    for (const fs::path& file : markdown_pages(book)) {
        const std::string page = content_of(book.source / file);
        for (const Line& line : outside_code(page)) {
            std::smatch match;
            if (std::regex_search(line.text, match, command)) {
                requests.push_back({file.generic_string(), line.number, html_of(page), match[1],
                                    file_asked_for(book, match[2]), match[2], match[3]});
            }
        }
    }
    return requests;
}

std::vector<std::string> listings_of(const Book& book, const std::string& html)
{
    std::vector<std::string> listings;
    const Node page = parse_html(content_of(book.html / html));
    for (const Node* listing :
         find_all(page, [](const Node& node) { return has_class(node, "fragment"); })) {
        std::string text;
        for (const Line& line : lines_of(text_of(*listing))) {
            text += line.text;
        }
        listings.push_back(squeezed(text));
    }
    return listings;
}

} // namespace attn::book
