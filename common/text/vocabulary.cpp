#include "common/text/vocabulary.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace attn::text {

namespace {

constexpr std::array<std::string_view, 4> special_symbols = {"<pad>", "<s>", "</s>", "<unk>"};

bool is_special_symbol(std::string_view word)
{
    return std::find(special_symbols.begin(), special_symbols.end(), word) !=
           special_symbols.end();
}

/// Whether a word can stand on a line of its own and be read again.
bool is_storable(std::string_view word)
{
    return !word.empty() && word.find(' ') == std::string_view::npos &&
           program::is_printable(word);
}

/// The special symbols, then the frequent words.
Words by_frequency(const std::map<std::string, std::size_t>& frequencies,
                   const VocabularyOptions& options)
{
    using Counted = std::pair<std::string, std::size_t>;
    std::vector<Counted> counted;
    for (const auto& [word, count] : frequencies) {
        expect(is_storable(word) && !is_special_symbol(word),
               "Vocabulary: words must be printable, without blanks and no special symbols, "
               "got {}",
               program::in_quotes(word));
        if (count >= options.min_frequency) {
            counted.emplace_back(word, count);
        }
    }
    std::stable_sort(counted.begin(), counted.end(), [](const Counted& a, const Counted& b) {
        return a.second > b.second; // what is equally frequent stays in the map's order
    });

    const bool with_unknown = options.with_unknown || options.min_frequency > 1;
    Words words(special_symbols.begin(), special_symbols.end() - (with_unknown ? 0 : 1));
    for (Counted& word : counted) {
        words.push_back(std::move(word.first));
    }
    return words;
}

} // namespace

void Vocabulary::number(Words words)
{
    words_ = std::move(words);
    for (const std::string& word : words_) {
        id_.emplace(word, static_cast<WordId>(id_.size()));
    }
    n_special_ = find(special_symbols[unknown_id]) ? unknown_id + 1 : unknown_id;
}

Vocabulary::Vocabulary(const std::map<std::string, std::size_t>& frequencies,
                       const VocabularyOptions& options)
{
    number(by_frequency(frequencies, options));
}

std::optional<WordId> Vocabulary::find(std::string_view word) const
{
    const auto found = id_.find(word);
    return found == id_.end() ? std::nullopt : std::optional(found->second);
}

const std::string& Vocabulary::word(WordId id) const
{
    expect(id >= 0 && static_cast<std::size_t>(id) < size(),
           "Vocabulary::word: id must be from 0 to {}, got {}", size() - 1, id);
    return words_[static_cast<std::size_t>(id)];
}

std::vector<WordId> Vocabulary::encode(const Words& words) const
{
    std::vector<WordId> ids;
    for (const std::string& word : words) {
        const WordId id = find(word).value_or(pad_id);
        if (id >= n_special_) {
            ids.push_back(id);
        } else if (has_unknown()) {
            ids.push_back(unknown_id);
        } else {
            throw program::BadInput(
                fmt::format("the word {} is not in the vocabulary", program::in_quotes(word)));
        }
    }
    return ids;
}

Words Vocabulary::unknown_words(const Words& words) const
{
    Words unknown;
    for (const std::string& word : words) {
        const bool known = find(word).value_or(pad_id) >= n_special_;
        if (!known && std::find(unknown.begin(), unknown.end(), word) == unknown.end()) {
            unknown.push_back(word);
        }
    }
    return unknown;
}

Words Vocabulary::decode(std::span<const WordId> ids) const
{
    Words words;
    for (const WordId id : ids.first(static_cast<std::size_t>(
             std::find(ids.begin(), ids.end(), end_id) - ids.begin()))) {
        words.push_back(word(id));
    }
    return words;
}

std::string Vocabulary::to_text() const
{
    std::string lines;
    for (const std::string& word : words_) {
        lines += word + '\n';
    }
    return lines;
}

Vocabulary Vocabulary::from_text(std::string_view lines, std::string_view where)
{
    Words words;
    const auto refuse = [&](std::string_view complaint) {
        throw program::BadInput(
            fmt::format("{}, word {}: {}", where, words.size() + 1, complaint));
    };
    while (!lines.empty()) {
        const std::string_view word = program::take_line(lines);
        const std::size_t n = words.size();
        const bool must_be_special = n < static_cast<std::size_t>(unknown_id);
        if (!is_storable(word)) {
            refuse(program::in_quotes(word) + " is no word");
        }
        if (must_be_special && word != special_symbols[n]) {
            refuse(fmt::format("{} stands where {} must", program::in_quotes(word),
                               special_symbols[n]));
        }
        if (n >= special_symbols.size() && is_special_symbol(word)) {
            refuse(fmt::format("{} stands among the words", word));
        }
        words.emplace_back(word);
    }
    if (words.size() < static_cast<std::size_t>(unknown_id)) {
        refuse("the special symbols are missing");
    }
    Vocabulary vocabulary;
    vocabulary.number(std::move(words));
    if (vocabulary.id_.size() != vocabulary.size()) {
        throw program::BadInput(fmt::format("{}: a word stands twice", where));
    }
    return vocabulary;
}

std::map<std::string, std::size_t> frequencies_of(std::span<const SentencePair> pairs,
                                                  Words SentencePair::*side)
{
    std::map<std::string, std::size_t> frequencies;
    for (const SentencePair& pair : pairs) {
        for (const std::string& word : pair.*side) {
            ++frequencies[word];
        }
    }
    return frequencies;
}

} // namespace attn::text
