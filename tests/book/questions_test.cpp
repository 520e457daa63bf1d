/// \file
/// \brief Each chapter has ten questions at least. That its page holds their answers is
/// demanded by docs/answers.awk, which makes the page of answers of them.
#include "common/program/files.hpp"
#include "tests/support/catch.hpp"

#include <filesystem>
#include <sstream>
#include <string>

TEST_CASE("ten questions a chapter", "[book][claim]")
{
    std::istringstream chapters(ATTN_CHAPTERS);
    for (std::string id; std::getline(chapters, id, ',');) {
        CAPTURE(id);
        const auto file =
            std::filesystem::path(ATTN_SOURCE_DIR) / "chapters" / id / "questions.md";
        std::istringstream lines(attn::program::read_file(file));
        int n_questions = 0;
        for (std::string line; std::getline(lines, line);) {
            n_questions += line.starts_with("## ") ? 1 : 0;
        }
        CHECK(n_questions >= 10);
    }
}
