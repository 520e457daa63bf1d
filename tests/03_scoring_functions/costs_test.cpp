/// \file
/// \brief The scores and the table of their costs, by numbers that count what is done with
/// them. Each score is written once more in plain loops over such numbers; its value must be
/// that of the chapter's function, and its count that of the table.
#include "chapters/03_scoring_functions/scoring_functions.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::scoring_functions;
using namespace attn::testing;

namespace {

std::size_t n_products = 0;
std::size_t n_calls = 0;

/// A number that counts multiplications and divisions, and calls of tanh and sqrt.
struct Counted
{
    double value;
};
Counted operator+(Counted a, Counted b)
{
    return {a.value + b.value};
}
Counted operator*(Counted a, Counted b)
{
    ++n_products;
    return {a.value * b.value};
}
Counted operator/(Counted a, Counted b)
{
    ++n_products;
    return {a.value / b.value};
}
Counted tanh(Counted a)
{
    ++n_calls;
    return {std::tanh(a.value)};
}
Counted sqrt(Counted a)
{
    ++n_calls;
    return {std::sqrt(a.value)};
}

using Rows = std::vector<std::vector<Counted>>;

Rows counted(const Matrix& matrix)
{
    Rows rows(matrix.shape(0));
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            rows[i].push_back({matrix(i, j)});
        }
    }
    return rows;
}

Matrix plain(const Rows& rows)
{
    Matrix matrix = Matrix::from_shape({rows.size(), rows[0].size()});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < rows[0].size(); ++j) {
            matrix(i, j) = rows[i][j].value;
        }
    }
    return matrix;
}

Counted dot(const std::vector<Counted>& a, const std::vector<Counted>& b)
{
    Counted sum{0};
    for (std::size_t m = 0; m < a.size(); ++m) {
        sum = sum + a[m] * b[m];
    }
    return sum;
}

Rows dots(const Rows& a, const Rows& b)
{
    Rows products(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (const auto& row : b) {
            products[i].push_back(dot(a[i], row));
        }
    }
    return products;
}

Rows unit(Rows rows)
{
    for (auto& row : rows) {
        const Counted length = sqrt(dot(row, row));
        for (Counted& number : row) {
            number = number / length;
        }
    }
    return rows;
}

} // namespace

