// The pages against their sources: snippets, outputs, figures, typed code, resources.
#include "tests/book/checks.hpp"
#include "tests/book/measured.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

namespace attn::book {

namespace {

namespace fs = std::filesystem;

/// A text without any white space, so that listings can be compared whatever their indentation.
std::string squeezed(std::string text)
{
    text.erase(std::remove_if(text.begin(), text.end(),
                              [](unsigned char c) { return std::isspace(c) != 0; }),
               text.end());
    return text;
}

// ------------------------------------------------------------------- what the pages ask for

/// A place where a page asks for something to be shown.
struct Request
{
    std::string page;  ///< the Markdown page, from the source folder
    std::size_t line;  ///< where in it
    std::string html;  ///< the page it becomes
    std::string asked; ///< a file as the page names it, or a figure
    std::string name;  ///< of a snippet in the file
};

/// The book's Markdown pages, of chapters and of docs/, from the source folder.
std::vector<fs::path> markdown_pages(const Book& book)
{
    std::vector<fs::path> pages;
    for (const std::string& id : book.chapters) {
        const std::vector<fs::path> more = pages_of_chapter(book, id);
        pages.insert(pages.end(), more.begin(), more.end());
    }
    for (const fs::path& file : files_below(book.source / "docs", ".md")) {
        pages.push_back("docs" / file);
    }
    return pages;
}

/// All that the pages ask for by a command, outside fenced blocks and code spans.
/// \param command  its two groups are what is asked, and the name
std::vector<Request> requests_of(const Book& book, const std::regex& command)
{
    static const std::regex fence(R"(^\s*(```|~~~))");
    static const std::regex span("`[^`]*`");
    std::vector<Request> requests;
    for (const fs::path& file : markdown_pages(book)) {
        const std::string page = content_of(book.source / file);
        bool fenced = false;
        for (const auto& [line, number] : lines_of(page)) {
            fenced = fenced != std::regex_search(line, fence);
            const std::string text = std::regex_replace(line, span, "");
            std::smatch match;
            if (!fenced && std::regex_search(text, match, command)) {
                requests.push_back(
                    {file.generic_string(), number, heading_of(page).html, match[1], match[2]});
            }
        }
    }
    return requests;
}

std::vector<Request> snippet_requests(const Book& book)
{
    static const std::regex command(R"([\\@]snippet(?:\{[^}]*\})?\s+(\S+)\s+(\S+))");
    return requests_of(book, command);
}

/// A file as Doxygen finds it: in one of the folders of its EXAMPLE_PATH.
fs::path file_asked_for(const Book& book, const std::string& asked)
{
    for (const char* folder : {"chapters", "tests", "common", ""}) {
        const fs::path file = fs::path(folder) / asked;
        if (fs::is_regular_file(book.source / file)) {
            return file;
        }
    }
    // what was measured is the file of one processor or another
    return asked.starts_with("docs/measured/")
               ? measured_file(book.source, fs::path(asked).filename().string())
                     .lexically_relative(book.source)
               : fs::path();
}

/// What a finished page shows as listings, each without white space.
std::vector<std::string> listings_of(const Book& book, const std::string& html)
{
    std::vector<std::string> listings;
    for (const Node* listing : find_all(page_named(book, html), [](const Node& node) {
             return has_class(node, "fragment");
         })) {
        listings.push_back(squeezed(text_of(*listing)));
    }
    return listings;
}

// ------------------------------------------------------------------------------ the snippets

/// What stands between two markers `// [name]`.
struct Snippet
{
    std::size_t line = 0;          ///< of the first marker
    std::vector<std::string> code; ///< the lines between, without blank lines and comments
    int markers = 0;               ///< two when all is well
};

std::map<std::string, Snippet> snippets_of(const std::string& source)
{
    static const std::regex marker(R"(^\s*//!?\s*\[([A-Za-z0-9_]+)\]\s*$)");
    static const std::regex no_code(R"(^\s*(//.*)?$)");
    static const std::regex description(R"(\s*///<.*$)"); // Doxygen leaves it out of listings
    std::map<std::string, Snippet> snippets;
    for (const auto& [line, number] : lines_of(source)) {
        std::smatch match;
        if (std::regex_search(line, match, marker)) {
            Snippet& snippet = snippets[match[1]];
            snippet.line = snippet.markers == 0 ? number : snippet.line;
            ++snippet.markers;
        } else if (!std::regex_search(line, no_code)) {
            for (auto& [name, snippet] : snippets) {
                if (snippet.markers == 1) {
                    snippet.code.push_back(std::regex_replace(line, description, ""));
                }
            }
        }
    }
    return snippets;
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

/// Snippets that a page asks for and does not show, all of them and no more: Doxygen shows an
/// empty one, and one without an end, without a word.
void snippets_not_shown(const Book& book, std::vector<Finding>& findings)
{
    for (const auto& [page, line, html, asked, name] : snippet_requests(book)) {
        auto snippets = snippets_of(content_of(book.source / file_asked_for(book, asked)));
        const auto& snippet = snippets[name];
        const auto listings = listings_of(book, html);
        if (snippet.markers != 2) {
            findings.push_back({page, line,
                                "[" + name + "] stands " + std::to_string(snippet.markers) +
                                    " times in " + asked + " instead of twice"});
        } else if (snippet.code.empty() ||
                   std::none_of(listings.begin(), listings.end(),
                                [&](const std::string& l) { return shows(l, snippet.code); })) {
            findings.push_back(
                {page, line, html + " does not show [" + name + "] of " + asked});
        }
    }
}

/// The snippets that are marked in a file.
struct MarkedFile
{
    fs::path file; ///< from the source folder
    std::map<std::string, Snippet> snippets;
};

/// All files that may hold markers; the tests of these checks hold some that are texts.
std::vector<MarkedFile> marked_files(const Book& book)
{
    std::vector<MarkedFile> files;
    for (const char* folder : {"chapters", "tests", "common"}) {
        for (const char* ending : {".hpp", ".cpp", ".inl"}) {
            for (const fs::path& below : files_below(book.source / folder, ending)) {
                const fs::path file = folder / below;
                if (*below.begin() != "book") {
                    files.push_back({file, snippets_of(content_of(book.source / file))});
                }
            }
        }
    }
    return files;
}

/// Markers that no page asks for.
void unused_snippets(const Book& book, std::vector<Finding>& findings)
{
    std::set<std::pair<fs::path, std::string>> used;
    for (const Request& request : snippet_requests(book)) {
        used.insert({file_asked_for(book, request.asked), request.name});
    }
    for (const auto& [file, snippets] : marked_files(book)) {
        for (const auto& [name, snippet] : snippets) {
            if (used.count({file, name}) == 0) {
                findings.push_back(
                    {file.generic_string(), snippet.line, "no page shows [" + name + "]"});
            }
        }
    }
}

/// Chapters whose code is interrupted by more than six pairs of markers for each page.
void too_many_snippets(const Book& book, std::vector<Finding>& findings)
{
    const std::vector<MarkedFile> files = marked_files(book);
    for (const std::string& id : book.chapters) {
        const std::string folder = "chapters/" + id;
        const std::size_t most = 6 * pages_of_chapter(book, id).size();
        std::size_t count = 0;
        for (const auto& [file, snippets] : files) {
            count += file.generic_string().starts_with(folder + "/") ? snippets.size() : 0;
        }
        if (count > most) {
            findings.push_back({folder, 0,
                                std::to_string(count) + " snippets are marked, at most " +
                                    std::to_string(most) + " may be"});
        }
    }
}

// ---------------------------------------------------------------- outputs, figures, typed code

/// Outputs that a page promises: the file is there, says something, and is on the page.
void outputs_not_shown(const Book& book, std::vector<Finding>& findings)
{
    static const std::regex command(R"([\\@]verbinclude\s+(\S+)())");
    for (const Request& request : requests_of(book, command)) {
        const fs::path file = file_asked_for(book, request.asked);
        const std::string output = squeezed(content_of(book.source / file));
        const std::vector<std::string> listings = listings_of(book, request.html);
        if (output.empty()) {
            findings.push_back(
                {request.page, request.line, request.asked + " is missing or empty"});
        } else if (std::find(listings.begin(), listings.end(), output) == listings.end()) {
            findings.push_back(
                {request.page, request.line, request.html + " does not show " + request.asked});
        }
    }
}

/// Figures that a page asks for and that are not a drawing with a caption on it.
void figures_not_shown(const Book& book, std::vector<Finding>& findings)
{
    static const std::regex command(R"(\\(?:figure|drawing)\{([A-Za-z0-9_]+)(),)");
    for (const Request& request : requests_of(book, command)) {
        const auto figures = find_all(page_named(book, request.html), [&](const Node& node) {
            return node.tag == "figure" && attribute(node, "id") == "figure_" + request.asked;
        });
        const auto miss = [&](const std::string& what) {
            findings.push_back({request.page, request.line, what + request.asked});
        };
        if (figures.size() != 1) {
            miss(request.html + " has " + std::to_string(figures.size()) + " figures ");
            continue;
        }
        const auto drawings = elements(*figures.front(), "svg");
        const auto captions = elements(*figures.front(), "figcaption");
        if (drawings.size() != 1 || drawings.front()->children.empty()) {
            miss("there is no drawing in the figure ");
        }
        if (captions.size() != 1 || squeezed(text_of(*captions.front())).empty()) {
            miss("there is no caption below the figure ");
        }
    }
}

/// What was measured and is shown by the pages of a chapter.
std::string measurements_shown(const Book& book, const std::string& id)
{
    static const std::regex shown(R"((?:docs/|\\output\{)measured/([a-z_]+))");
    std::string measurements;
    for (const fs::path& page : pages_of_chapter(book, id)) {
        const std::string text = content_of(book.source / page);
        for (const std::smatch& match : matches_of(text, shown)) {
            measurements += " " + content_of(measured_file(book.source, match.str(1) + ".txt"));
        }
    }
    return measurements;
}

/// Numbers of a drawing, which is written by hand, that no program of its chapter wrote.
void invented_numbers(const Book& book, std::vector<Finding>& findings)
{
    static const std::regex number(R"re(<text class="number[^"]*"[^>]*>([^<]*)</text>)re");
    for (const fs::path& file : files_below(book.source / "docs" / "drawings", ".svg")) {
        const auto id = std::find_if(
            book.chapters.begin(), book.chapters.end(),
            [&](const std::string& one) { return file.generic_string().starts_with(one); });
        std::string written;
        for (const std::string ending : {".txt", ".csv"}) {
            if (id == book.chapters.end()) {
                break;
            }
            const fs::path folder = book.source / "chapters" / *id;
            for (const fs::path& below : files_below(folder, ending)) {
                written += " " + content_of(folder / below);
            }
        }
        if (id != book.chapters.end()) {
            written += " " + measurements_shown(book, *id);
        }
        std::replace_if(
            written.begin(), written.end(),
            [](char c) { return std::isspace(static_cast<unsigned char>(c)) || c == ','; },
            ' ');
        const std::string drawing = content_of(book.source / "docs" / "drawings" / file);
        for (const std::smatch& match : matches_of(drawing, number)) {
            if ((written + " ").find(" " + match.str(1) + " ") == std::string::npos) {
                findings.push_back({"docs/drawings/" + file.generic_string(),
                                    line_at(drawing, match.position()),
                                    "no program wrote the number '" + match.str(1) + "'"});
            }
        }
    }
}

/// C++ that was typed into a chapter's page, where no compiler sees it.
void typed_code(const Book& book, std::vector<Finding>& findings)
{
    static const std::regex typed(
        R"(^\s*(```|~~~)\s*\{?\s*\.?(c\+\+|cpp|cxx|cc|hpp|c)(?![A-Za-z])|[\\@]code\b)",
        std::regex::icase);
    for (const std::string& id : book.chapters) {
        for (const fs::path& file : pages_of_chapter(book, id)) {
            for (const auto& [line, number] : lines_of(content_of(book.source / file))) {
                if (std::regex_search(line, typed)) {
                    findings.push_back({file.generic_string(), number,
                                        "C++ stands on the page instead of a snippet"});
                }
            }
        }
    }
}

// ------------------------------------------------------------------------------ the resources

/// Resources without a chapter that shows them running, and links that are not by https.
void resources_astray(const Book& book, std::vector<Finding>& findings)
{
    static const std::regex entry(R"(^ *- )");
    static const std::regex insecure(R"(^\s*(//|(?!https:|mailto:)[A-Za-z][A-Za-z0-9+.-]*:))");
    const std::string source = "docs/resources.md";
    std::vector<Line> entries; // a dash's line and what is indented below it
    for (const Line& line : lines_of(content_of(book.source / source))) {
        if (std::regex_search(line.text, entry)) {
            entries.push_back(line);
        } else if (!entries.empty() && line.text.starts_with("  ")) {
            entries.back().text += line.text;
        }
    }
    for (const auto& [text, number] : entries) {
        if (text.find("hapter{") == std::string::npos) {
            findings.push_back({source, number, "the entry names no chapter"});
        }
    }
    for (const Node* link : elements(page_named(book, "resources.html"), "a")) {
        const std::string target = attribute(*link, "href");
        if (std::regex_search(target, insecure)) {
            findings.push_back(
                {"resources.html", link->line, "'" + target + "' is not reached by https"});
        }
    }
}

} // namespace

std::vector<Check> source_checks()
{
    return {
        {"snippets not shown", snippets_not_shown}, {"unused snippets", unused_snippets},
        {"too many snippets", too_many_snippets},   {"outputs not shown", outputs_not_shown},
        {"figures not shown", figures_not_shown},   {"typed code", typed_code},
        {"invented numbers", invented_numbers},     {"resources astray", resources_astray}};
}

} // namespace attn::book
