/// \file
/// \brief Words and texts.
#include "common/text/sentence_pair.hpp"
#include "tests/support/catch.hpp"

using namespace attn::text;

TEST_CASE("a text is taken apart at its blanks and put together again", "[text]")
{
    CHECK(words_of("the king 's car .") == Words{"the", "king", "'s", "car", "."});
    CHECK(words_of(" \t a\r\n b  ") == Words{"a", "b"});
    CHECK(words_of("").empty());
    CHECK(words_of(" \n").empty());
    CHECK(text_of({"a", "b", "."}) == "a b .");
    CHECK(text_of({}).empty());
}
