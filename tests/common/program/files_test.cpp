/// \file
/// \brief Files are written as a whole or not at all, and their folder is made when needed.
#include "common/program/bad_input.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/figure.hpp"
#include "common/program/files.hpp"
#include "common/program/output_folder.hpp"
#include "common/program/widget_data.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/run_program.hpp"

#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <sys/stat.h>

using namespace attn::program;
using namespace attn::testing;
using attn::Matrix;
using attn::Vector;

namespace fs = std::filesystem;

namespace {

std::set<std::string> names_in(const fs::path& folder)
{
    std::set<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        names.insert(entry.path().filename().string());
    }
    return names;
}

} // namespace

TEST_CASE("a file is replaced as a whole, and no temporary stays", "[program]")
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "a.csv";
    const std::string binary("\0\xff\r\n", 4);
    write_file(file, "a much longer text");
    write_file(file, binary);
    CHECK(read_file(file) == binary);
    CHECK(names_in(scratch.path()) == std::set<std::string>{"a.csv"});
}

TEST_CASE("a write that fails loses nothing", "[program][property]")
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "a.csv";
    write_file(file, "kept");
    std::string said;
    {
        const FullDisk full(1000);
        said = complaint_of<BadInput>([&] { write_file(file, std::string(100000, 'x')); });
    }
    CHECK(said == "'" + file.string() + "' cannot be written: File too large");
    CHECK(read_file(file) == "kept");
    CHECK(names_in(scratch.path()) == std::set<std::string>{"a.csv"});

    // Nor does one that cannot take its name.
    const fs::path folder = scratch.path() / "folder";
    fs::create_directories(folder / "inside");
    CHECK_THROWS_AS(write_file(folder, "x"), BadInput);
    CHECK(names_in(scratch.path()) == std::set<std::string>{"a.csv", "folder"});
    CHECK(fs::exists(folder / "inside"));
    CHECK_THROWS_AS(write_file(scratch.path() / "absent" / "a.csv", "x"), BadInput);
}

TEST_CASE("parts of a file are read wherever they lie", "[program]")
{
    const ScratchFolder scratch;
    const fs::path path = scratch.path() / "a.bin";
    write_file(path, "0123456789");
    const OpenFile file(path);
    const auto part = [&file](std::uint64_t begin, std::size_t n_bytes) {
        std::string bytes(n_bytes, ' ');
        file.read(begin, std::as_writable_bytes(std::span(bytes)));
        return bytes;
    };
    CHECK(file.size() == 10);
    CHECK(part(3, 4) == "3456");
    CHECK(part(0, 10) == "0123456789");
    CHECK(part(10, 0).empty());
    CHECK_THROWS_WITH(part(8, 3), "'" + path.string() +
                                      "' is cut off: it ends before byte 11, and had 10 bytes "
                                      "when it was opened");

    // What is cut off after it was opened is missed, and the rest is still there.
    fs::resize_file(path, 5);
    CHECK(part(3, 2) == "34");
    CHECK_THROWS_AS(part(3, 3), BadInput);
    CHECK_THROWS_AS(part(7, 1), BadInput);

    // Another file of the same name is not this one.
    write_file(path, "abcdefghij");
    CHECK(part(3, 2) == "34");
}

TEST_CASE("what is no file of parts is named", "[program]")
{
    const ScratchFolder scratch;
    const std::string none = (scratch.path() / "none").string();
    CHECK_THROWS_WITH(OpenFile(none),
                      "'" + none + "' cannot be read: No such file or directory");
    CHECK_THROWS_WITH(OpenFile(scratch.path()),
                      "'" + scratch.path().string() + "' is a folder, not a file");
    const fs::path pipe = scratch.path() / "pipe"; // nobody writes to it, and nobody waits
    mkfifo(pipe.c_str(), 0600);
    CHECK_THROWS_WITH(OpenFile(pipe),
                      "'" + pipe.string() + "' is no file of which parts can be read");
    CHECK_THROWS_WITH(OpenFile("/dev/null"),
                      "'/dev/null' is no file of which parts can be read");
}

