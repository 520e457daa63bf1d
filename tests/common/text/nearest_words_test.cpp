/// \file
/// \brief Which known words are offered for an unknown one.
#include "common/text/nearest_words.hpp"
#include "tests/support/catch.hpp"

using namespace attn::text;

namespace {

using Words = std::vector<std::string>;

const Words known = {"cat", "car", "the", "bird", "beautiful", "a", ".", "été", "carts"};

} // namespace

TEST_CASE("the nearest words come first, equally near ones as they are listed", "[text]")
{
    CHECK(nearest_words("cats", known) == Words{"cat", "carts"});
    CHECK(nearest_words("cart", known) == Words{"cat", "car", "carts"});
    CHECK(nearest_words("cart", known, 2) == Words{"cat", "car"});
    CHECK(nearest_words("teh", known) == Words{"the"});
    CHECK(nearest_words("butiful", known) == Words{"beautiful"});
    CHECK(nearest_words("éte", known) == Words{"été"});
}

TEST_CASE("what is another word is not offered", "[text]")
{
    CHECK(nearest_words("automobile", known).empty());
    CHECK(nearest_words("thing", known).empty());
    CHECK(nearest_words("x", known).empty()); // every word of one letter is as near
    CHECK(nearest_words("", known).empty());
    CHECK(nearest_words("cat", {}).empty());
    CHECK(nearest_words("cat", known, 0).empty());
}
