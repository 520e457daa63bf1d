/// \file
/// \brief Corpora as readers bring them: what is accepted, what is left out and counted, and
/// how each kind of malformed line is refused.
#include "common/program/bad_input.hpp"
#include "common/random/random.hpp"
#include "common/text/columns.hpp"
#include "common/text/readers_corpus.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

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
    const std::string pad(max_row_bytes, 'x');
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

/// A text in which every line break is LF.
std::string with_lf_only(std::string text)
{
    for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at)) {
        text.replace(at, text.compare(at, 2, "\r\n") == 0 ? 2 : 1, "\n");
    }
    return text;
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
    CHECK(corpus.report.reasons().empty());
}

TEST_CASE("corpora of all origins are accepted", "[text]")
{
    const std::string text =
        GENERATE(std::string("a\tb\nc\td\n"), std::string("a\tb\nc\td"),
                 std::string("a\tb\r\nc\td\r\n"), std::string("\"a\"\tb\nc\td"),
                 std::string("a\tb\rc\td\n"), std::string("a\tb\r\nc\td\r"),
                 std::string("\xef\xbb\xbf"
                             "a\tb\nc\td\n"),
                 std::string("a\tb\nc\td\n\n \r\n\t\n"), std::string(" A \t b\nc\td \r"));
    const ReadersCorpus corpus = parse_corpus(text, "fra.txt", strictly());
    CHECK(pairs_as_text(corpus) == Texts{"a | b", "c | d"});
    CHECK(corpus.report.n_lines() == 2);
}

TEST_CASE("a corpus whose lines end in CR alone is refused", "[text]")
{
    const std::string text = GENERATE(std::string("a\tb\rc\td\r"), std::string("a\tb\rc\td"),
                                      std::string("\"a\rb\"\tc\r"), std::string("a,b\rc,d"));
    CHECK(complaint_about_corpus(text, {}) ==
          "fra.txt: there is no pair of sentences to use: its lines end in CR alone, as on an "
          "old Mac; save the file with LF or CR LF as line ends");
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
    const std::string longest(max_row_bytes - 2, 'x');
    CHECK(parse_corpus("a\t" + longest, "fra.txt").pairs.size() == 1);
    CHECK_THAT(complaint_about_corpus("a\t" + longest + "x", {}), contains("longer than"));
}

TEST_CASE("a file without a pair to use is refused with the reasons", "[text]")
{
    CHECK(complaint_about_corpus("", {}) == "fra.txt: the file is empty");
    CHECK(complaint_about_corpus("\xef\xbb\xbf\n \r\n\t", {}) == "fra.txt: the file is empty");
    CHECK(complaint_about_corpus("speed dist\n4 2\n\n7 4\n", {}) ==
          "fra.txt: there is no pair of sentences to use; nothing on the line: line 3; no tab "
          "between two sentences: 3 lines, the first is line 1");
    CorpusOptions options;
    options.max_words = 1;
    CHECK(complaint_about_corpus("a b\tc\n", options) ==
          "fra.txt: there is no pair of sentences to use; too many words: line 1");
    CHECK_THROWS_WITH(parse_corpus("", "a\nb"), "'a\\x0ab': the file is empty");
}

TEST_CASE("what stands between the columns instead of a tab is told where it is likely",
          "[text]")
{
    const std::vector<std::pair<std::string, std::string>> files = {
        {"Go.,Va !\nRun!,Cours !\n", "; commas seem to stand where tabs must"},
        {"\"Hi, you\",Salut\r\nRun,Cours\r\n", "; commas seem to stand where tabs must"},
        {"Hi, you;Salut\n\nRun;Cours\n", "; semicolons seem to stand where tabs must"},
        {"Hi | Salut\nRun | Cours\n", "; vertical bars seem to stand where tabs must"},
        {"Hi, you. Salut.\nWell, run. Bon, cours.\n", ""}, // prose
        {"Go.,Va !\nRun! Cours !\n", ""},
        {"Go.,Va !\n", ""}, // a line alone says little
    };
    for (const auto& [text, hint] : files) {
        INFO(text);
        const std::string said = complaint_about_corpus(text, {});
        CHECK_THAT(said, contains("no tab between two sentences: "));
        CHECK((said.find("seem to stand") == std::string::npos) == hint.empty());
        CHECK(said.ends_with(hint));
    }
}

