/// \file
/// \brief Each chapter's ten questions are answered by sentences that its page really holds.
#include "common/program/atomic_file.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using attn::program::read_file;

/// The same text with every run of white space, line ends included, as one blank.
std::string on_one_line(const std::string& text)
{
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) {
        line += line.empty() ? word : " " + word;
    }
    return line;
}

struct Answer
{
    std::string question;
    std::string sentence;
};

/// The questions of a questions.md: "## question" and below it "> sentence".
std::vector<Answer> read_answers(const std::string& text)
{
    std::vector<Answer> answers;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("## ", 0) == 0) {
            answers.push_back({line.substr(3), ""});
        } else if (line.rfind("> ", 0) == 0 && !answers.empty()) {
            answers.back().sentence += on_one_line(line.substr(2)) + " ";
        }
    }
    for (Answer& answer : answers) {
        answer.sentence = on_one_line(answer.sentence);
    }
    return answers;
}

std::vector<std::string> chapters()
{
    std::vector<std::string> ids;
    std::istringstream list(ATTN_CHAPTERS);
    for (std::string id; std::getline(list, id, ',');) {
        ids.push_back(id);
    }
    return ids;
}

} // namespace

TEST_CASE("ten questions a page, each answered by a sentence of the page", "[book][claim]")
{
    REQUIRE_FALSE(chapters().empty());
    for (const std::string& id : chapters()) {
        CAPTURE(id);
        const std::filesystem::path folder =
            std::filesystem::path(ATTN_SOURCE_DIR) / "chapters" / id;
        std::string pages; // the chapter's own and its sub-pages
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() == ".md" && entry.path().stem() != "questions") {
                pages += read_file(entry.path()) + "\n";
            }
        }
        const std::string page = on_one_line(pages);
        const std::vector<Answer> answers = read_answers(read_file(folder / "questions.md"));
        CHECK(answers.size() >= 10);
        for (const Answer& answer : answers) {
            CAPTURE(answer.question, answer.sentence);
            CHECK(answer.sentence.size() > 20);
            CHECK(page.find(answer.sentence) != std::string::npos);
        }
    }
}

TEST_CASE("a sentence that a page does not hold is noticed", "[book]")
{
    const std::vector<Answer> answers =
        read_answers("# title\n\n## Why?\n> Because the\n> moon is round.\n\n## How?\n> So.\n");
    REQUIRE(answers.size() == 2);
    CHECK(answers[0].question == "Why?");
    CHECK(answers[0].sentence == "Because the moon is round.");
    CHECK(on_one_line("Because\n  the moon is\tround. Yes.").find(answers[0].sentence) == 0);
    CHECK(on_one_line("Because the moon is flat.").find(answers[0].sentence) ==
          std::string::npos);
}
