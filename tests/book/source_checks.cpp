// The pages against what else they were written from: outputs, figures, fences.
#include "tests/book/requests.hpp"

#include <algorithm>
#include <regex>

namespace attn::book {

namespace {

namespace fs = std::filesystem;

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
    for (const fs::path& file : markdown_pages(book)) {
        if (*file.begin() != "chapters") {
            continue;
        }
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
    static const std::vector<Check> checks = {{"outputs not shown", outputs_not_shown},
                                              {"figures not shown", figures_not_shown},
                                              {"typed code", typed_code}};
    return checks;
}

} // namespace attn::book
