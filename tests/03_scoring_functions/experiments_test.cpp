/// \file
/// \brief What chapter 3's page says about its experiments, over seeds.
#include "chapters/03_scoring_functions/experiments/root_of_d.hpp"
#include "chapters/03_scoring_functions/experiments/score_comparison.hpp"
#include "chapters/03_scoring_functions/retrieval.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::scoring_functions;
using attn::testing::random_matrix;
using Catch::Matchers::WithinAbs;

TEST_CASE("the variance of q.k is d, within two per cent", "[03][claim]")
{
    for (const std::size_t d : {1U, 4U, 16U, 64U, 256U}) {
        CAPTURE(d);
        const double variance = variance_of_dot(1, d, 128000, 2);
        CHECK_THAT(variance / static_cast<double>(d), WithinAbs(1, 0.02));
        CHECK(variance_of_dot(1, d, 128000, 1) == variance);
    }
    CHECK(variance_of_dot(1, 4, 1000, 1) != variance_of_dot(2, 4, 1000, 1));
}

TEST_CASE("the norm of the Jacobian is that of its entries", "[03][oracle]")
{
    const Matrix scores = random_matrix(3, 5, 70) * 2.0;
    const Vector norms = jacobian_norms(lookup::softmax(scores));
    constexpr double step = 1e-5;
    for (std::size_t i = 0; i < 3; ++i) {
        double sum_of_squares = 0;
        for (std::size_t l = 0; l < 5; ++l) {
            Matrix up = single_row(scores, i);
            Matrix down = up;
            up(0, l) += step;
            down(0, l) -= step;
            const Matrix slope = (lookup::softmax(up) - lookup::softmax(down)) / (2 * step);
            sum_of_squares += xt::sum(xt::square(slope))();
        }
        CHECK_THAT(norms(i), WithinAbs(std::sqrt(sum_of_squares), 1e-8));
    }
}

TEST_CASE("the norm of the Jacobian is zero for a decision and one half at most", "[03][claim]")
{
    CHECK(jacobian_norms({{0, 1, 0}})(0) == 0);
    CHECK_THAT(jacobian_norms({{0.5, 0, 0.5}})(0), WithinAbs(0.5, 1e-15));
    CHECK_THAT(jacobian_norms({{0.25, 0.25, 0.25, 0.25}})(0),
               WithinAbs(std::sqrt(3.0) / 4, 1e-15));
    for (const double sharpness : {0.1, 1.0, 10.0}) {
        const Matrix scores = random_matrix(200, 4, 71) * sharpness;
        CHECK(xt::amax(jacobian_norms(lookup::softmax(scores)))() <= 0.5);
    }
}

TEST_CASE("entropy, largest weight and decisions of known weights", "[03][oracle]")
{
    const Saturation rows = saturation({{0.25, 0.25, 0.25, 0.25}, {1, 0, 0, 0}});
    CHECK_THAT(rows.entropy, WithinAbs(0.5, 1e-15));
    CHECK_THAT(rows.largest, WithinAbs(0.625, 1e-15));
    CHECK_THAT(rows.share_decided, WithinAbs(0.5, 1e-15));
    CHECK_THAT(rows.jacobian, WithinAbs(std::sqrt(3.0) / 8, 1e-15));
}

