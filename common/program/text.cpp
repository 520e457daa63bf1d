#include "common/program/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <utility>
#include <vector>

namespace attn::program {

namespace {

/// How many bytes a character has, by its first; 0 if no character begins so.
std::size_t length_by_first_byte(unsigned char byte)
{
    if (byte < 0x80) {
        return 1;
    }
    if (byte >= 0xc2 && byte < 0xe0) {
        return 2;
    }
    if (byte >= 0xe0 && byte < 0xf0) {
        return 3;
    }
    return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

/// Calls visit(character, its bytes) for each character in turn, until it returns false.
template <class Visit>
void for_each_character(std::string_view text, Visit visit)
{
    while (!text.empty()) {
        const Character character = first_character(text);
        if (!visit(character, text.substr(0, character.n_bytes))) {
            return;
        }
        text.remove_prefix(character.n_bytes);
    }
}

/// The characters of a text, and the bytes that are none.
std::vector<std::string_view> characters_of(std::string_view text)
{
    std::vector<std::string_view> characters;
    for_each_character(text, [&](Character, std::string_view bytes) {
        characters.push_back(bytes);
        return true;
    });
    return characters;
}

} // namespace

Character first_character(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t n_bytes = length_by_first_byte(byte(0));
    if (n_bytes == 0 || n_bytes > text.size()) {
        return {};
    }
    char32_t code = n_bytes == 1 ? byte(0) : byte(0) & (0xffu >> (n_bytes + 1));
    for (std::size_t i = 1; i < n_bytes; ++i) {
        if ((byte(i) & 0xc0u) != 0x80u) {
            return {};
        }
        code = (code << 6) | (byte(i) & 0x3fu);
    }
    constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < smallest[n_bytes] || code > 0x10ffff || surrogate) {
        return {};
    }
    return {code, n_bytes, true};
}

bool is_unfinished_character(std::string_view text)
{
    return text.size() < length_by_first_byte(static_cast<unsigned char>(text[0])) &&
           std::all_of(text.begin() + 1, text.end(), [](char byte) {
               return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u;
           });
}

std::string utf8_of(char32_t code)
{
    if (code < 0x80) {
        return {static_cast<char>(code)};
    }
    const std::size_t n_bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    std::string bytes(n_bytes, '\0');
    for (std::size_t i = n_bytes - 1; i > 0; --i) {
        bytes[i] = static_cast<char>(0x80u | (code & 0x3fu));
        code >>= 6;
    }
    bytes[0] = static_cast<char>((0xf00u >> n_bytes & 0xf0u) | code);
    return bytes;
}

bool is_control(char32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

std::string_view without_byte_order_mark(std::string_view text)
{
    constexpr std::string_view mark = "\xef\xbb\xbf";
    return text.substr(text.substr(0, mark.size()) == mark ? mark.size() : 0);
}

std::string_view take_line(std::string_view& rest)
{
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
}

std::size_t display_width(std::string_view text)
{
    const std::size_t most = text.size(); // what fmt does not fill up is the text's own width
    return most + text.size() - fmt::formatted_size("{:<{}}", text, most);
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent)
{
    constexpr std::string_view blanks = " \t\r\n";
    std::string lines;
    std::size_t column = 0;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
        if (text.empty()) {
            return lines;
        }
        const std::string_view word = text.substr(0, text.find_first_of(blanks));
        const std::size_t word_width = display_width(word);
        if (lines.empty()) {
            column = word_width;
        } else if (column + 1 + word_width <= width) {
            lines += ' ';
            column += 1 + word_width;
        } else {
            lines += '\n' + std::string(indent, ' ');
            column = word_width;
        }
        lines += word;
        text.remove_prefix(word.size());
    }
}

bool is_printable(std::string_view text)
{
    bool printable = true;
    for_each_character(text, [&](Character character, std::string_view) {
        printable = character.valid && !is_control(character.code);
        return printable;
    });
    return printable;
}

std::size_t edit_distance(std::string_view a, std::string_view b)
{
    const std::vector<std::string_view> from = characters_of(a);
    const std::vector<std::string_view> to = characters_of(b);
    std::vector<std::size_t> before; // the row before the last one
    std::vector<std::size_t> last;   // distances of a's beginnings to b's
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = last[j] + (from[i] == to[j] ? 0 : 1);
            row[j + 1] = std::min({replaced, row[j] + 1, last[j + 1] + 1});
            if (i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j]) {
                row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
            }
        }
    }
    return row.back();
}

std::string in_quotes(std::string_view text, std::size_t at_most)
{
    std::string shown = "'";
    std::size_t n_shown = 0;
    for_each_character(text, [&](Character character, std::string_view bytes) {
        if (n_shown == at_most) {
            shown += "...";
            return false;
        }
        if (character.valid && !is_control(character.code)) {
            shown += bytes;
        } else {
            for (const char byte : bytes) {
                shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
            }
        }
        ++n_shown;
        return true;
    });
    return shown + "'";
}

} // namespace attn::program
