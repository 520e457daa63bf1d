/// \file
/// \brief From a sentence as people write it to words: two ways, one that forgets nearly all of
/// the spelling, and a gentle one; and what both need to know of letters. Their rules fit on a
/// page and are made for English and French: no list of abbreviations, no stems, and no words
/// found in Chinese or Japanese, which are written without blanks. Accents and small forms are
/// known in two blocks of Unicode, Latin-1 and Latin Extended-A (U+00C0 to U+017F): Greek,
/// Cyrillic and Vietnamese letters are letters here, but keep their case and their accents.
#pragma once

#include "common/text/sentence_pair.hpp"

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

/// How sentences become words.
enum class Normalisation
{
    gentle,  ///< gentle_words
    tutorial ///< tutorial_words
};

/// The words of a sentence as PyTorch's tutorial "Translation with a Sequence to Sequence
/// Network and Attention" makes them: small letters, accents removed, a blank before each of
/// . ! and ?, and a blank instead of whatever is no letter from a to z and none of the three.
/// So "C'est l'Été !" becomes: c est l ete !
///
/// As there, a ligature tears its word apart: "cœur" becomes: c ur. (Later versions of the
/// tutorial drop the full stop as well.) Accents are known for the letters of the table and
/// where they are written as characters of their own; the tutorial asks a Unicode library.
Words tutorial_words(std::string_view sentence);

/// The words of a sentence with their accents, in small letters.
///
/// - A word is made of letters of any alphabet, digits, and hyphens between them: arrête-toi. A
///   point, a comma or a colon between two digits belongs to the number: 3.5.
/// - The marks . , ! ? ; : … % & and signs of money are words of their own. Other marks
///   (quotation marks, brackets, dashes) become blanks; characters without width are dropped.
/// - French elided forms are words of their own, with their apostrophe: l' d' n' qu' j' m' s'
///   t' c', jusqu' lorsqu' puisqu' quoiqu'. So are the English endings 's 'm 're 've 'll 'd.
///   Any other apostrophe between letters stays: aujourd'hui, don't, o'clock. Apostrophes at
///   the edge of a word become blanks, since they may be quotation marks.
///
/// Typographic apostrophes and hyphens are read as those of the keyboard. What comes out,
/// joined by blanks and put in again, comes out unchanged; so do sentences of our own grammar.
Words gentle_words(std::string_view sentence);

/// The words of a sentence.
Words normalised_words(std::string_view sentence, Normalisation normalisation);

} // namespace attn::text
