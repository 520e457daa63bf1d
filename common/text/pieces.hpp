/// \file
/// \brief The pieces of a text inside which GPT-2 merges bytes to tokens: a word, a number or a
/// run of marks, each with the blank before it, and white space. Deliberately this one rule:
/// other models cut their texts otherwise, and have learnt so.
#pragma once

#include <string_view>
#include <vector>

namespace attn::text {

/// The classes of characters between which a text is cut.
enum class CharacterClass
{
    letter,      ///< Unicode's categories Lu, Ll, Lt, Lm and Lo
    number,      ///< Nd, Nl and No
    white_space, ///< Unicode's property of this name, 25 characters
    other        ///< all else: marks, signs, accents that are characters of their own
};

/// The class of a character.
/// \param code  its number in Unicode
CharacterClass character_class(char32_t code);

/// Cuts a text as GPT-2's encoder does (\cite radford2019, section 2.2), which states the rule as
/// a regular expression. At each position it takes the first of these that is there:
///
/// 1. 's 't 're 've 'm 'll or 'd, whatever follows;
/// 2. a run of letters, of numbers or of others, with one blank before it if there is one;
/// 3. a run of white space: all of it at the end of the text, else all but its last character,
///    or that one if it has no other.
///
/// \param text  any bytes; one that is no part of a character of UTF-8 counts as other
/// \returns     the pieces, none empty; one after the other they are the text, into which they
///              point
std::vector<std::string_view> split_into_pieces(std::string_view text);

} // namespace attn::text
