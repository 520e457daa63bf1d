#include "common/grammar/morphology.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace attn::text {

namespace {

using lexicon::Article;

/// A form and what becomes of it.
struct FormChange
{
    std::string_view from;
    std::string_view to;
};

constexpr std::array before_vowels = {
    FormChange{"le", "l'"},  FormChange{"la", "l'"},   FormChange{"de", "d'"},
    FormChange{"ne", "n'"},  FormChange{"que", "qu'"}, FormChange{"je", "j'"},
    FormChange{"me", "m'"},  FormChange{"ce", "cet"},  FormChange{"ma", "mon"},
    FormChange{"sa", "son"},
};

/// The form of a word before a vowel.
std::string_view form_before_vowel(const FrenchWord& word)
{
    if (!word.before_vowel.empty()) {
        return word.before_vowel;
    }
    for (const FormChange& change : before_vowels) {
        if (change.from == word.text) {
            return change.to;
        }
    }
    return word.text;
}

/// What a preposition and the word behind it merge into, if they do.
std::optional<std::string_view> contraction(const FrenchWord& word, const FrenchWord& next)
{
    const bool de = word.text == "de";
    if ((!de && word.text != "à") || next.article != Article::definite) {
        return std::nullopt;
    }
    if (next.text == "le") {
        return de ? "du" : "au";
    }
    if (next.text == "les") {
        return de ? "des" : "aux";
    }
    return std::nullopt;
}

} // namespace

bool begins_with_vowel(std::string_view word)
{
    constexpr std::array<std::string_view, 13> beginnings = {"a", "e", "i", "o", "u", "h", "é",
                                                             "è", "ê", "â", "î", "ô", "û"};
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [word](std::string_view letter) { return word.starts_with(letter); });
}

std::vector<FrenchWord> fit_together(std::vector<FrenchWord> words)
{
    std::vector<FrenchWord> fitted; // from the last word to the first
    fitted.reserve(words.size());
    for (auto word = words.rbegin(); word != words.rend(); ++word) {
        if (!fitted.empty()) {
            FrenchWord& next = fitted.back();
            if (begins_with_vowel(next.text)) {
                word->text = form_before_vowel(*word);
            }
            if (word->text == "si" && (next.text == "il" || next.text == "ils")) {
                word->text = "s'";
            }
            if (const auto merged = contraction(*word, next)) {
                word->text = *merged;
                word->sure.insert(word->sure.end(), next.sure.begin(), next.sure.end());
                word->possible.insert(word->possible.end(), next.possible.begin(),
                                      next.possible.end());
                fitted.pop_back();
            }
        }
        fitted.push_back(std::move(*word));
    }
    std::reverse(fitted.begin(), fitted.end());
    return fitted;
}

} // namespace attn::text
