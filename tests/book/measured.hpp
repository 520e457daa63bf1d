/// \file
/// \brief Where what was measured lies: docs/measured/ has a folder a kind of processor, and
/// reference.txt names the one that the pages' sentences speak of.
#pragma once

#include <filesystem>
#include <string>

namespace attn::book {

/// The file of what was measured: the reference's, else the one directly in docs/measured/, else the
/// first of another processor's in the order of their names.
/// \param root  holds docs/measured/
/// \param name  of the file, "goals.txt"
/// \returns     empty if there is none
std::filesystem::path measured_file(const std::filesystem::path& root, const std::string& name);

} // namespace attn::book
