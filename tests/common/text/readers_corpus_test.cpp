/// \file
/// \brief Corpora as readers bring them: what is accepted, what is left out and counted, and
/// how each kind of malformed line is refused.
#include "common/program/bad_input.hpp"
#include "common/random/random.hpp"
#include "common/text/readers_corpus.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <fstream>

using attn::program::BadInput;
using attn::testing::complaint_of;
using attn::testing::contains;
using attn::testing::ScratchFolder;
using namespace attn::text;

namespace {

using Texts = std::vector<std::string>;

CorpusOptions strictly()
{
    CorpusOptions options;
    options.strict = true;
    return options;
}

/// The pairs of a corpus, each as "source | target".
Texts pairs_as_text(const ReadersCorpus& corpus)
{
    Texts texts;
    for (const SentencePair& pair : corpus.pairs) {
        texts.push_back(text_of(pair.source) + " | " + text_of(pair.target));
        CHECK((pair.sure.empty() && pair.possible.empty()));
    }
    return texts;
}

/// What reading a corpus says, or nothing if it accepts the text.
std::string complaint_about_corpus(const std::string& text, const CorpusOptions& options)
{
    return complaint_of<BadInput>([&] { parse_corpus(text, "fra.txt", options); });
}

/// A line that is malformed in one way.
struct MalformedLine
{
    LineKind kind;
    std::string line;
    std::string says; ///< in strict reading, behind the line's number
};

std::vector<MalformedLine> malformed_lines()
{
    const std::string pad(max_line_bytes, 'x');
    return {
        {LineKind::too_long, "a\t" + pad,
         "longer than a sentence and its translation: 'a\\x09" + std::string(38, 'x') + "...'"},
        {LineKind::blank, "  ", "nothing on the line: '  '"},
        {LineKind::invalid_utf8, "\xe9t\xe9\tsummer",
         "bytes that are no UTF-8: '\\xe9t\\xe9\\x09summer'"},
        {LineKind::control_character, "a\x1b[2J\tb", "a control character: 'a\\x1b[2J\\x09b'"},
        {LineKind::no_tab, "Go. Va.", "no tab between two sentences: 'Go. Va.'"},
        {LineKind::too_many_columns, "a\tb\tc\td",
         "more than three columns: 'a\\x09b\\x09c\\x09d'"},
        {LineKind::empty_side, "a\t ", "an empty side: 'a\\x09 '"},
    };
}

/// How many lines a text has, counted apart from the reader: line breaks, and what follows the
/// last.
std::size_t n_lines_of(const std::string& text)
{
    const auto n_breaks = std::count(text.begin(), text.end(), '\n');
    return static_cast<std::size_t>(n_breaks) + (text.empty() || text.back() == '\n' ? 0 : 1);
}

} // namespace

TEST_CASE("pairs of sentences are read from two columns or three", "[text]")
{
    const ReadersCorpus corpus =
        parse_corpus("Go.\tVa !\nRun!\tCours\u00a0!\tCC-BY 2.0 #1 & #2\n"
                     "Run!\tCourez !\nRun!\tCourez !\t\n",
                     "fra.txt", strictly());
    CHECK(pairs_as_text(corpus) ==
          Texts{"go . | va !", "run ! | cours !", "run ! | courez !", "run ! | courez !"});
    CHECK(corpus.name == "fra.txt");
    CHECK(corpus.report.n_lines() == 4);
    CHECK(corpus.report.n_faults() == 0);
    CHECK(corpus.report.to_text() == "4 lines, 4 of them with a pair of sentences to use\n");
}

TEST_CASE("corpora of all origins are accepted", "[text]")
{
    const std::string text = GENERATE(
        std::string("a\tb\nc\td\n"), std::string("a\tb\nc\td"), std::string("a\tb\r\nc\td\r\n"),
        std::string("\xef\xbb\xbf"
                    "a\tb\nc\td\n"),
        std::string("a\tb\nc\td\n\n \r\n\t\n"), std::string(" A \t b\nc\td \r"));
    const ReadersCorpus corpus = parse_corpus(text, "fra.txt", strictly());
    CHECK(pairs_as_text(corpus) == Texts{"a | b", "c | d"});
    CHECK(corpus.report.n_lines() == 2);
}

