/// \file
/// \brief The scores of chapter 3 against R, by their properties, and by what they refuse;
/// masks, under which what is masked has no weight and no influence, whatever it holds; and the
/// exercises.
#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/03_scoring_functions/exercises/solutions.hpp"
#include "chapters/03_scoring_functions/scoring_functions.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::scoring_functions;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

Additive random_parameters(const CallSizes& sizes, std::uint64_t stream)
{
    return {random_matrix(sizes.d_hidden, sizes.d_q, stream),
            random_matrix(sizes.d_hidden, sizes.d_k, stream + 1),
            column_of(random_matrix(sizes.d_hidden, 1, stream + 2), 0),
            column_of(random_matrix(sizes.d_hidden, 1, stream + 3), 0)};
}

} // namespace

TEST_CASE("the scores agree with R", "[03][golden]")
{
    std::ifstream file(ATTN_SOURCE_DIR "/tests/golden/03_scoring_functions/scores.csv");
    REQUIRE(file.good());
    const Matrix queries = {{0.5, -1, 2}, {-0.25, 1.5, 0.75}};
    const Matrix keys = {{1, 2, -0.5}, {-1.5, 0.25, 1}, {0, -2, 3}, {0.125, 0.5, 0.25}};
    const Matrix W = {{1, 0, -1}, {0.5, 2, 0}, {-0.25, 1, 1.5}};
    const Additive parameters = {
        {{1, -0.5, 0.25}, {0, 1, -1}}, {{0.5, 0.5, -1}, {-1, 0.25, 0}}, {0.1, -0.2}, {2, -1.5}};
    const Mask mask = length_mask({2, 4}, 4);
    const Matrix scaled = scaled_dot_product(queries, keys);
    const std::map<std::string, Matrix> ours = {
        {"scaled dot", scaled},
        {"cosine", cosine(queries, keys)},
        {"multiplicative", multiplicative(queries, keys, W)},
        {"additive", additive(queries, keys, parameters)},
        {"masked softmax of scaled dot", masked_softmax(scaled, mask)},
    };
    std::size_t n_compared = 0;
    std::string line;
    std::getline(file, line);
    CHECK(line == "score,query,key,value");
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        std::string name;
        std::string query;
        std::string key;
        std::string value;
        std::getline(cells, name, ',');
        std::getline(cells, query, ',');
        std::getline(cells, key, ',');
        std::getline(cells, value, ',');
        CAPTURE(line);
        CHECK_THAT(ours.at(name)(std::stoul(query) - 1, std::stoul(key) - 1),
                   WithinAbs(std::stod(value), 1e-13));
        ++n_compared;
    }
    CHECK(n_compared == 5 * 8);
}

TEST_CASE("the cosine sees directions only, and a vector of zeros has none", "[03][property]")
{
    const Matrix queries = random_matrix(4, 3, 20);
    const Matrix keys = random_matrix(5, 3, 21);
    check_close(cosine(queries * 7.0, keys * 0.01), cosine(queries, keys), 1e-12);
    check_close(cosine({{0, 0}, {3, 4}}, {{0, 0}, {-6, -8}, {4, -3}}), {{0, 0, 0}, {0, -1, 0}},
                1e-12);
}

TEST_CASE("the cosine of very long and very short vectors is still a cosine", "[03][property]")
{
    for (const double length : {1e-300, 1e-200, 1e200, 1e300}) {
        CAPTURE(length);
        check_close(cosine({{length, length}}, {{length, 0}}), {{std::sqrt(0.5)}}, 1e-12);
    }
}

TEST_CASE("multiplicative with the identity is the dot product", "[03][property]")
{
    const Matrix queries = random_matrix(4, 3, 22);
    const Matrix keys = random_matrix(5, 3, 23);
    check_close(multiplicative(queries, keys, xt::eye<double>(3)),
                lookup::dot_product(queries, keys), 1e-12);
}

