/// \file
/// \brief Each check is shown to fail: a tiny book is clean, and with one defect planted in it
/// the check of that defect finds it, exactly it, and where it is.
#include "tests/book/clean_book.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <map>
#include <set>

namespace {

using attn::book::Book;
using attn::book::Check;
using attn::book::clean_book;
using attn::book::Files;
using attn::book::Finding;
using attn::book::written;
using attn::testing::ScratchFolder;

std::vector<std::string> findings_of(const Check& check, const Book& book)
{
    std::vector<std::string> findings;
    for (const Finding& finding : check.run(book)) {
        findings.push_back(to_string(finding));
    }
    return findings;
}

/// A defect: in one file a first text is replaced by another, or all of it where the first is
/// empty; and what the check of the name must say.
struct Defect
{
    std::string check;
    std::string file;
    std::string instead_of;
    std::string planted;
    std::string finding;
};

const std::string one = "html/chapter_01_one.html";
const std::string two = "html/chapter_02_two.html";
const std::string page_1 = "chapters/01_one/chapter.md";

const std::vector<Defect> defects = {
    {"dead links", two, "chapter_01_one.html#first", "chapter_03.html#first",
     "chapter_02_two.html:3: there is no 'chapter_03.html#first'"},
    {"dead links", one, "dot.png", "curve.png",
     "chapter_01_one.html:23: there is no 'curve.png'"},
    {"dead links", one, "src=\"book.js\"", "src=\"look.js\"",
     "chapter_01_one.html:2: there is no 'look.js'"},
    {"dead links", one, "href=\"index.html\"", "href=\"\"",
     "chapter_01_one.html:24: there is no ''"},
    {"dead links", "html/navtreedata.js", "\"two\"", "\"three\"",
     "navtreedata.js:7: there is no 'three.js'"},
    {"dead links", "html/two.js", "chapter_02_two", "chapter_02_too",
     "two.js:1: there is no 'chapter_02_too.html#n'"},
    {"unreadable branches", "html/two.js", "var two", "var 2two",
     "two.js:1: '2two' is no name of a variable"},
    {"dead anchors", two, "#first", "#last",
     "chapter_02_two.html:3: there is no place 'last' in chapter_01_one.html"},
    {"dead anchors", "html/index.html", "\"#top\"", "\"#bottom\"",
     "index.html:4: there is no place 'bottom' in index.html"},
    {"dead anchors", "html/navtreedata.js", "#first", "#last",
     "navtreedata.js:5: there is no place 'last' in chapter_01_one.html"},
    {"dead anchors", "html/find.data.js", "\"first\"", "\"last\"",
     "find.data.js:2: there is no place 'last' in chapter_01_one.html"},
    {"dead anchors", one, "\"caption_01\"><path", "\"caption_1\"><path",
     "chapter_01_one.html:21: aria-labelledby names 'caption_1', which is not on the page"},
    {"names given twice", one, "id=\"caption_01\"", "id=\"first\"",
     "chapter_01_one.html:22: a second element has the id 'first'"},
    {"outside resources", one, "src=\"book.js\"", "src=\"https://cdn.example.org/book.js\"",
     "chapter_01_one.html:2: loads 'https://cdn.example.org/book.js' from outside"},
    {"outside resources", one, "href=\"book.css\"", "href=\"//example.org/book.css\"",
     "chapter_01_one.html:2: loads '//example.org/book.css' from outside"},
    {"outside resources", one, "src=\"dot.png\"", "src=\"HTTP://example.org/dot.png\"",
     "chapter_01_one.html:23: loads 'HTTP://example.org/dot.png' from outside"},
    {"outside resources", one, "<img ",
     "<object data=\"http://example.org/a.svg\"></object><img ",
     "chapter_01_one.html:23: loads 'http://example.org/a.svg' from outside"},
    {"outside resources", "html/book.css", "url(dot.png)",
     "url('https://example.org/font.woff')",
     "book.css:1: loads 'https://example.org/font.woff' from outside"},
    {"outside resources", one, "</head>",
     "<style>@import \"//example.org/a.css\";</style></head>",
     "chapter_01_one.html:2: loads '//example.org/a.css' from outside"},
    {"left-over markup", two, "Two. ", "\\snippet two.hpp two ",
     "chapter_02_two.html:3: a command of Doxygen or of the book is left over: '\\snippet'"},
    {"left-over markup", two, "Two. ", "\\f$ x \\f$ ",
     "chapter_02_two.html:3: a command of Doxygen or of the book is left over: '\\f'"},
    {"left-over markup", two, "Two. ", "\\figure{02_two_curve,A curve} ",
     "chapter_02_two.html:3: a command of Doxygen or of the book is left over: '\\figure'"},
    {"left-over markup", two, "Two. ", "See @ref one ",
     "chapter_02_two.html:3: a command of Doxygen is left over: ' @ref'"},
    {"left-over markup", two, "Two. ", "so **bold** ",
     "chapter_02_two.html:3: Markdown's bold is left over: '**'"},
    {"left-over markup", two, "Two. ", "[a link](one.md) ",
     "chapter_02_two.html:3: a Markdown link is left over: ']('"},
    {"left-over markup", two, "Two. ", "Two.\n\n```cpp ",
     "chapter_02_two.html:5: a Markdown fence is left over: '```'"},
    {"left-over markup", two, "Two. ", "Two {#two} ",
     "chapter_02_two.html:3: a name of a section is left over: '{#'"},
    {"left-over markup", two, "Two. ", "Two endhtmlonly ",
     "chapter_02_two.html:3: a command's word is left over: 'endhtmlonly'"},
    {"left-over markup", two, "Two. ", "Two \\( x ",
     "chapter_02_two.html:3: a formula's end without its beginning is left over: '\\('"},
    {"left-over markup", two, "Two. ", "Two $`x`$ ",
     "chapter_02_two.html:3: a formula in Markdown's way is left over: '$`'"},
    {"left-over markup", two, "Two. ", "Two `x` ",
     "chapter_02_two.html:3: a code span is left over: '`x`'"},
    {"left-over markup", two, "Two. ", "Two &lt;b&gt;three&lt;/b&gt; ",
     "chapter_02_two.html:3: HTML as text is left over: '<b>'"},
    {"broken tables", one, "<td rowspan=\"2\">1</td><td>2</td>", "<td rowspan=\"2\">1</td>",
     "chapter_01_one.html:18: a row of 1 cells in a table of 2 columns"},
    {"broken tables", one, "<td>3</td>", "<td>3</td><td>3</td>",
     "chapter_01_one.html:19: a row of 3 cells in a table of 2 columns"},
    {"broken tables", two, "Two. ", "| a | b |\n|---|---|\n| 1 | 2 |",
     "chapter_02_two.html:3: a row of a table is set as text"},
    {"paths of the machine", two, "Two. ", "Two in /home/smith/book. ",
     "chapter_02_two.html:3: names '/home/smith'"},
    {"paths of the machine", "html/two.js", "var two", "// /home/smith\nvar two",
     "two.js:1: names '/home/smith'"},
    {"wrong numbers", page_1, "# 1 One", "# 3 One",
     "chapters/01_one/chapter.md: the heading '3 One, the first' has not the number 1"},
    {"wrong numbers", page_1, "{#chapter_01_one}", "{#chapter_one}",
     "chapters/01_one/chapter.md: there is no heading '# <number> <title> {#chapter_01_one}'"},
    {"wrong titles", one, "<div class=\"title\">1 One", "<div class=\"title\">1 Two",
     "chapter_01_one.html: the title is '1 Two, the first' instead of '1 One, the first'"},
    {"wrong titles", two, "<title>A book: 2 Two", "<title>A book",
     "chapter_02_two.html: the window's title 'A book' does not end in '2 Two'"},
    {"wrong side bar", "html/navtreedata.js",
     "    [ \"2 Two\", \"chapter_02_two.html\", \"two\" ]\n", "",
     "navtreedata.js: the side bar, place 2: '2 Two' is missing"},
    {"wrong side bar", "html/navtreedata.js", "\"1 One, the first\"", "\"1 One\"",
     "navtreedata.js: the side bar, place 1: says '1 One' instead of '1 One, the first'"},
    {"wrong contents page", "html/index.html",
     "<li><a href=\"chapter_02_two.html\">2 Two</a></li>\n", "",
     "index.html: the list of chapters, place 2: '2 Two' is missing"},
    {"wrong contents page", "html/index.html", "<li><a href=\"chapter_02_two.html\">",
     "<li><a href=\"chapter_01_one.html\">",
     "index.html: the list of chapters, place 2: opens chapter_01_one.html instead of "
     "chapter_02_two.html"},
    {"wrong contents page", "html/index.html", "</ol>",
     "<li><a href=\"chapter_03.html\">3 Three</a></li></ol>",
     "index.html: the list of chapters, place 3: '3 Three' is no chapter"},
    {"wrong previous and next", one, "rel=\"next\" href=\"chapter_02_two.html\"",
     "rel=\"next\" href=\"index.html\"",
     "chapter_01_one.html: 'next' opens index.html instead of chapter_02_two.html"},
    {"wrong sub-pages", "chapters/02_two/two_more.md", "2a", "2b",
     "chapters/02_two/two_more.md: there is no heading '# 2a <title> {#chapter_2a_<name>}'"},
    {"wrong sub-pages", "chapters/02_two/two_more.md", "{#chapter_2a_more}", "",
     "chapters/02_two/two_more.md: there is no heading '# 2a <title> {#chapter_2a_<name>}'"},
    {"wrong titles", "html/chapter_2a_more.html", "<div class=\"title\">2a",
     "<div class=\"title\">2b",
     "chapter_2a_more.html: the title is '2b More' instead of '2a More'"},
    {"wrong side bar below a chapter", "html/chapter_02_two.js",
     "    [ \"2a More\", \"chapter_2a_more.html\", null ]\n", "",
     "chapter_02_two.js: the side bar, place 1: '2a More' is missing"},
    {"wrong side bar below a chapter", "html/navtreedata.js",
     "\"chapter_02_two.html\", \"two\" ]",
     "\"chapter_02_two.html\", [\n      [ \"2b Less\", \"chapter_2a_more.html\", null ]\n    ] "
     "]",
     "chapter_02_two.js: the side bar, place 2: '2b Less' is no chapter"},
    {"wrong previous and next", "html/chapter_2a_more.html", "chapter_02_two.html",
     "chapter_01_one.html",
     "chapter_2a_more.html: 'prev' opens chapter_01_one.html instead of chapter_02_two.html"},
    {"typed code", "chapters/02_two/two_more.md", "> Is", "```cpp\n```\n> Is",
     "chapters/02_two/two_more.md:3: C++ stands on the page instead of a snippet"},
    {"wrong previous and next", two, "<a rel=\"prev\" href=\"chapter_01_one.html\">1</a>", "",
     "chapter_02_two.html: 'prev' opens nothing instead of chapter_01_one.html"},
    {"wrong map", "html/index.html", "xlink:href=\"chapter_02_two.html\"", "class=\"no_link\"",
     "index.html: the map has no box for chapter_02_two.html"},
    {"wrong map", "html/index.html", "<g class=\"edge\">", "<g class=\"hedge\">",
     "index.html: the map has no arrow from chapter_01_one.html to chapter_02_two.html"},
    {"wrong map", "html/index.html", "</svg>",
     "<g class=\"edge\"><path d=\"M35,-40C35,-45 35,-50 35,-54\"/><polygon "
     "points=\"33,-54 35,-59 37,-54\"/></g></svg>",
     "index.html: the map's arrow from chapter_02_two.html to chapter_01_one.html is not in "
     "the "
     "table of contents"},
    {"wrong map", "html/index.html", "chapter-map", "chapter-nap",
     "index.html: there is no map of chapters"},
    {"empty snippets", "chapters/01_one/one.hpp", "}\n// [one]", "}\n// [won]\n// [one]",
     "chapters/01_one/one.hpp:6: [won] stands 1 times instead of twice"},
    {"empty snippets", "tests/01_one/one_test.cpp", "CHECK(one() == 1);", "\n// CHECK\n",
     "tests/01_one/one_test.cpp:1: there is no code between the markers [claim]"},
    {"unused snippets", page_1, "one_test.cpp claim", "one_test.cpp other",
     "tests/01_one/one_test.cpp:1: no page shows [claim]"},
    {"unused snippets", page_1, "\\snippet 01_one/one.hpp one",
     "`\\snippet 01_one/one.hpp one`", "chapters/01_one/one.hpp:1: no page shows [one]"},
    {"too many snippets", "chapters/01_one/one.hpp", "",
     "// [a]\n// [b]\n// [c]\n// [d]\n// [e]\n// [f]\n// [g]\n",
     "chapters/01_one: 7 snippets are marked, at most 6 may be"},
    {"snippets not shown", "chapters/01_one/one.hpp", "return 1;", "return 2;",
     "chapters/01_one/chapter.md:5: chapter_01_one.html does not show [one] of 01_one/one.hpp"},
    {"snippets not shown", "tests/01_one/one_test.cpp", "CHECK(one() == 1);", "",
     "chapters/01_one/chapter.md:7: chapter_01_one.html does not show [claim] of "
     "01_one/one_test.cpp"},
    {"empty listings", one, "CHECK(one() == 1);", " ",
     "chapter_01_one.html:12: a listing is empty"},
    {"outputs not shown", page_1, "expected/output.txt", "expected/trace.txt",
     "chapters/01_one/chapter.md:9: there is no file 01_one/expected/trace.txt"},
    {"outputs not shown", "chapters/01_one/expected/output.txt", "", "\n",
     "chapters/01_one/chapter.md:9: 01_one/expected/output.txt is empty"},
    {"outputs not shown", "chapters/01_one/expected/output.txt", "1", "2",
     "chapters/01_one/chapter.md:9: chapter_01_one.html does not show "
     "01_one/expected/output.txt"},
    {"figures not shown", one, "figure_01_one_curve", "figure_01_one_line",
     "chapters/01_one/chapter.md:11: chapter_01_one.html has 0 figures 01_one_curve"},
    {"figures not shown", one, "<path d=\"M0,0\"/>", "",
     "chapters/01_one/chapter.md:11: the figure 01_one_curve has no drawing"},
    {"figures not shown", one, "Figure 1.1: a curve.", " ",
     "chapters/01_one/chapter.md:11: the figure 01_one_curve has no caption"},
    {"typed code", page_1, "```sh", "```cpp",
     "chapters/01_one/chapter.md:15: C++ stands on the page instead of a snippet"},
    {"typed code", page_1, "```sh", "~~~{.C++}",
     "chapters/01_one/chapter.md:15: C++ stands on the page instead of a snippet"},
    {"unanswered questions", "html/answers.html", "answers_02_two_1", "answers_02_two_2",
     "answers.html: 'Is it two?' of 02_two is missing"},
    {"unanswered questions", "chapters/02_two/questions.md", "> Two.\n",
     "> Two.\n\n## Is it three?\n> Three.\n",
     "answers.html: 'Is it three?' of 02_two is missing"},
    {"unanswered questions", "chapters/01_one/questions.md", "Is it `one`?", "Is it none?",
     "answers.html:3: asks 'Is it one?' where 01_one asks 'Is it none?'"},
    {"unanswered questions", "html/answers.html", "<blockquote><p>&zwj;Two.</p></blockquote>",
     "", "answers.html:8: no sentence answers 'Is it two?'"},
    {"unanswered questions", "html/answers.html", "chapter_02_two.html#n",
     "chapter_01_one.html#first",
     "answers.html:8: 'Is it two?' has not one link, to chapter_02_two.html"},
    {"unanswered questions", "html/answers.html", "chapter_01_one.html#first",
     "chapter_01_one.html#second",
     "answers.html:3: the answer to 'Is it one?' does not stand in chapter_01_one.html#second"},
    {"unanswered questions", "html/answers.html", "&zwj;Two.", "&zwj;Three.",
     "answers.html:8: the answer to 'Is it two?' does not stand in chapter_02_two.html#n"},
    {"unanswered questions", "chapters/02_two/questions.md", "## ", "# ",
     "chapters/02_two/questions.md: there are no questions"},
    {"dead anchors", "html/answers.html", "#first", "#last",
     "answers.html:6: there is no place 'last' in chapter_01_one.html"},
    {"resources astray", "docs/resources.md", "{02_two}", "{03_three}",
     "docs/resources.md:5: '03_three' is not in docs/planned_chapters.txt"},
    {"resources astray", "docs/resources.md", "\\chapter{01_one}", "chapter 1",
     "docs/resources.md:3: the entry names no chapter"},
    {"resources astray", "docs/resources.md", "", "# Resources {#resources}\n",
     "docs/resources.md: there are no resources"},
    {"resources astray", "html/resources.html", "https://example.org/two",
     "http://example.org/two",
     "resources.html:3: 'http://example.org/two' is not reached by https"},
    {"resources astray", "html/resources.html", "https://example.org/one", "//example.org/one",
     "resources.html:2: '//example.org/one' is not reached by https"},
    {"functions not in the index", "html/namespacemembers_func.html", "one()", "two()",
     "namespaceone.html:3: namespacemembers_func.html does not lead to one(); has "
     "its namespace a description?"},
    {"functions not in the index", "html/namespaceone.html", ">number<", ">number() [2/2]<",
     "namespaceone.html:7: namespacemembers_func.html does not lead to number(); "
     "has its namespace a description?"},
};

} // namespace