TEST_CASE("options choose pairs and turn them round", "[text]")
{
    const std::string text = "I'm here.\tJe suis l\u00e0.\nHe isn't.\tNon.\nYou\tTu\n"
                             "I am one of a great many.\tOui.\n...\t123 !\n(\t)\n";
    CorpusOptions options;
    options.beginnings = {"i am ", "i m ", "he is"};
    options.max_words = 6;
    options.reversed = true;
    const ReadersCorpus corpus = parse_corpus(text, "fra.txt", options);
    CHECK(pairs_as_text(corpus) ==
          Texts{"je suis l\u00e0 . | i 'm here .", "non . | he isn't ."});
    CHECK(corpus.report.n(LineKind::pair) == 2);
    CHECK(corpus.report.n(LineKind::other_beginning) == 2);
    CHECK(corpus.report.first_line(LineKind::other_beginning) == 3);
    CHECK(corpus.report.n(LineKind::too_many_words) == 1);
    CHECK(corpus.report.first_line(LineKind::too_many_words) == 4);
    CHECK(corpus.report.n(LineKind::no_words) == 1);
    CHECK(corpus.report.n_faults() == 0);
}

TEST_CASE("the tutorial's options leave its short sentences, French first", "[text]")
{
    const std::string text =
        "I'm fat.\tJe suis gras.\nI am.\tJe suis.\nShe's in.\tElle est l\u00e0.\n"
        "They aren't late.\tIls ne sont pas en retard.\n"
        "You are one two three four five six.\tTu es un deux trois.\n"
        "You are one two three four five six seven.\tTu es.\n"
        "Go.\tVa !\nI amble.\tJe marche.\n";
    const ReadersCorpus corpus = parse_corpus(text, "fra.txt", tutorial_options());
    CHECK(pairs_as_text(corpus) ==
          Texts{"je suis gras . | i m fat .", "je suis . | i am .",
                "elle est la . | she s in .",
                "ils ne sont pas en retard . | they aren t late .",
                "tu es un deux trois . | you are one two three four five six ."});
    CHECK(corpus.report.n(LineKind::too_many_words) == 1);
    CHECK(corpus.report.n(LineKind::other_beginning) == 2);
}

TEST_CASE("each kind of malformed line is counted, or refused with its number", "[text]")
{
    for (const MalformedLine& bad : malformed_lines()) {
        INFO(bad.says);
        const std::string text = "a\tb\n" + bad.line + "\nc\td\n" + bad.line + "\ne\tf\n";
        const ReadersCorpus corpus = parse_corpus(text, "fra.txt");
        CHECK(pairs_as_text(corpus) == Texts{"a | b", "c | d", "e | f"});
        CHECK(corpus.report.n(bad.kind) == 2);
        CHECK(corpus.report.first_line(bad.kind) == 2);
        CHECK(corpus.report.n_faults() == 2);
        CHECK(corpus.report.n_lines() == 5);
        CHECK(is_fault(bad.kind));
        CHECK(complaint_about_corpus(text, strictly()) == "fra.txt, line 2: " + bad.says);

        // The same with Windows' line ends.
        const std::string windows = "a\tb\r\n" + bad.line + "\r\nc\td\r\n";
        CHECK(parse_corpus(windows, "fra.txt").report.first_line(bad.kind) == 2);
        CHECK(complaint_about_corpus(windows, strictly()) == "fra.txt, line 2: " + bad.says);
    }
}

