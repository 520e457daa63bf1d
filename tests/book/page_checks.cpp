// The finished pages, each on its own and with those it points to.
#include "tests/book/checks.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

namespace attn::book {

namespace {

namespace fs = std::filesystem;

// ------------------------------------------------------------------------- links and anchors

/// A place that a file names: a page, an anchor, a picture, a script.
struct Reference
{
    std::string file;     ///< that names it
    std::size_t line;     ///< where
    std::string tag;      ///< of the element that names it, empty in a script
    std::string relation; ///< the attribute `rel` of a link
    std::string target;   ///< as it is named
};

bool is_outside(const std::string& target)
{
    static const std::regex scheme(R"(^(//|[A-Za-z][A-Za-z0-9+.-]*:))");
    return std::regex_search(target, scheme);
}

bool is_web_address(const std::string& target)
{
    static const std::regex address(R"(^\s*(//|(https?|ftp|wss?):))", std::regex::icase);
    return std::regex_search(target, address);
}

/// The places named by the attributes of a page.
std::vector<Reference> references_of(const Page& page)
{
    static const std::vector<std::string> naming = {"href", "xlink:href", "src", "data",
                                                    "poster"};
    std::vector<Reference> references;
    walk(page.root, [&](const Node& node) {
        for (const std::string& name : naming) {
            const auto found = node.attributes.find(name);
            if (found != node.attributes.end()) {
                references.push_back(
                    {page.name, node.line, node.tag, attribute(node, "rel"), found->second});
            }
        }
        std::istringstream set(attribute(node, "srcset"));
        for (std::string entry; std::getline(set >> std::ws, entry, ',');) {
            references.push_back(
                {page.name, node.line, node.tag, "", entry.substr(0, entry.find(' '))});
        }
        return true;
    });
    return references;
}

std::size_t line_at(const std::string& text, std::size_t place)
{
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(place);
    return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

/// Calls `visit` with each match of an expression.
template <typename Visit>
void for_each_match(const std::string& text, const std::regex& expression, const Visit& visit)
{
    const auto end = std::sregex_iterator();
    for (auto match = std::sregex_iterator(text.begin(), text.end(), expression); match != end;
         ++match) {
        visit(*match);
    }
}

/// The pages that menus, side bar and searches open: quoted in scripts as "page.html#anchor",
/// in the side bar's tables also as a script to be loaded, and in ours as "page.html", "anchor".
std::vector<Reference> references_of_scripts(const Book& book)
{
    static const std::regex quoted(
        R"re(["']((?:\.\./)?[A-Za-z0-9_.-]+\.html(?:#[^"'\s]*)?)["'](, ")?)re");
    static const std::regex branch(
        R"re(\[ "(?:[^"\\]|\\.)*", "[^"]*", "([A-Za-z0-9_.-]+)" \])re");
    std::vector<Reference> references;
    for (const fs::path& file : files_below(book.html, ".js")) {
        const std::string text = content_of(book.html / file);
        const std::string name = file.generic_string();
        const bool of_find = name == "find.data.js";
        for_each_match(text, quoted, [&](const std::smatch& match) {
            const auto end = static_cast<std::size_t>(match.position() + match.length());
            const std::string anchor =
                of_find && match[2].matched ? text.substr(end, text.find('"', end) - end) : "";
            const std::string target = match[1].str() + (anchor.empty() ? "" : "#" + anchor);
            const auto place = static_cast<std::size_t>(match.position());
            references.push_back({name, line_at(text, place), "", "", target});
        });
        if (!of_find) {
            for_each_match(text, branch, [&](const std::smatch& match) {
                const auto place = static_cast<std::size_t>(match.position());
                references.push_back(
                    {name, line_at(text, place), "", "", match[1].str() + ".js"});
            });
        }
    }
    return references;
}

/// "%20" as a blank.
std::string without_escapes(const std::string& target)
{
    std::string result;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] == '%' && i + 2 < target.size()) {
            result += static_cast<char>(std::stoi(target.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            result += target[i];
        }
    }
    return result;
}

/// What one page can be pointed at, and which names it gives twice.
std::set<std::string> anchors_of(const Page& page)
{
    std::set<std::string> anchors;
    walk(page.root, [&](const Node& node) {
        for (const std::string& name : {attribute(node, "id"), attribute(node, "name")}) {
            if (!name.empty()) {
                anchors.insert(name);
            }
        }
        return true;
    });
    return anchors;
}

/// The file that a reference from another file means, relative to the html folder.
std::string file_meant(const std::string& from, const std::string& target)
{
    const std::string path = target.substr(0, target.find_first_of("#?"));
    if (path.empty()) {
        return from;
    }
    const fs::path meant = fs::path(from).parent_path() / without_escapes(path);
    return meant.lexically_normal().generic_string();
}