// [claim_projected]
TEST_CASE("two projections are one matrix of low rank", "[03][claim]")
{
    const Matrix queries = random_matrix(4, 5, 92);
    const Matrix keys = random_matrix(6, 3, 93);
    const Matrix W_q = random_matrix(2, 5, 94);
    const Matrix W_k = random_matrix(2, 3, 95);
    const Matrix W = lookup::dot_product(xt::transpose(W_q), xt::transpose(W_k)); // [5, 3]
    check_close(projected(queries, keys, W_q, W_k), multiplicative(queries, keys, W), 1e-12);
    // Rank 2: every determinant of three of its rows is 0.
    const auto minor = [&](std::size_t row, std::size_t column) {
        const std::size_t a = column == 0 ? 1 : 0;
        const std::size_t b = column == 2 ? 1 : 2;
        return W(row, a) * W(row + 1, b) - W(row, b) * W(row + 1, a);
    };
    for (std::size_t row = 0; row < 3; ++row) {
        CAPTURE(row);
        CHECK_THAT(W(row, 0) * minor(row + 1, 0) - W(row, 1) * minor(row + 1, 1) +
                       W(row, 2) * minor(row + 1, 2),
                   WithinAbs(0, 1e-12));
    }
}
// [claim_projected]

TEST_CASE("a cosine cannot make a weight large by itself", "[03][claim]")
{
    // The right key at 1, all others at -1: no table of 16 keys is better for the cosine.
    Matrix keys = xt::full_like(Matrix::from_shape({16, 1}), -1.0);
    keys(5, 0) = 1;
    const double largest = lookup::softmax(cosine({{1}}, keys))(0, 5);
    CHECK_THAT(largest, WithinAbs(std::exp(2.0) / (std::exp(2.0) + 15), 1e-12));
    CHECK_THAT(largest, WithinAbs(0.33, 0.005));
}

TEST_CASE("dot with the key bias orders keys as their distance does", "[03][claim]")
{
    const Matrix queries = random_matrix(6, 3, 24);
    const Matrix keys = random_matrix(9, 3, 25) * 2.0;
    // They differ by a number that is the same for all keys of a query, which softmax ignores.
    check_close(lookup::softmax(dot_with_key_bias(queries, keys)),
                lookup::softmax(lookup::minus_half_squared_distance(queries, keys)), 1e-12);
}

TEST_CASE("the rotated key is found by the matrix that rotates", "[03][claim]")
{
    const Matrix quarter_turn = {{0, -1}, {1, 0}};
    const Matrix keys = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const Matrix queries = {{0, 1}, {-1, 0}, {0, -1}, {1, 0}}; // each key, turned
    const Matrix found = lookup::one_hot(multiplicative(queries, keys, quarter_turn));
    check_close(found, xt::eye<double>(4), 0);
    check_close(lookup::one_hot(lookup::dot_product(queries, keys)),
                {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}}, 0);
}

TEST_CASE("additive without a bias is odd, the dot product is even", "[03][claim]")
{
    const Matrix queries = random_matrix(5, 4, 30);
    const Matrix keys = random_matrix(7, 3, 31);
    Additive parameters = random_parameters({5, 7, 4, 3, 6}, 32);
    const Matrix biased = additive(queries, keys, parameters);
    CHECK(xt::amax(xt::abs(additive(-queries, -keys, parameters) + biased))() > 0.5);
    parameters.b.fill(0);
    const Matrix unbiased = additive(queries, keys, parameters);
    check_close(additive(-queries, -keys, parameters), -unbiased, 1e-12);

    const Matrix same_size = random_matrix(5, 3, 36);
    check_close(lookup::dot_product(-same_size, -keys), lookup::dot_product(same_size, keys),
                0);
}

