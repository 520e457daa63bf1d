// What the finished pages name, and whether it is there: links, anchors, and what they load.
#include "tests/book/checks.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

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

} // namespace

const std::vector<Check>& link_checks()
{
    static const std::vector<Check> checks = {{"dead links", dead_links},
                                              {"unreadable branches", unreadable_branches},
                                              {"dead anchors", dead_anchors},
                                              {"names given twice", names_given_twice},
                                              {"outside resources", outside_resources}};
    return checks;
}

} // namespace attn::book
