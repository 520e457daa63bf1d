#include "tests/book/checks.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

namespace attn::book {

namespace {

namespace fs = std::filesystem;

/// Where text is not prose: code, drawings, and what Doxygen sets as a function's signature.
bool is_listing(const Node& node)
{
    static const std::set<std::string> tags = {"pre",   "code",     "tt",    "script",
                                               "style", "textarea", "title", "svg"};
    static const std::vector<std::string> classes = {
        "fragment",  "memproto", "memItemLeft", "memItemRight",
        "fieldtype", "summary",  "memtitle",    "memTemplParams"};
    return tags.count(node.tag) != 0 ||
           std::any_of(classes.begin(), classes.end(),
                       [&](const std::string& name) { return has_class(node, name); });
}

/// The end that belongs to the formula's beginning at a place, or nothing.
std::string formula_end(const std::string& text, std::size_t at)
{
    if (text.compare(at, 2, "\\(") == 0) {
        return "\\)";
    }
    if (text.compare(at, 2, "\\[") == 0) {
        return "\\]";
    }
    const std::string begin = "\\begin{";
    if (text.compare(at, begin.size(), begin) == 0) {
        const std::size_t name = at + begin.size();
        return "\\end{" + text.substr(name, text.find('}', name) - name) + "}";
    }
    return "";
}

/// A text without its formulas, their lines kept; counts them.
std::string without_formulas(const std::string& text, std::size_t& count)
{
    std::string rest;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string end = formula_end(text, i);
        const std::size_t stop = end.empty() ? std::string::npos : text.find(end, i + 2);
        if (stop == std::string::npos) {
            rest += text[i];
            continue;
        }
        ++count;
        const std::string formula = text.substr(i, stop - i);
        std::copy_if(formula.begin(), formula.end(), std::back_inserter(rest),
                     [](char c) { return c == '\n'; });
        i = stop + end.size() - 1;
    }
    return rest;
}

std::vector<Node> prose_and_count(const Node& page, std::size_t& count)
{
    std::vector<Node> prose;
    walk(page, [&](const Node& node) {
        if (!node.text.empty()) {
            Node piece = node;
            piece.text = without_formulas(node.text, count);
            prose.push_back(std::move(piece));
        }
        return !is_listing(node);
    });
    return prose;
}

} // namespace

std::vector<Check> all_checks()
{
    std::vector<Check> checks;
    for (const auto& part : {link_checks(), page_checks(), order_checks(), source_checks()}) {
        checks.insert(checks.end(), part.begin(), part.end());
    }
    return checks;
}

std::vector<std::string> findings_of(const Book& book, const Check& check)
{
    std::vector<std::string> findings;
    std::vector<Finding> found;
    check.run(book, found);
    for (const auto& [file, line, what] : found) {
        findings.push_back(file + (line == 0 ? "" : ":" + std::to_string(line)) + ": " + what);
    }
    return findings;
}

Book read_book(const fs::path& source, const fs::path& html,
               const std::vector<std::string>& chapters,
               const std::vector<std::string>& machine_paths)
{
    Book book{source, html, chapters, machine_paths, {}};
    for (const fs::path& file : files_below(html, ".html")) {
        book.pages.push_back({file.generic_string(), parse_html(content_of(html / file))});
    }
    return book;
}

const Node& page_named(const Book& book, const std::string& name)
{
    static const Node none;
    const auto page = std::find_if(book.pages.begin(), book.pages.end(),
                                   [&](const Page& p) { return p.name == name; });
    return page == book.pages.end() ? none : page->root;
}

std::string content_of(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
}

std::vector<fs::path> files_below(const fs::path& root, const std::string& ends)
{
    std::vector<fs::path> files;
    if (!fs::is_directory(root)) {
        return files;
    }
    for (auto entry = fs::recursive_directory_iterator(root);
         entry != fs::recursive_directory_iterator(); ++entry) {
        const std::string name = entry->path().filename().string();
        if (entry->is_directory() && name == "mathjax") {
            entry.disable_recursion_pending();
        } else if (entry->is_regular_file() && name.ends_with(ends)) {
            files.push_back(entry->path().lexically_relative(root));
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<Line> lines_of(const std::string& text)
{
    std::vector<Line> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back({line, lines.size() + 1});
    }
    return lines;
}

std::string on_one_line(const std::string& text)
{
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) {
        line += line.empty() ? word : " " + word;
    }
    return line;
}

std::size_t line_at(const std::string& text, std::ptrdiff_t place)
{
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + place, '\n'));
}

std::vector<std::smatch> matches_of(const std::string& text, const std::regex& expression)
{
    return {std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator()};
}

std::vector<fs::path> pages_of_chapter(const Book& book, const std::string& id)
{
    const fs::path folder = fs::path("chapters") / id;
    std::map<std::string, fs::path> by_name; // "chapter_14a_matrix_product.html"
    for (const fs::path& file : files_below(book.source / folder, ".md")) {
        if (file != "chapter.md" && file != "questions.md") {
            by_name.emplace(heading_of(content_of(book.source / folder / file)).html,
                            folder / file);
        }
    }
    std::vector<fs::path> pages = {folder / "chapter.md"};
    for (const auto& [name, file] : by_name) {
        pages.push_back(file);
    }
    return pages;
}

Heading heading_of(const std::string& page)
{
    static const std::regex named(R"(^# (.*?) ?\{#([A-Za-z0-9_]+)\})");
    for (const Line& line : lines_of(page)) {
        std::smatch match;
        if (std::regex_search(line.text, match, named)) {
            return {match[1], match[2] == "mainpage" ? "index.html" : match[2].str() + ".html"};
        }
    }
    return {};
}

std::vector<Node> prose_of(const Node& page)
{
    std::size_t count = 0;
    return prose_and_count(page, count);
}

std::size_t formula_count(const Node& page)
{
    std::size_t count = 0;
    prose_and_count(page, count);
    return count;
}

} // namespace attn::book