TEST_CASE("the constructed additive score is a squared distance", "[03][claim]")
{
    // Two queries of three numbers made from keys of two by orthonormal columns.
    const double r = std::sqrt(0.5);
    const Matrix M = {{r, 0}, {0, 1}, {-r, 0}};
    const Matrix keys = random_matrix(6, 2, 40);
    const Matrix queries = lookup::dot_product(random_matrix(4, 2, 41), M);
    const Matrix wanted =
        lookup::minus_half_squared_distance(queries, lookup::dot_product(keys, M));
    const Matrix scores = additive(queries, keys, distance_by_additive(M, 0.005));
    // Up to a constant: compare differences to the first key.
    const auto to_first = [](const Matrix& x) -> Matrix {
        return x - xt::view(x, xt::all(), xt::range(0, 1));
    };
    check_close(to_first(scores), to_first(wanted), 2e-3);

    // The error is of the second order in epsilon: half of it, a quarter of the error.
    const auto error = [&](double epsilon) {
        const Matrix found = additive(queries, keys, distance_by_additive(M, epsilon));
        return xt::amax(xt::abs(to_first(found) - to_first(wanted)))();
    };
    CHECK_THAT(error(0.02) / error(0.01), WithinAbs(4, 0.1));
}

TEST_CASE("the steps of the pencil example are those of the page", "[03][claim]")
{
    const Matrix Q = lookup::pencil_example::queries();
    const Matrix K = lookup::pencil_example::keys();
    const double r = std::sqrt(2.0);
    check_close(scaled_dot_product(Q, K), {{1 / r, 0, 2 / r}, {1 / r, 1 / r, 4 / r}}, 1e-12);
    check_close(cosine(Q, K), {{1, 0, 1 / r}, {1 / r, 1 / r, 1}}, 1e-12);
    check_close(dot_with_key_bias(Q, K), {{0.5, -0.5, -2}, {0.5, 0.5, 0}}, 1e-12);
    check_close(multiplicative(Q, K, {{0, 1}, {1, 0}}), {{0, 1, 2}, {1, 1, 4}}, 1e-12);
}

TEST_CASE("a score refuses what does not fit, and names it", "[03][bad_input]")
{
    const Matrix two = random_matrix(2, 2, 50);
    const Matrix three = random_matrix(2, 3, 51);
    const Additive parameters = random_parameters({2, 2, 2, 3, 5}, 52);
    Additive short_bias = parameters;
    short_bias.b = Vector{1, 2};
    Additive wrong_W_q = parameters;
    wrong_W_q.W_q = random_matrix(4, 2, 56);
    Additive wrong_W_k = parameters;
    wrong_W_k.W_k = random_matrix(4, 3, 57);
    const std::vector<std::pair<std::function<void()>, std::string>> cases = {
        {[&] { scaled_dot_product(two, three); }, "[2, 2]"},
        {[&] {
             scaled_dot_product(Matrix::from_shape({1, 0}), Matrix::from_shape({1, 0}));
         },
         "scaled_dot_product: keys must have at least one column"},
        {[&] { cosine(two, three); }, "as many columns as a key has"},
        {[&] { dot_with_key_bias(two, three); }, "as many columns as a key has"},
        {[&] { multiplicative(two, three, random_matrix(3, 3, 1)); }, "multiplicative: W must"},
        {[&] { multiplicative(two, three, random_matrix(2, 2, 1)); }, "[2, 3]"},
        {[&] { projected(two, three, random_matrix(1, 3, 1), random_matrix(1, 3, 1)); },
         "[2, 2]"},
        {[&] { projected(two, three, random_matrix(2, 2, 1), random_matrix(1, 3, 1)); },
         "as many columns as a key has"},
        {[&] { additive(two, two, parameters); }, "[2, 2]"},
        {[&] { additive(two, three, short_bias); }, "b must have 5 entries"},
        {[&] { additive(two, three, wrong_W_q); }, "W_q must"},
        {[&] { additive(two, three, wrong_W_k); }, "W_k must"},
        {[&] { distance_by_additive(two, 0); }, "distance_by_additive: epsilon must"},
        {[&] { distance_by_additive(two, std::nan("")); }, "epsilon must"},
    };
    for (const auto& [call, words] : cases) {
        CAPTURE(words);
        try {
            call();
            FAIL_CHECK("nothing was refused");
        } catch (const ContractError& error) {
            CHECK_THAT(error.what(), contains(words));
        }
    }
}

