/// \file
/// \brief Reads pairs of sentences from the file that a reader brings along: one pair a line, a
/// tab between the two, as the collections for the flash cards of Anki are distributed, and as
/// Anki itself writes its notes. What is malformed is left out and counted, or refused.
#pragma once

#include "common/text/normalise.hpp"
#include "common/text/sentence_pair.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
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
    header,            ///< a line in which Anki says how the file is to be read
    continued,         ///< the line before goes on: a line break stands in quotation marks
    too_long,          ///< a fault: more bytes than a sentence and its translation can have
    blank,             ///< a fault, except at the end of the file
    cut_short,         ///< a fault: the last line ends within a character or before the tab
    invalid_utf8,      ///< a fault: bytes that are no text
    control_character, ///< a fault: a zero byte, an escape, a carriage return within a line
    unclear_quotes,    ///< a fault: quotation marks leave open where a column ends
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

    /// Says how those of its lines seem to be encoded that are not UTF-8.
    /// \param encoding  what program::likely_encoding returned
    void note_encoding(std::string_view encoding) { encoding_ = encoding; }

    /// \returns how many lines are of that kind
    std::size_t n(LineKind kind) const;

    /// \returns the first line of that kind, from 1; 0 if there is none
    std::size_t first_line(LineKind kind) const;

    /// \returns how many lines were counted, of all kinds
    std::size_t n_lines() const;

    /// \returns how many of them are malformed
    std::size_t n_faults() const;

    /// Why lines were not used, but for those that only go on from an earlier one.
    /// \returns one sentence for each kind that there is, without a full stop, for instance "an
    ///          empty side: 2 lines, the first is line 7"
    std::vector<std::string> reasons() const;

private:
    /// \cond
    struct Tally
    {
        std::size_t n = 0;
        std::size_t first_line = 0;
    };
    /// \endcond
    std::array<Tally, n_line_kinds> tallies_;
    std::string_view encoding_;
};

/// Which pairs of a file are read, and how.
struct CorpusOptions
{
    Normalisation normalisation = Normalisation::gentle; ///< how sentences become words
    bool reversed = false;       ///< the second column is the source, the first the target
    std::size_t max_words = 100; ///< on each side, marks among them; longer pairs are left out
    std::vector<std::string> beginnings; ///< of the first column's words, as text and without
                                         ///< apostrophes; empty: any
    bool strict = false;                 ///< a malformed line is an error
};

/// What PyTorch's tutorial "Translation with a Sequence to Sequence Network and Attention"
/// makes of its file of English and French: its normalisation, French to English, only
/// sentences that begin like "i am" or "he is", and at most 9 words a side. (Its limit is
/// called 10, and compared by "less than".)
CorpusOptions tutorial_options();

/// How many words a corpus may hold, in all its pairs together: so that a hostile file of
/// one-letter words cannot fill the memory.
inline constexpr std::size_t max_corpus_words = std::size_t{1} << 23;

/// The pairs of a file, and what became of its other lines.
struct ReadersCorpus
{
    std::string name;                ///< the file's, for messages
    std::vector<SentencePair> pairs; ///< at least one, in the file's order, nobody's links; a
                                     ///< source with several translations has a pair for each
    CorpusReport report;             ///< on every line but blank ones at the end
};

/// Reads a corpus: source TAB target, or source TAB target TAB attribution, which is dropped. A
/// byte order mark, CR LF, a missing last line break and blank lines at
/// the end are accepted, fields in quotation marks as RowReader reads them, and the header lines
/// of Anki, with the separator that they name and without the columns of tags and the like. A
/// last line that is cut within its target cannot be told from a whole one, and is a pair.
/// \param file  UTF-8, at most 256 MiB
/// \throws BadInput if the file cannot be read, is not UTF-8 as a whole, holds no pair to use or
///         more than
///         max_corpus_words words, or if the options are strict and a line is malformed; the
///         message names the line
ReadersCorpus read_corpus(const std::filesystem::path& file, const CorpusOptions& options = {});

/// The same for a text at hand.
/// \param name  what stands for the file's name in messages
/// \throws BadInput as read_corpus
ReadersCorpus parse_corpus(std::string_view text, std::string_view name,
                           const CorpusOptions& options = {});

} // namespace attn::text
