// What the finished pages name, and whether it is there: links, anchors, and what they load.
#include "tests/book/checks.hpp"

#include <algorithm>
#include <map>
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
    std::string target;   ///< as it is named
    std::string tag;      ///< of the element that names it, empty in a script
    std::string relation; ///< the attribute `rel` of a link
};

bool is_outside(const std::string& target)
{
    static const std::regex scheme(R"(^(//|[A-Za-z][A-Za-z0-9+.-]*:))");
    return std::regex_search(target, scheme);
}

/// The places named by the attributes of a page.
std::vector<Reference> references_of(const Page& page)
{
    std::vector<Reference> references;
    walk(page.root, [&](const Node& node) {
        for (const char* name : {"href", "xlink:href", "src", "data", "poster"}) {
            const auto found = node.attributes.find(name);
            if (found != node.attributes.end()) {
                references.push_back(
                    {page.name, node.line, found->second, node.tag, attribute(node, "rel")});
            }
        }
        return true;
    });
    return references;
}

/// The pages that menus, side bar and searches open: quoted in scripts as "page.html#anchor",
/// in the side bar's tables also as a script to be loaded, and in ours as "page.html", "anchor".
std::vector<Reference> references_of_scripts(const Book& book)
{
    static const std::regex quoted(
        R"re(["']((?:\.\./)?[A-Za-z0-9_.-]+\.html(?:#[^"'\s]*)?)["'](?:, "([^"]*)")?)re");
    static const std::regex branch(
        R"re(\[ "(?:[^"\\]|\\.)*", "[^"]*", "([A-Za-z0-9_.-]+)" \])re");
    std::vector<Reference> references;
    for (const fs::path& file : files_below(book.html, ".js")) {
        const std::string text = content_of(book.html / file);
        const std::string name = file.generic_string();
        const bool of_find = name == "find.data.js";
        for (const std::smatch& match : matches_of(text, quoted)) {
            const std::string anchor = of_find ? match[2].str() : "";
            references.push_back({name, line_at(text, match.position()),
                                  match[1].str() + (anchor.empty() ? "" : "#" + anchor), "",
                                  ""});
        }
        if (!of_find) {
            for (const std::smatch& match : matches_of(text, branch)) {
                references.push_back(
                    {name, line_at(text, match.position()), match[1].str() + ".js", "", ""});
            }
        }
    }
    return references;
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

std::vector<Reference> inner_references(const Book& book)
{
    std::vector<Reference> references = references_of_scripts(book);
    for (const Page& page : book.pages) {
        const std::vector<Reference> of_page = references_of(page);
        references.insert(references.end(), of_page.begin(), of_page.end());
    }
    references.erase(std::remove_if(references.begin(), references.end(),
                                    [](const Reference& r) { return is_outside(r.target); }),
                     references.end());
    return references;
}

/// Pages, pictures, scripts, style sheets that are named and not there.
void dead_links(const Book& book, std::vector<Finding>& findings)
{
    for (const Reference& reference : inner_references(book)) {
        const std::string file = file_meant(reference.file, reference.target);
        if (reference.target.empty() || !fs::is_regular_file(book.html / file)) {
            findings.push_back(
                {reference.file, reference.line, "there is no '" + reference.target + "'"});
        }
    }
}

/// Branches of the side bar that no browser can read: a variable's name begins with a digit, as
/// Doxygen makes it of such a file's name.
void unreadable_branches(const Book& book, std::vector<Finding>& findings)
{
    static const std::regex variable(R"(^var ([0-9]\S*) =)");
    for (const fs::path& file : files_below(book.html, ".js")) {
        const std::string text = content_of(book.html / file);
        std::smatch match;
        if (std::regex_search(text, match, variable)) {
            findings.push_back({file.generic_string(), 1,
                                "'" + match[1].str() + "' is no name of a variable"});
        }
    }
}

/// What each page can be pointed at.
std::map<std::string, std::set<std::string>> anchors_of(const Book& book)
{
    std::map<std::string, std::set<std::string>> anchors;
    for (const Page& page : book.pages) {
        std::set<std::string>& of_page = anchors[page.name];
        walk(page.root, [&](const Node& node) {
            of_page.insert({attribute(node, "id"), attribute(node, "name")});
            return true;
        });
    }
    return anchors;
}

/// Places within a page that are named and not there, by links or by labels.
void dead_anchors(const Book& book, std::vector<Finding>& findings)
{
    const std::map<std::string, std::set<std::string>> anchors = anchors_of(book);
    for (const Reference& reference : inner_references(book)) {
        const std::size_t hash = reference.target.find('#');
        const std::string anchor =
            hash == std::string::npos ? "" : without_escapes(reference.target.substr(hash + 1));
        const auto page = anchors.find(file_meant(reference.file, reference.target));
        if (!anchor.empty() && page != anchors.end() && page->second.count(anchor) == 0) {
            findings.push_back({reference.file, reference.line,
                                "there is no place '" + anchor + "' in " + page->first});
        }
    }
    for (const Page& page : book.pages) {
        walk(page.root, [&](const Node& node) {
            for (const std::string label :
                 {"for", "aria-labelledby", "aria-describedby", "aria-controls"}) {
                std::istringstream names(attribute(node, label));
                for (std::string name; names >> name;) {
                    if (anchors.at(page.name).count(name) == 0) {
                        findings.push_back(
                            {page.name, node.line,
                             label + " names '" + name + "', which is not on the page"});
                    }
                }
            }
            return true;
        });
    }
}

/// Names that a page gives to two elements, so that a link to it may lead astray.
void names_given_twice(const Book& book, std::vector<Finding>& findings)
{
    for (const Page& page : book.pages) {
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
}

// ------------------------------------------------------------------------ resources from outside

/// Whether an element loads what it names over the network, rather than leading there.
bool loads_from_outside(const Reference& reference)
{
    static const std::set<std::string> leading = {"a", "form"};
    static const std::set<std::string> naming = {"canonical", "license", "author", "alternate"};
    static const std::regex address(R"(^\s*(//|(https?|ftp|wss?):))", std::regex::icase);
    return leading.count(reference.tag) == 0 && naming.count(reference.relation) == 0 &&
           std::regex_search(reference.target, address);
}

/// The addresses that a style sheet loads.
void add_outside_styles(const std::string& file, std::size_t first_line,
                        const std::string& style, std::vector<Finding>& findings)
{
    static const std::regex loaded(
        R"re((?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+))re", std::regex::icase);
    for (const std::smatch& match : matches_of(style, loaded)) {
        findings.push_back({file, first_line + line_at(style, match.position()) - 1,
                            "loads '" + match[1].str() + "' from outside"});
    }
}

/// Scripts, style sheets, pictures, fonts, frames that come over the network.
void outside_resources(const Book& book, std::vector<Finding>& findings)
{
    for (const Page& page : book.pages) {
        for (const Reference& reference : references_of(page)) {
            if (loads_from_outside(reference)) {
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
}

} // namespace

std::vector<Check> link_checks()
{
    return {{"dead links", dead_links},
            {"unreadable branches", unreadable_branches},
            {"dead anchors", dead_anchors},
            {"names given twice", names_given_twice},
            {"outside resources", outside_resources}};
}

} // namespace attn::book
