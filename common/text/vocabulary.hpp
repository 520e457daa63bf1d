/// \file
/// \brief Words and their numbers: what a network reads and writes instead of words. A word
/// that was not there in training has no number.
#pragma once

#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// The number of a word, as gather_rows and cross_entropy of autograd take it.
using WordId = std::int64_t;

inline constexpr WordId pad_id = 0;     ///< `<pad>`: fills the end of a shorter sentence
inline constexpr WordId begin_id = 1;   ///< `<s>`: what a decoder reads first
inline constexpr WordId end_id = 2;     ///< `</s>`: what a decoder writes last
inline constexpr WordId unknown_id = 3; ///< `<unk>`, in vocabularies that have it

/// What a vocabulary is told.
struct VocabularyOptions
{
    std::size_t min_frequency = 1; ///< rarer words have no number; above 1 there is an `<unk>`
    bool with_unknown = false;     ///< an `<unk>` even so
};

/// Words, each with a number: the special symbols first, then the words by falling frequency,
/// equally frequent ones in the order of their bytes.
class Vocabulary
{
public:
    /// Numbers the words that were counted.
    /// \throws ContractError if a word is empty, holds a blank, a control character or bytes
    ///         that are no UTF-8, or is a special symbol
    explicit Vocabulary(const std::map<std::string, std::size_t>& frequencies,
                        const VocabularyOptions& options = {});

    /// \returns how many numbers there are, those of the special symbols among them
    std::size_t size() const { return words_.size(); }

    /// \returns whether unknown words have a number
    bool has_unknown() const { return n_special_ > unknown_id; }

    /// The words, without the special symbols, in the order of their numbers.
    std::span<const std::string> words() const
    {
        return std::span(words_).subspan(static_cast<std::size_t>(n_special_));
    }

    /// A word's number.
    /// \param word  any; a special symbol is no word, but has a number
    std::optional<WordId> find(std::string_view word) const;

    /// A number's word.
    /// \throws ContractError if there is no such number
    const std::string& word(WordId id) const;

    /// A sentence in numbers, without special symbols around it. What is written like a special
    /// symbol counts as an unknown word.
    /// \returns [n]; `<unk>` for what is not in the vocabulary
    /// \throws BadInput naming the first unknown word if there is no `<unk>`: words come from
    ///         readers, in the end
    std::vector<WordId> encode(const Words& words) const;

    /// The words that encode cannot number.
    /// \returns those that are not in the vocabulary, each once, in their order
    Words unknown_words(const Words& words) const;

    /// A sentence in words.
    /// \returns the words before the first `</s>`, all if there is none; other special symbols
    ///          are shown as they are written, since a decoder that wrote one was wrong
    /// \throws ContractError if there is no such number
    Words decode(std::span<const WordId> ids) const;

    /// The vocabulary as text, to be kept beside the weights that were trained with it.
    /// \returns one line a number, in order, each with a line break
    std::string to_text() const;

    /// Reads what to_text wrote.
    /// \throws BadInput if a line is no word, one stands twice or the special symbols do not
    ///         come first
    static Vocabulary from_text(std::string_view lines, std::string_view where);

    /// \returns whether two vocabularies have the same words under the same numbers
    friend bool operator==(const Vocabulary& a, const Vocabulary& b)
    {
        return a.words_ == b.words_;
    }

private:
    Vocabulary() = default;
    void number(Words words);

    Words words_;                                   // by number
    std::map<std::string, WordId, std::less<>> id_; // by word
    WordId n_special_ = 0;
};

/// How often the words of all sources occur, or of all targets.
/// \param side  &SentencePair::source or &SentencePair::target
std::map<std::string, std::size_t> frequencies_of(std::span<const SentencePair> pairs,
                                                  Words SentencePair::*side);

} // namespace attn::text
