/// \file
/// \brief A text in characters and in words, there and back.
#include "common/text/tokens.hpp"

#include "common/program/bad_input.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

using namespace attn;
using namespace attn::text;
using attn::testing::contains;
using Ids = std::vector<std::int64_t>;

TEST_CASE("characters are numbered in the order of their bytes", "[common][text]")
{
    const Tokens tokens(TokenKind::characters, "b\u00e9a b\n", "the file");
    CHECK(tokens.size() == 5); // \n, blank, a, b, é
    CHECK(tokens.encode("ab \n\u00e9") == Ids{2, 3, 1, 0, 4});
    CHECK(tokens.decode(Ids{2, 3, 1, 0, 4}) == "ab \n\u00e9");
    CHECK(tokens.encode("").empty());
    CHECK_THROWS_WITH(tokens.encode("abc"), contains("'c'"));
    CHECK_THROWS_AS(tokens.decode(Ids{5}), ContractError);
    CHECK_THROWS_AS(tokens.decode(Ids{-1}), ContractError);
}

TEST_CASE("words that occur once are one unknown word", "[common][text]")
{
    const Tokens tokens(TokenKind::words, "the cat\tsees  the cat .\nno dog .\n", "the file");
    CHECK(tokens.size() == 5); // \n, ., <unk>, cat, the
    const Ids ids = tokens.encode("the cat\nthe zebra .");
    CHECK(tokens.decode(ids) == "the cat\nthe <unk> .");
    CHECK(ids.size() == 6);
    CHECK(tokens.encode("zebra") == tokens.encode("dog"));
    CHECK(tokens.unknown("zebra the cat\nzebra dog") ==
          std::vector<std::string>{"zebra", "dog"});
    CHECK(tokens.unknown("the cat").empty());
}

TEST_CASE("a character that there is no token for is refused beside those that there are",
          "[common][text]")
{
    const Tokens tokens(TokenKind::characters, "the cat", "the file");
    CHECK_THROWS_WITH(tokens.encode("The"),
                      "there is no token for 'T': it is not in the text that was learnt from, "
                      "which has ' aceht'");
    std::string many;
    for (char32_t c = 0; c < 200; ++c) {
        many += {static_cast<char>(0xd0 + c / 64), static_cast<char>(0x80 + c % 64)};
    }
    CHECK_THROWS_WITH(Tokens(TokenKind::characters, many, "the file").encode("T"),
                      "there is no token for 'T': it is not in the text that was learnt from");
}

TEST_CASE("tokens come back from their list", "[common][text]")
{
    for (const TokenKind kind : {TokenKind::characters, TokenKind::words}) {
        const Tokens tokens(kind, "a \"quoted\" a \\ b \"quoted\"\n\u00e9", "the file");
        const Tokens again = Tokens::from_json(kind, tokens.to_json(), "the list");
        CHECK(again.size() == tokens.size());
        CHECK(again.kind() == kind);
        CHECK(again.encode("a \"quoted\"") == tokens.encode("a \"quoted\""));
    }
    for (const char* const bad :
         {"", "{}", "[]", "[1]", "[\"b\", \"a\"]", "[\"a\", \"a\"]", "["}) {
        CHECK_THROWS_WITH(Tokens::from_json(TokenKind::words, bad, "the list"),
                          contains("the list"));
    }
}

TEST_CASE("what is no text is refused", "[common][text]")
{
    CHECK_THROWS_WITH(Tokens(TokenKind::characters, "", "the file"),
                      contains("the file") && contains("empty"));
    CHECK_THROWS_WITH(Tokens(TokenKind::characters, "ab\xff", "the file"),
                      contains("byte 2") && contains("UTF-8"));
    CHECK_THROWS_WITH(Tokens(TokenKind::words, "ab \xc3", "the file"), contains("byte 3"));
    CHECK(Tokens(TokenKind::characters,
                 "\xef\xbb\xbf"
                 "ab",
                 "the file")
              .size() == 2); // its mark
    // A place is one of the file, and a guess is made where it is likely.
    CHECK_THROWS_WITH(Tokens(TokenKind::words,
                             "\xef\xbb\xbf"
                             "ab\xff\u00e9",
                             "the file"),
                      "the file: byte 5 is no part of UTF-8 text");
    CHECK_THROWS_WITH(Tokens(TokenKind::words, "Il a \xe9t\xe9 ici.", "the file"),
                      "the file: byte 5 is no part of UTF-8 text; the text seems to be in an "
                      "8-bit encoding such as Latin-1 or Windows-1252");
    CHECK_THROWS_WITH(Tokens(TokenKind::characters, std::string("a\0b\0", 4), "the file"),
                      "the file: the file seems to be in UTF-16; save it as UTF-8");
}

TEST_CASE("line breaks of all kinds are one, and white space is Unicode's", "[common][text]")
{
    for (const TokenKind kind : {TokenKind::characters, TokenKind::words}) {
        const Tokens unix(kind, "a b\na b\n\na", "the file");
        for (const std::string other : {"a b\r\na b\r\n\r\na", "a b\ra b\r\ra"}) {
            const Tokens tokens(kind, other, "the file");
            CHECK(tokens.to_json() == unix.to_json());
            CHECK(tokens.encode(other) == unix.encode("a b\na b\n\na"));
        }
    }
    const Tokens words(TokenKind::words, "a\u00a0a\u3000b b", "the file");
    CHECK(words.decode(words.encode("a\u2003b\u00a0\u3000a")) == "a b a");
}
