/// \file
/// \brief From a sentence as people write it to words: two ways, one that forgets nearly all of
/// the spelling, and a gentle one. What a letter, a mark or an accent is, and how letters become
/// small, Unicode says for all alphabets, by the library utf8proc. The rules for apostrophes are
/// made for English and French: no list of abbreviations, no stems, and no words found in
/// Chinese, Japanese or Thai, which are written without blanks.
#pragma once

#include "common/text/sentence_pair.hpp"

#include <string>
#include <string_view>

namespace attn::text {

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
/// As there, accents are what Unicode's canonical decomposition (NFD) finds of category Mn, and
/// a ligature tears its word apart: "cœur" becomes: c ur. (Later versions of the tutorial drop
/// the full stop as well.)
Words tutorial_words(std::string_view sentence);

/// The words of a sentence with their accents, in small letters.
///
/// - A word is made of letters of any alphabet with the marks that stand on them, numbers, and
///   hyphens between them: arrête-toi (Unicode's categories L, M and N, composed: NFC). A point,
///   a comma or a colon between two digits belongs to the number: 3.5.
/// - The marks . , ! ? ; : … % & and signs of money are words of their own. Whatever else is
///   neither letter nor number becomes a blank: quotation marks, brackets, dashes, symbols, and
///   the marks of other scripts, 。？ and ؟ among them.
/// - What is invisible is dropped: soft hyphens, signs of direction and of variants. A
///   zero-width joiner or non-joiner stays between letters that have no capitals, where it
///   belongs to the spelling (Persian, Sinhala); a zero-width space parts words. This is how
///   Unicode's Annex 29 parts words, and so are the few marks that stay between two letters: the
///   middle dot of col·lecció, geresh and gershayim; Armenian marks over a letter are dropped.
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
