/// \file
/// \brief What chapter 3's page says about finding a query's key, over seeds.
#include "chapters/03_scoring_functions/retrieval.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::scoring_functions;
using Catch::Matchers::WithinAbs;

namespace {

/// Accuracy and cross-entropy of one score in one task.
RetrievalResult result_of(const std::vector<RetrievalResult>& results, const std::string& score)
{
    const auto found =
        std::find_if(results.begin(), results.end(),
                     [&](const RetrievalResult& result) { return result.score == score; });
    CAPTURE(score);
    REQUIRE(found != results.end());
    return *found;
}

} // namespace

TEST_CASE("which score finds the key", "[03][claim]")
{
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    const std::vector<Retrieval> tasks = retrieval_tasks(seed);
    constexpr double chance = 1.0 / n_retrieval_keys;
    for (const Retrieval& task : tasks) {
        CAPTURE(task.name);
        const std::vector<RetrievalResult> results = retrieve(task, seed);
        const auto accuracy = [&](const std::string& score) {
            return result_of(results, score).accuracy;
        };
        // The distance, as a bias on the key or by the additive score, always leads.
        CHECK(accuracy("multiplicative + key bias") > 0.96);
        CHECK_THAT(accuracy("additive, bias"),
                   WithinAbs(accuracy("multiplicative + key bias"), 0.01));
        CHECK(accuracy("additive, no bias") < 0.11);
        CHECK(result_of(results, "additive, no bias").cross_entropy > std::log(16.0));
        if (task.M.shape(0) != task.M.shape(1)) {
            CHECK(results.size() == 4); // the others cannot even be asked
        } else if (task.name == "same") {
            CHECK(accuracy("dot") > 0.95);
            CHECK(accuracy("cosine") > 0.99);
            CHECK(accuracy("multiplicative") == accuracy("dot"));
        } else if (task.name == "lengths") {
            CHECK_THAT(accuracy("dot"), WithinAbs(0.57, 0.04));
            CHECK(accuracy("cosine") > 0.9);
            CHECK(accuracy("dot + key bias") > accuracy("cosine"));
        } else if (task.name == "rotated") {
            CHECK_THAT(accuracy("dot"), WithinAbs(chance, 0.05));
            CHECK(accuracy("multiplicative") > 0.95);
            CHECK(accuracy("multiplicative + key bias") >= 0.999);
        } else if (task.name == "noisy") {
            CHECK(accuracy("dot") < 0.35);
            CHECK_THAT(accuracy("multiplicative"), WithinAbs(0.78, 0.03));
        } else {
            FAIL("a task without a claim");
        }
        if (task.M.shape(0) == task.M.shape(1)) {
            CHECK(accuracy("scaled dot") == accuracy("dot")); // a factor changes no order
        }
    }
}

namespace {

/// The same table seen in a mirror: every key and every query with its sign turned.
RetrievalTable mirrored(const RetrievalTable& draw)
{
    return {-draw.keys, draw.chosen, -draw.queries};
}

} // namespace

// [claim_no_bias]
TEST_CASE("additive without a bias is no better than equal weights", "[03][claim]")
{
    // Whatever its parameters: over a table and its mirror image, which are equally likely.
    const Retrieval task = retrieval_tasks(1)[0];
    random::Generator generator(5);
    for (int attempt = 0; attempt < 50; ++attempt) {
        CAPTURE(attempt);
        const double size = std::exp(generator.uniform(-4, 4));
        const Additive parameters = {generator.normals(8, 16) * size,
                                     generator.normals(8, 16) * size, xt::zeros<double>({8}),
                                     generator.normals(8)};
        const lookup::Score score = {"odd", "", [&](const Matrix& queries, const Matrix& keys) {
                                         return additive(queries, keys, parameters);
                                     }};
        const RetrievalTable draw = draw_table(task, generator, 50);
        const RetrievalResult here = evaluate(score, draw);
        const RetrievalResult there = evaluate(score, mirrored(draw));
        CHECK((here.cross_entropy + there.cross_entropy) / 2 >= std::log(16.0) - 1e-12);
        CHECK((here.accuracy + there.accuracy) / 2 <= 0.5 + 1e-12);
    }
}
// [claim_no_bias]

TEST_CASE("with its bias the additive score passes both bounds", "[03][claim]")
{
    const Retrieval task = retrieval_tasks(1)[0];
    random::Generator generator(7);
    const RetrievalTable draw = draw_table(task, generator, 200);
    const Additive distance = distance_by_additive(task.M, 0.005);
    const auto both_images = [&](const Additive& parameters) {
        const lookup::Score score = {"", "", [&](const Matrix& queries, const Matrix& keys) {
                                         return additive(queries, keys, parameters);
                                     }};
        const RetrievalResult here = evaluate(score, draw);
        const RetrievalResult there = evaluate(score, mirrored(draw));
        return RetrievalResult{"", (here.accuracy + there.accuracy) / 2,
                               (here.cross_entropy + there.cross_entropy) / 2};
    };
    CHECK(both_images(distance).accuracy > 0.9);
    CHECK(both_images(distance).cross_entropy < 0.5);

    // Without it, the query's first number in its place: one half of the keys, and no more.
    Additive gated = distance;
    for (std::size_t unit = 0; unit < gated.b.size(); ++unit) {
        gated.W_q(unit, 0) += gated.b(unit);
    }
    gated.b.fill(0);
    CHECK(both_images(gated).accuracy > 0.4);
    CHECK(both_images(gated).accuracy <= 0.5 + 1e-12);
    CHECK(both_images(gated).cross_entropy >= std::log(16.0) - 1e-9);
}

TEST_CASE("a table holds the keys that its queries were made from", "[03][property]")
{
    Retrieval task = retrieval_tasks(1)[4];
    task.noise.fill(0);
    random::Generator generator(6);
    const RetrievalTable draw = draw_table(task, generator, 30);
    REQUIRE(draw.keys.shape(0) == n_retrieval_keys);
    REQUIRE(draw.queries.shape(1) == 24);
    for (std::size_t i = 0; i < 30; ++i) {
        const Matrix made = lookup::dot_product(single_row(draw.keys, draw.chosen[i]), task.M);
        attn::testing::check_close(single_row(draw.queries, i), made, 1e-12);
    }
    // The columns of every map are orthonormal, or zero.
    for (const Retrieval& each : retrieval_tasks(2)) {
        const Matrix columns = xt::transpose(each.M);
        const Matrix products = lookup::dot_product(columns, columns);
        for (std::size_t m = 0; m < 16; ++m) {
            for (std::size_t l = 0; l < 16; ++l) {
                const bool used = products(m, m) > 0.5;
                CHECK_THAT(products(m, l), WithinAbs(m == l && used ? 1 : 0, 1e-12));
            }
        }
    }
}
