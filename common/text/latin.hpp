/// \file
/// \brief The letters of Western and Central European languages: large and small, with accents
/// and without. The table covers two blocks of Unicode, Latin-1 and Latin Extended-A (U+00C0 to
/// U+017F): Greek, Cyrillic and Vietnamese letters are letters here, but have no small forms
/// and keep their accents.
#pragma once

#include <string>
#include <string_view>

namespace attn::text {

/// A letter taken apart as Unicode's canonical decomposition does it.
struct AccentedLetter
{
    char32_t base; ///< the letter without its accent
    char32_t mark; ///< the combining accent; 0 if the letter has none
};

/// A letter and its accent.
/// \returns for instance e and U+0301 for é; the character itself and 0 for what the table does
///          not hold, œ and ø among them, which are letters of their own
AccentedLetter without_accent(char32_t letter);

/// The opposite of without_accent.
/// \returns the one character that is both, 0 if the table holds none
char32_t with_accent(char32_t base, char32_t mark);

/// A small letter.
/// \returns its small form if it stands in ASCII or the table, else the character itself
char32_t small_letter(char32_t letter);

/// Whether a character is an accent that is written over or under the one before it.
/// \returns true from U+0300 to U+036F
bool is_combining_accent(char32_t code);

/// The characters of a text in small letters.
/// \param text  UTF-8; a byte that is not becomes U+FFFD
std::u32string small_letters(std::string_view text);

/// Characters with each accent that follows its letter joined with it, where the table can.
std::u32string with_accents_joined(std::u32string_view characters);

} // namespace attn::text
