/// \file
/// \brief The folder into which a program writes. It is made with the first file, so that a
/// program that only prints leaves nothing behind.
#pragma once

#include "common/program/csv_columns.hpp"
#include "common/program/files.hpp"
#include "common/program/widget_data.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attn::program {

/// Writes a program's files, each as a whole or not at all, and remembers their names.
class OutputFolder
{
public:
    /// \param folder  made with its parents when the first file is written
    /// \param others  what the program reads or writes besides: none of it is written over
    explicit OutputFolder(std::filesystem::path folder, std::vector<NamedFile> others = {});

    /// Makes the folder and tries to write, so that a long computation is not lost.
    /// \throws BadInput if that fails
    void require_writable();

    /// Writes a text.
    /// \param file_name  without a folder
    /// \throws BadInput if it cannot be written, or is one of the others
    void write_text(const std::string& file_name, std::string_view content);

    /// Writes a CSV file.
    /// \param columns  [n_columns][n_rows] cells, already formatted
    /// \throws BadInput if it cannot be written
    /// \throws ContractError if names and columns differ in number, or columns in length
    void write_csv(const std::string& file_name, const std::vector<std::string>& names,
                   const std::vector<std::vector<std::string>>& columns);

    /// Writes a CSV file.
    /// \throws BadInput if it cannot be written
    /// \throws ContractError if there is no column, or columns differ in length
    void write_csv(const std::string& file_name, const CsvColumns& columns);

    /// Writes the data of an interactive figure, which a page finds as
    /// window.bookData["02_nadaraya_watson_bandwidth"]: the file's name up to its first dot.
    /// \param file_name  without a folder: "02_nadaraya_watson_bandwidth.data.js"
    /// \throws BadInput if it cannot be written
    void write_widget_data(const std::string& file_name, const WidgetData& data);

    /// Draws figures of a chapter: the scripts of their names in plots/ over this folder, each
    /// into an SVG here. Without gnuplot it writes nothing, and summary() says how to get it.
    /// \param id     the chapter's: "02_nadaraya_watson"
    /// \param names  what stands behind it in the scripts' names: "kernels", "fit"
    /// \throws std::runtime_error if gnuplot fails
    /// \throws BadInput if one cannot be written
    void draw_figures(const std::string& id, const std::vector<std::string>& names);

    /// \returns where the files are
    const std::filesystem::path& folder() const;

    /// \returns "written to out/02_nadaraya_watson: loo.csv, weights.csv"; empty if nothing
    ///          was written
    std::string summary() const;

    /// The same with a checksum of each file, and without figures: which of them were drawn, and
    /// how, depends on gnuplot.
    /// \returns "written to out/02_nadaraya_watson, with checksums (64-bit FNV-1a):" and a line
    ///          for each file by name; empty if none was written
    std::string checksums() const;

private:
    void make_folder();
    std::filesystem::path place_of(const std::string& file_name) const;
    void remember(const std::string& file_name);

    std::filesystem::path folder_;
    std::vector<NamedFile> others_;
    std::vector<std::string> written_;
    std::map<std::string, std::string> checksums_; ///< by name, of all but figures
    bool gnuplot_missing_ = false;
};

} // namespace attn::program
