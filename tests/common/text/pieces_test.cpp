/// \file
/// \brief The pieces of a text: the published rule, and what holds of any bytes.
#include "common/text/pieces.hpp"

#include "common/program/text.hpp"
#include "common/random/random.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <string>

using attn::random::Generator;
using namespace attn::program;
using namespace attn::text;

namespace {

using Pieces = std::vector<std::string_view>;

/// The classes of a piece's characters, each once, in their order.
std::vector<CharacterClass> classes_in(std::string_view piece)
{
    std::vector<CharacterClass> classes;
    while (!piece.empty()) {
        const Character character = first_character(piece);
        const CharacterClass kind =
            character.valid ? character_class(character.code) : CharacterClass::other;
        if (std::find(classes.begin(), classes.end(), kind) == classes.end()) {
            classes.push_back(kind);
        }
        piece.remove_prefix(character.n_bytes);
    }
    return classes;
}

/// A text of what the rule is about, and of bytes that are no character.
std::string random_text(Generator& rng)
{
    const std::vector<std::string> parts = {" ",      " ",      "  ",
                                            "\t",     "\n",     "\u00a0",
                                            "\u3000", "a",      "e\u0301",
                                            "Z",      "\u00e9", "\u6ce8",
                                            "\u0660", "\u00b2", "7",
                                            "'",      ".",      "!?",
                                            "s",      "ll",     "\ufeff",
                                            "\u2014", "\xff",   "\xe2",
                                            "\x80",   "'",      std::string(1, '\0')};
    std::string text;
    for (std::uint64_t n = rng.below(20); n > 0; --n) {
        text += parts[rng.below(parts.size())];
    }
    return text;
}

} // namespace

TEST_CASE("white space is Unicode's 25 characters", "[text]")
{
    const std::u32string white_space =
        U"\u0009\u000a\u000b\u000c\u000d\u0020\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004"
        U"\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
    std::u32string found;
    for (char32_t code = 0; code <= 0x10ffff; ++code) {
        if (character_class(code) == CharacterClass::white_space) {
            found += code;
        }
    }
    CHECK(found == white_space);
}

TEST_CASE("letters and numbers are those of every script", "[text]")
{
    // Of each category one: Lu, Ll, Lt, Lm, Lo; Nd, Nl, No; then marks, signs, what is formatting.
    for (const char32_t code : U"A\u00e9\u01c5\u02b0\u6ce8\u00aa\u10d0\U0001d400") {
        CHECK((code == 0 || character_class(code) == CharacterClass::letter));
    }
    for (const char32_t code : U"7\u0660\u2167\u00b2\u00bd\uff10") {
        CHECK((code == 0 || character_class(code) == CharacterClass::number));
    }
    for (const char32_t code :
         U"'_$+\u0301\u0903\u20dd\u200b\ufeff\u001c\u001f\u180e\ue000\U0001f600") {
        CHECK(character_class(code) == CharacterClass::other);
    }
}

TEST_CASE("a text is cut as the published rule says", "[text]")
{
    CHECK(split_into_pieces("").empty());
    CHECK(split_into_pieces("I'm  two\n\n x") == Pieces{"I", "'m", " ", " two", "\n\n", " x"});
    CHECK(split_into_pieces("\t\tx") == Pieces{"\t", "\t", "x"});
    CHECK(split_into_pieces("e\u0301") == Pieces{"e", "\u0301"});
    CHECK(split_into_pieces("It's 1,234.5 (\u00e9t\u00e9)") ==
          Pieces{"It", "'s", " 1", ",", "234", ".", "5", " (", "\u00e9t\u00e9", ")"});
    CHECK(split_into_pieces("a1\u0660\u00b2b") == Pieces{"a", "1\u0660\u00b2", "b"});
}

TEST_CASE("an apostrophe takes seven endings with it, whatever follows", "[text]")
{
    CHECK(split_into_pieces("'sup") == Pieces{"'s", "up"});
    CHECK(split_into_pieces("'s't're've'm'll'd") ==
          Pieces{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"});
    CHECK(split_into_pieces("'S") == Pieces{"'", "S"});
    CHECK(split_into_pieces("'l'r'v'x") == Pieces{"'", "l", "'", "r", "'", "v", "'", "x"});
    CHECK(split_into_pieces(" 's") == Pieces{" '", "s"});
    CHECK(split_into_pieces("''s") == Pieces{"''", "s"});
    CHECK(split_into_pieces("'") == Pieces{"'"});
}

TEST_CASE("of white space the last character goes with what follows", "[text]")
{
    CHECK(split_into_pieces("a   b") == Pieces{"a", "  ", " b"});
    CHECK(split_into_pieces("a \n b") == Pieces{"a", " \n", " b"});
    CHECK(split_into_pieces("a\n\nb") == Pieces{"a", "\n", "\n", "b"});
    CHECK(split_into_pieces("a \t") == Pieces{"a", " \t"});
    CHECK(split_into_pieces(" ") == Pieces{" "});
    CHECK(split_into_pieces("a \u00a0x") == Pieces{"a", " ", "\u00a0", "x"});
    CHECK(split_into_pieces("\u3000\u3000x") == Pieces{"\u3000", "\u3000", "x"});
    CHECK(split_into_pieces("a\u0085\ufeff") == Pieces{"a", "\u0085", "\ufeff"});
}

TEST_CASE("a byte that is no character is a mark", "[text]")
{
    CHECK(split_into_pieces("a\xff.\xe2\x80 b") == Pieces{"a", "\xff.\xe2\x80", " b"});
    CHECK(split_into_pieces(" \xc3") == Pieces{" \xc3"});
}

TEST_CASE("pieces are the text, and each is of one class", "[text][property]")
{
    Generator rng(1);
    for (int trial = 0; trial < 5000; ++trial) {
        const std::string text = random_text(rng);
        std::string joined;
        for (std::string_view piece : split_into_pieces(text)) {
            CAPTURE(in_quotes(text, 100), in_quotes(piece));
            REQUIRE_FALSE(piece.empty());
            joined += piece;
            const std::vector<CharacterClass> classes = classes_in(piece);
            using enum CharacterClass;
            const bool contraction = piece[0] == '\'' && classes == std::vector{other, letter};
            const bool after_blank = piece[0] == ' ' && classes.size() == 2 &&
                                     classes[1] != white_space &&
                                     classes_in(piece.substr(1)).size() == 1;
            CHECK((classes.size() == 1 || contraction || after_blank));
        }
        CHECK(joined == text);
    }
}
