#include "common/program/figure.hpp"

#include "common/program/child.hpp"
#include "common/program/files.hpp"
#include "common/program/text.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <regex>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace attn::program {

namespace {

std::filesystem::path style_beside(const std::filesystem::path& script)
{
    return script.parent_path() / "style.gp";
}

/// A text as gnuplot reads it between single quotes: as it is, but for the quote itself.
std::string gnuplot_text(const std::string& text)
{
    std::string literal = "'";
    for (const char byte : text) {
        literal += byte == '\'' ? "''" : std::string(1, byte);
    }
    return literal + "'";
}

/// A file that is removed at the end, unless it never was.
class Temporary
{
public:
    explicit Temporary(std::filesystem::path path) : path_(std::move(path)) {}
    ~Temporary()
    {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// Whether gnuplot warns of data that it did not find, and then draws nothing in their place.
bool misses_data(const std::string& warning)
{
    static const std::regex missing("open file|unreadable|no valid points|all points",
                                    std::regex::icase);
    return std::regex_search(warning, missing);
}

/// Runs gnuplot in the figure's folder, so that the name of its output needs no folder and
/// no quoting; false if it is not installed.
bool run_gnuplot(const std::filesystem::path& script, const std::filesystem::path& data_folder,
                 const std::filesystem::path& output)
{
    const std::string name = script.stem().string();
    const std::string settings =
        fmt::format("DATA={}; OUT={}; STYLE={}; NAME={}",
                    gnuplot_text(std::filesystem::absolute(data_folder).string()),
                    gnuplot_text(output.filename().string()),
                    gnuplot_text(std::filesystem::absolute(style_beside(script)).string()),
                    gnuplot_text(name));
    const std::optional<ChildResult> result = run_child(
        "gnuplot",
        {"--default-settings", "-e", settings, std::filesystem::absolute(script).string()},
        std::filesystem::absolute(output).parent_path(), {},
        {"LC_ALL=C.UTF-8"}); // or a degree sign cannot be read, and a comma is a point
    if (!result) {
        return false;
    }
    const std::string said = wrap(result->err, result->err.size());
    if (result->exit_code != 0 || misses_data(said)) {
        throw std::runtime_error(fmt::format("gnuplot cannot draw {} (exit code {}): {}", name,
                                             result->exit_code,
                                             said.empty() ? "no reason given" : said));
    }
    if (!said.empty()) {
        std::fputs(fmt::format("gnuplot, drawing {}: {}\n", name, said).c_str(), stderr);
    }
    if (!std::filesystem::exists(output)) {
        throw std::runtime_error(fmt::format("gnuplot has drawn nothing for {}", name));
    }
    return true;
}

/// Takes out <desc>...</desc>, which holds gnuplot's version to the patch level.
std::string without_description(std::string svg)
{
    constexpr std::string_view closing = "</desc>";
    const std::size_t begin = svg.find("<desc>");
    const std::size_t end = svg.find(closing, begin == std::string::npos ? 0 : begin);
    if (begin == std::string::npos || end == std::string::npos) {
        return svg;
    }
    std::size_t after = end + closing.size();
    const bool alone_on_its_line =
        after < svg.size() && svg[after] == '\n' && begin > 0 && svg[begin - 1] == '\n';
    after += alone_on_its_line ? 1 : 0;
    return svg.erase(begin, after - begin);
}

/// What gnuplot says of itself in the description: "gnuplot 5.4".
std::string drawn_by(const std::string& svg)
{
    static const std::regex produced(R"(<desc>Produced by GNUPLOT ([0-9]+\.[0-9]+))");
    std::smatch found;
    return std::regex_search(svg, found, produced) ? "gnuplot " + found[1].str() : "gnuplot";
}

/// The last line of a figure.
std::string origin(const std::filesystem::path& script, const std::string& version,
                   const std::string& sum)
{
    std::vector<std::string> files = {script.filename().string(), "style.gp"};
    const std::vector<std::string> data = data_files(read_file(script));
    files.insert(files.end(), data.begin(), data.end());
    return fmt::format("<!-- drawn by {} from {}; checksum {} -->\n", version,
                       fmt::join(files, ", "), sum);
}

} // namespace

std::filesystem::path plots_folder()
{
    return std::filesystem::path(ATTN_SOURCE_DIR) / "plots";
}

std::vector<std::string> data_files(const std::string& script_text)
{
    static const std::regex mention(R"(DATA\s*\.\s*['"]/([^'"]+)['"])");
    std::vector<std::string> files;
    for (std::sregex_iterator found(script_text.begin(), script_text.end(), mention), end;
         found != end; ++found) {
        const std::string file = (*found)[1];
        if (std::find(files.begin(), files.end(), file) == files.end()) {
            files.push_back(file);
        }
    }
    return files;
}

std::string figure_checksum(const std::filesystem::path& script,
                            const std::filesystem::path& data_folder)
{
    const std::string script_text = read_file(script);
    std::string drawn_from = script_text + read_file(style_beside(script));
    for (const std::string& file : data_files(script_text)) {
        drawn_from += read_file(data_folder / file);
    }
    return checksum(drawn_from);
}

bool draw(const std::filesystem::path& script, const std::filesystem::path& data_folder,
          const std::filesystem::path& svg)
{
    const std::string sum = figure_checksum(script, data_folder);
    const Temporary output(temporary_beside(svg));
    if (!run_gnuplot(script, data_folder, output.path())) {
        return false;
    }
    const std::string drawn = read_file(output.path());
    std::string figure = without_description(drawn);
    if (!figure.empty() && figure.back() != '\n') {
        figure += '\n';
    }
    write_file(svg, figure + origin(script, drawn_by(drawn), sum));
    return true;
}

} // namespace attn::program
