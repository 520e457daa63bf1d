/// \file
/// \brief Draws a figure: gnuplot over the numbers that a program wrote. What is in it the
/// script decides, and plots/style.gp its looks.
///
/// The last line of a figure tells what it was drawn from and by which gnuplot, with a
/// checksum over the script, the style and the data, so that a test sees a figure that has
/// been left behind. Two versions of gnuplot draw the same lines in other words; figures of
/// the same checksum show the same.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attn::program {

/// Where the figures' scripts are.
/// \returns the folder plots/ of the source tree that the program was built from
std::filesystem::path plots_folder();

/// The data that a script draws: each file that it names as DATA.'/file.csv'.
/// \returns file names, each once, in the order in which they come
std::vector<std::string> data_files(const std::string& script_text);

/// The checksum of what a figure is drawn from.
/// \param script       the gnuplot script; style.gp is beside it
/// \param data_folder  where the CSV files are that the script names
/// \returns            FNV-1a, 64 bits, as 16 hexadecimal digits, over the bytes of the
///                     script, of style.gp and of the CSV files in the order of their names'
///                     first mention
/// \throws BadInput if one of the files cannot be read
std::string figure_checksum(const std::filesystem::path& script,
                            const std::filesystem::path& data_folder);

/// Draws a figure, alike in every locale. What gnuplot only warns of is shown on standard error.
/// \param svg  the file to write, replaced as a whole or not at all
/// \returns    false if gnuplot is not installed, and then nothing is written
/// \throws std::runtime_error if gnuplot fails or finds no data, with what it said
/// \throws BadInput if a file cannot be read or written
bool draw(const std::filesystem::path& script, const std::filesystem::path& data_folder,
          const std::filesystem::path& svg);

} // namespace attn::program
