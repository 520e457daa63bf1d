#include "common/text/normalise.hpp"

#include "common/program/text.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace attn::text {

namespace {

constexpr char32_t first_accented = 0xc0;
constexpr char32_t capital_dotted_i = 0x130;
constexpr char32_t capital_y_diaeresis = 0x178;

/// The base letter of each character from U+00C0 to U+017F, 64 in a row; '.' for one that
/// Unicode does not take apart (version 14, NFD).
constexpr std::string_view base_letters =
    "AAAAAA.CEEEEIIII.NOOOOO..UUUUY..aaaaaa.ceeeeiiii.nooooo..uuuuy.y"
    "AaAaAaCcCcCcCcDd..EeEeEeEeEeGgGgGgGgHh..IiIiIiIiI...JjKk.LlLlLl."
    "...NnNnNn...OoOoOo..RrRrRrSsSsSsSsTtTt..UuUuUuUuUuUuWwYyYZzZzZz.";

/// The accent of each, by the letters of accent_names.
constexpr std::string_view accents =
    "gactur.sgacugacu.tgactu..gacua..gactur.sgacugacu.tgactu..gacua.u"
    "mmbbooaaccddvvvv..mmbbddoovvccbbddsscc..ttmmbbood...ccss.aassvv."
    "...aassvv...mmbbww..aassvvaaccssvvssvv..ttmmbbrrwwooccccuaaddvv.";

/// Grave, acute, circumflex, tilde, macron, breve, dot above, diaeresis (umlaut), ring, double
/// acute, caron, cedilla (sous), ogonek.
constexpr std::string_view accent_names = "gactmbdurwvso";
constexpr char32_t accent_codes[] = {0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307,
                                     0x308, 0x30a, 0x30b, 0x30c, 0x327, 0x328};

static_assert(base_letters.size() == 0x180 - first_accented);
static_assert(accents.size() == base_letters.size());
static_assert(accent_names.size() == std::size(accent_codes));

} // namespace

AccentedLetter without_accent(char32_t letter)
{
    if (letter < first_accented || letter >= first_accented + base_letters.size() ||
        base_letters[letter - first_accented] == '.') {
        return {letter, 0};
    }
    const char name = accents[letter - first_accented];
    return {static_cast<char32_t>(base_letters[letter - first_accented]),
            accent_codes[accent_names.find(name)]};
}

char32_t with_accent(char32_t base, char32_t mark)
{
    for (char32_t i = 0; mark != 0 && i < base_letters.size(); ++i) {
        const AccentedLetter letter = without_accent(first_accented + i);
        if (letter.base == base && letter.mark == mark) {
            return first_accented + i;
        }
    }
    return 0;
}

char32_t small_letter(char32_t letter)
{
    if ((letter >= U'A' && letter <= U'Z') ||
        (letter >= 0xc0 && letter <= 0xde && letter != 0xd7)) { // but not the sign of times
        return letter + 0x20;
    }
    if (letter == capital_dotted_i) {
        return U'i';
    }
    if (letter == capital_y_diaeresis) {
        return 0xff;
    }
    // Elsewhere a capital stands before its small letter, even in some stretches, odd in
    // others.
    const bool even_capitals =
        (letter >= 0x100 && letter <= 0x137) || (letter >= 0x14a && letter <= 0x177);
    const bool odd_capitals =
        (letter >= 0x139 && letter <= 0x148) || (letter >= 0x179 && letter <= 0x17e);
    const bool capital = even_capitals ? letter % 2 == 0 : odd_capitals && letter % 2 == 1;
    return capital ? letter + 1 : letter;
}

bool is_combining_accent(char32_t code)
{
    return code >= 0x300 && code <= 0x36f;
}

std::u32string small_letters(std::string_view text)
{
    constexpr char32_t replacement = 0xfffd;
    std::u32string characters;
    while (!text.empty()) {
        const program::Character character = program::first_character(text);
        text.remove_prefix(character.n_bytes);
        characters += character.valid ? small_letter(character.code) : replacement;
    }
    return characters;
}

std::u32string with_accents_joined(std::u32string_view characters)
{
    std::u32string joined;
    for (const char32_t code : characters) {
        const bool accent = is_combining_accent(code) && !joined.empty();
        if (const char32_t letter = accent ? with_accent(joined.back(), code) : 0) {
            joined.back() = letter;
        } else {
            joined += code;
        }
    }
    return joined;
}

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
