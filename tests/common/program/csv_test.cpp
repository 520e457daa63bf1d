/// \file
/// \brief Tables of numbers as readers bring them: what is accepted, and how each kind of
/// bad file is refused in one sentence.
#include "common/program/bad_input.hpp"
#include "common/program/csv_columns.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <fstream>
#include <random>

using namespace attn::program;
using attn::testing::complaint_of;
using attn::testing::contains;
using attn::testing::ScratchFolder;

namespace {

using Columns = std::vector<std::vector<double>>;
using Names = std::vector<std::string>;

/// What the reader says about a text, or nothing if it accepts it.
std::string complaint(const std::string& text)
{
    return complaint_of<BadInput>([&] { parse_numeric_csv(text, "cars.csv"); });
}

/// What the reader says about a file.
std::string complaint_about_file(const std::filesystem::path& file)
{
    return complaint_of<BadInput>([&] { read_numeric_csv(file); });
}

struct BadFile
{
    std::string what;
    std::string text;
    std::string says;
};

std::string bytes(const char* text, std::size_t n)
{
    return {text, n};
}

} // namespace

TEST_CASE("columns are read by their names", "[program]")
{
    const NumericTable table =
        parse_numeric_csv("speed,dist\n4,2\n7.5,-1e3\n+8, 16 \n", "cars.csv");
    CHECK(table.names == Names{"speed", "dist"});
    CHECK(table.columns == Columns{{4, 7.5, 8}, {2, -1000, 16}});
    CHECK(table.n_rows() == 3);
    CHECK(table.column("dist")[1] == -1000);
    CHECK(table.vector("speed").size() == 3);
    CHECK(table.vector("speed")(1) == 7.5);
    CHECK_THROWS_WITH(table.column("weight"),
                      "cars.csv: there is no column 'weight'; its columns are speed, dist");
}

TEST_CASE("files of all origins are accepted", "[program]")
{
    const std::string text = GENERATE(
        std::string("a,b\n1,2\n"), std::string("a,b\n1,2"), std::string("a,b\r\n1,2\r\n"),
        std::string("\xef\xbb\xbf"
                    "a,b\n1,2\n"),
        std::string("\"a\",\"b\"\n1,2\n"), std::string("\"a\" , b\n\"1\",2\n"),
        std::string("a,b\n1,2\n\n\n"), std::string("a,b\n1,2\r\n \r\n"),
        std::string("sep=,\r\na,b\r\n1,2\r\n"),
        std::string("\xef\xbb\xbf\"sep=,\"\na,b\n1,2\n"), std::string("a,b\n\"1\n\",2\n"));
    const NumericTable table = parse_numeric_csv(text, "cars.csv");
    CHECK(table.names == Names{"a", "b"});
    CHECK(table.columns == Columns{{1}, {2}});
}

TEST_CASE("a first line of numbers is data", "[program]")
{
    const NumericTable table = parse_numeric_csv("1,2\n3,4\n", "cars.csv");
    CHECK(table.names == Names{"column 1", "column 2"});
    CHECK(table.columns == Columns{{1, 3}, {2, 4}});
}

TEST_CASE("names may hold commas, quotes, line breaks and letters of any kind", "[program]")
{
    const NumericTable table = parse_numeric_csv(
        "\"\",\"a,b\",\"say \"\"x\"\"\",größe,\"x\r\nin cm\"\n1,2,3,4,5\n", "cars.csv");
    CHECK(table.names == Names{"column 1", "a,b", "say \"x\"", "größe", "x in cm"});
}

TEST_CASE("words for what is no finite number name columns above a row of numbers", "[program]")
{
    for (const char* first : {"day,inf", "nan,day", "inf,nan", "NA,Infinity", "-inf,n"}) {
        INFO(first);
        const NumericTable table =
            parse_numeric_csv(std::string(first) + "\n1,2\n", "cars.csv");
        CHECK(table.names.size() == 2);
        CHECK(table.columns == Columns{{1}, {2}});
    }
    CHECK(complaint("1,nan\n2,3\n") ==
          "cars.csv, line 1, column 2: 'nan' is not a finite number");
    CHECK(complaint("inf,nan\ninf,2\n") ==
          "cars.csv, line 1, column 1: 'inf' is not a finite number");
}

