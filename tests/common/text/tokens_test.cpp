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
}
