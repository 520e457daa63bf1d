/// \file
/// \brief The committed figures are those that the committed numbers and scripts draw.
#include "common/program/figure.hpp"
#include "common/program/files.hpp"

#include "tests/book/measured.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace {

using attn::program::read_file;
using attn::testing::ScratchFolder;
namespace fs = std::filesystem;

const fs::path root = ATTN_SOURCE_DIR;

/// Names without ending of the files of a folder with a given ending; style.gp is none.
std::set<std::string> names(const fs::path& folder, const std::string& ending)
{
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ending && entry.path().stem() != "style") {
            found.insert(entry.path().stem().string());
        }
    }
    return found;
}

/// The chapter whose id a figure's name begins with, as its folder.
fs::path chapter_of(const std::string& figure)
{
    for (const auto& entry : fs::directory_iterator(root / "chapters")) {
        if (figure.rfind(entry.path().filename().string() + "_", 0) == 0) {
            return entry.path();
        }
    }
    FAIL("no chapter for " << figure);
    return {};
}

/// The folder of the committed numbers that a figure shows: what the chapter's program writes, or
/// what was measured.
fs::path numbers_of(const std::string& figure)
{
    const fs::path script = root / "plots" / (figure + ".gp");
    const std::string data = attn::program::data_files(read_file(script)).front();
    const fs::path measured = attn::book::measured_file(root, data);
    return measured.empty() ? chapter_of(figure) / "expected" : measured.parent_path();
}

/// The texts of a chapter's pages.
std::string pages_of(const fs::path& chapter)
{
    std::string text;
    for (const auto& entry : fs::directory_iterator(chapter)) {
        if (entry.path().extension() == ".md" && entry.path().stem() != "questions") {
            text += read_file(entry.path());
        }
    }
    return text;
}

std::string last_line(const std::string& text)
{
    const std::string trimmed = text.substr(0, text.find_last_not_of('\n') + 1);
    return trimmed.substr(trimmed.find_last_of('\n') + 1);
}

} // namespace

TEST_CASE("every script has its figure and every figure its script", "[book]")
{
    const std::set<std::string> scripts = names(root / "plots", ".gp");
    CHECK_FALSE(scripts.empty());
    CHECK(scripts == names(root / "plots/figures", ".svg"));
}

TEST_CASE("every figure is shown on its chapter's page", "[book]")
{
    for (const std::string& figure : names(root / "plots", ".gp")) {
        CAPTURE(figure);
        const std::string pages = pages_of(chapter_of(figure));
        CHECK(pages.find("\\figure{" + figure + ",") != std::string::npos);
    }
}

TEST_CASE("every figure carries the checksum of its committed numbers", "[book][claim]")
{
    for (const std::string& figure : names(root / "plots", ".gp")) {
        CAPTURE(figure);
        const std::string checksum = attn::program::figure_checksum(
            root / "plots" / (figure + ".gp"), numbers_of(figure));
        const std::string svg = read_file(root / "plots/figures" / (figure + ".svg"));
        CHECK(last_line(svg).find("checksum " + checksum) != std::string::npos);
    }
}

TEST_CASE("drawn again from the committed numbers, every figure is the same", "[book][claim]")
{
    // Two versions of gnuplot draw the same lines in other words: byte for byte only equal
    // versions are compared; of others nothing is asked but to draw.
    const std::string gnuplot = ATTN_GNUPLOT;
    if (gnuplot.empty()) {
        WARN("gnuplot is not installed: figures are not drawn again");
        return;
    }
    const ScratchFolder scratch;
    for (const std::string& figure : names(root / "plots", ".gp")) {
        CAPTURE(figure);
        const fs::path svg = scratch.path() / (figure + ".svg");
        REQUIRE(
            attn::program::draw(root / "plots" / (figure + ".gp"), numbers_of(figure), svg));
        const std::string now = read_file(svg);
        const std::string committed = read_file(root / "plots/figures" / (figure + ".svg"));
        const bool same_version = last_line(now) == last_line(committed);
        CHECK((now == committed || !same_version));
    }
}
