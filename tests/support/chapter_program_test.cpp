/// \file
/// \brief What is asked of the program of every chapter: one sentence for whatever it cannot use, a
/// trace that writes no file, the same output with any number of threads, and nothing said of
/// trainings that are left out. Compiled into each chapter's tests.
///
/// What only one program refuses and prints stands in tests/<id>/program.txt, a line each:
///
///     trace: part & part                    parts of what --trace prints
///     untrained: part | arguments           what --untrained prints, besides these arguments
///     help: part & part                     parts of what --help prints
///     include: file                         lines of another file, from the project's folder
///     table NAME: text                      a file that lines below may name
///     what | arguments | part & part | NAME refused; parts of the sentence, and table.csv's text
///     + what | arguments | part & !part | N answered; what is printed and what is not, no file is left
///     * what | arguments | part & !part | N answered after a training, files or not
///
/// Arguments with blanks, or none, stand in single quotes. In texts and parts \n, \t and \xHH are characters,
/// and {3: #\n} is 0, 1 and 2, a line each.
#include "common/program/files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace attn::testing::program_table {

/// A text at each place where a separator stands, without blanks around the parts.
std::vector<std::string> parts_of(const std::string& text, const std::string& separator)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        const std::size_t first = std::min(text.find_first_not_of(' ', begin), end);
        const std::size_t last = end == first ? first : text.find_last_not_of(' ', end - 1) + 1;
        parts.push_back(text.substr(first, last - first));
        begin = end + separator.size();
    }
    return parts;
}

std::vector<std::string> arguments_of(const std::string& line)
{
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < line.size();) {
        const bool quoted = line[i] == '\'';
        const std::size_t begin = i + (quoted ? 1 : 0);
        const std::size_t end = std::min(line.find(quoted ? '\'' : ' ', begin), line.size());
        arguments.push_back(line.substr(begin, end - begin));
        i = line.find_first_not_of(' ', end + (quoted ? 1 : 0));
        i = std::min(i, line.size());
    }
    return arguments;
}

/// A text with its escapes read and its repeats written out.
std::string text_of(const std::string& written)
{
    std::string text;
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i] == '{') {
            const std::size_t colon = written.find(": ", i);
            const std::size_t end = written.find('}', i);
            const std::string once = text_of(written.substr(colon + 2, end - colon - 2));
            for (int n = 0; n < std::stoi(written.substr(i + 1)); ++n) {
                for (const char character : once) {
                    text += character == '#' ? std::to_string(n) : std::string(1, character);
                }
            }
            i = end;
        } else if (written.compare(i, 2, "\\x") == 0) {
            text += static_cast<char>(std::stoi(written.substr(i + 2, 2), nullptr, 16));
            i += 3;
        } else if (written[i] == '\\') {
            text += written[++i] == 'n' ? '\n' : '\t';
        } else {
            text += written[i];
        }
    }
    return text;
}

/// The lines of a chapter's program.txt.
struct ProgramTable
{
    std::map<std::string, std::string> asked; ///< "trace", "untrained", "help"
    std::map<std::string, std::string> texts{{"", ""}};
    std::map<char, std::vector<BadInputCase>>
        cases; ///< by the line's mark, ' ' if there is none

    void read(const std::filesystem::path& file)
    {
        std::istringstream lines(attn::program::read_file(ATTN_SOURCE_DIR / file));
        for (std::string line; std::getline(lines, line);) {
            if (line.empty() || line[0] == '#') {
                continue;
            }
            const std::vector<std::string> cells = parts_of(line, " | ");
            const std::size_t colon = line.find(": ");
            const std::string word = line.substr(0, std::min(colon, line.find(' ')));
            if (word == "include") {
                read(line.substr(colon + 2));
            } else if (word == "table") {
                texts[line.substr(6, colon - 6)] = text_of(line.substr(colon + 2));
            } else if (word == "trace" || word == "untrained" || word == "help") {
                asked[word] = line.substr(colon + 2);
            } else {
                INFO(file.string() << ": " << line);
                REQUIRE(cells.size() >= 3);
                const char mark = line[0] == '+' || line[0] == '*' ? line[0] : ' ';
                cases[mark].push_back({cells[0], texts.at(cells.size() > 3 ? cells[3] : ""),
                                       arguments_of(cells[1]),
                                       parts_of(text_of(cells[2]), " & ")});
            }
        }
    }
};

const ProgramTable& table()
{
    static const ProgramTable whole = [] {
        ProgramTable read;
        read.read("tests/support/refused.txt");
        read.read(std::filesystem::path("tests") / ATTN_CHAPTER / "program.txt");
        return read;
    }();
    return whole;
}

void check_parts(const std::string& text, const std::vector<std::string>& parts)
{
    for (const std::string& part : parts) {
        const bool is_there =
            text.find(part.substr(part[0] == '!' ? 1 : 0)) != std::string::npos;
        INFO(part << " in\n" << text);
        CHECK(is_there == (part[0] != '!'));
    }
}

/// Each line with a mark is answered.
void check_answered(char mark)
{
    const auto found = table().cases.find(mark);
    for (const BadInputCase& one :
         found == table().cases.end() ? std::vector<BadInputCase>{} : found->second) {
        const ScratchFolder scratch;
        attn::program::write_file(scratch.path() / "table.csv", one.table);
        const ProgramRun run = run_program(ATTN_PROGRAM, one.arguments, scratch.path());
        INFO(one.what << ", stderr: " << run.err);
        CHECK(run.exit_code == 0);
        CHECK(run.err.empty());
        check_parts(run.out, one.says);
        const auto n_files =
            std::distance(std::filesystem::directory_iterator(scratch.path()), {});
        CHECK((mark == '*' || n_files == 1));
    }
}

} // namespace attn::testing::program_table

using namespace attn::testing;

TEST_CASE("what cannot be used is refused in one sentence and with exit code 2", "[bad_input]")
{
    for (const BadInputCase& bad : program_table::table().cases.at(' ')) {
        check_refused(ATTN_PROGRAM, bad);
    }
}

TEST_CASE("the trace and the help write no file", "[program]")
{
    for (const std::string word : {"trace", "help"}) {
        const ProgramRun run = run_leaving_nothing(ATTN_PROGRAM, {"--" + word});
        INFO("--" << word);
        CHECK(run.exit_code == 0);
        CHECK(run.err.empty());
        const auto& asked = program_table::table().asked;
        if (asked.count(word) > 0) {
            program_table::check_parts(run.out, program_table::parts_of(asked.at(word), " & "));
        }
    }
}

TEST_CASE("what a reader may ask and give is answered, and no file is left", "[program]")
{
    program_table::check_answered('+');
}

#ifdef ATTN_TRAINS

TEST_CASE("what a reader may ask and give is answered after a training", "[program][train]")
{
    program_table::check_answered('*');
}

TEST_CASE("same seed, same output, with any number of threads", "[program][train]")
{
    check_seed_decides(ATTN_PROGRAM);
}

TEST_CASE("without the trainings nothing is said of them", "[program]")
{
    const std::vector<std::string> asked =
        program_table::parts_of(program_table::table().asked.at("untrained"), " | ");
    std::vector<std::string> arguments =
        program_table::arguments_of(asked.size() > 1 ? asked[1] : "");
    arguments.emplace_back("--untrained");
    const ScratchFolder scratch;
    const ProgramRun run = run_program(ATTN_PROGRAM, arguments, scratch.path());
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains(asked[0]) && !contains("trained_"));
}

#endif