TEST_CASE("a clean book passes every check", "[book][planted]")
{
    const ScratchFolder scratch;
    const Book book = written(clean_book(), scratch.path());
    for (const Check& check : attn::book::all_checks()) {
        CAPTURE(check.name);
        CHECK(findings_of(check, book) == std::vector<std::string>());
    }
}

TEST_CASE("every check finds each defect planted for it, and only that", "[book][planted]")
{
    std::map<std::string, Check> checks;
    for (const Check& check : attn::book::all_checks()) {
        checks.emplace(check.name, check);
    }
    for (const Defect& defect : defects) {
        CAPTURE(defect.check, defect.file, defect.planted);
        Files files = clean_book();
        std::string& content = files.at(defect.file);
        const std::size_t place = content.find(defect.instead_of);
        REQUIRE(place != std::string::npos);
        content.replace(place,
                        defect.instead_of.empty() ? content.size() : defect.instead_of.size(),
                        defect.planted);
        const ScratchFolder scratch;
        const Book book = written(files, scratch.path());
        REQUIRE(checks.count(defect.check) == 1);
        CHECK(findings_of(checks.at(defect.check), book) ==
              std::vector<std::string>{defect.finding});
    }
}

TEST_CASE("no check is without a planted defect", "[book][planted]")
{
    std::set<std::string> planted;
    for (const Defect& defect : defects) {
        planted.insert(defect.check);
    }
    for (const Check& check : attn::book::all_checks()) {
        CAPTURE(check.name);
        CHECK(planted.count(check.name) == 1);
    }
}