// [claim_root]
TEST_CASE("what the root of d does to the weights", "[03][claim]")
{
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    const std::vector<RootEffect> effects =
        root_effects(seed, {1, 2, 4, 16, 64, 128, 256, 512, 1024}, 64, true, 2);
    std::map<std::size_t, RootEffect> at;
    for (const RootEffect& effect : effects) {
        CAPTURE(effect.d);
        CHECK(effect.scaled.entropy > 0.87);
        CHECK(effect.scaled.entropy < (effect.d == 1 ? 0.91 : 0.90));
        CHECK(effect.scaled.share_decided == 0);
        CHECK(effect.scaled.jacobian > 0.14);
        CHECK(effect.scaled.jacobian < 0.19);
        // With respect to q.k itself the root helps from 512 on.
        const double slope = effect.scaled.jacobian / std::sqrt(double(effect.d));
        CHECK((slope > effect.plain.jacobian) == (effect.d >= 512));
        at[effect.d] = effect;
    }
    CHECK(at[256].plain.share_decided > 0.45);
    CHECK(at[256].plain.share_decided < 0.52);
    // Without the root the norm of the Jacobian rises first ...
    CHECK(at[4].plain.jacobian > 1.4 * at[1].plain.jacobian);
    CHECK(at[16].plain.jacobian > 1.2 * at[4].plain.jacobian);
    CHECK_THAT(at[64].plain.jacobian, WithinAbs(at[64].scaled.jacobian, 0.05));
    CHECK_THAT(at[64].plain.share_decided, WithinAbs(0.195, 0.03));
    // ... and has collapsed from d = 128 on.
    CHECK(at[128].plain.jacobian < 0.13);
    CHECK(at[256].plain.jacobian < 0.04);
    CHECK(at[1024].plain.jacobian < 1e-3);
}
// [claim_root]

TEST_CASE("on keys of equal length the Gaussian is the dot product", "[03][claim]")
{
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CHECK(gaussian_minus_dot(seed, 0) < 1e-12);
    CHECK(gaussian_minus_dot(seed, 0.05) > 0.05);
    CHECK(gaussian_minus_dot(seed, 0.1) > gaussian_minus_dot(seed, 0.05));
    CHECK(gaussian_minus_dot(seed, 0.8) > 0.8);
}

TEST_CASE("softmax alone has all four properties", "[03][claim]")
{
    const bool expected[4][4] = {{true, true, true, true}, // softmax
                                 {true, true, true, false},
                                 {false, false, false, false},
                                 {true, false, false, false}};
    const std::vector<NormaliserProperties> found = check_normalisers();
    REQUIRE(found.size() == 4);
    CHECK(found[0].name == "softmax");
    for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(found[i].name);
        CHECK(found[i].on_simplex == expected[i][0]);
        CHECK(found[i].keeps_order == expected[i][1]);
        CHECK(found[i].ignores_shift == expected[i][2]);
        CHECK(found[i].answers_a_nudge == expected[i][3]);
    }
}

TEST_CASE("of positive scores the ratio keeps the order and answers a nudge", "[03][claim]")
{
    const lookup::Normaliser ratio = candidate_normalisers()[2];
    const Matrix weights = ratio({{2, 1, 0.5}});
    attn::testing::check_close(weights, {{4.0 / 7, 2.0 / 7, 1.0 / 7}}, 1e-15);
    CHECK(ratio({{2, 1.01, 0.5}})(0, 1) > weights(0, 1));
}

TEST_CASE("rows that cannot be summed up are refused", "[03][bad_input]")
{
    CHECK_THROWS_AS(saturation(Matrix::from_shape({0, 3})), ContractError);
    CHECK_THROWS_AS(saturation({{1}}), ContractError);
    CHECK_THROWS_AS(variance_of_dot(1, 4, 0, 1), ContractError);
}

TEST_CASE("the growing example is one query and its keys", "[03][property]")
{
    const GrowingExample example = growing_example(1);
    REQUIRE(example.sizes.size() == 11);
    CHECK(example.sizes(10) == 1024);
    for (std::size_t i = 0; i < 11; ++i) {
        for (std::size_t j = 0; j < 16; ++j) {
            CHECK_THAT(example.scaled.scores(i, j) * std::sqrt(example.sizes(i)),
                       WithinAbs(example.plain.scores(i, j), 1e-12));
        }
    }
    CHECK(saturation(example.plain.weights).entropy <
          saturation(example.scaled.weights).entropy);
}

// ---------------------------------------------------------------- which score finds the key

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
