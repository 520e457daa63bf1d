// The finished pages as they are: left-over markup, tables, paths of the machine, the index of
// functions.
#include "tests/book/checks.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace attn::book {

namespace {

namespace fs = std::filesystem;

// -------------------------------------------------------------------------- left-over markup

/// What a reader must never see outside a listing.
const std::vector<std::pair<std::string, std::regex>>& leftovers()
{
    static const std::vector<std::pair<std::string, std::regex>> expressions = {
        {"a command of Doxygen or of the book", std::regex(R"re(\\[A-Za-z]+\b)re")},
        {"a command of Doxygen", std::regex(R"re((^|[\s(])@[a-z]+\b)re")},
        {"a formula's end without its beginning", std::regex(R"re(\\[()\[\]{}$])re")},
        {"a command's option", std::regex(R"re(\[block\])re")},
        {"a command's word", std::regex(R"re(\b(end)?(htmlonly|verbatim|endcode)\b)re")},
        {"Markdown's bold", std::regex(R"re(\*\*)re")},
        {"a Markdown link", std::regex(R"re(\]\()re")},
        {"a Markdown fence", std::regex(R"re(```|~~~)re")},
        {"a Markdown heading", std::regex(R"re((^|\n)\s*#{1,6} )re")},
        {"a name of a section", std::regex(R"re(\{#)re")},
        {"a formula in Markdown's way",
         std::regex(R"re(\$`|`\$|\$\$|\$[^$\n]*[\\^_{][^$\n]*\$)re")},
        {"a code span", std::regex(R"re(`[^`\n]+`)re")},
        {"HTML as text",
         std::regex(
             R"re(</?(a|b|i|p|br|em|div|span|strong|code|figure|svg|sub|sup)\b[^>]*>)re")}};
    return expressions;
}

void leftover_markup(const Book& book, std::vector<Finding>& findings)
{
    for (const Page& page : book.pages) {
        for (const Node& piece : prose_of(page.root)) {
            for (const auto& [name, expression] : leftovers()) {
                std::smatch match;
                if (std::regex_search(piece.text, match, expression)) {
                    findings.push_back({page.name,
                                        piece.line + line_at(piece.text, match.position()) - 1,
                                        name + " is left over: '" + match.str() + "'"});
                    break;
                }
            }
        }
    }
}

// ------------------------------------------------------------------------------------ tables

std::size_t span_of(const Node& cell, const std::string& direction)
{
    const std::string span = attribute(cell, direction);
    return span.empty() ? 1 : static_cast<std::size_t>(std::stoul(span));
}

/// The rows of a table, not those of a table inside it.
std::vector<const Node*> rows_of(const Node& table)
{
    std::vector<const Node*> rows;
    walk(table, [&](const Node& node) {
        if (node.tag == "tr") {
            rows.push_back(&node);
        }
        return &node == &table || (node.tag != "table" && node.tag != "tr");
    });
    return rows;
}

/// How many columns each row fills, cells that reach down from rows above included.
std::vector<std::size_t> widths_of(const std::vector<const Node*>& rows)
{
    std::vector<std::size_t> widths(rows.size(), 0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const Node& cell : rows[row]->children) {
            if (cell.tag != "td" && cell.tag != "th") {
                continue;
            }
            const std::size_t last = std::min(row + span_of(cell, "rowspan"), rows.size());
            for (std::size_t below = row; below < last; ++below) {
                widths[below] += span_of(cell, "colspan");
            }
        }
    }
    return widths;
}

/// Tables whose rows differ in length, and tables that were not understood as such. Doxygen's
/// own layout tables, of functions and of members, are not meant.
void broken_tables(const Book& book, std::vector<Finding>& findings)
{
    static const std::regex row_as_text(R"((^|\n)\s*\|[^\n]*)");
    for (const Page& page : book.pages) {
        for (const Node* table : elements(page.root, "table")) {
            if (has_class(*table, "memname") || has_class(*table, "mlabels")) {
                continue;
            }
            const std::vector<const Node*> rows = rows_of(*table);
            const std::vector<std::size_t> widths = widths_of(rows);
            for (std::size_t row = 1; row < rows.size(); ++row) {
                if (widths[row] != widths[0]) {
                    findings.push_back({page.name, rows[row]->line,
                                        "a row of " + std::to_string(widths[row]) +
                                            " cells in a table of " +
                                            std::to_string(widths[0]) + " columns"});
                }
            }
        }
        for (const Node& piece : prose_of(page.root)) {
            std::smatch match;
            if (std::regex_search(piece.text, match, row_as_text)) {
                findings.push_back({page.name, piece.line, "a row of a table is set as text"});
            }
        }
    }
}

// --------------------------------------------------------------------- paths of the machine

bool is_part_of_a_name(char c)
{
    return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_' || c == '-' ||
           c == '.';
}

/// Folders of the machine that made the book, in any of its files.
void paths_of_the_machine(const Book& book, std::vector<Finding>& findings)
{
    for (const fs::path& file : files_below(book.html, "")) {
        const std::string text = content_of(book.html / file);
        for (const std::string& path : book.machine_paths) {
            for (std::size_t at = text.find(path); at != std::string::npos;
                 at = text.find(path, at + 1)) {
                const std::size_t end = at + path.size();
                const bool begins = at == 0 || !is_part_of_a_name(text[at - 1]);
                const bool ends = end == text.size() || !is_part_of_a_name(text[end]);
                if (begins && ends) {
                    findings.push_back({file.generic_string(),
                                        line_at(text, static_cast<std::ptrdiff_t>(at)),
                                        "names '" + path + "'"});
                    break;
                }
            }
        }
    }
}

// ------------------------------------------------------------------- the index of functions

/// Functions that Doxygen describes and the index of functions does not lead to: of those that
/// have one name in one place, to the first. Destructors and assignments are left out of it.
void functions_not_in_the_index(const Book& book, std::vector<Finding>& findings)
{
    static const std::regex left_out(R"(^(~|operator=\())");
    const std::string name = "namespacemembers_func.html";
    std::set<std::string> indexed; // "namespaceone.html one()"
    for (const Node* link : elements(page_named(book, name), "a", "el")) {
        const std::string target = attribute(*link, "href");
        indexed.insert(target.substr(0, target.find('#')) + " " + text_of(*link));
    }
    for (const Page& page : book.pages) {
        for (const Node* title : elements(page.root, "h2", "memtitle")) {
            const auto marks = elements(*title, "span");
            const std::string all = text_of(*title);
            const std::string text =
                on_one_line(all.substr(marks.empty() ? 0 : text_of(*marks.front()).size()));
            const std::size_t end = text.rfind("()");
            if (end == std::string::npos || std::regex_search(text, left_out)) {
                continue;
            }
            const std::string function = text.substr(0, end + 2); // "[1/2]" may follow
            if (indexed.count(page.name + " " + function) == 0) {
                findings.push_back({page.name, title->line,
                                    name + " does not lead to " + function +
                                        "; has its namespace a description?"});
            }
        }
    }
}

} // namespace

std::vector<Check> page_checks()
{
    return {{"left-over markup", leftover_markup},
            {"broken tables", broken_tables},
            {"paths of the machine", paths_of_the_machine},
            {"functions not in the index", functions_not_in_the_index}};
}

} // namespace attn::book
