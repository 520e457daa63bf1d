#include "common/text/latin.hpp"

#include "common/program/text.hpp"

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

} // namespace attn::text
