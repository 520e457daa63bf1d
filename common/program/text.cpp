#include "common/program/text.hpp"

#include "common/program/bad_input.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <utf8proc.h>
#include <utility>
#include <vector>

namespace attn::program {

namespace {

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
    utf8proc_int32_t code = 0;
    const utf8proc_ssize_t n_bytes =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                         static_cast<utf8proc_ssize_t>(text.size()), &code);
    return n_bytes < 1 ? Character()
                       : Character{static_cast<char32_t>(code),
                                   static_cast<std::size_t>(n_bytes), true};
}

bool is_unfinished_character(std::string_view text)
{
    // One to three bytes must complete it. The second byte of a character may not be any, but one
    // of the two extremes always does.
    constexpr std::size_t longest = 4;
    for (std::size_t n_bytes = text.size() + 1; n_bytes <= longest; ++n_bytes) {
        for (const char byte : {'\x80', '\xbf'}) {
            std::string whole(text);
            whole.resize(n_bytes, byte);
            if (first_character(whole).n_bytes == n_bytes) {
                return true;
            }
        }
    }
    return false;
}

std::string utf8_of(char32_t code)
{
    std::array<utf8proc_uint8_t, 4> bytes{};
    const auto n_bytes =
        utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes.data());
    return {bytes.begin(), bytes.begin() + n_bytes};
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

std::size_t length_of_line_break(std::string_view text)
{
    const bool two = text.starts_with("\r\n");
    return two ? 2 : text.starts_with('\n') || text.starts_with('\r') ? 1 : 0;
}

std::string_view take_line(std::string_view& rest)
{
    const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
    rest.remove_prefix(line.size());
    rest.remove_prefix(length_of_line_break(rest));
    return line;
}

namespace {

/// Whether text is in units of two bytes, of which one is nearly always 0, and always the same.
bool seems_utf_16(std::string_view text)
{
    std::array<std::size_t, 2> n_zeros{};
    for (std::size_t i = 0; i < text.size(); ++i) {
        n_zeros[i % 2] += text[i] == '\0' ? 1 : 0;
    }
    const auto [fewer, more] = std::minmax(n_zeros[0], n_zeros[1]);
    return fewer == 0 && more > 1 && (more * 4 > text.size() || more >= 10);
}

/// Whether a byte is a letter or a mark that people type, in Latin-1 and Windows-1252.
bool is_common_in_windows_1252(unsigned char byte)
{
    constexpr std::string_view others = "\x80\x85\x8c\x91\x92\x93\x94\x96\x97\x9c";
    return byte >= 0xa0 || others.find(static_cast<char>(byte)) != std::string_view::npos;
}

/// Whether text is mostly ASCII, and beside it has such letters and few characters of UTF-8.
bool seems_8_bit(std::string_view text)
{
    std::size_t n_foreign = 0;
    std::size_t n_common = 0;
    std::size_t n_characters = 0; // of UTF-8, beyond ASCII
    bool has_control = false;
    for_each_character(without_byte_order_mark(text), [&](Character character,
                                                          std::string_view bytes) {
        n_foreign += character.valid ? 0 : 1;
        n_common +=
            !character.valid && is_common_in_windows_1252(static_cast<unsigned char>(bytes[0]))
                ? 1
                : 0;
        n_characters += bytes.size() > 1 ? 1 : 0;
        has_control = has_control || (character.valid && character.code < 0x20 &&
                                      (character.code < '\t' || character.code > '\r'));
        return true;
    });
    return !has_control && n_foreign > n_characters && n_foreign * 10 < text.size() * 3 &&
           n_common * 4 >= n_foreign * 3;
}

} // namespace

std::string_view likely_encoding(std::string_view text)
{
    using namespace std::string_view_literals;
    if (text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv)) {
        return "UTF-32";
    }
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") || seems_utf_16(text)) {
        return "UTF-16";
    }
    return seems_8_bit(text) ? "an 8-bit encoding such as Latin-1 or Windows-1252" : "";
}

void refuse_utf_16(std::string_view text, std::string_view name)
{
    const std::string_view encoding = likely_encoding(text);
    if (encoding.starts_with("UTF")) {
        throw BadInput(
            fmt::format("{}: the file seems to be in {}; save it as UTF-8", name, encoding));
    }
}

std::size_t display_width(std::string_view text)
{
    std::size_t n_columns = 0;
    for_each_character(text, [&](Character character, std::string_view) {
        const auto code = static_cast<utf8proc_int32_t>(character.code);
        const utf8proc_category_t category = utf8proc_category(code);
        const bool stands_on_another =
            category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME ||
            (category == UTF8PROC_CATEGORY_CF && character.code != 0xad); // the soft hyphen
        const bool is_wide = utf8proc_charwidth(code) == 2;
        n_columns += stands_on_another ? 0 : is_wide ? 2 : 1;
        return true;
    });
    return n_columns;
}

std::string to_the_left(std::string_view text, std::size_t width)
{
    return std::string(text) + std::string(width - std::min(width, display_width(text)), ' ');
}

std::string to_the_right(std::string_view text, std::size_t width)
{
    return std::string(width - std::min(width, display_width(text)), ' ') + std::string(text);
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