TEST_CASE("all kinds of malformed lines together add up", "[text][property]")
{
    std::vector<MalformedLine> bad_lines = malformed_lines();
    attn::random::Generator generator(3);
    for (int i = 0; i < 50; ++i) {
        std::string text = "first\tpair\n";
        std::vector<std::size_t> count(n_line_kinds);
        std::vector<std::size_t> first(n_line_kinds);
        std::size_t n_lines = 1;
        for (const std::size_t k :
             generator.choice(bad_lines.size() * 3, bad_lines.size() * 2)) {
            const MalformedLine& bad = bad_lines[k % bad_lines.size()];
            const auto kind = static_cast<std::size_t>(bad.kind);
            text += bad.line + "\n";
            ++n_lines;
            first[kind] = count[kind]++ == 0 ? n_lines : first[kind];
        }
        text += "last\tpair\n";
        const ReadersCorpus corpus = parse_corpus(text, "fra.txt");
        CHECK(corpus.pairs.size() == 2);
        CHECK(corpus.report.n(LineKind::pair) == 2);
        CHECK(corpus.report.n_lines() == n_lines_of(text));
        CHECK(corpus.report.n_faults() == n_lines - 1);
        for (const MalformedLine& bad : bad_lines) {
            const auto kind = static_cast<std::size_t>(bad.kind);
            CHECK(corpus.report.n(bad.kind) == count[kind]);
            CHECK(corpus.report.first_line(bad.kind) == first[kind]);
        }
        CHECK_THAT(complaint_about_corpus(text, strictly()), contains("fra.txt, line 2: "));
    }
}

TEST_CASE("a last line that was cut is known where it can be", "[text]")
{
    const std::string begin = "Go.\tVa !\n";
    for (const std::string cut :
         {"They did it ag", "T", "They\tIls l'ont \xc3", "\xe2\x80", "a\tb \xe0",
          "a\tb \xed\x9f", "a\tb \xf0\x9f\x98", "a\tb \xf4", "\xc3\xa9t\xc3"}) {
        INFO(cut);
        const CorpusReport report = parse_corpus(begin + cut, "fra.txt").report;
        CHECK(report.n(LineKind::cut_short) == 1);
        CHECK(report.first_line(LineKind::cut_short) == 2);
        CHECK(report.n_lines() == 2);
        CHECK_THAT(
            complaint_about_corpus(begin + cut, strictly()),
            contains("fra.txt, line 2: cut short, within a character or before the tab: "));
        // With a line break behind it, the line has another fault.
        CHECK(parse_corpus(begin + cut + "\n", "fra.txt").report.n(LineKind::cut_short) == 0);
        CHECK(parse_corpus(begin + cut + "\n", "fra.txt").report.n_faults() == 1);
    }
    for (const std::string no_beginning :
         {"a\tb \xff", "a\tb \xc3\xc3", "a\tb\xc1", "a\tb\xa9", "a\tb \xf5\x80",
          "a\tb \xed\xa0", "a\tb \xe0\x80", "\xff\xc3"}) {
        const CorpusReport report = parse_corpus(begin + no_beginning, "fra.txt").report;
        CHECK(report.n(LineKind::invalid_utf8) == 1);
    }
    CHECK(pairs_as_text(parse_corpus(begin + "They did.\tIls l'ont ", "fra.txt", strictly())) ==
          Texts{"go . | va !", "they did . | ils l' ont"});
}

TEST_CASE("further lines that are no pairs", "[text]")
{
    const std::vector<std::pair<std::string, LineKind>> lines = {
        {"\ta", LineKind::empty_side},
        {"\t", LineKind::empty_side},
        {"\t\t", LineKind::empty_side},
        {" \t\tCC-BY", LineKind::empty_side},
        {"", LineKind::blank},
        {std::string("a\0b\tc", 5), LineKind::control_character},
        {"a\rb\tc", LineKind::control_character},
        {"a\tb\r\r", LineKind::control_character},
        {"a\tb\xc2\x85", LineKind::control_character},
        {"a\tb\tc\x7f", LineKind::control_character},
        {"\x1b\xff\t", LineKind::invalid_utf8},
        {"a\t\xed\xa0\x80", LineKind::invalid_utf8},
        {"a\t\xc0\x80", LineKind::invalid_utf8},
        {"\xef\xbb\xbf", LineKind::no_tab},
        {"a, b", LineKind::no_tab},
        {std::string(std::size_t{1} << 20, 'x'), LineKind::too_long},
        {"a\t\u00a0", LineKind::no_words},
    };
    for (const auto& [line, kind] : lines) {
        INFO(line.substr(0, 40));
        const CorpusReport report =
            parse_corpus("a\tb\n" + line + "\nc\td\n", "fra.txt").report;
        CHECK(report.n(kind) == 1);
        CHECK(report.first_line(kind) == 2);
        CHECK(report.n(LineKind::pair) == 2);
    }
    // The longest line that there may be.
    const std::string longest(max_line_bytes - 2, 'x');
    CHECK(parse_corpus("a\t" + longest, "fra.txt").pairs.size() == 1);
    CHECK_THAT(complaint_about_corpus("a\t" + longest + "x", {}), contains("longer than"));
}

