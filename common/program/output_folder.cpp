#include "common/program/output_folder.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/figure.hpp"
#include "common/program/terminal.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <system_error>

namespace attn::program {

namespace {

/// A cell of a CSV file, in quotes if it would be misread without.
std::string csv_cell(const std::string& cell)
{
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
        return cell;
    }
    std::string between_quotes = "\"";
    for (const char byte : cell) {
        between_quotes += byte == '"' ? "\"\"" : std::string(1, byte);
    }
    return between_quotes + "\"";
}

} // namespace

OutputFolder::OutputFolder(std::filesystem::path folder, std::vector<NamedFile> others)
    : folder_(std::move(folder)), others_(std::move(others))
{
}

void OutputFolder::require_writable()
{
    make_folder();
    if (const int error = try_folder(folder_)) {
        throw BadInput(fmt::format("the output folder {} cannot be written: {}",
                                   in_quotes(folder_.string(), longest_path),
                                   std::generic_category().message(error)));
    }
}

/// Where a file of the folder is, if it may be written.
std::filesystem::path OutputFolder::place_of(const std::string& file_name) const
{
    std::filesystem::path place = folder_ / file_name;
    require_other_file({"--out", place}, others_);
    return place;
}

void OutputFolder::write_text(const std::string& file_name, std::string_view content)
{
    make_folder();
    write_file(place_of(file_name), content);
    remember(file_name);
    checksums_[file_name] = checksum(content);
}

void OutputFolder::write_csv(const std::string& file_name,
                             const std::vector<std::string>& names,
                             const std::vector<std::vector<std::string>>& columns)
{
    expect(names.size() == columns.size() && !columns.empty(),
           "write_csv: {} must have as many names as columns, got {} and {}", file_name,
           names.size(), columns.size());
    const std::size_t n_rows = columns[0].size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        expect(columns[i].size() == n_rows,
               "write_csv: column '{}' of {} must have {} rows, got {}", names[i], file_name,
               n_rows, columns[i].size());
    }

    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        text += (i == 0 ? "" : ",") + csv_cell(names[i]);
    }
    text += '\n';
    for (std::size_t row = 0; row < n_rows; ++row) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            text += (i == 0 ? "" : ",") + csv_cell(columns[i][row]);
        }
        text += '\n';
    }
    write_text(file_name, text);
}

void OutputFolder::write_csv(const std::string& file_name, const CsvColumns& columns)
{
    write_csv(file_name, columns.names(), columns.cells());
}

void OutputFolder::write_widget_data(const std::string& file_name, const WidgetData& data)
{
    write_text(file_name, data.to_javascript(file_name.substr(0, file_name.find('.'))));
}

void OutputFolder::draw_figures(const std::string& id, const std::vector<std::string>& names)
{
    make_folder();
    for (const std::string& name : names) {
        const std::string figure = id + "_" + name;
        if (draw(plots_folder() / (figure + ".gp"), folder_, place_of(figure + ".svg"))) {
            remember(figure + ".svg");
        } else {
            gnuplot_missing_ = true;
        }
    }
}

const std::filesystem::path& OutputFolder::folder() const
{
    return folder_;
}

std::string OutputFolder::summary() const
{
    std::string text;
    if (!written_.empty()) {
        const std::string files = fmt::format("{}", fmt::join(written_, ", "));
        text = "written to " + folder_.string() + ":";
        const bool one_line = display_width(text) + 1 + display_width(files) <= page_width;
        text += one_line ? " " + files : "\n  " + wrap(files, page_width - 2, 2);
    }
    if (gnuplot_missing_) {
        text += text.empty() ? "" : "\n";
        text += "for the figures, install gnuplot: sudo apt-get install gnuplot-nox";
    }
    return text;
}

std::string OutputFolder::checksums() const
{
    std::string text;
    for (const auto& [name, sum] : checksums_) {
        text += fmt::format("\n  {} {}", sum, name);
    }
    return text.empty()
               ? text
               : "written to " + folder_.string() + ", with checksums (64-bit FNV-1a):" + text;
}

void OutputFolder::make_folder()
{
    const std::string shown = in_quotes(folder_.string(), longest_path);
    std::error_code error;
    if (std::filesystem::is_directory(folder_, error)) {
        return;
    }
    if (std::filesystem::exists(folder_, error)) {
        throw BadInput(fmt::format("the output folder {} is a file", shown));
    }
    std::filesystem::create_directories(target_of(folder_), error);
    if (error) {
        throw BadInput(
            fmt::format("the output folder {} cannot be made: {}", shown, error.message()));
    }
}

void OutputFolder::remember(const std::string& file_name)
{
    if (std::find(written_.begin(), written_.end(), file_name) == written_.end()) {
        written_.push_back(file_name);
    }
}

} // namespace attn::program
