/// \file
/// \brief Shades stand for weights: queries down, keys across.
#include "common/program/heat_map.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <limits>

using attn::Matrix;
using attn::program::HeatMap;
using attn::program::render;
using attn::testing::contains;

namespace {

HeatMap bare(const Matrix& weights)
{
    return {weights, {}, "", "", {}};
}

std::string first_line(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

} // namespace

TEST_CASE("each weight has the nearest of five shades", "[program]")
{
    const Matrix weights{{0, 0.25, 0.5, 0.75, 1}, {0.12, 0.13, 0.37, 0.38, 0.88}};
    const HeatMap map{weights, {"near", "far"}, "query", "key", {"a", "b", "c", "d", "long"}};
    CHECK(render(map) == "query ↓  key →\n"
                         "            a    b    c    d long\n"
                         "   near │     ░░░░ ▒▒▒▒ ▓▓▓▓ ████│\n"
                         "    far │     ░░░░ ░░░░ ▒▒▒▒ ████│\n"
                         "█ 1, the largest; ▓ 3/4, ▒ 1/2, ░ 1/4 of it; blank: below 1/8\n");
}

TEST_CASE("the darkest shade is the largest weight, however small", "[program][property]")
{
    for (const double scale : {1e-300, 1e-3, 1.0, 1e300}) {
        const Matrix weights = scale * Matrix{{1, 0.5, 0}};
        CHECK(first_line(render(bare(weights))) == " │██▒▒  │");
    }
}

TEST_CASE("keys that do not fit are summed with their neighbours", "[program]")
{
    const Matrix weights = xt::ones<double>({1, 7}); // summed by threes: 3, 3, 1
    const std::string lines = render(bare(weights), 3);
    CHECK(first_line(lines) == " │██░│");
    CHECK_THAT(lines, contains("each column is the sum of 3 neighbouring keys\n"));
    CHECK_THAT(lines, contains("█ 3, the largest"));
}

TEST_CASE("no line of blocks is wider than asked", "[program][property]")
{
    const std::size_t n_keys = GENERATE(1u, 2u, 31u, 32u, 33u, 64u, 65u, 1000u);
    HeatMap map = bare(xt::ones<double>({std::size_t{1}, n_keys}));
    const std::size_t frame = 3;
    CHECK(attn::program::display_width(first_line(render(map))) <= 64 + frame);

    map.column_labels.assign(n_keys, "label");
    CHECK(attn::program::display_width(first_line(render(map))) <= 64 + frame);
}

TEST_CASE("labels that do not fit are left out", "[program]")
{
    HeatMap map = bare(Matrix{{1, 0}});
    map.column_labels = {"one", "two"};
    CHECK_THAT(render(map, 7), contains("one two"));
    CHECK(render(map, 6) == render(bare(map.weights)));
}

TEST_CASE("what is not a number is a question mark, and no weight at all is said", "[program]")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::string lines = render(bare(Matrix{{nan, 1}}));
    CHECK(first_line(lines) == " │??██│");
    CHECK_THAT(lines, contains("? is not a number\n"));
    CHECK_THAT(render(bare(Matrix{{0, 0}})), contains("all weights are zero\n"));
}

TEST_CASE("a heat map must make sense", "[program]")
{
    HeatMap map = bare(Matrix{{1, 0}});
    map.row_labels = {"one", "too many"};
    CHECK_THROWS_AS(render(map), attn::ContractError);
    map.row_labels = {};
    map.column_labels = {"too few"};
    CHECK_THROWS_AS(render(map), attn::ContractError);
    CHECK_THROWS_AS(render(bare(Matrix{{-0.1}})), attn::ContractError);
    const double inf = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(render(bare(Matrix{{inf}})), attn::ContractError);
    CHECK_THROWS_AS(render(bare(xt::zeros<double>({2, 0}))), attn::ContractError);
    CHECK_THROWS_AS(render(bare(Matrix{{1}}), 0), attn::ContractError);
}
