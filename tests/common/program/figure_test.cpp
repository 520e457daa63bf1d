/// \file
/// \brief Figures are drawn over a program's numbers, carry their checksum, and fail aloud.
#include "common/program/bad_input.hpp"
#include "common/program/child.hpp"
#include "common/program/figure.hpp"
#include "common/program/files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

using namespace attn::program;
using namespace attn::testing;

namespace fs = std::filesystem;

namespace {

/// A script, a style and data, in folders with names that a shell would stumble over.
class Plots
{
public:
    Plots()
    {
        fs::create_directories(data());
        fs::create_directories(script().parent_path());
        fs::create_directories(svg().parent_path());
        write_file(script().parent_path() / "style.gp", "set terminal svg name NAME\n");
        write_file(data() / "loo.csv", "1,2\n2,3\n");
        write(R"(load STYLE
set datafile separator comma
set output OUT
plot DATA.'/loo.csv' using 1:2 with lines title 'error'
)");
    }

    void write(const std::string& text) const { write_file(script(), text); }
    bool draw_it() const { return draw(script(), data(), svg()); }
    fs::path script() const { return scratch_.path() / "it's plots" / "02_x_loo.gp"; }
    fs::path data() const { return scratch_.path() / "$(data) `x` \"y\""; }
    fs::path svg() const { return scratch_.path() / "fig's ures" / "02_x_loo.svg"; }

    std::size_t n_files_beside_svg() const
    {
        return static_cast<std::size_t>(std::distance(
            fs::directory_iterator(svg().parent_path()), fs::directory_iterator()));
    }

private:
    ScratchFolder scratch_;
};

/// A folder with a program named gnuplot that does as told.
class FakeGnuplot
{
public:
    explicit FakeGnuplot(const std::string& script)
        : path_("PATH", scratch_.path().string() + ":/bin:/usr/bin")
    {
        const fs::path program = scratch_.path() / "gnuplot";
        write_file(program, "#!/bin/sh\n" + script + "\n");
        fs::permissions(program, fs::perms::owner_all);
    }

private:
    ScratchFolder scratch_;
    WithEnvironment path_;
};

std::string complaint(const Plots& plots)
{
    return complaint_of<std::exception>([&] { plots.draw_it(); });
}

bool has_gnuplot()
{
    if (run_child("gnuplot", {"--version"})) {
        return true;
    }
    WARN("gnuplot is not installed: nothing is drawn");
    return false;
}

} // namespace

TEST_CASE("the data of a script are the files that it names", "[program]")
{
    CHECK(data_files("plot DATA.'/b.csv' using 1:2, DATA . \"/a.csv\", DATA.'/b.csv'\n") ==
          std::vector<std::string>{"b.csv", "a.csv"});
    CHECK(data_files("plot sin(x)").empty());
}

TEST_CASE("the checksum is FNV-1a over script, style and data", "[program]")
{
    const ScratchFolder scratch;
    write_file(scratch.path() / "x.gp", "foo");
    write_file(scratch.path() / "style.gp", "bar");
    CHECK(figure_checksum(scratch.path() / "x.gp", scratch.path()) == "85944171f73967e8");
}

TEST_CASE("every input of a figure moves its checksum", "[program][property]")
{
    const Plots plots;
    const auto checksum = [&] { return figure_checksum(plots.script(), plots.data()); };
    const std::string first = checksum();
    CHECK(first.size() == 16);
    for (const fs::path& file : {plots.script(), plots.script().parent_path() / "style.gp",
                                 plots.data() / "loo.csv"}) {
        const std::string before = read_file(file);
        write_file(file, before + " ");
        CHECK(checksum() != first);
        write_file(file, before);
        CHECK(checksum() == first);
    }
    fs::remove(plots.data() / "loo.csv");
    CHECK_THROWS_AS(checksum(), BadInput);
}

TEST_CASE("a figure is drawn, and tells by what, from what, and the checksum", "[program]")
{
    if (!has_gnuplot()) {
        return;
    }
    const Plots plots;
    REQUIRE(plots.draw_it());
    const std::string svg = read_file(plots.svg());
    CHECK_THAT(svg, contains("<svg"));
    CHECK_THAT(svg, contains("02_x_loo_plot_1")); // NAME makes the ids unique on a page
    CHECK_THAT(svg, contains("error"));
    CHECK(svg.find("desc>") == std::string::npos);
    CHECK(svg.find("GNUPLOT") == std::string::npos);
    const std::string last = " from 02_x_loo.gp, style.gp, loo.csv; checksum " +
                             figure_checksum(plots.script(), plots.data()) + " -->\n";
    CHECK(svg.find("\n<!-- drawn by gnuplot ") != std::string::npos);
    CHECK(svg.substr(svg.size() - last.size()) == last);
    CHECK(plots.n_files_beside_svg() == 1);

    REQUIRE(plots.draw_it());
    CHECK(read_file(plots.svg()) == svg);
}

