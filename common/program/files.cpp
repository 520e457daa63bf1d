#include "common/program/files.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <system_error>
#include <unistd.h>

namespace attn::program {

namespace {

struct Close
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view what, int error)
{
    throw BadInput(fmt::format("{} cannot be {}: {}", in_quotes(file.string(), longest_path),
                               what, std::generic_category().message(error)));
}

/// Writes a new file as a whole; 0 or the error number.
int write_new(const std::filesystem::path& file, std::string_view content)
{
    std::FILE* const out = std::fopen(file.c_str(), "wbx");
    if (out == nullptr) {
        return errno;
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
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        throw BadInput(
            fmt::format("{} is a folder, not a file", in_quotes(file.string(), longest_path)));
    }
    const File in(std::fopen(file.c_str(), "rb"));
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

std::filesystem::path temporary_beside(const std::filesystem::path& file)
{
    static std::atomic<unsigned> counter{0};
    const std::string name =
        fmt::format(".{}.{}.{}.tmp", file.filename().string(), getpid(), counter.fetch_add(1));
    return file.parent_path() / name;
}

void write_file(const std::filesystem::path& file, std::string_view content)
{
    const std::filesystem::path temporary = temporary_beside(file);
    int error = write_new(temporary, content);
    if (error == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        std::remove(temporary.c_str());
        fail(file, "written", error);
    }
}

void require_writable(const std::filesystem::path& file, std::string_view option)
{
    const std::string name = in_quotes(file.string(), longest_path);
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        throw BadInput(fmt::format("{}: {} is a folder, not a file", option, name));
    }
    const std::filesystem::path trial = temporary_beside(file);
    const int error = write_new(trial, "");
    std::remove(trial.c_str());
    if (error != 0) {
        throw BadInput(fmt::format(
            "{}: {} cannot be written: its folder is missing or closed to us", option, name));
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
