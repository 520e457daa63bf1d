#include "common/text/normalise.hpp"

#include "common/program/text.hpp"
#include "common/text/latin.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace attn::text {

namespace {

constexpr std::array<std::string_view, 13> elided_forms = {
    "l", "d", "n", "qu", "j", "m", "s", "t", "c", "jusqu", "lorsqu", "puisqu", "quoiqu"};
constexpr std::array<std::string_view, 6> english_endings = {"s", "m", "re", "ve", "ll", "d"};

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& list)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_digit_character(char32_t code)
{
    return code >= U'0' && code <= U'9';
}

/// Letters of any alphabet and digits: beyond ASCII whatever is not known to be a mark.
bool is_word_character(char32_t code)
{
    if (code < 0xc0) {
        return is_digit_character(code) || (code >= U'a' && code <= U'z') ||
               (code >= U'A' && code <= U'Z') || code == 0xaa || code == 0xb5 || code == 0xba;
    }
    const bool sign = code == 0xd7 || code == 0xf7 || (code >= 0x2000 && code <= 0x2bff);
    const bool eastern_mark =
        (code >= 0x3000 && code <= 0x303f) || (code >= 0xfe10 && code <= 0xff0f);
    const bool no_text = (code >= 0xe000 && code <= 0xf8ff) || code == 0xfffd;
    const bool emoji = code >= 0x1f000 && code <= 0x1faff;
    return !sign && !eastern_mark && !no_text && !emoji;
}

bool is_word_of_its_own(char32_t mark)
{
    constexpr std::u32string_view marks = U".,!?;:%&$£¥€…";
    return marks.find(mark) != std::u32string_view::npos;
}

bool has_no_width(char32_t code)
{
    return code == 0xad || (code >= 0x200b && code <= 0x200f) || code == 0x2060 ||
           (code >= 0xfe00 && code <= 0xfe0f) || code == 0xfeff;
}

/// The keyboard's character for one that looks like it.
char32_t from_keyboard(char32_t code)
{
    constexpr std::u32string_view apostrophes = U"\u2018\u2019\u02bc";
    constexpr std::u32string_view hyphens = U"\u2010\u2011";
    return apostrophes.find(code) != std::u32string_view::npos ? U'\''
           : hyphens.find(code) != std::u32string_view::npos   ? U'-'
                                                               : code;
}

/// A sentence's characters, small and with width only, marks as the keyboard has them.
std::u32string cleaned(std::string_view sentence)
{
    std::u32string characters = small_letters(sentence);
    std::erase_if(characters, has_no_width);
    std::transform(characters.begin(), characters.end(), characters.begin(), from_keyboard);
    return with_accents_joined(characters);
}

/// Whether the character at i belongs to a word that is being read: two hyphens are a dash, and
/// only a number holds a point.
bool goes_on(const std::u32string& characters, std::size_t i)
{
    const auto at = [&](std::size_t k) { return k < characters.size() ? characters[k] : 0; };
    const char32_t before = i == 0 ? 0 : at(i - 1);
    const char32_t after = at(i + 1);
    switch (characters[i]) {
    case U'\'':
        return true;
    case U'-':
        return before != U'-' && after != U'-';
    case U'.':
    case U',':
    case U':':
        return is_digit_character(before) && is_digit_character(after);
    default:
        return is_word_character(characters[i]);
    }
}

void trim_front(std::string_view& chunk)
{
    chunk.remove_prefix(std::min(chunk.find_first_not_of("'-"), chunk.size()));
}

void trim_back(std::string_view& chunk)
{
    chunk = chunk.substr(0, chunk.find_last_not_of("'-") + 1);
}

/// Takes "l'" and its like off the front of a chunk, and appends them to the words.
void take_elided(std::string_view& chunk, Words& words)
{
    while (true) {
        trim_front(chunk);
        const std::size_t apostrophe = chunk.find('\'');
        if (apostrophe == std::string_view::npos ||
            !is_one_of(chunk.substr(0, apostrophe), elided_forms)) {
            return;
        }
        words.emplace_back(chunk.substr(0, apostrophe + 1));
        chunk.remove_prefix(apostrophe + 1);
    }
}

/// Takes "'s" and its like off the back of a chunk.
/// \returns the endings, the last first
Words take_endings(std::string_view& chunk)
{
    Words endings;
    while (true) {
        trim_back(chunk);
        const std::size_t apostrophe = chunk.rfind('\'');
        if (apostrophe == std::string_view::npos ||
            !is_one_of(chunk.substr(apostrophe + 1), english_endings)) {
            return endings;
        }
        endings.emplace_back(chunk.substr(apostrophe));
        chunk = chunk.substr(0, apostrophe);
    }
}

/// Appends the words of a chunk: what stands between blanks and marks, apostrophes included.
void append_words_of_chunk(std::string_view chunk, Words& words)
{
    const bool bare_ending =
        chunk.size() > 1 && chunk[0] == '\'' && is_one_of(chunk.substr(1), english_endings);
    if (bare_ending) {
        words.emplace_back(chunk);
        return;
    }
    take_elided(chunk, words);
    const Words endings = take_endings(chunk);
    if (!chunk.empty()) {
        words.emplace_back(chunk);
    }
    words.insert(words.end(), endings.rbegin(), endings.rend());
}

} // namespace

Words tutorial_words(std::string_view sentence)
{
    std::string spelling;
    for (const char32_t character : small_letters(sentence)) {
        const char32_t letter = without_accent(character).base;
        if (letter == U'.' || letter == U'!' || letter == U'?') {
            spelling += {' ', static_cast<char>(letter)};
        } else if (letter >= U'a' && letter <= U'z') {
            spelling += static_cast<char>(letter);
        } else if (!is_combining_accent(letter)) {
            spelling += ' ';
        }
    }
    return words_of(spelling);
}

Words gentle_words(std::string_view sentence)
{
    const std::u32string characters = cleaned(sentence);
    Words words;
    std::string chunk;
    for (std::size_t i = 0; i < characters.size(); ++i) {
        if (goes_on(characters, i)) {
            chunk += program::utf8_of(characters[i]);
            continue;
        }
        append_words_of_chunk(chunk, words);
        chunk.clear();
        if (is_word_of_its_own(characters[i])) {
            words.push_back(program::utf8_of(characters[i]));
        }
    }
    append_words_of_chunk(chunk, words);
    return words;
}

Words normalised_words(std::string_view sentence, Normalisation normalisation)
{
    return normalisation == Normalisation::tutorial ? tutorial_words(sentence)
                                                    : gentle_words(sentence);
}

} // namespace attn::text