TEST_CASE("a figure that fails says why and leaves the old one", "[program]")
{
    if (!has_gnuplot()) {
        return;
    }
    const Plots plots;
    write_file(plots.svg(), "old");
    plots.write("load STYLE\nset output OUT\nplot DATA.'/loo.csv' frobnicate\n");
    CHECK_THAT(complaint(plots), contains("gnuplot cannot draw 02_x_loo (exit code 1): "));

    // A second file that is missing is only a warning to gnuplot.
    plots.write("load STYLE\nset datafile separator comma\nset output OUT\n"
                "plot DATA.'/loo.csv' using 1:2, DATA.sprintf('/%s', 'none.csv') using 1:2\n");
    CHECK_THAT(complaint(plots), contains("none.csv"));

    plots.write("load STYLE\n");
    CHECK(complaint(plots) == "gnuplot has drawn nothing for 02_x_loo");
    CHECK(read_file(plots.svg()) == "old");
    CHECK(plots.n_files_beside_svg() == 1);
}

TEST_CASE("a gnuplot that only warns has drawn, one without data or an end has not",
          "[program]")
{
    const Plots plots;
    {
        const FakeGnuplot warns("PATH=/usr/local/bin:/usr/bin:/bin\n"
                                "gnuplot \"$@\" || : > 02_x_loo.svg; echo 'a  warning' >&2");
        CHECK(complaint(plots).empty() == has_gnuplot());
    }
    fs::remove(plots.svg());
    {
        const FakeGnuplot misses("echo 'warning: Skipping data file with no valid points' >&2");
        CHECK_THAT(complaint(plots), contains("no valid points"));
    }
    {
        const FakeGnuplot fails("exit 3");
        CHECK(complaint(plots) ==
              "gnuplot cannot draw 02_x_loo (exit code 3): no reason given");
    }
    const FakeGnuplot dies("kill -9 $$");
    CHECK(complaint(plots) == "gnuplot cannot draw 02_x_loo (exit code 137): no reason given");
    CHECK(plots.n_files_beside_svg() == 0);
}

TEST_CASE("the reader's own settings of gnuplot do not matter", "[program]")
{
    if (!has_gnuplot()) {
        return;
    }
    const Plots plots;
    const ScratchFolder home;
    write_file(home.path() / ".gnuplot", "print 'hello'\nset xrange [0:100]\n");
    REQUIRE(plots.draw_it());
    const std::string svg = read_file(plots.svg());
    const WithEnvironment at_home("HOME", home.path().string());
    REQUIRE(plots.draw_it());
    CHECK(read_file(plots.svg()) == svg);
}

TEST_CASE("a figure has the same bytes in every locale, and without any", "[program][property]")
{
    if (!has_gnuplot()) {
        return;
    }
    const Plots plots;
    plots.write("load STYLE\nset encoding utf8\n"
                "set datafile separator comma\nset output OUT\n"
                "plot DATA.'/loo.csv' using 1:($2/4) title '3½ °'\n");
    REQUIRE(plots.draw_it());
    const std::string svg = read_file(plots.svg());
    const WithEnvironment no_language("LANG", std::nullopt);
    using Value = std::optional<std::string>;
    const Value locale =
        GENERATE(Value(), Value("C"), Value("POSIX"), Value("de_DE.UTF-8"), Value("absent"));
    const WithEnvironment all("LC_ALL", locale);
    const WithEnvironment numbers("LC_NUMERIC", locale);
    REQUIRE(plots.draw_it());
    CHECK(read_file(plots.svg()) == svg);
}

TEST_CASE("no gnuplot is no error", "[program]")
{
    const Plots plots;
    const ScratchFolder empty;
    const std::string folders = GENERATE("", ":/absent", ":/etc/passwd");
    const WithEnvironment path("PATH", empty.path().string() + folders);
    CHECK_FALSE(plots.draw_it());
    CHECK(plots.n_files_beside_svg() == 0);
}

TEST_CASE("a gnuplot that may not be run counts as none", "[program]")
{
    const Plots plots;
    const ScratchFolder folder;
    write_file(folder.path() / "gnuplot", "not executable");
    const WithEnvironment path("PATH", folder.path().string());
    CHECK_FALSE(plots.draw_it());
}
