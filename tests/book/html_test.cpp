/// \file
/// \brief The checks read a page as a browser does, and know a formula from other text.
#include "tests/book/checks.hpp"

#include "tests/support/catch.hpp"

#include <string>

TEST_CASE("formulas are counted outside code, whatever their brackets", "[book][planted]")
{
    const auto count = [](const std::string& body) {
        return attn::book::formula_count(attn::book::parse_html(body));
    };
    CHECK(count("<p>\\( a \\) and \\[ b \\]</p>\\begin{align} c \\end{align}") == 3);
    CHECK(count("<p>\\( a &lt; b \\)\\( c \\)</p><code>\\( d \\)</code>") == 2);
    CHECK(count("<p>no formula \\( here</p><!-- \\( e \\) --><script>\"\\( f \\)\"</script>") ==
          0);
}

TEST_CASE("a page is read as a browser reads it", "[book][planted]")
{
    const attn::book::Node page = attn::book::parse_html(
        "<p>a &lt; b<br>c\n<div id=x class='u v'>&#8211;&amp;amp;</div></p>"
        "<script>if (a < b) { s = \"</p>\"; }</script><img src=\"a b.png\"/>d");
    REQUIRE(page.children.size() == 5);
    CHECK(text_of(page.children[0]) == "a < bc\n");
    CHECK(attribute(page.children[1], "id") == "x");
    CHECK(page.children[1].line == 2);
    CHECK(has_class(page.children[1], "v"));
    CHECK_FALSE(has_class(page.children[1], "w"));
    CHECK(text_of(page.children[1]) == "–&amp;");
    CHECK(text_of(page.children[2]) == "if (a < b) { s = \"</p>\"; }");
    CHECK(attribute(page.children[3], "src") == "a b.png");
    CHECK(page.children[4].text == "d");
}