TEST_CASE("whatever is no table of finite numbers is refused in one sentence", "[program]")
{
    const std::string long_line(200000, 'x');
    const std::vector<BadFile> bad_files = {
        {"empty", "", "cars.csv: the file is empty"},
        {"a mark only", "\xef\xbb\xbf", "cars.csv: the file is empty"},
        {"blank lines only", "\n \r\n\n", "cars.csv: the file is empty"},
        {"a header only", "speed,dist\n",
         "cars.csv: there are names, but no rows of numbers below them"},
        {"a word", "speed,dist\n4,2\n7,abc\n",
         "cars.csv, line 3, column 'dist': 'abc' is not a number"},
        {"a word without a header", "4,2\n7,abc\n",
         "cars.csv, line 2, column 2: 'abc' is not a number"},
        {"a word in a first line of numbers", "4,abc\n",
         "cars.csv, line 1: '4' is a number and 'abc' is not; the first line must hold either "
         "names or numbers"},
        {"not available", "a\nNA\n", "cars.csv, line 2, column 'a': 'NA' is not a number"},
        {"an empty cell", "a,b\n1,\n", "cars.csv, line 2, column 'b': a number is missing"},
        {"nan", "a\nnan\n", "cars.csv, line 2, column 'a': 'nan' is not a finite number"},
        {"nan in the first line", "nan\nnan\n",
         "cars.csv, line 1, column 1: 'nan' is not a finite number"},
        {"inf", "a\n-inf\n", "cars.csv, line 2, column 'a': '-inf' is not a finite number"},
        {"1e999", "a\n1e999\n",
         "cars.csv, line 2, column 'a': '1e999' is out of the range of a double"},
        {"a decimal comma", "a;b\n1,5;2\n",
         "cars.csv, line 2: 2 cells, but line 1 has 1; columns seem to be separated by "
         "semicolons, but must be separated by commas, and decimals have a point"},
        {"semicolons", "a;b\n1;2\n",
         "cars.csv, line 2, column 'a;b': '1;2' is not a number; columns seem to be separated "
         "by semicolons, but must be separated by commas, and decimals have a point"},
        {"semicolons without a header", "1,5;2,5\n3;4\n",
         "cars.csv, line 1: '1' is a number and '5;2' is not; the first line must hold either "
         "names or numbers; columns seem to be separated by semicolons, but must be separated "
         "by commas, and decimals have a point"},
        {"semicolons in one line", "1;2\n",
         "cars.csv: there are names, but no rows of numbers below them; columns seem to be "
         "separated by semicolons, but must be separated by commas, and decimals have a point"},
        {"semicolons and a comma in a name", "\"a, b\";c\n1;2\n",
         "cars.csv, line 1: ';c' stands behind a closing quote; columns seem to be separated "
         "by semicolons, but must be separated by commas, and decimals have a point"},
        {"a line for another separator", "sep=;\na;b\n1;2\n",
         "cars.csv, line 1: 'sep=;' asks for another separator; columns must be separated by "
         "commas, and decimals have a point"},
        {"tabs", "a\tb\n1\t2\n",
         "cars.csv, line 1: the name 'a\\x09b' has bytes that are no text; columns seem to be "
         "separated by tabs, but must be separated by commas, and decimals have a point"},
        {"bars", "a|b\n1|2\n",
         "cars.csv, line 2, column 'a|b': '1|2' is not a number; columns seem to be separated "
         "by vertical bars, but must be separated by commas, and decimals have a point"},
        {"blanks", "a b\n1 2\n",
         "cars.csv, line 2, column 'a b': '1 2' is not a number; commas separate columns, "
         "decimals have a point, thousands no mark"},
        {"a decimal comma in quotes", "a,b\n1,\"1,5\"\n",
         "cars.csv, line 2, column 'b': '1,5' is not a number; commas separate columns, "
         "decimals have a point, thousands no mark"},
        {"thousands in quotes", "a,b\n1,\"1,234.5\"\n",
         "cars.csv, line 2, column 'b': '1,234.5' is not a number; commas separate columns, "
         "decimals have a point, thousands no mark"},
        {"an old Mac's line ends", "a,b\r1,2\r",
         "cars.csv, line 1: the line ends in CR alone, as on an old Mac; save the file with LF "
         "or CR LF as line ends"},
        {"one line end of an old Mac", "a,b\r\n1,2\r3,4\r\n",
         "cars.csv, line 2: the line ends in CR alone, as on an old Mac; save the file with LF "
         "or CR LF as line ends"},
        {"a word below a name of two lines", "\"a\n(cm)\",b\n1,2\nx,2\n",
         "cars.csv, line 4, column 'a (cm)': 'x' is not a number"},
        {"a short row below a line for the separator", "sep=,\na,b\n1\n",
         "cars.csv, line 3: 1 cell, but line 2 has 2"},
        {"a unit", "a\n5 cm\n", "cars.csv, line 2, column 'a': '5 cm' is not a number"},
        {"hexadecimal", "a\n0x1f\n", "cars.csv, line 2, column 'a': '0x1f' is not a number"},
        {"too few cells", "a,b\n1,2\n3\n", "cars.csv, line 3: 1 cell, but line 1 has 2"},
        {"too many cells", "a,b\n1,2,3\n", "cars.csv, line 2: 3 cells, but line 1 has 2"},
        {"a comma at the end", "a,b\n1,2,\n",
         "cars.csv, line 2: 3 cells, the last of them empty, but line 1 has 2"},
        {"a gap", "a\n1\n\n2\n",
         "cars.csv, line 3: the line is empty, but there are more below it"},
        {"a gap at the top", "\na\n1\n",
         "cars.csv, line 1: the line is empty, but there are more below it"},
        {"one name twice", "a,b,a\n1,2,3\n", "cars.csv, line 1: two columns have the name 'a'"},
        {"an open quote", "a,\"b\n1,2\n", "cars.csv, line 1: a quote is opened and not closed"},
        {"text behind a quote", "\"a\"b,c\n1,2\n",
         "cars.csv, line 1: 'b,c' stands behind a closing quote"},
        {"zero bytes", bytes("a\n1\0\n", 5),
         "cars.csv, line 2, column 'a': '1\\x00' is not a number"},
        {"zero bytes in a name", bytes("a\0b\n1\n", 6),
         "cars.csv, line 1: the name 'a\\x00b' has bytes that are no text"},
        {"UTF-16",
         bytes("\xff\xfe"
               "a\0\n\0",
               6),
         "cars.csv: the file seems to be in UTF-16; save it as UTF-8"},
        {"Latin-1",
         "Gr\xf6\xdf"
         "e in cm,b\n1,2\n",
         "cars.csv, line 1: the name 'Gr\\xf6\\xdfe in cm' has bytes that are no text; the "
         "file seems "
         "to be in an 8-bit encoding such as Latin-1 or Windows-1252"},
        {"no UTF-8", "a\n\xe9t\xe9\n",
         "cars.csv, line 2, column 'a': '\\xe9t\\xe9' is not a number"},
        {"a terminal's escapes", "a\n\x1b[2J\n",
         "cars.csv, line 2, column 'a': '\\x1b[2J' is not a number"},
        {"a very long cell", "a\n" + long_line + "\n",
         "cars.csv, line 2, column 'a': '" + std::string(40, 'x') + "...' is not a number"},
        {"a very long name", long_line + "\nabc\n",
         "cars.csv, line 2, column '" + std::string(40, 'x') + "...': 'abc' is not a number"},
    };
    for (const BadFile& bad : bad_files) {
        INFO(bad.what);
        CHECK(complaint(bad.text) == bad.says);
    }
}

