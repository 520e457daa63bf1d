/// \file
/// \brief The attention explorer's file: what is in it is what was put in, weights are a softmax
/// of the queries and keys beside them, and it is never larger than it may be.
#include "common/program/explorer.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/explored.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attn;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using program::ExploredAttention;

namespace {

/// The texts of a list in the data.
std::vector<std::string> texts_of(const std::string& javascript, const std::string& name)
{
    const std::string beginning = "\"" + name + "\": [";
    std::size_t at = javascript.find(beginning);
    REQUIRE(at != std::string::npos);
    at += beginning.size();
    std::vector<std::string> texts;
    while (javascript[at] == '"' || javascript[at] == ',') {
        at += javascript[at] == ',' ? 2 : 1;
        const std::size_t end = javascript.find('"', at);
        texts.push_back(javascript.substr(at, end - at));
        at = end + 1;
    }
    return texts;
}

/// The numbers of a text: six bits a digit, twelve a number.
std::vector<double> numbers_of(const std::string& text)
{
    const std::string digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<double> numbers;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        numbers.push_back(
            static_cast<double>((digits.find(text[i]) << 6U) | digits.find(text[i + 1])));
    }
    return numbers;
}

} // namespace

TEST_CASE("the explorer's data are the weights, and queries and keys that give them",
          "[program][explorer]")
{
    const std::size_t n_heads = 3;
    const std::size_t n = 7;
    const std::size_t width = 5;
    const ExploredAttention one = drawn_attention(n_heads, n, width, 1);
    const std::string data = program::explorer_data("title", {one}).to_javascript("x");
    CHECK(texts_of(data, "names") == std::vector<std::string>{one.name});
    CHECK(texts_of(data, "query_words_0") == one.query_words);
    const std::vector<std::string> weights = texts_of(data, "weights_0");
    const std::vector<std::string> queries = texts_of(data, "queries_0");
    const std::vector<std::string> keys = texts_of(data, "keys_0");
    REQUIRE(weights.size() == n_heads * n);
    REQUIRE(queries.size() == n_heads);
    REQUIRE(keys.size() == n_heads);
    for (std::size_t h = 0; h < n_heads; ++h) {
        const std::vector<double> q = numbers_of(queries[h]);
        const std::vector<double> k = numbers_of(keys[h]);
        REQUIRE(q.size() == n * width);
        REQUIRE(k.size() == n * width);
        // The largest number of a head is the largest level, so the units need not be read.
        const auto unit = [&](const Array<float>& rows) {
            double largest = 0;
            for (std::size_t i = 0; i < n * width; ++i) {
                largest = std::max(largest, std::abs(static_cast<double>(
                                                rows(0, i / width, h * width + i % width))));
            }
            return largest / 2047;
        };
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<double> row = numbers_of(weights[h * n + i]);
            REQUIRE(row.size() <= i + 1); // a later key has no weight, and is left out
            row.resize(n);
            CHECK_THAT(std::accumulate(row.begin(), row.end(), 0.0) / 4095,
                       WithinAbs(1, 0.001));
            std::vector<double> scores;
            for (std::size_t j = 0; j <= i; ++j) {
                double score = 0;
                for (std::size_t d = 0; d < width; ++d) {
                    score += (q[i * width + d] - 2048) * (k[j * width + d] - 2048);
                }
                scores.push_back(score * unit(one.queries) * unit(one.keys) /
                                 std::sqrt(static_cast<double>(width)));
            }
            for (std::size_t j = 0; j <= i; ++j) {
                const double expected = std::exp(scores[j] - scores[0]) * row[0];
                CHECK_THAT(row[j], WithinAbs(expected, std::max(0.01 * expected, 3.0)));
            }
        }
    }
}

TEST_CASE("the explorer is written whole, or refused in a sentence", "[program][explorer]")
{
    const ScratchFolder scratch;
    const std::string file = (scratch.path() / "x.html").string();
    ExploredAttention one = drawn_attention(2, 4, 3, 2);
    one.query_words[1] = "</script>";
    program::write_explorer(file, "a <b>", {one});
    const std::string page = program::read_file(file);
    CHECK(page.find("\\u003c/script>") != std::string::npos);
    CHECK(page.find("a <b>") == std::string::npos);
    CHECK(page.find("function bookExplorer") != std::string::npos);
    CHECK(page.find("queries_0") != std::string::npos);

    // Too large with queries and keys, then without them as well.
    const std::vector<ExploredAttention> wide(3, drawn_attention(1, 400, 1200, 3));
    program::write_explorer(file, "", wide);
    const std::string shorter = program::read_file(file);
    CHECK(shorter.size() <= program::largest_explorer);
    CHECK(shorter.find("\"queries_0\"") == std::string::npos);
    CHECK(shorter.find("\"left_out\"") != std::string::npos);
    const std::vector<ExploredAttention> many(40, drawn_attention(2, 400, 1, 4));
    CHECK_THROWS_AS(program::write_explorer(file, "", many), program::BadInput);
    CHECK(program::read_file(file) == shorter);
    CHECK_THROWS_AS(program::write_explorer((scratch.path() / "no/x.html").string(), "", {one}),
                    program::BadInput);
    one.key_words.pop_back();
    CHECK_THROWS_AS(program::write_explorer(file, "", {one}), ContractError);
}
