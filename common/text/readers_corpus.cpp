#include "common/text/readers_corpus.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

namespace attn::text {

namespace {

constexpr std::array<std::string_view, n_line_kinds> line_kind_names = {
    "pairs of sentences",
    "too many words",
    "another beginning than asked for",
    "no words on one side",
    "longer than a sentence and its translation",
    "nothing on the line",
    "cut short, within a character or before the tab",
    "bytes that are no UTF-8",
    "a control character",
    "no tab between two sentences",
    "more than three columns",
    "an empty side"};

} // namespace

bool is_fault(LineKind kind)
{
    return kind >= LineKind::too_long;
}

std::string_view name_of(LineKind kind)
{
    return line_kind_names.at(static_cast<std::size_t>(kind));
}

void CorpusReport::count_line(LineKind kind, std::size_t line)
{
    Tally& tally = tallies_.at(static_cast<std::size_t>(kind));
    tally.first_line = tally.n == 0 ? line : tally.first_line;
    ++tally.n;
}

std::size_t CorpusReport::n(LineKind kind) const
{
    return tallies_.at(static_cast<std::size_t>(kind)).n;
}

std::size_t CorpusReport::first_line(LineKind kind) const
{
    return tallies_.at(static_cast<std::size_t>(kind)).first_line;
}

std::size_t CorpusReport::n_lines() const
{
    std::size_t n_all = 0;
    for (const Tally& tally : tallies_) {
        n_all += tally.n;
    }
    return n_all;
}

std::size_t CorpusReport::n_faults() const
{
    std::size_t n_all = 0;
    for (std::size_t i = 0; i < n_line_kinds; ++i) {
        n_all += is_fault(static_cast<LineKind>(i)) ? tallies_[i].n : 0;
    }
    return n_all;
}

std::vector<std::string> CorpusReport::reasons() const
{
    std::vector<std::string> all;
    for (std::size_t i = 1; i < n_line_kinds; ++i) {
        const Tally& tally = tallies_[i];
        if (tally.n == 1) {
            all.push_back(fmt::format("{}: line {}", line_kind_names[i], tally.first_line));
        } else if (tally.n > 1) {
            all.push_back(fmt::format("{}: {} lines, the first is line {}", line_kind_names[i],
                                      tally.n, tally.first_line));
        }
    }
    return all;
}

std::string CorpusReport::to_text() const
{
    std::string text =
        fmt::format("{} {}, {} of them with a pair of sentences to use\n", n_lines(),
                    n_lines() == 1 ? "line" : "lines", n(LineKind::pair));
    for (const std::string& reason : reasons()) {
        text += "  " + reason + '\n';
    }
    return text;
}

namespace {

using program::BadInput;

/// A line of a corpus without its end, LF or CR LF.
struct CorpusLine
{
    std::string_view text;
    std::size_t number; ///< from 1
    bool open;          ///< whether no line break follows: it may have been cut
};

/// What was read of a line: its kind, and its two columns unless it is malformed.
struct Columns
{
    LineKind kind = LineKind::pair;
    std::string_view first = {};
    std::string_view second = {};
};

bool is_only_blanks(std::string_view text)
{
    return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// A text without the blank lines at its end.
std::string_view without_blank_end(std::string_view text)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    if (last == std::string_view::npos) {
        return {};
    }
    return text.substr(0, std::min(text.find('\n', last), text.size() - 1) + 1);
}

/// Takes the first line off a text that is not empty.
CorpusLine take_line(std::string_view& rest, std::size_t number)
{
    const bool is_open = rest.find('\n') == std::string_view::npos;
    CorpusLine line{program::take_line(rest), number, is_open};
    if (!line.text.empty() && line.text.back() == '\r') {
        line.text.remove_suffix(1);
    }
    return line;
}

/// Whether a text is valid UTF-8 up to its end, where some bytes of a character are missing.
bool ends_within_character(std::string_view text)
{
    while (!text.empty()) {
        const program::Character character = program::first_character(text);
        if (!character.valid) {
            break;
        }
        text.remove_prefix(character.n_bytes);
    }
    // It was a beginning if one to three bytes complete it; the second byte of a character may
    // not be any, but one of the two extremes always does.
    bool completed = false;
    for (std::size_t n_missing = 1; n_missing <= 3 && !text.empty(); ++n_missing) {
        for (const char byte : {'\x80', '\xbf'}) {
            const std::string whole = std::string(text) + std::string(n_missing, byte);
            completed = completed || program::first_character(whole).n_bytes == whole.size();
        }
    }
    return completed;
}

/// What is wrong with a line's bytes, nothing if they are clean text.
std::optional<LineKind> fault_of_bytes(const CorpusLine& line)
{
    if (line.text.size() > max_line_bytes) {
        return LineKind::too_long;
    }
    if (line.text.find_first_not_of(' ') == std::string_view::npos) {
        return LineKind::blank;
    }
    if (line.open && ends_within_character(line.text)) {
        return LineKind::cut_short;
    }
    bool has_control = false;
    for (std::string_view rest = line.text; !rest.empty();) {
        const program::Character character = program::first_character(rest);
        if (!character.valid) {
            return LineKind::invalid_utf8;
        }
        has_control = has_control || (program::is_control(character.code) && rest[0] != '\t');
        rest.remove_prefix(character.n_bytes);
    }
    return has_control ? std::optional(LineKind::control_character) : std::nullopt;
}

/// The two columns of a line, or what is wrong with it.
Columns columns_of(const CorpusLine& line)
{
    if (const std::optional<LineKind> fault = fault_of_bytes(line)) {
        return {*fault};
    }
    const std::size_t tab = line.text.find('\t');
    if (tab == std::string_view::npos) {
        return {line.open ? LineKind::cut_short : LineKind::no_tab};
    }
    const std::string_view first = line.text.substr(0, tab);
    std::string_view second = line.text.substr(tab + 1);
    const std::size_t next_tab = std::min(second.find('\t'), second.size());
    if (second.find('\t', next_tab + 1) != std::string_view::npos) {
        return {LineKind::too_many_columns};
    }
    second = second.substr(0, next_tab);
    const bool is_pair = !is_only_blanks(first) && !is_only_blanks(second);
    return {is_pair ? LineKind::pair : LineKind::empty_side, first, second};
}

/// Whether a sentence begins in one of the ways asked for.
bool begins_as_asked(const Words& words, const std::vector<std::string>& beginnings)
{
    std::string text = text_of(words);
    std::erase(text, '\'');
    return beginnings.empty() ||
           std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& beginning) {
               return text.starts_with(beginning);
           });
}