std::vector<Reference> inner_references(const Book& book, const std::vector<Page>& pages)
{
    std::vector<Reference> references = references_of_scripts(book);
    for (const Page& page : pages) {
        const std::vector<Reference> of_page = references_of(page);
        references.insert(references.end(), of_page.begin(), of_page.end());
    }
    references.erase(std::remove_if(references.begin(), references.end(),
                                    [](const Reference& r) { return is_outside(r.target); }),
                     references.end());
    return references;
}

/// Pages, pictures, scripts, style sheets that are named and not there.
std::vector<Finding> dead_links(const Book& book)
{
    std::vector<Finding> findings;
    for (const Reference& reference : inner_references(book, pages_of(book))) {
        const std::string file = file_meant(reference.file, reference.target);
        if (reference.target.empty() || !fs::is_regular_file(book.html / file)) {
            findings.push_back(
                {reference.file, reference.line, "there is no '" + reference.target + "'"});
        }
    }
    return findings;
}

/// Branches of the side bar that no browser can read: a variable's name begins with a digit, as
/// Doxygen makes it of such a file's name.
std::vector<Finding> unreadable_branches(const Book& book)
{
    static const std::regex variable(R"(^var ([0-9]\S*) =)");
    std::vector<Finding> findings;
    for (const fs::path& file : files_below(book.html, ".js")) {
        const std::string text = content_of(book.html / file);
        std::smatch match;
        if (std::regex_search(text, match, variable)) {
            findings.push_back({file.generic_string(), 1,
                                "'" + match[1].str() + "' is no name of a variable"});
        }
    }
    return findings;
}

/// Places within a page that are named and not there, by links or by labels.
std::vector<Finding> dead_anchors(const Book& book)
{
    static const std::vector<std::string> labels = {"for", "aria-labelledby",
                                                    "aria-describedby", "aria-controls"};
    const std::vector<Page> pages = pages_of(book);
    std::map<std::string, std::set<std::string>> anchors;
    for (const Page& page : pages) {
        anchors[page.name] = anchors_of(page);
    }
    std::vector<Finding> findings;
    for (const Reference& reference : inner_references(book, pages)) {
        const std::size_t hash = reference.target.find('#');
        const std::string anchor =
            hash == std::string::npos ? "" : without_escapes(reference.target.substr(hash + 1));
        const auto page = anchors.find(file_meant(reference.file, reference.target));
        if (!anchor.empty() && page != anchors.end() && page->second.count(anchor) == 0) {
            findings.push_back({reference.file, reference.line,
                                "there is no place '" + anchor + "' in " + page->first});
        }
    }
    for (const Page& page : pages) {
        walk(page.root, [&](const Node& node) {
            for (const std::string& label : labels) {
                std::istringstream names(attribute(node, label));
                for (std::string name; names >> name;) {
                    if (anchors[page.name].count(name) == 0) {
                        findings.push_back(
                            {page.name, node.line,
                             label + " names '" + name + "', which is not on the page"});
                    }
                }
            }
            return true;
        });
    }
    return findings;
}

/// Names that a page gives to two elements, so that a link to it may lead astray.
std::vector<Finding> names_given_twice(const Book& book)
{
    std::vector<Finding> findings;
    for (const Page& page : pages_of(book)) {
        std::set<std::string> seen;
        walk(page.root, [&](const Node& node) {
            const std::string name = attribute(node, "id");
            if (!name.empty() && !seen.insert(name).second) {
                findings.push_back(
                    {page.name, node.line, "a second element has the id '" + name + "'"});
            }
            return true;
        });
    }
    return findings;
}

// ------------------------------------------------------------------------ resources from outside

/// Whether an element loads what it names, rather than leading there.
bool loads(const Reference& reference)
{
    static const std::set<std::string> leading = {"a", "form"};
    static const std::set<std::string> naming = {"canonical", "license", "author", "alternate"};
    return leading.count(reference.tag) == 0 && naming.count(reference.relation) == 0;
}

void add_outside_styles(const std::string& file, std::size_t first_line,
                        const std::string& style, std::vector<Finding>& findings)
{
    static const std::regex loaded(
        R"re((?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+))re", std::regex::icase);
    for_each_match(style, loaded, [&](const std::smatch& match) {
        const std::size_t line = line_at(style, static_cast<std::size_t>(match.position()));
        findings.push_back(
            {file, first_line + line - 1, "loads '" + match[1].str() + "' from outside"});
    });
}

