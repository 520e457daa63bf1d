/// \file
/// \brief Holds the numbers of the book's pages to the committed tables:
///
///     check_origins <root> [--fix] [--count] [<page> ...]
///
/// Pages are relative to the root; without one, all of chapters/ and docs/ are meant. Names each that is not as its table has it, by page and line; with
/// --fix it is written anew first. With --count each page's origins and checks are counted. Ends with 0 if nothing is wrong, else 1, or 2 where a file is missing.
#include "common/program/files.hpp"
#include "tests/book/origins.hpp"

#include <algorithm>
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

/// All pages of a book with numbers of their own, by name: questions.md only repeats sentences.
std::vector<std::string> pages_of(const std::filesystem::path& root)
{
    std::vector<std::string> pages;
    for (const char* const folder : {"chapters", "docs"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            const std::filesystem::path& file = entry.path();
            if (file.extension() == ".md" && file.filename() != "questions.md") {
                pages.push_back(std::filesystem::relative(file, root).generic_string());
            }
        }
    }
    std::sort(pages.begin(), pages.end());
    return pages;
}

/// What is asked for.
struct Request
{
    std::filesystem::path root; ///< of the book
    bool fix = false;           ///< write numbers that differ
    bool count = false;         ///< print the counts of each page
};

/// A page's origins and findings, which it prints.
attn::book::PageOrigins check(const Request& request, const std::string& page,
                              attn::book::Tables& tables)
{
    const std::filesystem::path file = request.root / page;
    const std::string text = attn::program::read_file(file);
    attn::book::PageOrigins origins =
        attn::book::check_origins(page, text, chapter_of(page), tables);
    if (request.fix && origins.mended != text) {
        std::ofstream(file) << origins.mended;
        origins = attn::book::check_origins(page, origins.mended, chapter_of(page), tables);
    }
    for (const attn::book::Finding& finding : origins.findings) {
        fmt::print("{}:{}: {}\n", finding.file, finding.line, finding.what);
    }
    if (request.count) {
        fmt::print("{}: {} origins, {} checks\n", page, origins.n_origins, origins.n_checks);
    }
    return origins;
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    Request request;
    request.fix = std::erase(arguments, "--fix") > 0;
    request.count = std::erase(arguments, "--count") > 0;
    if (arguments.empty()) {
        fmt::print(stderr, "check_origins <root> [--fix] [--count] [<page> ...]\n");
        return 2;
    }
    request.root = arguments.front();
    try {
        attn::book::Tables tables(request.root);
        attn::book::PageOrigins all;
        std::size_t n_findings = 0;
        std::vector<std::string> pages(arguments.begin() + 1, arguments.end());
        pages = pages.empty() ? pages_of(request.root) : pages;
        for (const std::string& page : pages) {
            const attn::book::PageOrigins of_page = check(request, page, tables);
            all.n_origins += of_page.n_origins;
            all.n_checks += of_page.n_checks;
            n_findings += of_page.findings.size();
        }
        fmt::print("{} numbers with an origin and {} checks on {} pages, {} wrong\n",
                   all.n_origins, all.n_checks, pages.size(), n_findings);
        return n_findings == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "check_origins: {}\n", error.what());
        return 2;
    }
}