TEST_CASE("random bytes are refused in a short sentence that a terminal can show",
          "[program][property]")
{
    std::mt19937_64 bits(1);
    for (int i = 0; i < 300; ++i) {
        std::string noise;
        for (int k = 0; k < 400; ++k) {
            noise += static_cast<char>(bits());
        }
        const std::string said = complaint(noise);
        CHECK_FALSE(said.empty());
        CHECK(said.size() < 600);
        CHECK(std::none_of(said.begin(), said.end(),
                           [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
    }
}

TEST_CASE("a file is read, and one that cannot be is named", "[program]")
{
    const ScratchFolder scratch;
    const std::filesystem::path file = scratch.path() / "it's my data.csv";
    std::ofstream(file) << "a\n1\n";
    CHECK(read_numeric_csv(file).columns == Columns{{1}});

    std::ofstream(file) << "a\nx\n";
    CHECK(complaint_about_file(file) ==
          file.string() + ", line 2, column 'a': 'x' is not a number");
    CHECK(complaint_about_file(scratch.path() / "absent.csv") ==
          "'" + (scratch.path() / "absent.csv").string() +
              "' cannot be read: No such file or directory");
    CHECK(complaint_about_file(scratch.path()) ==
          "'" + scratch.path().string() + "' is a folder, not a file");
    CHECK_THAT(complaint_about_file("/dev/zero"), contains("is larger than 268435456 bytes"));
    CHECK_THAT(complaint_about_file(""), contains("No such file"));
}

TEST_CASE("a strange file name is shown escaped", "[program]")
{
    CHECK_THROWS_WITH(parse_numeric_csv("", "a\nb"), "'a\\x0ab': the file is empty");
}

TEST_CASE("the key of a row is its name in lower case, without what stands between words",
          "[program]")
{
    CHECK(attn::program::key_name("RNN, attends, 1/sqrt(d)") == "rnn_attends_1_sqrt_d");
    CHECK(attn::program::key_name("24 to 16") == "24_to_16");
    CHECK(attn::program::key_name("additive_before") == "additive_before");
    CHECK(attn::program::key_name("0.001") == "0.001");
}
