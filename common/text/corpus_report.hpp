/// \file
/// \brief What became of the lines of a corpus: how many were pairs to use, how many were not,
/// and why.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// What a line of a corpus is. Each line is exactly one of these, the first that applies, from
/// `too_long` on; what has none of the faults is a pair, unless an option leaves it out.
enum class LineKind
{
    pair,              ///< used
    too_many_words,    ///< left out: a side is longer than the options allow
    other_beginning,   ///< left out: the first column begins in none of the ways asked for
    no_words,          ///< left out: nothing of a side is a word
    too_long,          ///< a fault: more bytes than a sentence and its translation can have
    blank,             ///< a fault, except at the end of the file
    cut_short,         ///< a fault: the last line ends within a character or before the tab
    invalid_utf8,      ///< a fault: bytes that are no text
    control_character, ///< a fault: a zero byte, an escape, a carriage return inside
    no_tab,            ///< a fault: one column
    too_many_columns,  ///< a fault: more than a source, a target and an attribution
    empty_side         ///< a fault: nothing stands before the tab or behind it
};

/// How many kinds there are.
inline constexpr std::size_t n_line_kinds = static_cast<std::size_t>(LineKind::empty_side) + 1;

/// Whether a line of a kind is malformed.
/// \returns true for faults, false for pairs that are used or left out by an option
bool is_fault(LineKind kind);

/// A kind in words.
/// \returns for instance "no tab between two sentences"
std::string_view name_of(LineKind kind);

/// What became of the lines of a corpus.
class CorpusReport
{
public:
    /// Counts a line.
    /// \param line  its number, from 1
    void count_line(LineKind kind, std::size_t line);

    /// \returns how many lines are of that kind
    std::size_t n(LineKind kind) const;

    /// \returns the first line of that kind, from 1; 0 if there is none
    std::size_t first_line(LineKind kind) const;

    /// \returns how many lines were counted, of all kinds
    std::size_t n_lines() const;

    /// \returns how many of them are malformed
    std::size_t n_faults() const;

    /// Why lines were not used.
    /// \returns one sentence for each kind that there is, without a full stop, for instance "an
    ///          empty side: 2 lines, the first is line 7"
    std::vector<std::string> reasons() const;

    /// The report as it is printed.
    /// \returns a line with the number of lines and pairs, then one for each reason,
    ///          each with a line break
    std::string to_text() const;

private:
    /// \cond
    struct Tally
    {
        std::size_t n = 0;
        std::size_t first_line = 0;
    };
    /// \endcond
    std::array<Tally, n_line_kinds> tallies_;
};

} // namespace attn::text
