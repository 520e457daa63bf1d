#include "common/text/normalise.hpp"

#include "common/program/text.hpp"
#include "common/tensor/check.hpp"
#include "common/text/pieces.hpp"

#include <algorithm>
#include <array>
#include <utf8proc.h>
#include <utility>
#include <vector>

namespace attn::text {

namespace {

// ---------------------------------------------------------------- what Unicode says

utf8proc_category_t category_of(char32_t code)
{
    return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

bool is_letter(char32_t code)
{
    return character_class(code) == CharacterClass::letter;
}

bool is_number(char32_t code)
{
    return character_class(code) == CharacterClass::number;
}

bool is_combining_mark(char32_t code)
{
    const utf8proc_category_t category = category_of(code);
    return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

bool is_digit(char32_t code)
{
    return category_of(code) == UTF8PROC_CATEGORY_ND;
}

char32_t small_letter(char32_t letter)
{
    return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(letter)));
}

/// A text's characters; a byte that is no UTF-8 becomes U+FFFD, which is no letter.
std::u32string characters_of(std::string_view text)
{
    constexpr char32_t replacement = 0xfffd;
    std::u32string characters;
    while (!text.empty()) {
        const program::Character character = program::first_character(text);
        text.remove_prefix(character.n_bytes);
        characters += character.valid ? character.code : replacement;
    }
    return characters;
}

/// Characters in canonical decomposition (NFD).
std::u32string decomposed(std::u32string_view characters)
{
    constexpr std::size_t most_parts = 4; // that a character has
    std::string bytes;
    for (const char32_t code : characters) {
        bytes += program::utf8_of(code);
    }
    std::vector<utf8proc_int32_t> parts(most_parts * characters.size());
    const auto n =
        utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()),
                           static_cast<utf8proc_ssize_t>(bytes.size()), parts.data(),
                           static_cast<utf8proc_ssize_t>(parts.size()), UTF8PROC_DECOMPOSE);
    expect(n >= 0 && std::cmp_less_equal(n, parts.size()), "normalise: {} is no length", n);
    return {parts.begin(), parts.begin() + n};
}

/// Characters in canonical composition (NFC).
/// \param parts  in canonical decomposition
std::u32string composed(std::u32string_view parts)
{
    std::vector<utf8proc_int32_t> buffer(parts.begin(), parts.end());
    const auto n = utf8proc_normalize_utf32(
        buffer.data(), static_cast<utf8proc_ssize_t>(buffer.size()), UTF8PROC_COMPOSE);
    expect(n >= 0, "normalise: {} is no length", n);
    return {buffer.begin(), buffer.begin() + n};
}

// ---------------------------------------------------------------- the gentle way

constexpr std::array<std::string_view, 13> elided_forms = {
    "l", "d", "n", "qu", "j", "m", "s", "t", "c", "jusqu", "lorsqu", "puisqu", "quoiqu"};
constexpr std::array<std::string_view, 6> english_endings = {"s", "m", "re", "ve", "ll", "d"};

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& list)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_joiner(char32_t code)
{
    return code == 0x200c || code == 0x200d;
}

/// Whether a character is only about how others are shown: no width, direction, variants. The
/// zero-width space is none of these, it parts words.
bool is_invisible(char32_t code)
{
    constexpr char32_t zero_width_space = 0x200b;
    const bool ignorable =
        utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->ignorable != 0;
    return (ignorable || category_of(code) == UTF8PROC_CATEGORY_CF) &&
           code != zero_width_space && !is_joiner(code);
}

/// Armenian marks of stress, exclamation and question stand over a letter of their word.
bool is_armenian_tone(char32_t code)
{
    return code == 0x55b || code == 0x55c || code == 0x55e;
}

/// The keyboard's character for one that looks like it.
char32_t from_keyboard(char32_t code)
{
    constexpr std::u32string_view apostrophes = U"\u2018\u2019\u201a";
    constexpr std::u32string_view hyphens = U"\u2010\u2011";
    return apostrophes.find(code) != std::u32string_view::npos ? U'\''
           : hyphens.find(code) != std::u32string_view::npos   ? U'-'
                                                               : code;
}

/// Characters without the joiners that change nothing: one belongs to the spelling between
/// letters of a script that joins them, which has no capitals.
std::u32string without_stray_joiners(std::u32string_view characters)
{
    std::u32string kept;
    char32_t base = 0; // the last character that is no combining mark
    for (std::size_t i = 0; i < characters.size(); ++i) {
        const char32_t code = characters[i];
        const char32_t next = i + 1 < characters.size() ? characters[i + 1] : 0;
        const utf8proc_category_t before = category_of(base);
        const bool joins = (before == UTF8PROC_CATEGORY_LO || before == UTF8PROC_CATEGORY_LM) &&
                           (is_letter(next) || is_combining_mark(next) || is_number(next));
        if (!is_joiner(code) || joins) {
            kept += code;
        }
        base = is_combining_mark(code) || is_joiner(code) ? base : code;
    }
    return kept;
}