TEST_CASE("a folder is made with its first file", "[program]")
{
    const ScratchFolder scratch;
    const fs::path folder = scratch.path() / "out" / "it's \"my\" folder";
    OutputFolder files(folder);
    CHECK(files.summary().empty());
    CHECK_FALSE(fs::exists(scratch.path() / "out"));

    files.write_text("b.txt", "text\n");
    files.write_csv("a.csv", {"x", "say, \"y\""}, {{"1", "2"}, {"3", "a,b"}});
    WidgetData data;
    data.set("n", 1, 1);
    files.write_widget_data("02_x.data.js", data);
    files.write_text("b.txt", "again\n");
    CHECK(read_file(folder / "b.txt") == "again\n");
    CHECK(read_file(folder / "a.csv") == "x,\"say, \"\"y\"\"\"\n1,3\n2,\"a,b\"\n");
    CHECK_THAT(read_file(folder / "02_x.data.js"), contains("window.bookData[\"02_x\"] = {"));
    CHECK_THAT(files.summary(), contains("written to " + folder.string() + ":"));
    CHECK_THAT(files.summary(), contains("b.txt, a.csv, 02_x.data.js"));
    CHECK(names_in(folder) == std::set<std::string>{"a.csv", "b.txt", "02_x.data.js"});
}

TEST_CASE("columns keep their names, their order and their digits in a file", "[program]")
{
    const ScratchFolder scratch;
    OutputFolder files(scratch.path());
    CsvColumns columns;
    columns.add("key", std::vector<int>{1, 2}, fixed, 0)
        .add_each(numbered("weight", 2), {{0.12345, 1}, {0.5, 0}}, significant, 3);
    files.write_csv("a.csv", columns);
    CHECK(read_file(scratch.path() / "a.csv") == "key,weight_1,weight_2\n"
                                                 "1,0.123,1\n"
                                                 "2,0.5,0\n");
    columns.add("too short", std::vector<double>{1}, fixed, 1);
    CHECK_THROWS_AS(files.write_csv("a.csv", columns), attn::ContractError);
}

TEST_CASE("a spread is three columns of a file", "[program]")
{
    const ScratchFolder scratch;
    OutputFolder files(scratch.path());
    files.write_csv("a.csv", CsvColumns().add_spreads(
                                 "loss", {Spread({3, 1, 2}), Spread({0.5})}, fixed, 1));
    CHECK(read_file(scratch.path() / "a.csv") == "loss_low,loss,loss_high\n"
                                                 "1.0,2.0,3.0\n"
                                                 "0.5,0.5,0.5\n");
}

TEST_CASE("rows keep their order, and each column its digits", "[program]")
{
    const ScratchFolder scratch;
    OutputFolder files(scratch.path());
    CsvRows rows({{"key", fixed, 0}, {"weight", significant, 3}});
    rows.add({1, 0.12345}).add({2, std::numeric_limits<double>::quiet_NaN()}).add({3, 1e-7});
    files.write_csv("a.csv", rows.columns());
    CHECK(read_file(scratch.path() / "a.csv") == "key,weight\n"
                                                 "1,0.123\n"
                                                 "2,nan\n"
                                                 "3,1e-07\n");
    CHECK_THROWS_AS(rows.add({4}), attn::ContractError);
    CHECK_THROWS_AS(rows.add({4, 5, 6}), attn::ContractError);
}

TEST_CASE("of a training's losses the first hundred are kept", "[program]")
{
    std::vector<double> losses(99);
    std::iota(losses.begin(), losses.end(), 0.0);
    CHECK(first_losses(losses) == losses);
    losses.push_back(99);
    const std::vector<double> hundred = losses;
    losses.push_back(100);
    CHECK(first_losses(losses) == hundred);
    CHECK(first_losses({}).empty());
}

TEST_CASE("checksums are FNV-1a's, of every file but figures, by name", "[program]")
{
    // From the authors' test suite.
    CHECK(checksum("") == "cbf29ce484222325");
    CHECK(checksum("a") == "af63dc4c8601ec8c");
    CHECK(checksum("foobar") == "85944171f73967e8");

    const ScratchFolder scratch;
    OutputFolder files(scratch.path());
    CHECK(files.checksums().empty());
    files.write_text("b.csv", "a");
    files.write_text("c.csv", "");
    files.write_text("a.js", "foobar");
    files.write_text("c.csv", "foobar");
    CHECK(files.checksums() == "written to " + scratch.path().string() +
                                   ", with checksums (64-bit FNV-1a):\n"
                                   "  85944171f73967e8 a.js\n"
                                   "  af63dc4c8601ec8c b.csv\n"
                                   "  85944171f73967e8 c.csv");
}

TEST_CASE("a summary is one line if it fits", "[program]")
{
    const ScratchFolder scratch;
    const fs::path before = fs::current_path();
    fs::current_path(scratch.path());
    OutputFolder files("out/x");
    files.write_text("a.csv", "");
    files.write_text("b.csv", "");
    CHECK(files.summary() == "written to out/x: a.csv, b.csv");
    const std::string long_name(50, 'c');
    files.write_text(long_name, "");
    CHECK(files.summary() == "written to out/x:\n  a.csv, b.csv, " + long_name);
    fs::current_path(before);
}

