#include "tests/book/checks.hpp"

#include <algorithm>
#include <fstream>
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
        rest.append(static_cast<std::size_t>(
                        std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                   text.begin() + static_cast<std::ptrdiff_t>(stop), '\n')),
                    '\n');
        i = stop + end.size() - 1;
    }
    return rest;
}

std::vector<Node> prose_and_count(const Node& page, std::size_t& count)
{
    std::vector<Node> prose;
    walk(page, [&](const Node& node) {
        if (node.tag.empty() && !node.text.empty()) {
            Node piece = node;
            piece.text = without_formulas(node.text, count);
            prose.push_back(std::move(piece));
        }
        return !is_listing(node);
    });
    return prose;
}

} // namespace

std::string to_string(const Finding& finding)
{
    const std::string line = finding.line == 0 ? "" : ":" + std::to_string(finding.line);
    return finding.file + line + ": " + finding.what;
}

std::ostream& operator<<(std::ostream& stream, const Finding& finding)
{
    return stream << to_string(finding);
}

std::vector<Check> all_checks()
{
    std::vector<Check> checks;
    for (const auto* part : {&link_checks(), &page_checks(), &order_checks(), &snippet_checks(),
                             &source_checks(), &reader_checks()}) {
        checks.insert(checks.end(), part->begin(), part->end());
    }
    return checks;
}

std::string content_of(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
}

std::size_t line_at(const std::string& text, std::size_t place)
{
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(place);
    return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
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
        } else if (entry->is_regular_file() && name.size() >= ends.size() &&
                   name.compare(name.size() - ends.size(), ends.size(), ends) == 0) {
            files.push_back(entry->path().lexically_relative(root));
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<Page> pages_of(const Book& book)
{
    std::vector<Page> pages;
    for (const fs::path& file : files_below(book.html, ".html")) {
        pages.push_back({file.generic_string(), parse_html(content_of(book.html / file))});
    }
    return pages;
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
