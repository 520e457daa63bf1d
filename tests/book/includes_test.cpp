/// \file
/// \brief What a file names of the standard library, of xtensor, fmt and Catch2 comes by its own
/// #include lines, directly or through headers of ours, and not only because it is precompiled.
#include "tests/book/checks.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Names that one header alone declares; those that several do (size_t, swap) are left out.
const std::map<std::string_view, std::string_view> header_of = {
    {"vector", "vector"},
    {"string", "string"},
    {"to_string", "string"},
    {"string_view", "string_view"},
    {"map", "map"},
    {"set", "set"},
    {"deque", "deque"},
    {"array", "array"},
    {"span", "span"},
    {"tuple", "tuple"},
    {"optional", "optional"},
    {"nullopt", "optional"},
    {"variant", "variant"},
    {"holds_alternative", "variant"},
    {"function", "functional"},
    {"less", "functional"},
    {"greater", "functional"},
    {"reference_wrapper", "functional"},
    {"unique_ptr", "memory"},
    {"shared_ptr", "memory"},
    {"make_unique", "memory"},
    {"make_shared", "memory"},
    {"move", "utility"},
    {"exchange", "utility"},
    {"as_const", "utility"},
    {"uint8_t", "cstdint"},
    {"uint32_t", "cstdint"},
    {"int64_t", "cstdint"},
    {"uint64_t", "cstdint"},
    {"numeric_limits", "limits"},
    {"filesystem", "filesystem"},
    {"ifstream", "fstream"},
    {"ofstream", "fstream"},
    {"istringstream", "sstream"},
    {"ostringstream", "sstream"},
    {"cout", "iostream"},
    {"cerr", "iostream"},
    {"runtime_error", "stdexcept"},
    {"logic_error", "stdexcept"},
    {"invalid_argument", "stdexcept"},
    {"current_exception", "exception"},
    {"rethrow_exception", "exception"},
    {"chrono", "chrono"},
    {"thread", "thread"},
    {"atomic", "atomic"},
    {"mutex", "mutex"},
    {"scoped_lock", "mutex"},
    {"lock_guard", "mutex"},
    {"regex", "regex"},
    {"sqrt", "cmath"},
    {"isnan", "cmath"},
    {"isfinite", "cmath"},
    {"fma", "cmath"},
    {"sort", "algorithm"},
    {"stable_sort", "algorithm"},
    {"find_if", "algorithm"},
    {"any_of", "algorithm"},
    {"all_of", "algorithm"},
    {"none_of", "algorithm"},
    {"count_if", "algorithm"},
    {"max_element", "algorithm"},
    {"min_element", "algorithm"},
    {"transform", "algorithm"},
    {"clamp", "algorithm"},
    {"accumulate", "numeric"},
    {"iota", "numeric"},
    {"inner_product", "numeric"},
    {"back_inserter", "iterator"},
    {"make_move_iterator", "iterator"},
    {"bit_cast", "bit"},
    {"memcpy", "cstring"},
    {"strerror", "cstring"},
};

/// What else is read once for all files, and the beginning of the header that brings it.
const std::map<std::string_view, std::string_view> precompiled = {
    {"xt::", "common/tensor/xtensor.hpp"},    {"Matrix ", "common/tensor/tensor.hpp"},
    {"Vector ", "common/tensor/tensor.hpp"},  {"fmt::", "fmt/"},
    {"TEST_CASE", "tests/support/catch.hpp"},
};

/// The files that a text includes, as it names them.
std::vector<std::string> included(std::string_view text)
{
    std::vector<std::string> files;
    for (std::size_t at = text.find("\n#include "); at != std::string_view::npos;
         at = text.find("\n#include ", at + 1)) {
        const std::size_t begin = at + std::string_view("\n#include <").size();
        files.emplace_back(text.substr(begin, text.find_first_of(">\"", begin) - begin));
    }
    return files;
}

/// The names behind a prefix such as "std::", outside comments and texts.
std::set<std::string> names_behind(std::string_view prefix, std::string_view text)
{
    const auto part_of_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    std::set<std::string> names;
    for (std::size_t at = text.find(prefix); at != std::string_view::npos;
         at = text.find(prefix, at + 1)) {
        const std::size_t line = text.rfind('\n', at) + 1;
        const std::string_view before = text.substr(line, at - line);
        if ((!before.empty() && part_of_name(before.back())) ||
            before.find_first_of("\"#") != std::string_view::npos ||
            before.find("//") != std::string_view::npos) {
            continue;
        }
        const std::size_t begin = at + prefix.size();
        std::size_t end = begin;
        while (end < text.size() && part_of_name(text[end])) {
            ++end;
        }
        names.emplace(text.substr(begin, end - begin));
    }
    return names;
}

/// Reads each file of the tree once.
class Sources
{
public:
    explicit Sources(const fs::path& root)
    {
        for (const char* folder : {"chapters", "common", "tests"}) {
            for (const char* ending : {".hpp", ".cpp"}) {
                for (const fs::path& file : attn::book::files_below(root / folder, ending)) {
                    texts_[(folder / file).generic_string()] =
                        "\n" + attn::book::content_of(root / folder / file);
                }
            }
        }
    }

    const std::map<std::string, std::string>& texts() const { return texts_; }

    /// Adds all that a file includes, and what these include.
    void reach(const std::string& file, std::set<std::string>& reached) const
    {
        for (const std::string& next : included(texts_.at(file))) {
            if (reached.insert(next).second && texts_.contains(next)) {
                reach(next, reached);
            }
        }
    }

private:
    std::map<std::string, std::string> texts_;
};

} // namespace

TEST_CASE("names of the standard library are told from comments, and includes are read",
          "[planted]")
{
    CHECK(included("\n#include <map>\n#include \"a/b.hpp\" // c\n") ==
          std::vector<std::string>{"map", "a/b.hpp"});
    CHECK(names_behind("std::",
                       "std::vector<std::map<int, int>> a; // std::set\n\"std::deque\"") ==
          std::set<std::string>{"vector", "map"});
}

TEST_CASE("every file includes what it names of the standard library", "[planted]")
{
    const Sources sources(ATTN_SOURCE_DIR);
    REQUIRE(sources.texts().size() > 500);
    std::vector<std::string> missing;
    for (const auto& [file, text] : sources.texts()) {
        std::set<std::string> reached;
        sources.reach(file, reached);
        const auto reaches = [&](std::string_view header) {
            return std::any_of(reached.begin(), reached.end(), [&](const std::string& other) {
                return other.starts_with(header);
            });
        };
        for (const auto& [prefix, header] : precompiled) {
            if (!names_behind(prefix, text).empty() && file != header && !reaches(header)) {
                missing.push_back(file + ": " + std::string(prefix) + " without " +
                                  std::string(header));
            }
        }
        for (const std::string& name : names_behind("std::", text)) {
            const auto header = header_of.find(name);
            if (header != header_of.end() && !reached.contains(std::string(header->second))) {
                missing.push_back(file + ": std::" + name + " without <" +
                                  std::string(header->second) + ">");
            }
        }
    }
    CHECK(missing == std::vector<std::string>{});
}
