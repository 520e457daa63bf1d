/// \file
/// \brief Reads and writes whole files, reads parts of large ones, and tells by a checksum
/// whether one has changed. Writing is all or nothing: an interrupted program leaves the old file
/// or the new one, never half of either. There is no sync to the disk: it guards against our
/// failures, not against a power cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn::program {

/// Reads a file.
/// \param file     any kind that ends, a pipe as well
/// \param at_most  in bytes
/// \throws BadInput if it cannot be read, is a folder or is larger than that
std::string read_file(const std::filesystem::path& file,
                      std::size_t at_most = std::size_t{256} << 20);

/// Closes a file that std::fopen opened.
struct CloseFile
{
    /// \param file  not null
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A file that is open, of which parts are read: it need not fit into memory. Should another file
/// take its name meanwhile, this is still the old one. Several threads may read from it.
class OpenFile
{
public:
    /// Opens a file.
    /// \param file  no folder and no pipe
    /// \throws BadInput if it cannot be read or is no such file
    explicit OpenFile(const std::filesystem::path& file);

    /// \returns how many bytes it had when it was opened
    std::uint64_t size() const { return size_; }

    /// Reads a part of the file.
    /// \param begin  the part's first byte
    /// \param part   is filled
    /// \throws BadInput if that fails, or if the file ends before the part does
    void read(std::uint64_t begin, std::span<std::byte> part) const;

private:
    std::filesystem::path path_;
    std::unique_ptr<std::FILE, CloseFile> file_;
    std::uint64_t size_ = 0;
};

/// The file or folder that a name stands for: links are followed, also to what is not there yet.
/// \throws BadInput if they lead in a circle
std::filesystem::path target_of(const std::filesystem::path& file);

/// A short name beside a file that nothing else uses, for what is not finished yet.
/// \returns a path in the same folder
std::filesystem::path temporary_beside(const std::filesystem::path& file);

/// Writes a file under a temporary name beside it and renames it. On failure the file that
/// was there is untouched and no temporary stays. A symbolic link stays one, and what it points
/// to is written; a file that is there keeps its mode, and its owner where we may choose one.
/// \param file  its folder must exist
/// \throws BadInput if that fails, naming the file and the reason, or if it is a folder, a device,
///         a pipe or a socket
void write_file(const std::filesystem::path& file, std::string_view content);

/// Tries to make a file in a folder, and removes it.
/// \param folder  empty: the current one
/// \returns       0, or the number of the error
int try_folder(const std::filesystem::path& folder);

/// Finds out now what would otherwise be found out after hours: whether a file can be written.
/// \param file    to be written later; one that is there stays as it is
/// \param option  that names it, for the message: "--save"
/// \throws BadInput as write_file would
void require_writable(const std::filesystem::path& file, std::string_view option);

/// A file, and the option that names it: "--save".
struct NamedFile
{
    std::string option;         ///< as it is typed
    std::filesystem::path file; ///< where it lies, or is to lie
};

/// Whether two paths lead to one file, by links or another spelling, be it there already or not.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// Refuses to write over what a program reads, or writes as well.
/// \param output  to be written
/// \param others  what is read or written beside it
/// \throws BadInput naming both options
void require_other_file(const NamedFile& output, const std::vector<NamedFile>& others);

/// The 64-bit hash FNV-1a of Fowler, Noll and Vo.
std::uint64_t fnv_1a(std::string_view bytes);

/// The same as text.
/// \returns 16 hexadecimal digits: "cbf29ce484222325" of no bytes
std::string checksum(std::string_view bytes);

} // namespace attn::program