// ---------------------------------------------------------------- masks

TEST_CASE("a length mask shows the first keys, a causal one no later key", "[03][property]")
{
    CHECK((length_mask({0, 2, 3}, 3) ==
           Mask{{false, false, false}, {true, true, false}, {true, true, true}}));
    CHECK((causal_mask(3) ==
           Mask{{true, false, false}, {true, true, false}, {true, true, true}}));
    CHECK(causal_mask(0).shape(0) == 0);
    CHECK_THROWS_WITH(length_mask({1, 4}, 3),
                      "length_mask: lengths must be at most n_keys = 3, got 4 for query 1");
}

// [claim_mask]
TEST_CASE("masking a key is the same as deleting it", "[03][claim]")
{
    const Matrix scores = random_matrix(5, 6, 60);
    const Matrix weights = masked_softmax(scores, length_mask({4, 4, 4, 4, 4}, 6));
    const Matrix kept = xt::view(scores, xt::all(), xt::range(0, 4));
    const Matrix unmasked = xt::view(weights, xt::all(), xt::range(0, 4));
    CHECK((unmasked == lookup::softmax(kept))); // to the last bit
    CHECK((xt::view(weights, xt::all(), xt::range(4, 6)) == xt::zeros<double>({5, 2})));
}
// [claim_mask]

TEST_CASE("a mask may hide any keys", "[03][property]")
{
    const Matrix weights = masked_softmax({{1, 7, 2, 9}}, {{true, false, true, false}});
    const Matrix kept = lookup::softmax({{1, 2}});
    check_close(weights, {{kept(0, 0), 0, kept(0, 1), 0}}, 1e-15);
}

TEST_CASE("a masked score may be anything", "[03][property]")
{
    const Mask mask = {{true, true, false, false}};
    const Matrix wanted = masked_softmax({{1, 2, 0, 0}}, mask);
    for (const double anything : {not_a_number, infinity, -infinity, 1e308, -1e308}) {
        CAPTURE(anything);
        const Matrix weights = masked_softmax({{1, 2, anything, anything}}, mask);
        CHECK((weights == wanted));
    }
}

TEST_CASE("a fully masked row has no weight, and a context of zeros", "[03][claim]")
{
    const Matrix weights =
        masked_softmax({{5, not_a_number, 1}, {5, 6, 1}}, length_mask({0, 3}, 3));
    const Matrix context =
        lookup::weighted_sum(weights, {{1, 2}, {3, 4}, {not_a_number, infinity}});
    CHECK((xt::row(weights, 0) == Vector{0, 0, 0}));
    CHECK(context(0, 0) == 0);
    CHECK(context(0, 1) == 0);
}

TEST_CASE("a score that is not masked and no number is refused", "[03][bad_input]")
{
    for (const double bad : {not_a_number, infinity}) {
        CHECK_THROWS_AS(masked_softmax({{1, bad}}, length_mask({2}, 2)), ContractError);
    }
    CHECK_THROWS_WITH(
        mask_scores(random_matrix(2, 3, 1), length_mask({1, 1}, 2)),
        contains("mask_scores: mask must have the shape of scores, [2, 3], got [2, 2]"));
    CHECK_THROWS_AS(masked_softmax(random_matrix(2, 3, 1), causal_mask(3)), ContractError);
    const Mask second = {{true, false, true}}; // what is masked already stays so
    CHECK((masked_softmax({{1, -infinity, 2}}, length_mask({3}, 3)) ==
           masked_softmax({{1, 7, 2}}, second)));
}

