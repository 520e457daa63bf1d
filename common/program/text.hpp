/// \file
/// \brief Text as a terminal sees it: its width, its lines, and foreign bytes made visible. Of
/// emoji built from several characters and of bidirectional text it knows nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn::program {

/// One character of a text, or one byte that is none.
struct Character
{
    char32_t code = 0;       ///< its number in Unicode; 0 for a byte that is no character
    std::size_t n_bytes = 1; ///< how many bytes of the text it takes
    bool valid = false;      ///< false for a byte that is no character
};

/// The character at the beginning of a text.
/// \param text  any bytes, at least one
/// \returns     the character, or the first byte if no character begins there
Character first_character(std::string_view text);

/// Whether a text is the beginning of a character whose last bytes are still to come.
/// \param text  any bytes, at least one
bool is_unfinished_character(std::string_view text);

/// A character as UTF-8.
/// \param code  its number in Unicode, at most 0x10ffff
std::string utf8_of(char32_t code);

/// Whether a character is a control character: a line break, a tab, an escape.
/// \returns true below the blank, and from delete to the end of the second control block
bool is_control(char32_t code);

/// A text without the mark with which some programs begin UTF-8 files.
std::string_view without_byte_order_mark(std::string_view text);

/// The line break with which a text begins: LF, CR LF, or CR, as old programs write it.
/// \returns its bytes; 0 if there is none
std::size_t length_of_line_break(std::string_view text);

/// Takes the first line off a text.
/// \param rest  not empty; what follows the line break, afterwards
/// \returns     the line without its break
std::string_view take_line(std::string_view& rest);

/// How text that is not UTF-8 seems to be encoded, for a message: a guess, and none unless it is
/// likely.
/// \param text  any bytes, all of the file
/// \returns     "UTF-16", "UTF-32" or "an 8-bit encoding such as Latin-1 or Windows-1252"; empty
///              if that cannot be told, or if the text seems to be UTF-8
std::string_view likely_encoding(std::string_view text);

/// Refuses a file of which no line could be read.
/// \param name  the file's, for the message
/// \throws BadInput if the text seems to be UTF-16 or UTF-32
void refuse_utf_16(std::string_view text, std::string_view name);

/// How many columns of a terminal a text takes: Chinese, Japanese and Korean characters and most
/// emoji 2, a mark that stands on a letter and what is invisible 0, everything else 1, and so does
/// a byte that is no UTF-8.
std::size_t display_width(std::string_view text);

/// A text with blanks behind it, or before it, so that it takes a number of columns.
/// \param width  columns; a wider text stays as it is
std::string to_the_left(std::string_view text, std::size_t width);
/// \copydoc to_the_left
std::string to_the_right(std::string_view text, std::size_t width);

/// Breaks a text into lines at its blanks.
/// \param text    UTF-8; runs of blanks and line breaks count as one blank
/// \param width   the longest line, without its indent; a longer word has a line of its own
/// \param indent  blanks before every line but the first
/// \returns       the lines, joined by line breaks, none at the end
std::string wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

/// Whether a text is clean: valid UTF-8 without control characters.
bool is_printable(std::string_view text);

/// How many characters must be put in, left out, replaced or swapped with their neighbour to make
/// one text of another.
/// \param a, b  any bytes; one that is no character counts as one
std::size_t edit_distance(std::string_view a, std::string_view b);

/// How many characters of a path an error message shows.
inline constexpr std::size_t longest_path = 1000;

/// A reader's text as it stands in an error message: control characters and bytes that
/// are no UTF-8 are escaped as \\x00, and what is long is cut.
/// \param at_most  how many characters are shown before "..."
std::string in_quotes(std::string_view text, std::size_t at_most = 40);

} // namespace attn::program