TEST_CASE("columns must fit together", "[program]")
{
    const ScratchFolder scratch;
    OutputFolder files(scratch.path());
    CHECK_THROWS_AS(files.write_csv("a.csv", {"x"}, {{"1"}, {"2"}}), attn::ContractError);
    CHECK_THROWS_AS(files.write_csv("a.csv", {"x", "y"}, {{"1"}, {}}), attn::ContractError);
    CHECK_THROWS_AS(files.write_csv("a.csv", {}, {}), attn::ContractError);
    CHECK(names_in(scratch.path()).empty());
}

TEST_CASE("a file that cannot be written is named early", "[program]")
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "file";
    write_file(file, "kept");
    const auto complaint = [](const fs::path& path) {
        return complaint_of<BadInput>([&] { require_writable(path, "--keep"); });
    };
    CHECK(complaint(scratch.path()) ==
          "--keep: '" + scratch.path().string() + "' is a folder, not a file");
    fs::create_symlink("circle", scratch.path() / "circle");
    const fs::path long_name = scratch.path() / std::string(256, 'n');
    const std::pair<fs::path, std::string> unwritable[] = {
        {file / "below", "Not a directory"},
        {scratch.path() / "no" / "where", "No such file or directory"},
        {"/proc/x", "No such file or directory"},
        {long_name, "File name too long"},
        {scratch.path() / "circle", "Too many levels of symbolic links"},
    };
    for (const auto& [path, reason] : unwritable) {
        CHECK(complaint(path) ==
              "--keep: '" + path.string() + "' cannot be written: " + reason);
    }
    mkfifo((scratch.path() / "pipe").c_str(), 0600);
    fs::create_symlink("/dev/null", scratch.path() / "nothing");
    for (const auto& [name, kind] :
         {std::pair("pipe", "pipe"), std::pair("nothing", "device")}) {
        CHECK_THAT(complaint(scratch.path() / name), contains(std::string("is a ") + kind));
        CHECK_THROWS_AS(write_file(scratch.path() / name, "x"), BadInput);
    }
    CHECK(fs::is_character_file("/dev/null"));

    CHECK(complaint(file).empty());
    CHECK(complaint(scratch.path() / "new").empty());
    CHECK(complaint(scratch.path() / std::string(255, 'n')).empty());
    CHECK(read_file(file) == "kept"); // one that is there stays, and none is made
    CHECK(names_in(scratch.path()) ==
          std::set<std::string>{"circle", "file", "nothing", "pipe"});
}

TEST_CASE("a link stays a link, and a file keeps its mode", "[program][property]")
{
    const ScratchFolder scratch;
    const fs::path real = scratch.path() / "folder" / "real";
    const fs::path link = scratch.path() / "link";
    const fs::path chain = scratch.path() / "chain";
    fs::create_directory(scratch.path() / "folder");
    fs::create_symlink("folder/real", link); // to a file that is not there yet
    fs::create_symlink(link, chain);
    require_writable(chain, "--keep");
    write_file(chain, "first");
    fs::permissions(real, fs::perms::owner_read | fs::perms::owner_write);
    write_file(link, "second");
    CHECK(fs::is_symlink(link));
    CHECK(fs::is_symlink(chain));
    CHECK(read_file(real) == "second");
    CHECK(fs::status(real).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    CHECK(names_in(scratch.path() / "folder") == std::set<std::string>{"real"});

    const fs::path long_name = scratch.path() / std::string(255, 'n');
    write_file(long_name, "as long as a name may be");
    CHECK(read_file(long_name) == "as long as a name may be");
}

TEST_CASE("one file is known by any of its names", "[program]")
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "file";
    write_file(file, "x");
    fs::create_symlink("file", scratch.path() / "link");
    fs::create_hard_link(file, scratch.path() / "hard");
    fs::create_symlink("none", scratch.path() / "to_none");
    CHECK(same_file(file, scratch.path() / "." / "link"));
    CHECK(same_file(file, scratch.path() / "hard"));
    CHECK(same_file(scratch.path() / "none", scratch.path() / "to_none"));
    CHECK(same_file("new", fs::current_path() / "." / "new"));
    CHECK_FALSE(same_file(file, scratch.path() / "none"));
    CHECK_FALSE(same_file(scratch.path() / "none", scratch.path() / "nobody"));
    CHECK(complaint_of<BadInput>([&] {
              require_other_file({"--save", scratch.path() / "link"}, {{"--corpus", file}});
          }) == "--save: '" + (scratch.path() / "link").string() +
                    "' is the file of --corpus, which would be lost");

    OutputFolder files(scratch.path(), {{"--data", file}});
    CHECK_THROWS_AS(files.write_text("link", "over it"), BadInput);
    CHECK(read_file(file) == "x");
    files.write_text("other", "beside it");
}

