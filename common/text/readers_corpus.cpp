#include "common/text/readers_corpus.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/text.hpp"
#include "common/text/columns.hpp"

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
    "headers of Anki",
    "within quotation marks from an earlier line on",
    "longer than a sentence and its translation",
    "nothing on the line",
    "cut short, within a character or before the tab",
    "bytes that are no UTF-8",
    "a control character",
    "quotation marks that leave open where a column ends",
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
        if (static_cast<LineKind>(i) == LineKind::continued) {
            continue; // it is what the line is on which its row begins
        }
        if (tally.n == 1) {
            all.push_back(fmt::format("{}: line {}", line_kind_names[i], tally.first_line));
        } else if (tally.n > 1) {
            all.push_back(fmt::format("{}: {} lines, the first is line {}", line_kind_names[i],
                                      tally.n, tally.first_line));
        }
        if (tally.n > 0 && static_cast<LineKind>(i) == LineKind::invalid_utf8 &&
            !encoding_.empty()) {
            all.back() += fmt::format(" (the file seems to be in {})", encoding_);
        }
    }
    return all;
}

namespace {

using program::BadInput;

/// What was read of a row: its kind, and its two columns unless it is malformed.
struct Columns
{
    LineKind kind = LineKind::pair;
    std::string first = {};
    std::string second = {};
};

bool is_only_blanks(std::string_view text)
{
    return text.find_first_not_of(" \t\r") == std::string_view::npos;
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
    return !text.empty() && program::is_unfinished_character(text);
}

/// What is wrong with a row's bytes, nothing if they are clean text.
std::optional<LineKind> fault_of_bytes(const Row& row)
{
    if (row.text.size() > max_row_bytes) {
        return LineKind::too_long;
    }
    if (row.text.find_first_not_of(' ') == std::string_view::npos) {
        return LineKind::blank;
    }
    if (row.open && ends_within_character(row.text)) {
        return LineKind::cut_short;
    }
    const std::string_view allowed = row.n_lines > 1 ? "\t\r\n" : "\t";
    bool has_control = false;
    for (std::string_view rest = row.text; !rest.empty();) {
        const program::Character character = program::first_character(rest);
        if (!character.valid) {
            return LineKind::invalid_utf8;
        }
        has_control = has_control || (program::is_control(character.code) &&
                                      allowed.find(rest[0]) == std::string_view::npos);
        rest.remove_prefix(character.n_bytes);
    }
    return has_control ? std::optional(LineKind::control_character) : std::nullopt;
}

/// The two columns of a row, or what is wrong with it.
Columns columns_of(const Row& row, const ColumnFormat& format)
{
    if (const std::optional<LineKind> fault = fault_of_bytes(row)) {
        return {*fault};
    }
    if (row.kind == RowKind::unclear) {
        return {LineKind::unclear_quotes};
    }
    std::vector<std::string> columns;
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
        if (!format.others.contains(i + 1)) {
            columns.push_back(text_of(row.fields[i], format));
        }
    }
    if (columns.size() < 2) {
        return {row.open ? LineKind::cut_short : LineKind::no_tab};
    }
    if (columns.size() > 3) {
        return {LineKind::too_many_columns};
    }
    const bool is_pair = !is_only_blanks(columns[0]) && !is_only_blanks(columns[1]);
    return {is_pair ? LineKind::pair : LineKind::empty_side, std::move(columns[0]),
            std::move(columns[1])};
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

/// Appends the pair of a row if it has one to use.
/// \returns what the row is
LineKind append_pair(const Row& row, const ColumnFormat& format, const CorpusOptions& options,
                     std::vector<SentencePair>& pairs)
{
    if (row.kind == RowKind::header) {
        return LineKind::header;
    }
    const Columns columns = columns_of(row, format);
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

/// What seems to stand between the columns of a file, where that is no tab: a mark that each of
/// several lines has inside, a comma without a blank behind it.
std::string_view likely_separator(std::string_view text)
{
    constexpr std::array<std::pair<char, std::string_view>, 3> marks = {
        {{';', "semicolons"}, {'|', "vertical bars"}, {',', "commas"}}};
    for (const auto& [mark, name] : marks) {
        std::size_t n_lines = 0;
        bool everywhere = true;
        for (std::string_view rest = text; !rest.empty() && everywhere;) {
            const std::string_view line = program::take_line(rest);
            bool found = is_only_blanks(line);
            n_lines += found ? 0 : 1;
            for (std::size_t i = 1; i + 1 < line.size() && !found; ++i) {
                found = line[i] == mark && (mark != ',' || line[i + 1] != ' ');
            }
            everywhere = found;
        }
        if (everywhere && n_lines > 1) {
            return name;
        }
    }
    return {};
}

/// Refuses a file in which CR alone ends the lines.
void refuse_cr_alone(std::string_view text, std::string_view name)
{
    if (text.find('\r') != std::string_view::npos &&
        text.find('\n') == std::string_view::npos) {
        throw BadInput(fmt::format(
            "{}: there is no pair of sentences to use: its lines end in CR alone, as on an old "
            "Mac; save the file with LF or CR LF as line ends",
            name));
    }
}

/// Why a file without a pair to use has none.
std::string reason_for_no_pair(const CorpusReport& report, std::string_view text)
{
    if (report.n_lines() == 0) {
        return "the file is empty";
    }
    std::string reason = fmt::format("there is no pair of sentences to use; {}",
                                     fmt::join(report.reasons(), "; "));
    const std::string_view separator = likely_separator(text);
    if (report.n(LineKind::no_tab) > 0 && !separator.empty()) {
        reason += fmt::format("; {} seem to stand where tabs must", separator);
    }
    return reason;
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
    program::refuse_utf_16(text, corpus.name);
    refuse_cr_alone(text, corpus.name);
    corpus.report.note_encoding(program::likely_encoding(text));
    const std::string_view content = program::without_byte_order_mark(text);
    RowReader rows(content);
    std::size_t n_words = 0;
    while (!rows.at_end()) {
        const Row row = rows.next();
        const LineKind kind = append_pair(row, rows.format(), options, corpus.pairs);
        corpus.report.count_line(kind, row.first_line);
        for (std::size_t i = 1; i < row.n_lines; ++i) {
            corpus.report.count_line(LineKind::continued, row.first_line + i);
        }
        if (options.strict && is_fault(kind)) {
            throw BadInput(fmt::format("{}, line {}: {}: {}", corpus.name, row.first_line,
                                       name_of(kind), program::in_quotes(row.text)));
        }
        if (kind == LineKind::pair) {
            n_words += corpus.pairs.back().source.size() + corpus.pairs.back().target.size();
        }
        if (n_words > max_corpus_words) {
            throw BadInput(fmt::format("{}, line {}: more than {} words up to here; leave out "
                                       "a part of the file, or long sentences",
                                       corpus.name, row.first_line, max_corpus_words));
        }
    }
    if (corpus.pairs.empty()) {
        throw BadInput(
            fmt::format("{}: {}", corpus.name, reason_for_no_pair(corpus.report, content)));
    }
    return corpus;
}

ReadersCorpus read_corpus(const std::filesystem::path& file, const CorpusOptions& options)
{
    return parse_corpus(program::read_file(file), file.string(), options);
}

} // namespace attn::text
