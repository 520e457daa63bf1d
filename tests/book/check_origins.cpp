/// \file
/// \brief Holds the numbers of the book's pages to the committed tables:
///
///     check_origins <root> [--fix] <page> ...
///
/// Pages are relative to the root. Names each that is not as its table has it, by page and line; with
/// --fix it is written anew first. Ends with 0 if nothing is wrong, else 1, or 2 where a file is missing.
#include "common/program/files.hpp"
#include "tests/book/origins.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// "08_bahdanau" of "chapters/08_bahdanau/chapter.md"; nothing for a page of docs/.
std::string chapter_of(const std::filesystem::path& page)
{
    const std::filesystem::path folder = page.parent_path();
    return folder.parent_path() == "chapters" ? folder.filename().string() : std::string();
}

/// How many findings a page has.
std::size_t check(const std::filesystem::path& root, const std::string& page, bool fix,
                  attn::book::Tables& tables)
{
    const std::string text = attn::program::read_file(root / page);
    attn::book::PageOrigins origins =
        attn::book::check_origins(page, text, chapter_of(page), tables);
    if (fix && origins.mended != text) {
        std::ofstream(root / page) << origins.mended;
        origins = attn::book::check_origins(page, origins.mended, chapter_of(page), tables);
    }
    for (const attn::book::Finding& finding : origins.findings) {
        fmt::print("{}:{}: {}\n", finding.file, finding.line, finding.what);
    }
    fmt::print("{}: {} origins, {} checks\n", page, origins.n_origins, origins.n_checks);
    return origins.findings.size();
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const bool fix = std::erase(arguments, "--fix") > 0;
    if (arguments.size() < 2) {
        fmt::print(stderr, "check_origins <root> [--fix] <page> ...\n");
        return 2;
    }
    try {
        attn::book::Tables tables(arguments.front());
        std::size_t n_findings = 0;
        for (std::size_t i = 1; i < arguments.size(); ++i) {
            n_findings += check(arguments.front(), arguments[i], fix, tables);
        }
        return n_findings == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "check_origins: {}\n", error.what());
        return 2;
    }
}