TEST_CASE("a folder that cannot be is named early", "[program]")
{
    const ScratchFolder scratch;
    const fs::path file = scratch.path() / "file";
    write_file(file, "kept");
    const auto complaint = [](const fs::path& folder) {
        return complaint_of<BadInput>([&] { OutputFolder(folder).require_writable(); });
    };
    CHECK(complaint(file) == "the output folder '" + file.string() + "' is a file");
    CHECK(complaint(file / "below") == "the output folder '" + (file / "below").string() +
                                           "' cannot be made: Not a directory");
    CHECK_THAT(complaint("/proc/x"), contains("the output folder '/proc/x' cannot be made"));
    CHECK_THAT(complaint("/proc"), contains("the output folder '/proc' cannot be written: "));
    CHECK_THAT(complaint(scratch.path() / "a\nb" / std::string(300, 'x')),
               contains("a\\x0ab/xxx"));
    CHECK(read_file(file) == "kept");

    CHECK(complaint(scratch.path() / "new").empty());
    CHECK(names_in(scratch.path() / "new").empty());
    fs::create_symlink("to_be_made", scratch.path() / "link");
    CHECK(complaint(scratch.path() / "link").empty());
    CHECK(fs::is_symlink(scratch.path() / "link"));
    CHECK(fs::is_directory(scratch.path() / "to_be_made"));
}

TEST_CASE("without gnuplot the summary says how to get it", "[program]")
{
    const ScratchFolder scratch;
    const WithEnvironment path("PATH", scratch.path().string());
    OutputFolder files(scratch.path() / "out");
    for (const fs::directory_entry& script : fs::directory_iterator(plots_folder())) {
        if (script.path().extension() != ".gp" || script.path().stem() == "style") {
            continue;
        }
        for (const std::string& data : data_files(read_file(script.path()))) {
            files.write_text(data, "x\n1\n");
        }
        const std::string name = script.path().stem().string();
        files.draw_figures(name.substr(0, 2), {name.substr(3)});
        CHECK_THAT(files.summary(), contains("\nfor the figures, install gnuplot: sudo apt-get "
                                             "install gnuplot-nox"));
        CHECK(files.summary().find(".svg") == std::string::npos);
    }
}

TEST_CASE("widget data is a script in the order of setting", "[program]")
{
    WidgetData data;
    data.set("zeta", 1.0 / 3, 4)
        .set("label", "a \"key\"\n")
        .set("labels", std::vector<std::string>{"é", "b"})
        .set("weights", Vector{1, 0.12345, -0.0}, 3)
        .set("rows", Matrix{{1, 2}, {3, 4e-7}}, 2);
    CHECK(data.to_javascript("01_lookup_x") == R"(window.bookData = window.bookData || {};
window.bookData["01_lookup_x"] = {
  "zeta": 0.3333,
  "label": "a \"key\"\n",
  "labels": ["é","b"],
  "weights": [1,0.123,0],
  "rows": [
    [1,2],
    [3,4e-07]
  ]
};
)");
}

TEST_CASE("a name set again takes the new value in the old place", "[program]")
{
    WidgetData data;
    data.set("a", 1, 3).set("b", 2, 3).set("a", "new");
    CHECK(data.to_javascript("x") == "window.bookData = window.bookData || {};\n"
                                     "window.bookData[\"x\"] = {\n"
                                     "  \"a\": \"new\",\n"
                                     "  \"b\": 2\n};\n");
}

TEST_CASE("what is not finite is null and what is no text is replaced", "[program]")
{
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    WidgetData data;
    data.set("v", Vector{nan, inf, -inf}, 3).set("t", "\xff").set("none", Vector{}, 3);
    CHECK(data.to_javascript("x") == "window.bookData = window.bookData || {};\n"
                                     "window.bookData[\"x\"] = {\n"
                                     "  \"v\": [null,null,null],\n"
                                     "  \"t\": \"\xef\xbf\xbd\",\n"
                                     "  \"none\": []\n};\n");
}
