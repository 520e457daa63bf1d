/// \file
/// \brief Each check is shown to fail: a tiny book is clean, and with one defect planted in it
/// the check of that defect finds it, exactly it, and where it is.
#include "tests/book/clean_book.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using attn::book::Check;
using attn::book::clean_book;
using attn::book::Files;
using attn::book::written;
using attn::testing::ScratchFolder;

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
const std::string branch = "html/chapter_02_two.js";
const std::string page_1 = "chapters/01_one/chapter.md";
const std::string page_2a = "chapters/02_two/two_more.md";

const std::vector<Defect> defects = {
    {"dead links", two, "chapter_01_one.html#first", "chapter_03.html#first",
     "chapter_02_two.html:3: there is no 'chapter_03.html#first'"},
    {"dead links", one, "dot.png", "curve.png",
     "chapter_01_one.html:23: there is no 'curve.png'"},
    {"dead links", one, "src=\"book.js\"", "src=\"look.js\"",
     "chapter_01_one.html:2: there is no 'look.js'"},
    {"dead links", one, "href=\"index.html\"", "href=\"\"",
     "chapter_01_one.html:24: there is no ''"},
    {"dead links", "html/index.html", "xlink:href=\"chapter_01_one", "xlink:href=\"chapter_1",
     "index.html:5: there is no 'chapter_1.html'"},
    {"dead links", "html/navtreedata.js", "\"chapter_02_two\" ]", "\"three\" ]",
     "navtreedata.js:7: there is no 'three.js'"},
    {"dead links", branch, "chapter_02_two.html", "chapter_02_too.html",
     "chapter_02_two.js:3: there is no 'chapter_02_too.html#n'"},
    {"unreadable branches", branch, "var chapter_02_two", "var 02_two",
     "chapter_02_two.js:1: '02_two' is no name of a variable"},
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
    {"left-over markup", two, "Two. ", "Two.[block] ",
     "chapter_02_two.html:3: a command's option is left over: '[block]'"},
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
    {"paths of the machine", branch, "var", "// /home/smith\nvar",
     "chapter_02_two.js:1: names '/home/smith'"},
    {"wrong numbers", page_1, "# 1 One", "# 3 One",
     "chapters/01_one/chapter.md: '3 One, the first' of chapter_01_one.html is not "
     "'1 <title>' of chapter_01_one.html"},
    {"wrong numbers", page_1, "{#chapter_01_one}", "{#chapter_one}",
     "chapters/01_one/chapter.md: '1 One, the first' of chapter_one.html is not "
     "'1 <title>' of chapter_01_one.html"},
    {"wrong numbers", page_2a, "2a", "2b",
     "chapters/02_two/two_more.md: '2b More' of chapter_2a_more.html is not "
     "'2a <title>' of chapter_2a_"},
    {"wrong numbers", page_2a, "{#chapter_2a_more}", "",
     "chapters/02_two/two_more.md: '' of  is not '2a <title>' of chapter_2a_"},
    {"wrong titles", one, "<div class=\"title\">1 One", "<div class=\"title\">1 Two",
     "chapter_01_one.html: the title '1 Two, the first' is not '1 One, the first'"},
    {"wrong titles", two, "<title>A book: 2 Two", "<title>A book",
     "chapter_02_two.html: the title 'A book' is not '2 Two'"},
    {"wrong titles", "html/chapter_2a_more.html", "<div class=\"title\">2a",
     "<div class=\"title\">2b", "chapter_2a_more.html: the title '2b More' is not '2a More'"},
    {"wrong side bar", "html/navtreedata.js",
     "    [ \"2 Two\", \"chapter_02_two.html\", \"chapter_02_two\" ]\n", "",
     "navtreedata.js: the side bar has 'nothing' of nothing instead of '2 Two' of "
     "chapter_02_two.html"},
    {"wrong side bar", "html/navtreedata.js", "\"1 One, the first\"", "\"1 One\"",
     "navtreedata.js: the side bar has '1 One' of chapter_01_one.html instead of "
     "'1 One, the first' of chapter_01_one.html"},
    {"wrong side bar", branch, "    [ \"2a More\", \"chapter_2a_more.html\", null ]\n", "",
     "navtreedata.js: the side bar has 'nothing' of nothing instead of '2a More' of "
     "chapter_2a_more.html"},
    {"wrong side bar", "html/navtreedata.js", "\"chapter_02_two\" ]",
     "[\n      [ \"2b Less\", \"chapter_2a_more.html\", null ]\n    ] ]",
     "navtreedata.js: the side bar has '2b Less' of chapter_2a_more.html instead of "
     "'2a More' of chapter_2a_more.html"},
    {"wrong previous and next", one, "rel=\"next\" href=\"chapter_02_two.html\"",
     "rel=\"next\" href=\"index.html\"",
     "chapter_01_one.html: 'next' opens index.html instead of chapter_02_two.html"},
    {"wrong previous and next", "html/chapter_2a_more.html", "chapter_02_two.html",
     "chapter_01_one.html",
     "chapter_2a_more.html: 'prev' opens chapter_01_one.html instead of chapter_02_two.html"},
    {"wrong previous and next", two, "<a rel=\"prev\" href=\"chapter_01_one.html\">1</a>", "",
     "chapter_02_two.html: 'prev' opens nothing instead of chapter_01_one.html"},
    {"snippets not shown", "chapters/01_one/one.hpp", "return 1;", "return 2;",
     "chapters/01_one/chapter.md:5: chapter_01_one.html does not show [one] of 01_one/one.hpp"},
    {"snippets not shown", "chapters/01_one/one.hpp", "}\n// [one]", "}",
     "chapters/01_one/chapter.md:5: [one] stands 1 times in 01_one/one.hpp instead of twice"},
    {"snippets not shown", "tests/01_one/one_test.cpp", "CHECK(one() == 1);", "\n// CHECK\n",
     "chapters/01_one/chapter.md:7: chapter_01_one.html does not show [claim] of "
     "01_one/one_test.cpp"},
    {"snippets not shown", one, "CHECK(one() == 1);", " ",
     "chapters/01_one/chapter.md:7: chapter_01_one.html does not show [claim] of "
     "01_one/one_test.cpp"},
    {"unused snippets", page_1, "one_test.cpp claim", "one_test.cpp other",
     "tests/01_one/one_test.cpp:1: no page shows [claim]"},
    {"unused snippets", page_1, "\\snippet 01_one/one.hpp one",
     "`\\snippet 01_one/one.hpp one`", "chapters/01_one/one.hpp:1: no page shows [one]"},
    {"too many snippets", "chapters/01_one/one.hpp", "",
     "// [a]\n// [b]\n// [c]\n// [d]\n// [e]\n// [f]\n// [g]\n",
     "chapters/01_one: 7 snippets are marked, at most 6 may be"},
    {"outputs not shown", page_1, "expected/output.txt", "expected/trace.txt",
     "chapters/01_one/chapter.md:9: 01_one/expected/trace.txt is missing or empty"},
    {"outputs not shown", "chapters/01_one/expected/output.txt", "", "\n",
     "chapters/01_one/chapter.md:9: 01_one/expected/output.txt is missing or empty"},
    {"outputs not shown", "chapters/01_one/expected/output.txt", "1", "2",
     "chapters/01_one/chapter.md:9: chapter_01_one.html does not show "
     "01_one/expected/output.txt"},
    {"figures not shown", one, "figure_01_one_curve", "figure_01_one_line",
     "chapters/01_one/chapter.md:11: chapter_01_one.html has 0 figures 01_one_curve"},
    {"figures not shown", one, "<path d=\"M0,0\"/>", "",
     "chapters/01_one/chapter.md:11: there is no drawing in the figure 01_one_curve"},
    {"figures not shown", one, "Figure 1.1: a curve.", " ",
     "chapters/01_one/chapter.md:11: there is no caption below the figure 01_one_curve"},
    {"invented numbers", "docs/drawings/01_one_drawing.svg", ">1<", ">1.5<",
     "docs/drawings/01_one_drawing.svg:2: no program wrote the number '1.5'"},
    {"invented numbers", "docs/measured/two.txt", "2.5", "2.6",
     "docs/drawings/02_two_drawing.svg:2: no program wrote the number '2.5'"},
    {"invented numbers", "docs/drawings/01_one_drawing.svg", ">1<", ">2.5<",
     "docs/drawings/01_one_drawing.svg:2: no program wrote the number '2.5'"},
    {"typed code", page_2a, "> Is", "```cpp\n```\n> Is",
     "chapters/02_two/two_more.md:3: C++ stands on the page instead of a snippet"},
    {"typed code", page_1, "```sh", "```cpp",
     "chapters/01_one/chapter.md:15: C++ stands on the page instead of a snippet"},
    {"typed code", page_1, "```sh", "~~~{.C++}",
     "chapters/01_one/chapter.md:15: C++ stands on the page instead of a snippet"},
    {"resources astray", "docs/resources.md", "\\chapter{01_one}", "chapter 1",
     "docs/resources.md:3: the entry names no chapter"},
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
    const attn::book::Book book = written(clean_book(), scratch.path());
    for (const Check& check : attn::book::all_checks()) {
        CAPTURE(check.name);
        CHECK(findings_of(book, check) == std::vector<std::string>());
    }
}

TEST_CASE("every check finds each defect planted for it, and only that", "[book][planted]")
{
    std::map<std::string, Check> checks;
    std::set<std::string> without_defect;
    for (const Check& check : attn::book::all_checks()) {
        checks.emplace(check.name, check);
        without_defect.insert(check.name);
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
        CHECK(findings_of(written(files, scratch.path()), checks.at(defect.check)) ==
              std::vector<std::string>{defect.finding});
        without_defect.erase(defect.check);
    }
    CHECK(without_defect == std::set<std::string>());
}
