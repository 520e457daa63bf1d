// The pages against what they were written from: snippets, outputs, figures.
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

struct Line
{
    std::string text;
    std::size_t number;
};

std::vector<Line> lines_of(const std::string& text)
{
    std::vector<Line> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back({line, lines.size() + 1});
    }
    return lines;
}

/// Without any white space, so that listings can be compared whatever their indentation.
std::string squeezed(const std::string& text)
{
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result),
                 [](unsigned char c) { return std::isspace(c) == 0; });
    return result;
}

// ------------------------------------------------------------------- what the pages ask for

/// The book's Markdown pages: of chapters, and of docs/.
std::vector<fs::path> markdown_pages(const Book& book)
{
    std::vector<fs::path> pages;
    for (const Chapter& chapter : book.chapters) {
        pages.push_back(fs::path("chapters") / chapter.id / "chapter.md");
    }
    for (const fs::path& file : files_below(book.source / "docs", ".md")) {
        pages.push_back("docs" / file);
    }
    return pages;
}

/// Whether a line opens or closes a fenced block.
bool is_fence(const std::string& line)
{
    static const std::regex fence(R"(^\s*(```|~~~))");
    return std::regex_search(line, fence);
}

/// The page's lines outside fenced blocks, code spans cut out.
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

/// The HTML page that a Markdown page becomes, by the name in its heading.
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

/// A command of a page that shows a file or a part of one.
struct Request
{
    std::string page;    ///< the Markdown page
    std::size_t line;    ///< where in it
    std::string html;    ///< the page it becomes
    std::string command; ///< "snippet", "verbinclude", "include"
    fs::path file;       ///< from the source folder; empty where there is none
    std::string asked;   ///< the file as the page names it
    std::string name;    ///< the snippet's
};

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

// --------------------------------------------------------------------------------- snippets

/// What stands between two markers `// [name]`.
struct Snippet
{
    std::size_t line;              ///< of the first marker
    std::vector<std::string> code; ///< the lines between, without blank lines and comments
    int markers = 0;               ///< two when all is well
};

std::map<std::string, Snippet> snippets_of(const std::string& source)
{
    static const std::regex marker(R"(^\s*//!?\s*\[([A-Za-z0-9_]+)\]\s*$)");
    static const std::regex no_code(R"(^\s*(//.*)?$)");
    std::map<std::string, Snippet> snippets;
    for (const Line& line : lines_of(source)) {
        std::smatch match;
        if (std::regex_search(line.text, match, marker)) {
            Snippet& snippet = snippets[match[1]];
            snippet.line = snippet.markers == 0 ? line.number : snippet.line;
            ++snippet.markers;
        } else if (!std::regex_search(line.text, no_code)) {
            for (auto& [name, snippet] : snippets) {
                if (snippet.markers == 1) {
                    snippet.code.push_back(line.text);
                }
            }
        }
    }
    return snippets;
}

/// The files that may hold markers; the tests of these checks hold some that are texts.
std::vector<fs::path> marked_files(const Book& book)
{
    std::vector<fs::path> files;
    for (const char* folder : {"chapters", "tests", "common"}) {
        for (const char* ending : {".hpp", ".cpp", ".inl"}) {
            for (const fs::path& file : files_below(book.source / folder, ending)) {
                if (file.begin()->string() != "book") {
                    files.push_back(folder / file);
                }
            }
        }
    }
    return files;
}

/// Markers that are not a pair, or a pair with nothing between.
std::vector<Finding> empty_snippets(const Book& book)
{
    std::vector<Finding> findings;
    for (const fs::path& file : marked_files(book)) {
        for (const auto& [name, snippet] : snippets_of(content_of(book.source / file))) {
            if (snippet.markers != 2) {
                findings.push_back({file.generic_string(), snippet.line,
                                    "[" + name + "] stands " + std::to_string(snippet.markers) +
                                        " times instead of twice"});
            } else if (snippet.code.empty()) {
                findings.push_back({file.generic_string(), snippet.line,
                                    "there is no code between the markers [" + name + "]"});
            }
        }
    }
    return findings;
}

/// Markers that no page asks for.
std::vector<Finding> unused_snippets(const Book& book)
{
    std::set<std::pair<std::string, std::string>> used;
    for (const Request& request : requests_of(book)) {
        used.insert({request.file.generic_string(), request.name});
    }
    std::vector<Finding> findings;
    for (const fs::path& file : marked_files(book)) {
        const std::string source = file.generic_string();
        for (const auto& [name, snippet] : snippets_of(content_of(book.source / file))) {
            if (used.count({source, name}) == 0) {
                findings.push_back({source, snippet.line, "no page shows [" + name + "]"});
            }
        }
    }
    return findings;
}

/// Chapters whose code is interrupted by more than six pairs of markers.
std::vector<Finding> too_many_snippets(const Book& book)
{
    const std::size_t most = 6;
    std::vector<Finding> findings;
    for (const Chapter& chapter : book.chapters) {
        std::size_t count = 0;
        const fs::path folder = fs::path("chapters") / chapter.id;
        for (const fs::path& file : marked_files(book)) {
            if (file.parent_path() == folder) {
                count += snippets_of(content_of(book.source / file)).size();
            }
        }
        if (count > most) {
            findings.push_back({folder.generic_string(), 0,
                                std::to_string(count) + " snippets are marked, at most " +
                                    std::to_string(most) + " may be"});
        }
    }
    return findings;
}

/// What a page shows as listings, each without white space.
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

