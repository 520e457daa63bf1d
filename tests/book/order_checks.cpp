// The chapters' pages against their order: numbers, titles, side bar, previous and next.
#include "tests/book/checks.hpp"

#include <algorithm>
#include <utility>

namespace attn::book {

namespace {

/// A page of a chapter: its own, or a sub-page.
struct ChapterPage
{
    std::string source;  ///< "chapters/14_simd_transformer/fused_attention.md"
    std::string html;    ///< "chapter_14b_fused_attention.html"
    std::string heading; ///< "14b Fused attention"
    std::string number;  ///< "14b", that it must have by its place
    std::string name;    ///< "chapter_14b_", that it must begin with
};

/// All pages of the chapters in reading order.
std::vector<ChapterPage> chapter_pages(const Book& book)
{
    std::vector<ChapterPage> pages;
    for (const std::string& id : book.chapters) {
        std::string number = std::to_string(std::stoi(id));
        std::string name = "chapter_" + id + ".html";
        char letter = 'a';
        for (const std::filesystem::path& file : pages_of_chapter(book, id)) {
            const Heading heading = heading_of(content_of(book.source / file));
            pages.push_back({file.generic_string(), heading.html, heading.title, number, name});
            number = std::to_string(std::stoi(id)) + letter++;
            name = "chapter_" + number + "_";
        }
    }
    return pages;
}

/// A chapter has the number of its folder, in the heading and in its name; the sub-pages of
/// chapter 14 are 14a, 14b and so on.
void wrong_numbers(const Book& book, std::vector<Finding>& findings)
{
    for (const auto& [source, html, heading, number, name] : chapter_pages(book)) {
        if (!heading.starts_with(number + " ") || !html.starts_with(name)) {
            findings.push_back({source, 0,
                                "'" + heading + "' of " + html + " is not '" + number +
                                    " <title>' of " + name});
        }
    }
}

/// The title on a chapter's page and in the window's frame is that of its source.
void wrong_titles(const Book& book, std::vector<Finding>& findings)
{
    for (const ChapterPage& page : chapter_pages(book)) {
        const Node& root = page_named(book, page.html);
        for (const auto& titles : {elements(root, "div", "title"), elements(root, "title")}) {
            const std::string title = titles.empty() ? "" : on_one_line(text_of(*titles[0]));
            if (!title.ends_with(page.heading)) {
                findings.push_back(
                    {page.html, 0, "the title '" + title + "' is not '" + page.heading + "'"});
            }
        }
    }
}

/// A link as its text and the page it opens.
using Link = std::pair<std::string, std::string>;

/// Adds what a file of the side bar lists of the chapters' pages. Doxygen 1.9.4 puts a long
/// branch into a file of its own, chapter_14_simd_transformer.js; 1.9.8 leaves it where it is.
void add_branch(const Book& book, const std::string& file, std::vector<Link>& links)
{
    static const std::regex branch(
        R"re(\[ "((?:[^"\\]|\\.)*)", "(chapter_[^"#]*\.html)", ("[^"]*")?)re");
    static const std::regex escaped(R"(\\(.))");
    const std::string text = content_of(book.html / file);
    for (const std::smatch& match : matches_of(text, branch)) {
        const std::string title = std::regex_replace(match[1].str(), escaped, "$1");
        links.emplace_back(text_of(parse_html(title)), match[2]);
        if (match[3].matched) {
            const std::string quoted = match[3];
            add_branch(book, quoted.substr(1, quoted.size() - 2) + ".js", links);
        }
    }
}

/// The side bar has the chapters' pages in reading order.
void wrong_side_bar(const Book& book, std::vector<Finding>& findings)
{
    std::vector<Link> found;
    add_branch(book, "navtreedata.js", found);
    std::vector<Link> wanted;
    for (const ChapterPage& page : chapter_pages(book)) {
        wanted.emplace_back(page.heading, page.html);
    }
    const std::size_t most = std::max(found.size(), wanted.size());
    found.resize(most, {"nothing", "nothing"});
    wanted.resize(most, {"nothing", "nothing"});
    const auto [is, should] = std::mismatch(found.begin(), found.end(), wanted.begin());
    if (is != found.end()) {
        findings.push_back({"navtreedata.js", 0,
                            "the side bar has '" + is->first + "' of " + is->second +
                                " instead of '" + should->first + "' of " + should->second});
    }
}

/// The pages' links `prev` and `next` form one chain, from the contents page on.
void wrong_previous_and_next(const Book& book, std::vector<Finding>& findings)
{
    std::vector<std::string> chain = {"index.html"};
    for (const ChapterPage& page : chapter_pages(book)) {
        chain.push_back(page.html);
    }
    chain.push_back("nothing");
    for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
        for (const std::string relation : {"prev", "next"}) {
            const std::string& wanted = chain[relation == "prev" ? i - 1 : i + 1];
            const auto links = find_all(page_named(book, chain[i]), [&](const Node& node) {
                return node.tag == "a" && attribute(node, "rel") == relation;
            });
            const std::string found =
                links.empty() ? "nothing" : attribute(*links.front(), "href");
            if (links.size() > 1 || found != wanted) {
                findings.push_back(
                    {chain[i], 0,
                     "'" + relation + "' opens " + found + " instead of " + wanted});
            }
        }
    }
}

} // namespace

std::vector<Check> order_checks()
{
    return {{"wrong numbers", wrong_numbers},
            {"wrong titles", wrong_titles},
            {"wrong side bar", wrong_side_bar},
            {"wrong previous and next", wrong_previous_and_next}};
}

} // namespace attn::book
