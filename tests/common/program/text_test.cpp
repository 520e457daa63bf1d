/// \file
/// \brief Widths, lines, and foreign bytes made visible.
#include "common/program/text.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace attn::program;

TEST_CASE("width is counted in columns of the terminal", "[program]")
{
    CHECK(display_width("") == 0);
    CHECK(display_width("abc") == 3);
    CHECK(display_width("évêque") == 6);
    CHECK(display_width("注意") == 4);
    CHECK(display_width("░▒▓█") == 4);
    CHECK(display_width("\xff\xfe") == 2);
    CHECK(display_width("\xc3") == 1);
    CHECK(display_width("e\u0301te\u0301") == 3);
    CHECK(display_width("\u0e40\u0e14\u0e47\u0e01") == 3);             // Thai, a mark above
    CHECK(display_width("\u0939\u093f\u0928\u094d\u0926\u0940") == 5); // Hindi, one that joins
    CHECK(display_width("\u0645\u064e\u062f\u0652") == 2);             // Arabic, vowels
    CHECK(display_width("\ud55c\uff21\u3005") == 6);
    CHECK(display_width("\U0001f680\u2705") == 4);
    CHECK(display_width("a\u200bb\u00ad") == 3);
    CHECK(to_the_left("e\u0301", 3) == "e\u0301  ");
    CHECK(to_the_right("\u6ce8", 3) == " \u6ce8");
    CHECK(to_the_right("abc", 2) == "abc");
}

TEST_CASE("text is broken at its blanks", "[program]")
{
    CHECK(wrap("one two three", 7) == "one two\nthree");
    CHECK(wrap("one two three", 6, 2) == "one\n  two\n  three");
    CHECK(wrap("  one \n two  ", 20) == "one two");
    CHECK(wrap("a-very-long-word b", 4) == "a-very-long-word\nb");
    CHECK(wrap("", 10).empty());
    CHECK(wrap("éé éé", 5) == "éé éé");
}

TEST_CASE("no line is wider than asked and no word is lost", "[program][property]")
{
    std::string text;
    for (int i = 0; i < 200; ++i) {
        text += std::string(1 + static_cast<std::size_t>(i * 7 % 9), 'a') + " ";
    }
    const std::size_t width = GENERATE(9u, 10u, 40u, 78u);
    std::string lines = wrap(text, width);
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        CHECK(end - begin <= width);
        begin = end + 1;
    }
    std::replace(lines.begin(), lines.end(), '\n', ' ');
    CHECK(lines + " " == text);
}

TEST_CASE("lines are taken off a text one by one, each break a line's end", "[program]")
{
    const auto lines = [](std::string_view text) {
        std::vector<std::string> taken;
        while (!text.empty()) {
            taken.emplace_back(take_line(text));
        }
        return taken;
    };
    using Lines = std::vector<std::string>;
    CHECK(lines("") == Lines{});
    CHECK(lines("\n") == Lines{""});
    CHECK(lines("a\n\nb c\n") == Lines{"a", "", "b c"});
    CHECK(lines("a\r\n\r\nb c\r\n") == Lines{"a", "", "b c"});
    CHECK(lines("a\r\rb c\r") == Lines{"a", "", "b c"});
    CHECK(lines("a\r\r\nb\n\rc") == Lines{"a", "", "b", "", "c"});
    CHECK(lines("a\nb") == Lines{"a", "b"});
}