/// Whether one listing holds all lines, in their order.
bool shows(const std::string& listing, const std::vector<std::string>& lines)
{
    std::size_t at = 0;
    for (const std::string& line : lines) {
        const std::string wanted = squeezed(line.substr(0, line.find(" // ")));
        at = listing.find(wanted, at);
        if (at == std::string::npos) {
            return false;
        }
        at += wanted.size();
    }
    return true;
}

/// Snippets that a page asks for and does not show.
std::vector<Finding> snippets_not_shown(const Book& book)
{
    std::vector<Finding> findings;
    for (const Request& request : requests_of(book)) {
        if (request.command.rfind("snippet", 0) != 0) {
            continue;
        }
        auto snippets = snippets_of(content_of(book.source / request.file));
        const std::vector<std::string> code = snippets[request.name].code;
        const std::vector<std::string> listings = listings_of(book, request.html);
        const bool shown =
            !code.empty() && std::any_of(listings.begin(), listings.end(),
                                         [&](const std::string& l) { return shows(l, code); });
        if (!shown) {
            findings.push_back(
                {request.page, request.line,
                 request.html + " does not show [" + request.name + "] of " + request.asked});
        }
    }
    return findings;
}

/// Listings without a single character.
std::vector<Finding> empty_listings(const Book& book)
{
    std::vector<Finding> findings;
    for (const fs::path& file : markdown_pages(book)) {
        const std::string html = html_of(content_of(book.source / file));
        const Node page = parse_html(content_of(book.html / html));
        for (const Node* listing :
             find_all(page, [](const Node& node) { return has_class(node, "fragment"); })) {
            if (squeezed(text_of(*listing)).empty()) {
                findings.push_back({html, listing->line, "a listing is empty"});
            }
        }
    }
    return findings;
}

// -------------------------------------------------------------------- outputs, figures, fences

/// Outputs that a page promises: the file is there, says something, and is on the page.
std::vector<Finding> outputs_not_shown(const Book& book)
{
    std::vector<Finding> findings;
    for (const Request& request : requests_of(book)) {
        if (request.command != "verbinclude") {
            continue;
        }
        if (request.file.empty()) {
            findings.push_back(
                {request.page, request.line, "there is no file " + request.asked});
            continue;
        }
        const std::string output = squeezed(content_of(book.source / request.file));
        const std::vector<std::string> listings = listings_of(book, request.html);
        if (output.empty()) {
            findings.push_back({request.page, request.line, request.asked + " is empty"});
        } else if (std::find(listings.begin(), listings.end(), output) == listings.end()) {
            findings.push_back(
                {request.page, request.line, request.html + " does not show " + request.asked});
        }
    }
    return findings;
}

/// Figures that a page asks for and that are not a drawing with a caption on it.
std::vector<Finding> figures_not_shown(const Book& book)
{
    static const std::regex command(R"(\\figure\{([A-Za-z0-9_]+),)");
    std::vector<Finding> findings;
    for (const fs::path& file : markdown_pages(book)) {
        const std::string text = content_of(book.source / file);
        const std::string html = html_of(text);
        const Node page = parse_html(content_of(book.html / html));
        const auto miss = [&](const Line& line, const std::string& what) {
            findings.push_back({file.generic_string(), line.number, what});
        };
        for (const Line& line : outside_code(text)) {
            std::smatch match;
            if (!std::regex_search(line.text, match, command)) {
                continue;
            }
            const std::string name = match[1];
            const auto figures = find_all(page, [&](const Node& node) {
                return node.tag == "figure" && attribute(node, "id") == "figure_" + name;
            });
            if (figures.size() != 1) {
                miss(line,
                     html + " has " + std::to_string(figures.size()) + " figures " + name);
                continue;
            }
            const auto drawings = elements(*figures.front(), "svg");
            const auto captions = elements(*figures.front(), "figcaption");
            if (drawings.size() != 1 || drawings.front()->children.empty()) {
                miss(line, "the figure " + name + " has no drawing");
            }
            if (captions.size() != 1 || squeezed(text_of(*captions.front())).empty()) {
                miss(line, "the figure " + name + " has no caption");
            }
        }
    }
    return findings;
}

/// C++ that was typed into a chapter's page, where no compiler sees it.
std::vector<Finding> typed_code(const Book& book)
{
    static const std::regex typed(
        R"(^\s*(```|~~~)\s*\{?\s*\.?(c\+\+|cpp|cxx|cc|hpp|c)(?![A-Za-z])|[\\@]code\b)",
        std::regex::icase);
    std::vector<Finding> findings;
    for (const Chapter& chapter : book.chapters) {
        const fs::path file = fs::path("chapters") / chapter.id / "chapter.md";
        for (const Line& line : lines_of(content_of(book.source / file))) {
            if (std::regex_search(line.text, typed)) {
                findings.push_back({file.generic_string(), line.number,
                                    "C++ stands on the page instead of a snippet"});
            }
        }
    }
    return findings;
}

} // namespace

const std::vector<Check>& source_checks()
{
    static const std::vector<Check> checks = {
        {"empty snippets", empty_snippets},       {"unused snippets", unused_snippets},
        {"too many snippets", too_many_snippets}, {"snippets not shown", snippets_not_shown},
        {"empty listings", empty_listings},       {"outputs not shown", outputs_not_shown},
        {"figures not shown", figures_not_shown}, {"typed code", typed_code}};
    return checks;
}

} // namespace attn::book
