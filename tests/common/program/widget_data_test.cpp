/// \file
/// \brief Data that a page loads with a script tag.
#include "common/program/widget_data.hpp"
#include "tests/support/catch.hpp"

#include <limits>

using attn::Matrix;
using attn::Vector;
using attn::program::WidgetData;

TEST_CASE("widget data is a script in the order of setting", "[program]")
{
    WidgetData data;
    data.set("zeta", 1.0 / 3, 4)
        .set("label", "a \"key\"\n")
        .set("labels", std::vector<std::string>{"é", "b"})
        .set("weights", Vector{1, 0.12345, -0.0}, 3)
        .set("rows", Matrix{{1, 2}, {3, 4e-7}}, 2);
    CHECK(data.to_javascript("01_lookup_x") == R"(window.bookData = window.bookData || {};
window.bookData["01_lookup_x"] = {
  "zeta": 0.3333,
  "label": "a \"key\"\n",
  "labels": ["é","b"],
  "weights": [1,0.123,0],
  "rows": [
    [1,2],
    [3,4e-07]
  ]
};
)");
}

TEST_CASE("a name set again takes the new value in the old place", "[program]")
{
    WidgetData data;
    data.set("a", 1, 3).set("b", 2, 3).set("a", "new");
    CHECK(data.to_javascript("x") == "window.bookData = window.bookData || {};\n"
                                     "window.bookData[\"x\"] = {\n"
                                     "  \"a\": \"new\",\n"
                                     "  \"b\": 2\n};\n");
}

TEST_CASE("what is not finite is null and what is no text is replaced", "[program]")
{
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    WidgetData data;
    data.set("v", Vector{nan, inf, -inf}, 3).set("t", "\xff").set("none", Vector{}, 3);
    CHECK(data.to_javascript("x") == "window.bookData = window.bookData || {};\n"
                                     "window.bookData[\"x\"] = {\n"
                                     "  \"v\": [null,null,null],\n"
                                     "  \"t\": \"\xef\xbf\xbd\",\n"
                                     "  \"none\": []\n};\n");
}
