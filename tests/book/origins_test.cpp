/// \file
/// \brief A number of a page is held to its table: what differs is named by line, and mended; what
/// says nothing of itself is refused.
#include "tests/book/measured.hpp"
#include "tests/book/origins.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
using book::PageOrigins;
using book::Tables;
using testing::ScratchFolder;

namespace {

/// A tree with one chapter, 01_one, and what was measured.
class Tree
{
public:
    Tree()
    {
        write("chapters/01_one/expected/trained_kinds.csv",
              "kind,seed,bleu,exact\nnone,1,33.11,0.2624\nnone,2,32.87,0.2582\n"
              "\"with, comma\",1,96.86,0.8539\n");
        write("chapters/01_one/expected/output.txt",
              "Two kinds\n═════════\nWhat is 2 of them.\n\n"
              "context, ↓  BLEU            steps\n──────────  ──────────────  ─────\n"
              "none        32.4/32.9/33.1  2,000\ns_{t-1}     96.1/96.4/96.9    640\n\n"
              "context, ↓  loss  share  share\n──────────  ────  ─────  ─────\nnone        "
              "5.60   75 %   0.60\n\nwritten to out: x.csv\n");
        write("chapters/01_one/expected/more.csv", "name,up\na,+0.5\n");
        write("chapters/02_two/expected/other.csv", "x,y\n1,-0.5\n2.0,nan\n");
        write("docs/measured/goals.txt",
              "what  ratio\n────  ─────  ────\nsum    1.25  0.25\n\nabout 1.5\nof it");
        write("tests/01_one/sum_test.cpp", "TEST_CASE(\"a sum, by hand\", \"[01]\")");
    }

    PageOrigins check(const std::string& text, const std::string& chapter = "01_one")
    {
        return book::check_origins("page.md", text, chapter, tables_);
    }

    /// The only finding of a page.
    std::string finding(const std::string& text)
    {
        const PageOrigins origins = check(text);
        REQUIRE(origins.findings.size() == 1);
        return std::to_string(origins.findings[0].line) + ": " + origins.findings[0].what;
    }

private:
    void write(const std::string& file, const std::string& text)
    {
        const std::filesystem::path path = scratch_.path() / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    ScratchFolder scratch_;
    Tables tables_{scratch_.path()};
};

} // namespace

TEST_CASE("a number agrees with its table as it is printed", "[book][origins]")
{
    Tree tree;
    const std::vector<std::string> right = {
        "BLEU is 33.1\\from{kinds, kind=none, seed=1, bleu}.",
        "BLEU is **33.11**\\from{kinds, kind=none, seed=1, bleu}.",
        "26 %\\from{100*kinds[kind=none, seed=1].exact} are right.",
        "26.2 %\\from{100*kinds[kind=none, seed=1].exact} are right.",
        "33.0\\from{median(kinds[kind=none].bleu)} in the middle",
        "96.86\\from{kinds, kind=\"with, comma\", bleu}",
        "32.9\\from{median(\"Two kinds\"[\"context, ↓\"=none].BLEU)}",
        "96.9\\from{max(\"Two kinds\"[\"context, ↓\"=s_{t-1}].BLEU)}",
        "5.6\\from{\"Two kinds\", \"context, ↓\"=none, loss}",
        "-0.5\\from{02_two/other, x=1, y}, −0.50\\from{02_two/other, x=1.0, y}",
        "1.25\\from{measured/goals/\"\", what=sum, ratio}",
        "1,234.5\\from{1000 + 469/2}, 0.368\\from{exp(-1)}",
        "\\holds{min(kinds[kind=none].bleu) > 32 && falling(kinds[kind=none].bleu)}",
        "\\holds{rising(kinds.exact) == 0 && falling(kinds.exact) == 0}",
        "75\\from{\"Two kinds\", \"context, ↓\"=none, share}, 0.5\\from{more, name=a, up}",
        "0.25\\from{measured/goals/\"no heading\"[what=sum].\"ratio 2\"}",
        "2\\printed{\"Two kinds ═════════ What is # of them.\"}",
        "1.5\\printed{measured/goals/\"about # of it\"}, 0.3\\tested{a sum, by hand}",
        "66.2\\from{2*kinds[kind=none, seed<=1].bleu}, 33\\from{kinds, kind=none, seed>=2, "
        "bleu}",
        "2.0\\from{66.22/kinds[kind=none, seed=1].bleu}, 0.07\\from{\"Two kinds\"[\"context, "
        "↓\"=none].loss/80}",
        "16\\from{12/\"Two kinds\"[\"context, ↓\"=none, \"share\"=75 %].\"share 2\"*0.8}",
    };
    for (const std::string& text : right) {
        INFO(text);
        const PageOrigins origins = tree.check(text);
        for (const book::Finding& finding : origins.findings) {
            UNSCOPED_INFO(finding.what);
        }
        CHECK(origins.findings.empty());
        CHECK(origins.n_origins + origins.n_checks >= 1);
        CHECK(origins.mended == text);
    }
}

TEST_CASE("what the table does not have is named by line, number and value", "[book][origins]")
{
    Tree tree;
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {"One.\n\nBLEU is 33.2\\from{kinds, kind=none, seed=1, bleu}.",
         "3: 33.2 is 33.11 in kinds, kind=none, seed=1, bleu"},
        {"33\\from{kinds, kind=none, bleu}", "it is 2 numbers, not one"},
        {"33\\from{kinds, kind=nobody, bleu}", "kinds has no row with these keys"},
        {"33\\from{kinds, kind=none, seed=1, belu}", "has no column 'belu'"},
        {"33\\from{nothing, kind=none, bleu}", "there is no table nothing"},
        {"33\\from{\"Three kinds\", x=none, bleu}", "no table below 'Three kinds'"},
        {"33\\from{kinds, kind, bleu}", "'kind' is no key"},
        {"33\\from{kinds, seed=1, kind}", "is no number"},
        {"1\\from{02_two/other, x=2, y}", "1 is nan"},
        {"33\\from{1 +}", "'1 +'"},
        {"3\\printed{\"What is # of them.\"}", "is not printed"},
        {"2\\printed{\"What is 2 of them.\"}", "has no #"},
        {"2\\printed{x/\"What is # of them.\"}", "there is no table"},
        {"2.5\\tested{a sum}", "no test is called 'a sum'"},
        {"no number \\from{kinds, kind=none, seed=1, bleu}", "no number stands before"},
        {"33.1\\from{kinds, kind=none,\nseed=1, bleu}", "do not close on their line"},
        {"\\holds{max(kinds[kind=none].bleu) < 33}", "does not hold"},
        {"\\holds{02_two/other[x=2].y < 1}", "does not hold"},
        {"\\holds{kinds[kind=none].bleu}", "it is 2 numbers"},
        {"\\holds{02_two/other[x=2].y}", "does not hold"},
        {"0.5\\printed{never closed", "do not close"},
        {"0.5\\tested{never closed", "do not close"},
    };
    for (const auto& [text, message] : wrong) {
        INFO(text);
        const std::string found = tree.finding(text);
        INFO(found);
        CHECK(found.find(message) != std::string::npos);
    }
}

