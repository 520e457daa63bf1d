/// \file
/// \brief Reads pairs of sentences from the file that a reader brings along: one pair a line, a
/// tab between the two, as the collections for the flash cards of Anki are distributed. What is
/// malformed is left out and counted, or refused.
#pragma once

#include "common/text/corpus_report.hpp"
#include "common/text/normalise.hpp"
#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

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

/// How many bytes a line may hold.
inline constexpr std::size_t max_line_bytes = std::size_t{1} << 16;

/// The pairs of a file, and what became of its other lines.
struct ReadersCorpus
{
    std::string name;                ///< the file's, for messages
    std::vector<SentencePair> pairs; ///< at least one, in the file's order, nobody's links; a
                                     ///< source with several translations has a pair for each
    CorpusReport report;             ///< on every line but blank ones at the end
};

/// Reads a corpus: source TAB target, or source TAB target TAB attribution, which is dropped. A
/// byte order mark, CR LF, a missing last line break and blank lines at the end are accepted. A
/// last line that is cut within its target cannot be told from a whole one, and is a pair.
/// \param file  UTF-8, at most 256 MiB
/// \throws BadInput if the file cannot be read, holds no pair to use or more than
///         max_corpus_words words, or if the options are strict and a line is malformed; the
///         message names the line
ReadersCorpus read_corpus(const std::filesystem::path& file, const CorpusOptions& options = {});

/// The same for a text at hand.
/// \param name  what stands for the file's name in messages
/// \throws BadInput as read_corpus
ReadersCorpus parse_corpus(std::string_view text, std::string_view name,
                           const CorpusOptions& options = {});

} // namespace attn::text