/// Letters in their small form: at a word's end the Greek sigma has one of its own, and the dot
/// of the Turkish capital I is that of the small i.
/// \param parts  in canonical decomposition
std::u32string small_letters(std::u32string_view parts)
{
    std::u32string small;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const char32_t next = i + 1 < parts.size() ? parts[i + 1] : 0;
        const auto in_word = [](char32_t code) {
            return is_letter(code) || is_combining_mark(code);
        };
        const bool ends_word = !small.empty() && in_word(small.back()) && !in_word(next);
        if (parts[i] == U'\u03a3' && ends_word) {
            small += U'\u03c2';
        } else if (parts[i] != 0x307 || small.empty() || small.back() != U'i') {
            small += small_letter(parts[i]);
        }
    }
    return small;
}

/// A sentence's characters, small and with width only, marks as the keyboard has them.
std::u32string cleaned(std::string_view sentence)
{
    std::u32string characters = characters_of(sentence);
    std::erase_if(characters,
                  [](char32_t code) { return is_invisible(code) || is_armenian_tone(code); });
    std::transform(characters.begin(), characters.end(), characters.begin(), from_keyboard);
    // Between letters the letter apostrophe is the keyboard's; at an edge it is a letter.
    for (std::size_t i = 1; i + 1 < characters.size(); ++i) {
        if (characters[i] == 0x2bc && is_letter(characters[i - 1]) &&
            is_letter(characters[i + 1])) {
            characters[i] = U'\'';
        }
    }
    return composed(small_letters(decomposed(without_stray_joiners(characters))));
}

/// A mark or a sign that is a word, not a blank.
bool is_word_of_its_own(char32_t mark)
{
    constexpr std::u32string_view marks = U".,!?;:%&…";
    return marks.find(mark) != std::u32string_view::npos ||
           category_of(mark) == UTF8PROC_CATEGORY_SC;
}

/// Whether a mark between two letters belongs to their word: the middle dot of Catalan and the
/// hyphenation point, gershayim of Hebrew, the stretched line of Mongolian.
bool is_inner_mark(char32_t code)
{
    return code == 0xb7 || code == 0x2027 || code == 0x5f4 || code == 0x180a;
}

/// Whether a mark belongs to the word before it: geresh of Hebrew, signs of powers and charges.
bool is_ending_mark(char32_t code)
{
    return code == 0x5f3 || code == 0x207a || code == 0x207b || code == 0x208a ||
           code == 0x208b;
}

/// Words of one character that Unicode counts among the marks: the four of Burmese.
bool is_burmese_word(char32_t code)
{
    return code >= 0x104c && code <= 0x104f;
}

/// Whether the character at i belongs to a word that is being read: two hyphens are a dash, only
/// a number holds a point, and a combining mark needs what it stands on.
/// \param begun  whether a letter or a digit of that word, with its marks, stands before it
bool goes_on(const std::u32string& characters, std::size_t i, bool begun)
{
    const auto at = [&](std::size_t k) { return k < characters.size() ? characters[k] : 0; };
    const char32_t before = i == 0 ? 0 : at(i - 1);
    const char32_t after = at(i + 1);
    const char32_t code = characters[i];
    switch (code) {
    case U'\'':
        return true;
    case U'-':
        return before != U'-' && after != U'-';
    case U'.':
    case U',':
    case U':':
    case U'\u066b': // the point and the comma of Arabic numbers
    case U'\u066c':
        return is_digit(before) && is_digit(after);
    case U'\u2044': // of a fraction
        return is_number(before) && is_number(after);
    default:
        break;
    }
    if (is_combining_mark(code) || is_joiner(code)) {
        return begun;
    }
    return is_letter(code) || is_number(code) || is_burmese_word(code) ||
           (is_ending_mark(code) && begun) ||
           (is_inner_mark(code) && begun && is_letter(after));
}

void trim_front(std::string_view& chunk)
{
    chunk.remove_prefix(std::min(chunk.find_first_not_of("'-"), chunk.size()));
}

void trim_back(std::string_view& chunk)
{
    chunk = chunk.substr(0, chunk.find_last_not_of("'-") + 1);
}

/// Takes "l'" and its like off the front of a chunk, and appends them to the words. Between two
/// marks, 'l' is no elided form but a quoted letter.
void take_elided(std::string_view& chunk, Words& words)
{
    if (chunk.size() > 2 && chunk.front() == '\'' && chunk.find('\'', 1) == chunk.size() - 1) {
        trim_front(chunk);
        return;
    }
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
    for (const char32_t part : decomposed(characters_of(sentence))) {
        const char32_t letter = small_letter(part);
        if (letter == U'.' || letter == U'!' || letter == U'?') {
            spelling += {' ', static_cast<char>(letter)};
        } else if (letter >= U'a' && letter <= U'z') {
            spelling += static_cast<char>(letter);
        } else if (category_of(letter) != UTF8PROC_CATEGORY_MN) {
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
        const bool begun = chunk.find_last_not_of("'-") + 1 == chunk.size() && !chunk.empty();
        if (goes_on(characters, i, begun)) {
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