TEST_CASE("under a causal mask the future changes nothing", "[03][property]")
{
    Matrix scores = random_matrix(6, 6, 61);
    const Matrix before = masked_softmax(scores, causal_mask(6));
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = i + 1; j < 6; ++j) {
            scores(i, j) += 100;
        }
    }
    CHECK((masked_softmax(scores, causal_mask(6)) == before));
    scores(3, 1) += 1; // the past does
    CHECK((masked_softmax(scores, causal_mask(6)) != before));
}

TEST_CASE("a large negative number is no mask where all is masked", "[03][claim]")
{
    const Mask mask = length_mask({3, 2, 0}, 3);
    const Matrix scores = {{2, 1, 0.5}, {2, 1, 0.5}, {2, 1, 0.5}};
    const Matrix replaced = lookup::softmax(mask_scores(scores, mask, -1e6));
    const Matrix masked = masked_softmax(scores, mask);
    check_close(single_row(replaced, 0), single_row(masked, 0), 0);
    check_close(single_row(replaced, 1), single_row(masked, 1), 0);
    check_close(single_row(replaced, 2), {{1.0 / 3, 1.0 / 3, 1.0 / 3}}, 1e-15);
    check_close(single_row(masked, 2), {{0, 0, 0}}, 0);
    // Nor is it where the other scores are below it, or near.
    const Matrix low = lookup::softmax(mask_scores({{-2e6, 0}}, length_mask({1}, 2), -1e6));
    CHECK(low(0, 1) == 1);
    const Matrix near = lookup::softmax(mask_scores({{-1e6, 0}}, length_mask({1}, 2), -1e6));
    CHECK(near(0, 1) == 0.5);
}

// ---------------------------------------------------------------- exercises

TEST_CASE("exercise 3.1, a dot product of longer vectors is a distance", "[03][solution]")
{
    const Matrix queries = random_matrix(6, 3, 90);
    const Matrix keys = random_matrix(8, 3, 91) * 2.0;
    const Matrix scores =
        lookup::dot_product(solutions::longer_queries(queries), solutions::longer_keys(keys));
    check_close(scores, dot_with_key_bias(queries, keys), 1e-12);
    const Matrix nearest = lookup::one_hot(lookup::minus_half_squared_distance(queries, keys));
    CHECK((lookup::one_hot(scores) == nearest));
    CHECK((lookup::one_hot(lookup::dot_product(queries, keys)) != nearest));
}

TEST_CASE("exercise 3.2, any matrix is two projections", "[03][solution]")
{
    const Matrix queries = random_matrix(4, 5, 92);
    const Matrix keys = random_matrix(6, 3, 93);
    const Matrix W = random_matrix(5, 3, 94);
    const auto [W_q, W_k] = solutions::two_projections(W);
    CHECK(W_q.size() + W_k.size() == 3 * 5 + 3 * 3);
    check_close(projected(queries, keys, W_q, W_k), multiplicative(queries, keys, W), 1e-12);
}

TEST_CASE("exercise 3.3, a query that sums to one brings the bias along", "[03][solution]")
{
    Matrix queries = xt::eye<double>(4); // one-hot: each row sums to 1
    queries(0, 0) = 0.5;
    queries(0, 1) = 0.5;
    const Matrix keys = random_matrix(5, 3, 97);
    const Additive parameters = {random_matrix(6, 4, 98),
                                 random_matrix(6, 3, 99),
                                 {0.5, -1, 2, 0.25, 0, -3},
                                 {1, 2, -1, 0.5, -2, 1}};
    const Additive unbiased = solutions::without_bias(parameters);
    CHECK((unbiased.b == xt::zeros<double>({6})));
    check_close(additive(queries, keys, unbiased), additive(queries, keys, parameters), 1e-12);
    // For queries that sum to anything it is another score.
    const Matrix others = random_matrix(4, 4, 100);
    CHECK(xt::amax(xt::abs(additive(others, keys, unbiased) -
                           additive(others, keys, parameters)))() > 0.1);
}