TEST_CASE("a file without a pair to use is refused with the reasons", "[text]")
{
    CHECK(complaint_about_corpus("", {}) == "fra.txt: the file is empty");
    CHECK(complaint_about_corpus("\xef\xbb\xbf\n \r\n\t", {}) == "fra.txt: the file is empty");
    CHECK(complaint_about_corpus("speed,dist\n4,2\n\n7,4\n", {}) ==
          "fra.txt: there is no pair of sentences to use; nothing on the line: line 3; no tab "
          "between two sentences: 3 lines, the first is line 1");
    CorpusOptions options;
    options.max_words = 1;
    CHECK(complaint_about_corpus("a b\tc\n", options) ==
          "fra.txt: there is no pair of sentences to use; too many words: line 1");
    CHECK_THROWS_WITH(parse_corpus("", "a\nb"), "'a\\x0ab': the file is empty");
}

TEST_CASE("a corpus of more words than the memory should hold is refused", "[text]")
{
    CorpusOptions options;
    options.max_words = 20000;
    std::string line = "a\t";
    for (int i = 0; i < 16384; ++i) {
        line += "b ";
    }
    std::string text;
    for (int i = 0; i < 512; ++i) {
        text += line + "\n";
    }
    CHECK(
        complaint_about_corpus(text, options) ==
        "fra.txt, line 512: more than 8388608 words up to here; leave out a part of the file, "
        "or long sentences");
}

TEST_CASE("random bytes between tabs and line breaks never add up to anything else",
          "[text][property]")
{
    attn::random::Generator generator(4);
    const std::string frequent = "\t\t\n\na' .\xc3\xa9\r";
    for (int i = 0; i < 2000; ++i) {
        std::string text = "a\tb\n";
        for (std::uint64_t n = generator.below(80); n > 0; --n) {
            text += generator.below(4) > 0 ? frequent[generator.below(frequent.size())]
                                           : static_cast<char>(generator.below(256));
        }
        const std::string ended = text + "|"; // so that no blank lines stand at the end
        const ReadersCorpus corpus = parse_corpus(ended, "fra.txt");
        REQUIRE(corpus.report.n_lines() == n_lines_of(ended));
        REQUIRE(corpus.report.n(LineKind::pair) == corpus.pairs.size());
        const std::string said = complaint_about_corpus(ended, strictly());
        REQUIRE(said.empty() == (corpus.report.n_faults() == 0));
        REQUIRE(said.size() < 400);
        REQUIRE(std::none_of(said.begin(), said.end(),
                             [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
    }
}

TEST_CASE("a corpus is read from a file, and one that cannot be is named", "[text]")
{
    const ScratchFolder scratch;
    const std::filesystem::path file = scratch.path() / "it's mine.txt";
    std::ofstream(file) << "Go.\tVa !\n";
    CHECK(pairs_as_text(read_corpus(file)) == Texts{"go . | va !"});
    std::ofstream(file) << "Go. Va !\n";
    CHECK_THROWS_WITH(read_corpus(file),
                      file.string() + ": there is no pair of sentences to use; no tab between "
                                      "two sentences: line 1");
    CHECK_THROWS_AS(read_corpus(scratch.path() / "absent.txt"), BadInput);
    CHECK_THROWS_AS(read_corpus(scratch.path()), BadInput);
}
