#include "common/text/corpus_report.hpp"

#include <fmt/format.h>

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

} // namespace attn::text
