/// \file
/// \brief Reads and writes whole files, and tells by a checksum whether one has changed. Writing
/// is all or nothing: an interrupted program leaves the old file or the new one, never half of
/// either. There is no sync to the disk: it guards against our failures, not against a power cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace attn::program {

/// Reads a file.
/// \param file     any kind that ends, a pipe as well
/// \param at_most  in bytes
/// \throws BadInput if it cannot be read, is a folder or is larger than that
std::string read_file(const std::filesystem::path& file,
                      std::size_t at_most = std::size_t{256} << 20);

/// A name beside a file that nothing else uses, for what is not finished yet.
/// \returns a path in the same folder
std::filesystem::path temporary_beside(const std::filesystem::path& file);

/// Writes a file under a temporary name beside it and renames it. On failure the file that
/// was there is untouched and no temporary stays.
/// \param file  its folder must exist
/// \throws BadInput if that fails, naming the file and the reason
void write_file(const std::filesystem::path& file, std::string_view content);

/// Finds out now what would otherwise be found out after hours: whether a file can be written.
/// \param file    to be written later; one that is there stays as it is
/// \param option  that names it, for the message: "--save"
/// \throws BadInput if it is a folder, or its folder is missing or closed
void require_writable(const std::filesystem::path& file, std::string_view option);

/// The 64-bit hash FNV-1a of Fowler, Noll and Vo.
std::uint64_t fnv_1a(std::string_view bytes);

/// The same as text.
/// \returns 16 hexadecimal digits: "cbf29ce484222325" of no bytes
std::string checksum(std::string_view bytes);

} // namespace attn::program