TEST_CASE("an encoding is guessed only where it is likely", "[program]")
{
    const std::string windows_1252 = "an 8-bit encoding such as Latin-1 or Windows-1252";
    const auto in_utf_16 = [](std::u16string_view text, bool big_endian) {
        std::string bytes;
        for (const char16_t unit : text) {
            const char high = static_cast<char>(unit >> 8U);
            const char low = static_cast<char>(unit & 0xffU);
            bytes += big_endian ? std::string{high, low} : std::string{low, high};
        }
        return bytes;
    };
    const std::vector<std::pair<std::string, std::string>> texts = {
        {"", ""},
        {"plain", ""},
        {"\u00e9t\u00e9 \u6ce8\u610f", ""},
        {"L'\xe9t\xe9 \x93 \xe0 la plage \x94", windows_1252},
        {"na\xefve", windows_1252},
        {"\u00e9t\u00e9, cut: \xc3", ""},               // UTF-8, damaged
        {"\x8e\x8ft\x8e il a", ""},                     // of an old Mac
        {"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0", ""}, // Cyrillic
        {"a\x01\x02 long text \xe9", ""},               // no text at all
        {std::string("a\0b", 3), ""},
        {in_utf_16(u"Go.\tVa !\n", false), "UTF-16"},
        {in_utf_16(u"Go.\tVa !\n", true), "UTF-16"},
        {in_utf_16(u"\ufeff\u043c\u0438\u0440", false), "UTF-16"},
        {in_utf_16(u"\ufeff\u043c\u0438\u0440", true), "UTF-16"},
        {in_utf_16(u"\u043c \u043c \u043c \u043c \u043c \u043c \u043c, \u043c. \u043c.", false),
         "UTF-16"},
        {std::string("\xff\xfe\0\0a\0\0\0", 8), "UTF-32"},
    };
    for (const auto& [text, encoding] : texts) {
        INFO(in_quotes(text));
        CHECK(likely_encoding(text) == encoding);
    }
}

TEST_CASE("only clean text is printed as it is", "[program]")
{
    CHECK(is_printable("été 注意"));
    CHECK(is_printable(""));
    const std::string bad = GENERATE(
        std::string("a\0b", 3), std::string("\n"), std::string("\x1b[31m"), std::string("\xff"),
        std::string("\xc0\x80"), std::string("\xed\xa0\x80"), std::string("\xf4\x90\x80\x80"),
        std::string("\xe0\x80\xaf"), std::string("\xf0\x80\x80\xaf"), std::string("\xe2\x82"),
        std::string("\x7f"), std::string("\xc2\x85"));
    CHECK_FALSE(is_printable(bad));
    CHECK(is_printable(in_quotes(bad)));
}

TEST_CASE("foreign text in a message is escaped and cut", "[program]")
{
    CHECK(in_quotes("abc") == "'abc'");
    CHECK(in_quotes("été") == "'été'");
    CHECK(in_quotes(std::string("a\0\xff\n", 4)) == "'a\\x00\\xff\\x0a'");
    CHECK(in_quotes("\x1b[31m") == "'\\x1b[31m'");
    CHECK(in_quotes("abcdef", 3) == "'abc...'");
    CHECK(in_quotes("abc", 3) == "'abc'");
    CHECK(in_quotes(std::string(100000, 'x')).size() < 50);
}

TEST_CASE("characters and their bytes go back to each other", "[program][property]")
{
    for (char32_t code = 0; code < 0x110000; code += code < 0x11000 ? 1 : 251) {
        if (code >= 0xd800 && code < 0xe000) {
            continue; // halves of characters of UTF-16
        }
        const std::string bytes = utf8_of(code);
        const Character character = first_character(bytes + "x");
        REQUIRE(character.valid);
        REQUIRE(character.code == code);
        REQUIRE(character.n_bytes == bytes.size());
        REQUIRE(is_printable(bytes) == !is_control(code));
    }
    CHECK(utf8_of(0xe9) == "é");
    CHECK(utf8_of(0x10ffff) == "\xf4\x8f\xbf\xbf");
    CHECK_FALSE(first_character("\xc3").valid);
    CHECK(without_byte_order_mark("\xef\xbb\xbf"
                                  "a") == "a");
    CHECK(without_byte_order_mark("\xef\xbb") == "\xef\xbb");
}

TEST_CASE("slips between two texts are counted by characters", "[program]")
{
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("", "cat") == 3);
    CHECK(edit_distance("cats", "") == 4);
    CHECK(edit_distance("cat", "cats") == 1);
    CHECK(edit_distance("cat", "car") == 1);
    CHECK(edit_distance("brid", "bird") == 1); // two neighbours swapped are one slip
    CHECK(edit_distance("rbid", "bird") == 2);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("été", "ete") == 2); // characters, not bytes
    CHECK(edit_distance("\xff", "\xfe") == 1);
}
