/// \file
/// \brief Draws the figures whose numbers were measured, those of the reference in docs/measured/, into
/// plots/figures/. Deliberately measures nothing; a figure whose script, style and numbers have
/// not changed stays as it is, whichever gnuplot drew it.
#include "common/program/figure.hpp"
#include "common/program/files.hpp"

#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace attn;

/// Whether a figure says that it was drawn from just this.
bool is_drawn(const fs::path& script, const fs::path& measured, const fs::path& svg)
{
    return fs::exists(svg) &&
           program::read_file(svg).find(
               "checksum " + program::figure_checksum(script, measured)) != std::string::npos;
}

void draw_all(const fs::path& measured)
{
    for (const auto& entry : fs::directory_iterator(program::plots_folder())) {
        const fs::path& script = entry.path();
        if (script.extension() != ".gp" || script.stem() == "style") {
            continue;
        }
        const std::vector<std::string> data = program::data_files(program::read_file(script));
        const fs::path svg =
            program::plots_folder() / "figures" / (script.stem().string() + ".svg");
        if (data.empty() || !fs::exists(measured / data.front()) ||
            is_drawn(script, measured, svg)) {
            continue;
        }
        const bool drawn = program::draw(script, measured, svg);
        fmt::print("{}: {}\n", svg.filename().string(),
                   drawn ? "drawn" : "not drawn, gnuplot is not installed");
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        fmt::print(stderr, "{} <folder of what was measured>\n", argv[0]);
        return 2;
    }
    try {
        draw_all(argv[1]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", argv[0], error.what());
        return 1;
    }
    return 0;
}