TEST_CASE("each score is its formula, and the table of costs counts what is done",
          "[03][oracle]")
{
    // Shapes that go wrong first: one of everything, sizes that differ, none like another.
    const std::vector<CallSizes> awkward = {{1, 1, 1, 1, 1}, {1, 5, 3, 2, 4}, {4, 1, 2, 6, 3},
                                            {3, 2, 1, 7, 1}, {2, 3, 4, 4, 9}, {3, 5, 4, 4, 7},
                                            {3, 5, 6, 4, 7}};
    const CallSizes sizes = awkward[GENERATE(range(std::size_t{0}, std::size_t{7}))];
    CAPTURE(sizes.n_queries, sizes.n_keys, sizes.d_q, sizes.d_k, sizes.d_hidden);
    const Matrix Q = random_matrix(sizes.n_queries, sizes.d_q, 80);
    const Matrix P = random_matrix(sizes.n_queries, sizes.d_k, 87); // as long as a key
    const Matrix K = random_matrix(sizes.n_keys, sizes.d_k, 81);
    const Matrix W = random_matrix(sizes.d_q, sizes.d_k, 82);
    const Matrix W_q = random_matrix(sizes.d_hidden, sizes.d_q, 88);
    const Matrix W_k = random_matrix(sizes.d_hidden, sizes.d_k, 89);
    const Additive parameters = {random_matrix(sizes.d_hidden, sizes.d_q, 83),
                                 random_matrix(sizes.d_hidden, sizes.d_k, 84),
                                 column_of(random_matrix(sizes.d_hidden, 1, 85), 0),
                                 column_of(random_matrix(sizes.d_hidden, 1, 86), 0)};

    struct Case
    {
        std::string name;
        std::function<Matrix()> wanted;
        std::function<Rows()> count;
        std::size_t parameters;
    };
    const Rows q = counted(Q);
    const Rows p = counted(P);
    const Rows k = counted(K);
    const std::vector<Case> cases = {
        {"dot", [&] { return lookup::dot_product(P, K); }, [&] { return dots(p, k); }, 0},
        {"scaled dot", [&] { return scaled_dot_product(P, K); },
         [&] {
             const Counted root = sqrt(Counted{static_cast<double>(sizes.d_k)});
             Rows scores = dots(p, k);
             for (auto& row : scores) {
                 for (Counted& score : row) {
                     score = score / root;
                 }
             }
             return scores;
         },
         0},
        {"cosine", [&] { return cosine(P, K); }, [&] { return dots(unit(p), unit(k)); }, 0},
        {"dot + key bias", [&] { return dot_with_key_bias(P, K); },
         [&] {
             Rows scores = dots(p, k);
             for (std::size_t j = 0; j < k.size(); ++j) {
                 const Counted bias = Counted{-0.5} * dot(k[j], k[j]);
                 for (auto& row : scores) {
                     row[j] = row[j] + bias;
                 }
             }
             return scores;
         },
         0},
        {"multiplicative", [&] { return multiplicative(Q, K, W); },
         [&] { return dots(q, dots(k, counted(W))); }, W.size()},
        {"projected", [&] { return projected(Q, K, W_q, W_k); },
         [&] { return dots(dots(q, counted(W_q)), dots(k, counted(W_k))); },
         W_q.size() + W_k.size()},
        {"additive", [&] { return additive(Q, K, parameters); },
         [&] {
             const Rows from_queries = dots(q, counted(parameters.W_q));
             const Rows from_keys = dots(k, counted(parameters.W_k));
             Rows scores(q.size(), std::vector<Counted>(k.size(), Counted{0}));
             for (std::size_t i = 0; i < q.size(); ++i) {
                 for (std::size_t j = 0; j < k.size(); ++j) {
                     for (std::size_t unit = 0; unit < sizes.d_hidden; ++unit) {
                         const Counted sum = from_queries[i][unit] + from_keys[j][unit] +
                                             Counted{parameters.b(unit)};
                         scores[i][j] = scores[i][j] + Counted{parameters.w(unit)} * tanh(sum);
                     }
                 }
             }
             return scores;
         },
         parameters.W_q.size() + parameters.W_k.size() + parameters.b.size() +
             parameters.w.size()},
    };
    const std::vector<Cost> table = costs(sizes);
    REQUIRE(table.size() == cases.size());
    for (std::size_t which = 0; which < cases.size(); ++which) {
        CAPTURE(cases[which].name);
        CHECK(table[which].name == cases[which].name);
        CHECK(table[which].sizes_may_differ == (which >= 4));
        n_products = 0;
        n_calls = 0;
        const Rows scores = cases[which].count();
        check_close(plain(scores), cases[which].wanted(), 1e-12);
        CHECK(table[which].products == n_products);
        CHECK(table[which].calls == n_calls);
        CHECK(table[which].parameters == cases[which].parameters);
    }
    for (const lookup::Score& score : parameterless_scores()) {
        if (sizes.d_q != sizes.d_k) {
            CHECK_THROWS_AS(score(Q, K), ContractError);
        }
    }
}

TEST_CASE("the largest array is the one with the most numbers", "[03][property]")
{
    using Shape = std::vector<std::size_t>;
    const auto largest = [](const CallSizes& sizes) {
        std::vector<Shape> shapes;
        for (const Cost& cost : costs(sizes)) {
            shapes.push_back(cost.largest);
        }
        return shapes;
    };
    CHECK(largest({10, 20, 64, 64, 32}) ==
          std::vector<Shape>{
              {10, 20}, {10, 20}, {20, 64}, {10, 20}, {20, 64}, {20, 32}, {10, 20, 32}});
    CHECK(largest({100, 200, 64, 64, 32}) == std::vector<Shape>{{100, 200},
                                                                {100, 200},
                                                                {100, 200},
                                                                {100, 200},
                                                                {100, 200},
                                                                {100, 200},
                                                                {100, 200, 32}});
}
