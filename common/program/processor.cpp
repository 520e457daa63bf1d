#include "common/program/processor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cstddef>
#include <fstream>
#include <vector>

namespace attn::program {

namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file)
{
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

/// What stands behind a name in proc/cpuinfo, the first time; empty if it does not stand there.
std::string told(const fs::path& root, const std::string& name)
{
    std::ifstream file(root / "proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (colon + 2 < line.size() && line.rfind(name, 0) == 0 &&
            line.find_first_not_of(" \t", name.size()) == colon) {
            return line.substr(colon + 2);
        }
    }
    return "";
}

/// Sizes of the caches that hold data, as the system writes them.
std::vector<std::string> cache_sizes(const fs::path& root)
{
    std::vector<std::string> sizes;
    for (int index = 0;; ++index) {
        const fs::path cache =
            root / fmt::format("sys/devices/system/cpu/cpu0/cache/index{}", index);
        const std::string size = first_line(cache / "size");
        if (size.empty()) {
            return sizes;
        }
        if (first_line(cache / "type") != "Instruction") {
            sizes.push_back(size);
        }
    }
}

} // namespace

std::string processor(const std::filesystem::path& root)
{
    std::vector<std::string> parts;
    const auto add = [&](const std::string& label, const std::string& name) {
        if (const std::string value = told(root, name); !value.empty()) {
            parts.push_back(label + value);
        }
    };
    add("", "model name");
    add("family ", "cpu family");
    add("model ", "model");
    add("stepping ", "stepping");
    add("implementer ", "CPU implementer"); // ARM's own names
    add("part ", "CPU part");
    if (const std::vector<std::string> sizes = cache_sizes(root); !sizes.empty()) {
        parts.push_back(fmt::format("caches {}", fmt::join(sizes, " ")));
    }
    return parts.empty() ? "an unnamed processor" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string compiler()
{
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__,
                       __clang_patchlevel__);
#elif defined(__GNUC__)
    return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    return "an unnamed compiler";
#endif
}

} // namespace attn::program
