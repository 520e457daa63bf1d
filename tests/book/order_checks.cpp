// The pages against the table of contents, chapters/CMakeLists.txt.
#include "tests/book/requests.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

namespace attn::book {

namespace {

namespace fs = std::filesystem;

/// The text without white space around it.
std::string stripped(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::string page_name(const std::string& id)
{
    return "chapter_" + id + ".html";
}

/// "2 Nadaraya–Watson, prediction by similarity": what a page begins with.
std::string heading_of(const Book& book, const fs::path& file, const std::string& name)
{
    std::istringstream page(content_of(book.source / file));
    for (std::string line; std::getline(page, line);) {
        const std::size_t end = line.find(" {#" + name + "}");
        if (line.rfind("# ", 0) == 0 && end != std::string::npos) {
            return line.substr(2, end - 2);
        }
    }
    return "";
}

std::string heading_of(const Book& book, const std::string& id)
{
    return heading_of(book, fs::path("chapters") / id / "chapter.md", "chapter_" + id);
}

/// "2 Nadaraya–Watson, prediction by similarity" for "2 Nadaraya–Watson, ...: and more".
std::string short_heading(const Book& book, const std::string& id)
{
    const std::string heading = heading_of(book, id);
    return heading.substr(0, heading.find(':'));
}

/// A link as its text and the page it opens.
struct Link
{
    std::string text;
    std::string page;
};

/// Says where a list of links departs from the list of chapters, which both have an order.
std::vector<Finding> compare(const std::string& file, const std::string& where,
                             const std::vector<Link>& found, const std::vector<Link>& wanted)
{
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < std::max(found.size(), wanted.size()); ++i) {
        const std::string place = where + ", place " + std::to_string(i + 1) + ": ";
        if (i >= found.size()) {
            findings.push_back({file, 0, place + "'" + wanted[i].text + "' is missing"});
        } else if (i >= wanted.size()) {
            findings.push_back({file, 0, place + "'" + found[i].text + "' is no chapter"});
        } else if (found[i].page != wanted[i].page) {
            findings.push_back(
                {file, 0, place + "opens " + found[i].page + " instead of " + wanted[i].page});
        } else if (found[i].text != wanted[i].text) {
            findings.push_back(
                {file, 0,
                 place + "says '" + found[i].text + "' instead of '" + wanted[i].text + "'"});
        }
    }
    return findings;
}

/// A chapter's number is that of its folder, and the numbers rise.
std::vector<Finding> wrong_numbers(const Book& book)
{
    std::vector<Finding> findings;
    int previous = 0;
    for (const Chapter& chapter : book.chapters) {
        const std::string file = "chapters/" + chapter.id + "/chapter.md";
        const std::string heading = heading_of(book, chapter.id);
        const int number = std::atoi(chapter.id.c_str());
        if (heading.empty()) {
            findings.push_back(
                {file, 0,
                 "there is no heading '# <number> <title> {#chapter_" + chapter.id + "}'"});
        } else if (std::atoi(heading.c_str()) != number) {
            findings.push_back(
                {file, 0,
                 "the heading '" + heading + "' has not the number " + std::to_string(number)});
        }
        if (number <= previous) {
            findings.push_back(
                {file, 0,
                 "chapter " + std::to_string(number) + " follows " + std::to_string(previous)});
        }
        previous = number;
    }
    return findings;
}

/// A page of a chapter: its own, or a sub-page.
struct ChapterPage
{
    std::string source;  ///< "chapters/14_simd_transformer/fused_attention.md"
    std::string html;    ///< "chapter_14b_fused_attention.html"
    std::string heading; ///< "14b Fused attention"
    int number;          ///< of the chapter
    std::size_t place;   ///< 0 for the chapter's own page, then 1, 2, ...
};

/// All pages of the chapters in reading order.
std::vector<ChapterPage> chapter_pages(const Book& book)
{
    std::vector<ChapterPage> pages;
    for (const Chapter& chapter : book.chapters) {
        const std::vector<fs::path> files = pages_of_chapter(book, chapter.id);
        for (std::size_t i = 0; i < files.size(); ++i) {
            const std::string html =
                i == 0 ? page_name(chapter.id) : html_of(content_of(book.source / files[i]));
            const std::string name = html.substr(0, html.find(".html"));
            pages.push_back({files[i].generic_string(), html, heading_of(book, files[i], name),
                             std::atoi(chapter.id.c_str()), i});
        }
    }
    return pages;
}

/// The sub-pages of chapter 14 are 14a, 14b and so on, in the heading and in its name.
std::vector<Finding> wrong_sub_pages(const Book& book)
{
    std::vector<Finding> findings;
    for (const ChapterPage& page : chapter_pages(book)) {
        if (page.place == 0) {
            continue;
        }
        const std::string letter =
            std::to_string(page.number) + static_cast<char>('a' + page.place - 1);
        if (page.heading.rfind(letter + " ", 0) != 0 ||
            page.html.rfind("chapter_" + letter + "_", 0) != 0) {
            findings.push_back({page.source, 0,
                                "there is no heading '# " + letter + " <title> {#chapter_" +
                                    letter + "_<name>}'"});
        }
    }
    return findings;
}

/// The title on a chapter's page and in the window's frame is that of its source.
std::vector<Finding> wrong_titles(const Book& book)
{
    std::vector<Finding> findings;
    for (const auto& [source, name, heading, number, place] : chapter_pages(book)) {
        const Node page = parse_html(content_of(book.html / name));
        const auto titles = elements(page, "div", "title");
        const auto frames = elements(page, "title");
        const std::string title = titles.empty() ? "" : stripped(text_of(*titles.front()));
        const std::string frame = frames.empty() ? "" : stripped(text_of(*frames.front()));
        if (title != heading) {
            findings.push_back(
                {name, 0, "the title is '" + title + "' instead of '" + heading + "'"});
        }
        const bool ends =
            frame.size() >= heading.size() &&
            frame.compare(frame.size() - heading.size(), heading.size(), heading) == 0;
        if (!ends) {
            findings.push_back(
                {name, 0,
                 "the window's title '" + frame + "' does not end in '" + heading + "'"});
        }
    }
    return findings;
}

/// The chapters of the side bar are its branches of the first level that open chapter_*.html.
std::vector<Finding> wrong_side_bar(const Book& book)
{
    static const std::regex branch(
        R"re(\n {4}\[ "((?:[^"\\]|\\.)*)", "(chapter_[^"#]*\.html)")re");
    const std::string text = content_of(book.html / "navtreedata.js");
    std::vector<Link> found;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), branch);
         match != std::sregex_iterator(); ++match) {
        const std::string title =
            std::regex_replace((*match)[1].str(), std::regex(R"(\\(.))"), "$1");
        found.push_back({decoded(title), (*match)[2].str()});
    }
    std::vector<Link> wanted;
    for (const Chapter& chapter : book.chapters) {
        wanted.push_back({heading_of(book, chapter.id), page_name(chapter.id)});
    }
    return compare("navtreedata.js", "the side bar", found, wanted);
}

/// The list of chapters on the contents page.
std::vector<Finding> wrong_contents_page(const Book& book)
{
    const Node page = parse_html(content_of(book.html / "index.html"));
    std::vector<Link> found;
    for (const Node* list : elements(page, "ol", "chapter-list")) {
        for (const Node* link : elements(*list, "a")) {
            found.push_back({stripped(text_of(*link)), attribute(*link, "href")});
        }
    }
    std::vector<Link> wanted;
    for (const Chapter& chapter : book.chapters) {
        wanted.push_back({short_heading(book, chapter.id), page_name(chapter.id)});
    }
    return compare("index.html", "the list of chapters", found, wanted);
}

/// What stands in the side bar below a chapter: Doxygen 1.9.4 puts a long branch into a file of
/// its own, chapter_14_simd_transformer.js, 1.9.8 leaves it where it is.
std::string branch_below(const Book& book, const std::string& id)
{
    const std::string whole = content_of(book.html / "navtreedata.js");
    const std::string beginning = "\"" + page_name(id) + "\", [\n";
    const std::size_t begin = whole.find(beginning);
    const std::string own = content_of(book.html / ("chapter_" + id + ".js"));
    if (begin == std::string::npos) {
        return own;
    }
    const std::size_t inside = begin + beginning.size();
    return own + whole.substr(inside, whole.find("\n    ] ]", inside) - inside);
}

/// The sub-pages stand in the side bar below their chapter, in their order.
std::vector<Finding> wrong_side_bar_below(const Book& book)
{
    static const std::regex leaf(R"re(\[ "((?:[^"\\]|\\.)*)", "(chapter_[^"#]*\.html)")re");
    std::vector<Finding> findings;
    for (const Chapter& chapter : book.chapters) {
        std::vector<Link> wanted;
        for (const ChapterPage& page : chapter_pages(book)) {
            if (page.place > 0 && page.number == std::atoi(chapter.id.c_str())) {
                wanted.push_back({page.heading, page.html});
            }
        }
        if (wanted.empty()) {
            continue;
        }
        const std::string file = "chapter_" + chapter.id + ".js";
        const std::string text = branch_below(book, chapter.id);
        std::vector<Link> found;
        for (auto match = std::sregex_iterator(text.begin(), text.end(), leaf);
             match != std::sregex_iterator(); ++match) {
            found.push_back({decoded((*match)[1].str()), (*match)[2].str()});
        }
        const std::vector<Finding> more = compare(file, "the side bar", found, wanted);
        findings.insert(findings.end(), more.begin(), more.end());
    }
    return findings;
}

/// The links "previous" and "next" below a page make a chain from the contents to the end.
std::vector<Finding> wrong_previous_and_next(const Book& book)
{
    std::vector<Finding> findings;
    const std::vector<ChapterPage> pages = chapter_pages(book);
    const std::size_t n = pages.size();
    for (std::size_t i = 0; i < n; ++i) {
        const std::string& name = pages[i].html;
        const Node page = parse_html(content_of(book.html / name));
        const std::string previous = i == 0 ? "index.html" : pages[i - 1].html;
        const std::string next = i + 1 == n ? "nothing" : pages[i + 1].html;
        for (const auto& [relation, wanted] :
             {std::pair<std::string, std::string>{"prev", previous}, {"next", next}}) {
            const auto links = find_all(page, [&, &rel = relation](const Node& node) {
                return node.tag == "a" && attribute(node, "rel") == rel;
            });
            const std::string found =
                links.empty() ? "nothing" : attribute(*links.front(), "href");
            if (links.size() > 1 || found != wanted) {
                findings.push_back(
                    {name, 0, "'" + relation + "' opens " + found + " instead of " + wanted});
            }
        }
    }
    return findings;
}

// --------------------------------------------------------------------------------- the map

struct Point
{
    double x;
    double y;
};

/// The points of a path or polygon whose numbers are all absolute.
std::vector<Point> points_of(const std::string& description)
{
    static const std::regex number(R"([-+]?[0-9]*\.?[0-9]+)");
    std::vector<double> numbers;
    for (auto match = std::sregex_iterator(description.begin(), description.end(), number);
         match != std::sregex_iterator(); ++match) {
        numbers.push_back(std::stod(match->str()));
    }
    std::vector<Point> points;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
        points.push_back({numbers[i], numbers[i + 1]});
    }
    return points;
}

/// A chapter's box on the map.
struct Box
{
    std::string page;
    double left, top, right, bottom;
};

std::vector<Box> boxes_of(const Node& map)
{
    std::vector<Box> boxes;
    for (const Node* node : elements(map, "g", "node")) {
        const auto links = elements(*node, "a");
        std::vector<Point> outline;
        for (const Node* path : elements(*node, "path")) {
            const std::vector<Point> points = points_of(attribute(*path, "d"));
            outline.insert(outline.end(), points.begin(), points.end());
        }
        if (links.empty() || outline.empty() ||
            attribute(*links.front(), "xlink:href").empty()) {
            continue;
        }
        const auto [left, right] =
            std::minmax_element(outline.begin(), outline.end(),
                                [](const Point& a, const Point& b) { return a.x < b.x; });
        const auto [top, bottom] =
            std::minmax_element(outline.begin(), outline.end(),
                                [](const Point& a, const Point& b) { return a.y < b.y; });
        boxes.push_back(
            {attribute(*links.front(), "xlink:href"), left->x, top->y, right->x, bottom->y});
    }
    return boxes;
}

/// The page of the box at whose border a point lies, or nothing.
std::string box_at(const std::vector<Box>& boxes, const Point& point)
{
    const double near = 4.0; // an arrow stops a little before the box
    for (const Box& box : boxes) {
        if (point.x > box.left - near && point.x < box.right + near &&
            point.y > box.top - near && point.y < box.bottom + near) {
            return box.page;
        }
    }
    return "nothing";
}

/// Where an arrow begins and where its head points, by the boxes there.
std::optional<std::pair<std::string, std::string>> ends_of(const Node& arrow,
                                                           const std::vector<Box>& boxes)
{
    const auto lines = elements(arrow, "path");
    const auto heads = elements(arrow, "polygon");
    if (lines.empty() || heads.empty()) {
        return std::nullopt;
    }
    const std::vector<Point> line = points_of(attribute(*lines.front(), "d"));
    const std::vector<Point> head = points_of(attribute(*heads.front(), "points"));
    if (line.size() < 2 || head.empty()) {
        return std::nullopt;
    }
    const Point end = line.back();
    const auto distance = [&](const Point& p) { return std::hypot(p.x - end.x, p.y - end.y); };
    const Point tip =
        *std::max_element(head.begin(), head.end(), [&](const Point& a, const Point& b) {
            return distance(a) < distance(b);
        });
    return std::pair{box_at(boxes, line.front()), box_at(boxes, tip)};
}

/// The map has a box for each chapter and an arrow for each that another builds on.
std::vector<Finding> wrong_map(const Book& book)
{
    const Node page = parse_html(content_of(book.html / "index.html"));
    const auto maps = elements(page, "figure", "chapter-map");
    if (maps.size() != 1) {
        return {{"index.html", 0, "there is no map of chapters"}};
    }
    std::vector<Finding> findings;
    const std::vector<Box> boxes = boxes_of(*maps.front());
    std::set<std::string> boxed;
    for (const Box& box : boxes) {
        boxed.insert(box.page);
    }
    std::set<std::string> chapters;
    std::set<std::pair<std::string, std::string>> wanted;
    for (const Chapter& chapter : book.chapters) {
        const std::string name = page_name(chapter.id);
        chapters.insert(name);
        if (boxed.count(name) == 0) {
            findings.push_back({"index.html", 0, "the map has no box for " + name});
        }
        for (const std::string& earlier : chapter.builds_on) {
            wanted.insert({page_name(earlier), name});
        }
    }
    for (const std::string& name : boxed) {
        if (chapters.count(name) == 0) {
            findings.push_back({"index.html", 0, "the map's box " + name + " is no chapter"});
        }
    }
    if (!findings.empty()) {
        return findings; // arrows are judged between the right boxes
    }
    std::set<std::pair<std::string, std::string>> drawn;
    for (const Node* arrow : elements(*maps.front(), "g", "edge")) {
        drawn.insert(ends_of(*arrow, boxes).value_or(std::pair{"nothing", "nothing"}));
    }
    for (const auto& [from, to] : wanted) {
        if (drawn.count({from, to}) == 0) {
            findings.push_back(
                {"index.html", 0, "the map has no arrow from " + from + " to " + to});
        }
    }
    for (const auto& [from, to] : drawn) {
        if (wanted.count({from, to}) == 0) {
            findings.push_back({"index.html", 0,
                                "the map's arrow from " + from + " to " + to +
                                    " is not in the table of contents"});
        }
    }
    return findings;
}

} // namespace

const std::vector<Check>& order_checks()
{
    static const std::vector<Check> checks = {
        {"wrong numbers", wrong_numbers},
        {"wrong sub-pages", wrong_sub_pages},
        {"wrong titles", wrong_titles},
        {"wrong side bar", wrong_side_bar},
        {"wrong side bar below a chapter", wrong_side_bar_below},
        {"wrong contents page", wrong_contents_page},
        {"wrong previous and next", wrong_previous_and_next},
        {"wrong map", wrong_map}};
    return checks;
}

} // namespace attn::book