/// Whether an option leaves out a pair of sentences, and which: `pair` if none does.
LineKind choice_of(const Words& first, const Words& second, const CorpusOptions& options)
{
    if (first.empty() || second.empty()) {
        return LineKind::no_words;
    }
    if (std::max(first.size(), second.size()) > options.max_words) {
        return LineKind::too_many_words;
    }
    return begins_as_asked(first, options.beginnings) ? LineKind::pair
                                                      : LineKind::other_beginning;
}

/// Appends the pair of a line if it has one to use.
/// \returns what the line is
LineKind append_pair(const CorpusLine& line, const CorpusOptions& options,
                     std::vector<SentencePair>& pairs)
{
    const Columns columns = columns_of(line);
    if (columns.kind != LineKind::pair) {
        return columns.kind;
    }
    Words first = normalised_words(columns.first, options.normalisation);
    Words second = normalised_words(columns.second, options.normalisation);
    const LineKind kind = choice_of(first, second, options);
    if (kind == LineKind::pair) {
        if (options.reversed) {
            std::swap(first, second);
        }
        pairs.push_back({std::move(first), std::move(second), {}, {}});
    }
    return kind;
}

/// Why a file without a pair to use has none.
std::string reason_for_no_pair(const CorpusReport& report)
{
    if (report.n_lines() == 0) {
        return "the file is empty";
    }
    return fmt::format("there is no pair of sentences to use; {}",
                       fmt::join(report.reasons(), "; "));
}

} // namespace

CorpusOptions tutorial_options()
{
    CorpusOptions options;
    options.normalisation = Normalisation::tutorial;
    options.reversed = true;
    options.max_words = 9;
    options.beginnings = {"i am ",   "i m ",    "he is",  "he s ",  "she is",   "she s ",
                          "you are", "you re ", "we are", "we re ", "they are", "they re "};
    return options;
}

ReadersCorpus parse_corpus(std::string_view text, std::string_view name,
                           const CorpusOptions& options)
{
    ReadersCorpus corpus{
        program::is_printable(name) ? std::string(name) : program::in_quotes(name), {}, {}};
    std::string_view rest = without_blank_end(program::without_byte_order_mark(text));
    std::size_t n_words = 0;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const CorpusLine line = take_line(rest, number);
        const LineKind kind = append_pair(line, options, corpus.pairs);
        corpus.report.count_line(kind, number);
        if (options.strict && is_fault(kind)) {
            throw BadInput(fmt::format("{}, line {}: {}: {}", corpus.name, number,
                                       name_of(kind), program::in_quotes(line.text)));
        }
        if (kind == LineKind::pair) {
            n_words += corpus.pairs.back().source.size() + corpus.pairs.back().target.size();
        }
        if (n_words > max_corpus_words) {
            throw BadInput(fmt::format("{}, line {}: more than {} words up to here; leave out "
                                       "a part of the file, or long sentences",
                                       corpus.name, number, max_corpus_words));
        }
    }
    if (corpus.pairs.empty()) {
        throw BadInput(fmt::format("{}: {}", corpus.name, reason_for_no_pair(corpus.report)));
    }
    return corpus;
}

ReadersCorpus read_corpus(const std::filesystem::path& file, const CorpusOptions& options)
{
    return parse_corpus(program::read_file(file), file.string(), options);
}

} // namespace attn::text
