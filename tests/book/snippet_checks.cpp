// The parts of the sources that the pages show: their markers, and the listings they become.
#include "tests/book/requests.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <utility>

namespace attn::book {

namespace {

namespace fs = std::filesystem;

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
    static const std::regex description(R"(\s*///<.*$)"); // Doxygen leaves it out of listings
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
                    snippet.code.push_back(std::regex_replace(line.text, description, ""));
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

/// Chapters whose code is interrupted by more than six pairs of markers for each of their pages.
std::vector<Finding> too_many_snippets(const Book& book)
{
    std::vector<Finding> findings;
    for (const Chapter& chapter : book.chapters) {
        const std::size_t most = 6 * pages_of_chapter(book, chapter.id).size();
        std::size_t count = 0;
        const fs::path folder = fs::path("chapters") / chapter.id;
        for (const fs::path& file : marked_files(book)) {
            if (file.generic_string().rfind(folder.generic_string() + "/", 0) == 0) {
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

} // namespace

const std::vector<Check>& snippet_checks()
{
    static const std::vector<Check> checks = {{"empty snippets", empty_snippets},
                                              {"unused snippets", unused_snippets},
                                              {"too many snippets", too_many_snippets},
                                              {"snippets not shown", snippets_not_shown},
                                              {"empty listings", empty_listings}};
    return checks;
}

} // namespace attn::book