TEST_CASE("numbers are mended as they are printed", "[book][origins]")
{
    Tree tree;
    const std::string of = "\\from{kinds, kind=none, seed=1, bleu}";
    CHECK(tree.check("one 5" + of + ", two **7.25**" + of + ", three 0.1 %" + of + ", 4")
              .mended ==
          "one 33" + of + ", two **33.11**" + of + ", three 33.1 %" + of + ", 4");
    CHECK(tree.check("3.5\\from{02_two/other, x=1, y} 12.0\\from{1000*1.5}").mended ==
          "-0.5\\from{02_two/other, x=1, y} 1500.0\\from{1000*1.5}");
    CHECK(tree.check("9,999\\from{1234567}").mended == "1,234,567\\from{1234567}");
}

TEST_CASE("a number says where it comes from, or stands where none is measured",
          "[book][origins]")
{
    Tree tree;
    const std::vector<std::string> other = {
        "The rate is 0.5\\given, and 5 %, 2014 and 3 of 4 are not asked.",
        "They found 34.8 in their paper \\cite them2014.\nAnother sentence.",
        "| 34.8 \\cite them2014 | x |",
        "`0.5`, ``0.25``, \\f$ 0.5 \\f$ and \\f[ 0.5\n\\f]",
        "```\n0.5\n```",
        "## The rate 0.5 {#rate_0.5}",
        "Figure 2.1, Figures 2.1 and 2.3, Exercise 7.3, **7.3** A question.",
        "\\figure{02_x,Figure 2.1: A caption.}",
        "[a page](https://x.org/1.5)",
        "Since v1.5, or 0.24.3.",
        "`0.5\\from{nothing, x}` in code.",
        "\\ref the_page \"a 0.5\"; exercise 7.3.",
    };
    for (const std::string& text : other) {
        INFO(text);
        for (const book::Finding& finding : tree.check(text).findings) {
            UNSCOPED_INFO(finding.what);
        }
        CHECK(tree.check(text).findings.empty());
    }
    CHECK(tree.finding("One.\nThe error is 0.5, and no more.").substr(0, 20) ==
          "2: 0.5 has no origin");
    CHECK(tree.finding("It was 1.5. They found 2 \\cite them2014.").find("1.5") == 3);
    CHECK(tree.finding("| 0.5 | 34.8 \\cite them2014 |").find("0.5") == 3);
    CHECK(tree.finding("\\figure{02_x,Figure 2.1: An error of 0.5.}").find("0.5") == 3);
    CHECK(tree.finding("0.5\\givens").find("0.5") == 3);
    CHECK(tree.finding("It was 1.5.\\holds{1 < 2} They found 2 \\cite them2014.").find("1.5") ==
          3);
    CHECK(tree.finding("(They found 2 \\cite them2014.) It was 1.5.").find("1.5") == 3);
    CHECK(tree.finding("A ` that opens nothing, 0.5.\n\n" + std::string(200000, 'x'))
              .find("0.5") == 3);
    CHECK(tree.finding("``a ` b`` is 0.5").find("0.5") == 3);
    CHECK(tree.finding("about .58 of it").find(".58") == 3);
    CHECK(tree.finding("\\ref the_page is 0.5").find("0.5") == 3);
}

TEST_CASE("what was measured is the reference's, or nobody's, or the first that there is",
          "[book]")
{
    const ScratchFolder scratch;
    const auto measured = scratch.path() / "docs" / "measured";
    const auto write = [&](const std::string& name) {
        std::filesystem::create_directories((measured / name).parent_path());
        std::ofstream(measured / name) << "x";
    };
    CHECK(book::measured_file(scratch.path(), "a.txt").empty());
    write("z_1_1/a.txt");
    write("y_1_1/a.txt");
    CHECK(book::measured_file(scratch.path(), "a.txt") == measured / "y_1_1" / "a.txt");
    write("a.txt");
    CHECK(book::measured_file(scratch.path(), "a.txt") == measured / "a.txt");
    std::ofstream(measured / "reference.txt") << "z_1_1\n";
    CHECK(book::measured_file(scratch.path(), "a.txt") == measured / "z_1_1" / "a.txt");
    CHECK(book::measured_file(scratch.path(), "b.txt").empty());
}
