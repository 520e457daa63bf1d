#include "common/program/files.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace attn::program {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view what, int error)
{
    throw BadInput(fmt::format("{} cannot be {}: {}", in_quotes(file.string(), longest_path),
                               what, std::generic_category().message(error)));
}

void refuse_folder(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        throw BadInput(
            fmt::format("{} is a folder, not a file", in_quotes(file.string(), longest_path)));
    }
}

/// What some systems read at a time is less than 2 GiB.
constexpr std::size_t most_at_a_time = std::size_t{1} << 30;

/// What is at a path, if anything is.
/// \throws BadInput if no file can be written there: it is a folder, or no file at all
std::optional<struct stat> replaced_by(const std::filesystem::path& file)
{
    struct stat there = {};
    if (stat(file.c_str(), &there) != 0) {
        if (errno != ENOENT) {
            fail(file, "written", errno);
        }
        return std::nullopt;
    }
    if (!S_ISREG(there.st_mode)) {
        throw BadInput(fmt::format("{} is a {}, not a file",
                                   in_quotes(file.string(), longest_path),
                                   S_ISDIR(there.st_mode)    ? "folder"
                                   : S_ISFIFO(there.st_mode) ? "pipe"
                                   : S_ISSOCK(there.st_mode) ? "socket"
                                                             : "device"));
    }
    if (access(file.c_str(), W_OK) != 0) {
        fail(file, "written", errno);
    }
    return there;
}

/// Gives a file the owner and the mode of the one that it will replace.
void take_after(std::FILE* file, const struct stat& replaced)
{
    if (fchown(fileno(file), replaced.st_uid, replaced.st_gid) != 0) {
        errno = 0; // only root may give files away
    }
    fchmod(fileno(file), replaced.st_mode & 07777);
}

/// Writes a new file as a whole; 0 or the error number.
/// \param replaced  the file whose place it will take, if there is one
int write_new(const std::filesystem::path& file, std::string_view content,
              const std::optional<struct stat>& replaced)
{
    std::FILE* const out = std::fopen(file.c_str(), "wbx");
    if (out == nullptr) {
        return errno;
    }
    if (replaced) {
        take_after(out, *replaced);
    }
    errno = 0;
    const bool written = std::fwrite(content.data(), 1, content.size(), out) == content.size();
    int error = written ? 0 : errno;
    if (std::fclose(out) != 0 && error == 0) {
        error = errno;
    }
    return !written && error == 0 ? EIO : error;
}

} // namespace

std::string read_file(const std::filesystem::path& file, std::size_t at_most)
{
    refuse_folder(file);
    const std::unique_ptr<std::FILE, CloseFile> in(std::fopen(file.c_str(), "rb"));
    if (!in) {
        fail(file, "read", errno);
    }
    std::string content;
    std::array<char, 1 << 16> block{};
    while (const std::size_t n_bytes = std::fread(block.data(), 1, block.size(), in.get())) {
        content.append(block.data(), n_bytes);
        if (content.size() > at_most) {
            throw BadInput(fmt::format("{} is larger than {} bytes",
                                       in_quotes(file.string(), longest_path), at_most));
        }
    }
    if (std::ferror(in.get()) != 0) {
        fail(file, "read", errno);
    }
    return content;
}

OpenFile::OpenFile(const std::filesystem::path& file) : path_(file)
{
    refuse_folder(file);
    std::error_code ignored;
    if (std::filesystem::is_other(file, ignored)) { // who opens a pipe waits for its writer
        throw BadInput(fmt::format("{} is no file of which parts can be read",
                                   in_quotes(file.string(), longest_path)));
    }
    file_.reset(std::fopen(file.c_str(), "rbe")); // e: closed in programs that we start
    struct stat about = {};
    if (!file_ || fstat(fileno(file_.get()), &about) != 0) {
        fail(file, "read", errno);
    }
    size_ = static_cast<std::uint64_t>(about.st_size);
}

void OpenFile::read(std::uint64_t begin, std::span<std::byte> part) const
{
    while (!part.empty()) {
        const ssize_t n_bytes =
            pread(fileno(file_.get()), part.data(), std::min(part.size(), most_at_a_time),
                  static_cast<off_t>(begin));
        if (n_bytes < 0 && errno != EINTR) {
            fail(path_, "read", errno);
        }
        if (n_bytes == 0) {
            throw BadInput(fmt::format(
                "{} is cut off: it ends before byte {}, and had {} bytes when it was opened",
                in_quotes(path_.string(), longest_path), begin + part.size(), size_));
        }
        if (n_bytes > 0) {
            begin += static_cast<std::uint64_t>(n_bytes);
            part = part.subspan(static_cast<std::size_t>(n_bytes));
        }
    }
}

std::filesystem::path target_of(const std::filesystem::path& file)
{
    constexpr int most_links = 40;
    std::filesystem::path target = file;
    std::error_code error;
    for (int i = 0; std::filesystem::is_symlink(target, error) &&
                    !std::filesystem::is_other(target, error); // whose link is no path
         ++i) {
        if (i == most_links) {
            fail(file, "written", ELOOP);
        }
        target = target.parent_path() / std::filesystem::read_symlink(target, error);
    }
    return target;
}

std::filesystem::path temporary_beside(const std::filesystem::path& file)
{
    static std::atomic<unsigned> counter{0};
    return file.parent_path() / fmt::format(".{}.{}.tmp", getpid(), counter.fetch_add(1));
}

void write_file(const std::filesystem::path& file, std::string_view content)
{
    const std::filesystem::path target = target_of(file);
    const std::optional<struct stat> replaced = replaced_by(target);
    const std::filesystem::path temporary = temporary_beside(target);
    int error = write_new(temporary, content, replaced);
    if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        std::remove(temporary.c_str());
        fail(file, "written", error);
    }
}

int try_folder(const std::filesystem::path& folder)
{
    const std::filesystem::path trial = temporary_beside(folder / "trial");
    const int error = write_new(trial, "", std::nullopt);
    std::remove(trial.c_str());
    return error;
}

void require_writable(const std::filesystem::path& file, std::string_view option)
{
    try {
        const std::filesystem::path target = target_of(file);
        replaced_by(target);
        if (const int error = try_folder(target.parent_path())) {
            fail(file, "written", error);
        }
    } catch (const BadInput& error) {
        throw BadInput(fmt::format("{}: {}", option, error.what()));
    }
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b)
{
    std::error_code error;
    if (std::filesystem::equivalent(a, b, error)) {
        return true;
    }
    const auto spelt_out = [&](const std::filesystem::path& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(target_of(path)),
                                                 error);
    };
    const std::filesystem::path one = spelt_out(a);
    return !error && one == spelt_out(b) && !error;
}

void require_other_file(const NamedFile& output, const std::vector<NamedFile>& others)
{
    for (const NamedFile& other : others) {
        if (same_file(output.file, other.file)) {
            throw BadInput(
                fmt::format("{}: {} is the file of {}, which would be lost", output.option,
                            in_quotes(output.file.string(), longest_path), other.option));
        }
    }
}

std::uint64_t fnv_1a(std::string_view bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3u;
    }
    return hash;
}

std::string checksum(std::string_view bytes)
{
    return fmt::format("{:016x}", fnv_1a(bytes));
}

} // namespace attn::program