/// Scripts, style sheets, pictures, fonts, frames that come over the network.
std::vector<Finding> outside_resources(const Book& book)
{
    std::vector<Finding> findings;
    for (const Page& page : pages_of(book)) {
        for (const Reference& reference : references_of(page)) {
            if (loads(reference) && is_web_address(reference.target)) {
                findings.push_back({page.name, reference.line,
                                    "loads '" + reference.target + "' from outside"});
            }
        }
        walk(page.root, [&](const Node& node) {
            const std::string style =
                node.tag == "style" ? text_of(node) : attribute(node, "style");
            add_outside_styles(page.name, node.line, style, findings);
            return true;
        });
    }
    for (const fs::path& file : files_below(book.html, ".css")) {
        add_outside_styles(file.generic_string(), 1, content_of(book.html / file), findings);
    }
    return findings;
}

// -------------------------------------------------------------------------- left-over markup

/// What a reader must never see outside a listing.
const std::vector<std::pair<std::string, std::regex>>& leftovers()
{
    static const std::vector<std::pair<std::string, std::regex>> expressions = [] {
        std::vector<std::pair<std::string, std::regex>> list;
        for (
            const auto& [name, expression] : {
                std::pair{"a command of Doxygen or of the book", R"re(\\[A-Za-z]+\b)re"},
                std::pair{"a command of Doxygen", R"re((^|[\s(])@[a-z]+\b)re"},
                std::pair{"a formula's end without its beginning", R"re(\\[()\[\]{}$])re"},
                std::pair{"a command's word", R"re(\b(end)?(htmlonly|verbatim|endcode)\b)re"},
                std::pair{"Markdown's bold", R"re(\*\*)re"},
                std::pair{"a Markdown link", R"re(\]\()re"},
                std::pair{"a Markdown fence", R"re(```|~~~)re"},
                std::pair{"a Markdown heading", R"re((^|\n)\s*#{1,6} )re"},
                std::pair{"a name of a section", R"re(\{#)re"},
                std::pair{"a formula in Markdown's way",
                          R"re(\$`|`\$|\$\$|\$[^$\n]*[\\^_{][^$\n]*\$)re"},
                std::pair{"a code span", R"re(`[^`\n]+`)re"},
                std::pair{
                    "HTML as text",
                    R"re(</?(a|b|i|p|br|em|div|span|strong|code|figure|svg|sub|sup)\b[^>]*>)re"},
            }) {
            list.emplace_back(name, std::regex(expression));
        }
        return list;
    }();
    return expressions;
}

std::vector<Finding> leftover_markup(const Book& book)
{
    std::vector<Finding> findings;
    for (const Page& page : pages_of(book)) {
        for (const Node& piece : prose_of(page.root)) {
            for (const auto& [name, expression] : leftovers()) {
                std::smatch match;
                if (std::regex_search(piece.text, match, expression)) {
                    const auto place = static_cast<std::size_t>(match.position());
                    findings.push_back(
                        {page.name, piece.line + line_at(piece.text, place) - 1,
                         std::string(name) + " is left over: '" + match.str() + "'"});
                    break;
                }
            }
        }
    }
    return findings;
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
std::vector<Finding> broken_tables(const Book& book)
{
    static const std::regex row_as_text(R"((^|\n)\s*\|[^\n]*)");
    std::vector<Finding> findings;
    for (const Page& page : pages_of(book)) {
        for (const Node* table : find_all(page.root, [](const Node& node) {
                 return node.tag == "table" && !has_class(node, "memname") &&
                        !has_class(node, "mlabels");
             })) {
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
    return findings;
}

// --------------------------------------------------------------------- paths of the machine

bool is_part_of_a_name(char c)
{
    return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_' || c == '-' ||
           c == '.';
}

/// Folders of the machine that made the book, in any of its files.
std::vector<Finding> paths_of_the_machine(const Book& book)
{
    std::vector<Finding> findings;
    for (const fs::path& file : files_below(book.html, "")) {
        const std::string text = content_of(book.html / file);
        for (const std::string& path : book.machine_paths) {
            for (std::size_t at = text.find(path); at != std::string::npos;
                 at = text.find(path, at + 1)) {
                const std::size_t end = at + path.size();
                const bool begins = at == 0 || !is_part_of_a_name(text[at - 1]);
                const bool ends = end == text.size() || !is_part_of_a_name(text[end]);
                if (begins && ends) {
                    findings.push_back(
                        {file.generic_string(), line_at(text, at), "names '" + path + "'"});
                    break;
                }
            }
        }
    }
    return findings;
}

} // namespace

const std::vector<Check>& page_checks()
{
    static const std::vector<Check> checks = {{"dead links", dead_links},
                                              {"unreadable branches", unreadable_branches},
                                              {"dead anchors", dead_anchors},
                                              {"names given twice", names_given_twice},
                                              {"outside resources", outside_resources},
                                              {"left-over markup", leftover_markup},
                                              {"broken tables", broken_tables},
                                              {"paths of the machine", paths_of_the_machine}};
    return checks;
}

} // namespace attn::book