TEST_CASE("another encoding is named where it is likely", "[text]")
{
    const std::string utf_16("\xff\xfeG\0o\0\t\0V\0a\0\n\0", 14);
    CHECK(complaint_about_corpus(utf_16, {}) ==
          "fra.txt: the file seems to be in UTF-16; save it as UTF-8");
    CHECK(complaint_about_corpus(utf_16.substr(2), {}) ==
          "fra.txt: the file seems to be in UTF-16; save it as UTF-8");
    const std::string latin_1 = "Summer\tL'\xe9t\xe9\nGo\tVa\n";
    CHECK(
        parse_corpus(latin_1, "fra.txt").report.reasons() ==
        Texts{"bytes that are no UTF-8: line 1 (the file seems to be in an 8-bit encoding such "
              "as Latin-1 or Windows-1252)"});
    const std::string damaged = "Summer\tL'\u00e9t\u00e9\nHe is\tIl a \u00e9t\xc3\n";
    CHECK(parse_corpus(damaged, "fra.txt").report.reasons() ==
          Texts{"bytes that are no UTF-8: line 2"});
}

TEST_CASE("quoted fields are read whole, and lines are counted with them", "[text]")
{
    const std::string text = "a\tb\n\"good morning\r\ndear\"\t\"\"\"ami\"\"\"\n"
                             "\"Go!\" he said.\t\"Va !\" dit-il.\n\"x\ty\"\tz\nno tab\n";
    const ReadersCorpus corpus = parse_corpus(text, "fra.txt");
    CHECK(pairs_as_text(corpus) ==
          Texts{"a | b", "good morning dear | ami", "go ! he said . | va ! dit-il ."});
    CHECK(corpus.report.first_line(LineKind::continued) == 3);
    CHECK(corpus.report.n_lines() == 6);
    CHECK(corpus.report.reasons() ==
          Texts{"quotation marks that leave open where a column ends: line 5",
                "no tab between two sentences: line 6"});
    CHECK(complaint_about_corpus(text, strictly()) ==
          "fra.txt, line 5: quotation marks that leave open where a column ends: "
          "'\"x\\x09y\"\\x09z'");
}

TEST_CASE("what Anki writes at the top says how its notes are read", "[text]")
{
    const std::string notes = "Hi&nbsp;<b>you</b>\tSalut<br>toi\tdeck\n# a comment\n";
    CHECK(pairs_as_text(parse_corpus("#separator:tab\n#html:true\n#tags column:3\n" + notes,
                                     "notes.txt", strictly())) == Texts{"hi you | salut toi"});
    const std::string all = "#separator:Semicolon\r\n#html:false\r\n#guid column:1\r\n"
                            "#notetype column:2\r\n#deck column:3\r\n#tags column:16\r\n"
                            "x;Basic;French;\"Hi; \"\"you\"\"\";a<b[sound:a.mp3];other\r\n";
    const ReadersCorpus corpus = parse_corpus(all, "notes.txt", strictly());
    CHECK(pairs_as_text(corpus) == Texts{"hi ; you | a b"});
    CHECK(corpus.report.n(LineKind::header) == 6);
    CHECK(corpus.report.n_lines() == 7);
    // A sentence may begin with # where no such line stands at the top.
    CHECK(pairs_as_text(
              parse_corpus("#1 is mine\tNo 1: moi\na\tb\n#html:true\tc\n", "f", strictly())) ==
          Texts{"1 is mine | no 1 : moi", "a | b", "html : true | c"});
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
    const std::string frequent = "\t\t\n\na' .\xc3\xa9\r\"\"#";
    for (int i = 0; i < 6000; ++i) {
        std::string text = i % 2 == 0 ? "a\tb\n" : "#html:true\na\tb\n";
        for (std::uint64_t n = generator.below(80); n > 0; --n) {
            text += generator.below(4) > 0 ? frequent[generator.below(frequent.size())]
                                           : static_cast<char>(generator.below(256));
        }
        const std::string ended = text + "|"; // so that no blank lines stand at the end
        const ReadersCorpus corpus = parse_corpus(ended, "fra.txt");
        const std::size_t n_lines = corpus.report.n_lines();
        REQUIRE((n_lines == n_lines_of(ended) || n_lines == n_lines_of(with_lf_only(ended))));
        REQUIRE(corpus.report.n(LineKind::pair) == corpus.pairs.size());
        for (const SentencePair& pair : corpus.pairs) {
            REQUIRE((!pair.source.empty() && !pair.target.empty()));
        }
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
