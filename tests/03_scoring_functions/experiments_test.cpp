/// \file
/// \brief What chapter 3's page says about its experiments, over seeds.
#include "chapters/03_scoring_functions/experiments/experiments.hpp"
#include "chapters/03_scoring_functions/retrieval.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/program_checks.hpp"

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
    // Two nearly equal keys respond nearly as strongly as any can, a saturated query does not.
    attn::testing::check_close(lookup::softmax({{20, 19.8}}), {{0.55, 0.45}}, 5e-3);
    CHECK_THAT(jacobian_norms(lookup::softmax({{20, 19.8}}))(0), WithinAbs(0.495, 5e-4));
    CHECK(jacobian_norms(lookup::softmax({{20, 5}}))(0) < 1e-6);
    for (const double sharpness : {0.1, 1.0, 10.0}) {
        const Matrix scores = random_matrix(200, 4, 71) * sharpness;
        CHECK(xt::amax(jacobian_norms(lookup::softmax(scores)))() <= 0.5);
    }
}

TEST_CASE("entropy, decisions and norms of known weights", "[03][oracle]")
{
    const Saturation rows = saturation({{0.25, 0.25, 0.25, 0.25}, {1, 0, 0, 0}});
    CHECK_THAT(rows.entropy, WithinAbs(0.5, 1e-15));
    CHECK_THAT(rows.share_saturated, WithinAbs(0.5, 1e-15));
    CHECK_THAT(rows.median_norm, WithinAbs(std::sqrt(3.0) / 8, 1e-15));
    CHECK_THAT(rows.mean_norm, WithinAbs(std::sqrt(3.0) / 8, 1e-15));
    CHECK(rows.top_tenth == 1); // the one row that responds

    // One of 20 rows responds: the mean sees it, the median does not, the tenth are two rows.
    Matrix weights = xt::zeros<double>({20, 2});
    xt::col(weights, 1) = xt::ones<double>({20});
    weights(7, 0) = weights(7, 1) = 0.5;
    CHECK(saturation(weights).median_norm == 0);
    CHECK_THAT(saturation(weights).mean_norm, WithinAbs(0.5 / 20, 1e-15));
    CHECK(saturation({{1, 0}, {1, 0}}).top_tenth == 0);
    const Matrix equal = xt::full_like(weights, 0.5);
    CHECK_THAT(saturation(equal).top_tenth, WithinAbs(0.1, 1e-12));
}

// [claim_root]
TEST_CASE("without the root the typical query is saturated, and few dominate the mean",
          "[03][claim]")
{
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    const std::vector<RootEffect> effects =
        root_effects(seed, {1, 4, 16, 64, 256, 512, 1024}, 64, true, 2);
    double plain_entropy = 1;
    double entropy_over_d = 0;
    std::map<std::size_t, RootEffect> at;
    for (const RootEffect& effect : effects) {
        CAPTURE(effect.d);
        const Saturation& plain = effect.plain;
        const Saturation& scaled = effect.scaled;
        // The root keeps the weights equally soft.
        CHECK(scaled.entropy > 0.87);
        CHECK(scaled.entropy < (effect.d == 1 ? 0.91 : 0.90));
        CHECK(scaled.share_saturated == 0);
        CHECK(plain.entropy < plain_entropy);
        CHECK(effect.entropy_over_d > entropy_over_d);
        plain_entropy = plain.entropy;
        entropy_over_d = effect.entropy_over_d;
        // With the root all queries respond alike, by 0.14 to 0.19 over the root of d.
        const double root = std::sqrt(static_cast<double>(effect.d));
        CHECK_THAT(scaled.median_norm * root, WithinAbs(0.165, 0.025));
        CHECK_THAT(scaled.mean_norm / scaled.median_norm,
                   WithinAbs(1, effect.d == 1 ? 0.16 : 0.1));
        CHECK(scaled.top_tenth < 0.2);
        // Without it the mean is larger at every size above 1, the median up to 256 only.
        CHECK((plain.mean_norm > scaled.mean_norm) == (effect.d > 1));
        CHECK((scaled.median_norm > plain.median_norm) == (effect.d >= 512));
        CHECK((plain.share_saturated > 0.55) == (effect.d >= 512));
        at[effect.d] = effect;
    }
    CHECK_THAT(at[64].plain.share_saturated, WithinAbs(0.195, 0.03));
    CHECK_THAT(at[256].plain.share_saturated, WithinAbs(0.485, 0.035));
    CHECK(at[1024].entropy_over_d > 0.999);
    CHECK(at[16].plain.median_norm > 2 * at[1].plain.median_norm);
    CHECK(at[64].plain.mean_norm > 8 * at[64].scaled.mean_norm);
    CHECK(at[1024].plain.mean_norm > 10 * at[1024].scaled.mean_norm);
    // The mean falls a little more slowly than the root of d grows, the median collapses.
    CHECK_THAT(at[256].plain.mean_norm / at[1024].plain.mean_norm, WithinAbs(2, 0.4));
    CHECK_THAT(at[64].plain.mean_norm / at[1024].plain.mean_norm, WithinAbs(3, 0.6));
    CHECK_THAT(at[64].scaled.mean_norm / at[1024].scaled.mean_norm, WithinAbs(4, 0.1));
    CHECK(at[256].plain.median_norm / at[1024].plain.median_norm > 20);
    CHECK(at[1024].plain.top_tenth > 0.5);
}
// [claim_root]

TEST_CASE("the queries that dominate the mean have two nearly equal best keys", "[03][claim]")
{
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    const Matrix scores = scores_of_normal_keys(seed, 1024, 64);
    const Vector norms = jacobian_norms(lookup::softmax(scores));
    Vector sorted = norms;
    std::sort(sorted.begin(), sorted.end());
    const double top_tenth = sorted(sorted.size() - sorted.size() / 10);
    for (std::size_t i = 0; i < norms.size(); ++i) {
        Vector row = xt::row(scores, static_cast<std::ptrdiff_t>(i));
        std::sort(row.begin(), row.end());
        const double gap = row(row.size() - 1) - row(row.size() - 2);
        CAPTURE(i, gap);
        CHECK((norms(i) < top_tenth || gap < 1.5));
    }
    CHECK_THAT(std::sqrt(xt::mean(xt::square(scores))()), WithinAbs(32, 0.5));
}

TEST_CASE("on keys of equal length the Gaussian is the dot product", "[03][claim]")
{
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CHECK(length_effect(seed, 0).largest < 1e-12);
    const LengthEffect few_percent = length_effect(seed, 0.05);
    CHECK(few_percent.smallest > 0.04);
    CHECK(few_percent.largest < 0.2);
    CHECK(length_effect(seed, 0.1).median > few_percent.median);
    CHECK(length_effect(seed, 0.8).median > 0.8);
    CHECK(few_percent.smallest <= gaussian_minus_dot(seed, 19, 0.05));
    CHECK(gaussian_minus_dot(seed, 19, 0.05) <= few_percent.largest);
}

TEST_CASE("softmax alone has all four properties", "[03][claim]")
{
    const bool expected[5][4] = {{true, true, true, true}, // softmax
                                 {true, true, true, false},
                                 {false, false, false, false},
                                 {true, false, false, false},
                                 {true, true, true, false}}; // sparsemax
    const std::vector<NormaliserProperties> found = check_normalisers();
    REQUIRE(found.size() == 5);
    CHECK(found[0].name == "softmax");
    for (std::size_t i = 0; i < 5; ++i) {
        CAPTURE(found[i].name);
        CHECK(found[i].on_simplex == expected[i][0]);
        CHECK(found[i].keeps_order == expected[i][1]);
        CHECK(found[i].ignores_shift == expected[i][2]);
        CHECK(found[i].feels_a_nudge == expected[i][3]);
    }
}

TEST_CASE("the ratio is in order for positive scores, and reverses negative ones",
          "[03][claim]")
{
    const lookup::Normaliser ratio = candidate_normalisers()[2];
    const Matrix weights = ratio({{2, 1, 0.5}});
    attn::testing::check_close(weights, {{4.0 / 7, 2.0 / 7, 1.0 / 7}}, 1e-15);
    CHECK(ratio({{2, 1.01, 0.5}})(0, 1) > weights(0, 1));
    attn::testing::check_close(ratio({{-1, -3}}), {{0.25, 0.75}}, 1e-15);
    CHECK(xt::any(ratio({{3, 2, -1}}) < 0.0)); // different signs
    CHECK(xt::any(ratio({{1, -2, -3}}) < 0.0));
}

TEST_CASE("sparsemax does not respond at weights of 0 and of 1, and at no others",
          "[03][claim]")
{
    const auto slope = [](const Matrix& scores, std::size_t key) {
        Matrix raised = scores;
        raised(0, key) += 1e-6;
        return (sparsemax(raised)(0, key) - sparsemax(scores)(0, key)) / 1e-6;
    };
    const Matrix shared = {{1, 0.5, -1}};
    CHECK_THAT(slope(shared, 0), WithinAbs(0.5, 1e-6));
    CHECK_THAT(slope(shared, 1), WithinAbs(0.5, 1e-6));
    CHECK(slope(shared, 2) == 0);       // its weight is 0
    CHECK(slope({{1, -1, 0}}, 0) == 0); // its weight is 1
    CHECK((sparsemax({{1, -1, 0}}) == sparsemax({{1 + 1e-6, -1, 0}})));
}

TEST_CASE("sparsemax is the nearest point of the simplex", "[03][oracle]")
{
    attn::testing::check_close(sparsemax({{1, 0.5, -1}, {11, 10.5, 9}, {1, -1, 0}}),
                               {{0.75, 0.25, 0}, {0.75, 0.25, 0}, {1, 0, 0}}, 1e-12);
    const Matrix scores = random_matrix(30, 6, 72) * 0.7;
    const Matrix weights = sparsemax(scores);
    CHECK(xt::all(weights >= 0.0));
    CHECK(xt::any(xt::equal(weights, 0.0)));
    const auto distance = [&](const Matrix& point, std::size_t row) {
        return xt::sum(xt::square(xt::row(point, static_cast<std::ptrdiff_t>(row)) -
                                  xt::row(scores, static_cast<std::ptrdiff_t>(row))))();
    };
    const Matrix others = lookup::softmax(random_matrix(30, 6, 73) * 3.0);
    for (std::size_t i = 0; i < 30; ++i) {
        CHECK_THAT(xt::sum(xt::row(weights, static_cast<std::ptrdiff_t>(i)))(),
                   WithinAbs(1, 1e-12));
        for (const double step : {0.01, 0.1, 1.0}) { // towards any other point it is farther
            const Matrix moved = weights + step * (others - weights);
            CHECK(distance(moved, i) >= distance(weights, i));
        }
    }
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
        const std::vector<RetrievalResult> results =
            retrieve(task, constructed_scores(task), seed);
        const auto accuracy = [&](const std::string& score) {
            return result_of(results, score).accuracy;
        };
        // The distance, as a bias on the key or by the additive score, always leads.
        CHECK(accuracy("multiplicative + key bias") > 0.96);
        CHECK_THAT(accuracy("additive, bias"),
                   WithinAbs(accuracy("multiplicative + key bias"), 0.01));
        CHECK(accuracy("additive, no bias") > 0.4); // one half at most, but for luck
        CHECK(accuracy("additive, no bias") < 0.53);
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

TEST_CASE("projections must keep as many numbers as the task needs", "[03][claim]")
{
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    const std::vector<Retrieval> tasks = retrieval_tasks(seed);
    const auto found = [&](const Retrieval& task, std::size_t d_c) {
        return retrieve(task, {constructed_projections(task, d_c)}, seed)[0].accuracy;
    };
    const auto by_matrix = [&](const Retrieval& task) {
        return result_of(retrieve(task, constructed_scores(task), seed), "multiplicative")
            .accuracy;
    };
    const Retrieval& rotated = tasks[2];
    const Retrieval& noisy = tasks[3];
    double fewer = 0;
    for (const std::size_t d_c : {1U, 2U, 4U, 8U, 12U, 16U}) {
        CHECK(found(rotated, d_c) > fewer + 0.02); // all 16 directions count
        fewer = found(rotated, d_c);
    }
    CHECK(found(rotated, 16) == by_matrix(rotated));
    CHECK(found(noisy, 4) < found(noisy, 8) - 0.1);
    CHECK(found(noisy, 8) == by_matrix(noisy)); // whose rank is 8
    CHECK(found(noisy, 12) == found(noisy, 8));
    CHECK_THROWS_AS(constructed_projections(noisy, 0), ContractError);
    CHECK_THROWS_AS(constructed_projections(noisy, 17), ContractError);
}

TEST_CASE("a query and its own key are not independent", "[03][claim]")
{
    // Of 16 numbers: q.k is 16 in the mean for the right key, 0 for the others.
    const Retrieval task = retrieval_tasks(1)[0];
    random::Generator generator(8);
    double right = 0;
    double wrong = 0;
    double wrong_squares = 0;
    constexpr int n_tables = 100;
    for (int table = 0; table < n_tables; ++table) {
        const RetrievalTable draw = draw_table(task, generator, 20);
        const Matrix scores = lookup::dot_product(draw.queries, draw.keys);
        for (std::size_t i = 0; i < 20; ++i) {
            const double other = scores(i, (draw.chosen[i] + 1) % n_retrieval_keys);
            right += scores(i, draw.chosen[i]) / (20.0 * n_tables);
            wrong += other / (20.0 * n_tables);
            wrong_squares += other * other / (20.0 * n_tables);
        }
    }
    CHECK_THAT(right, WithinAbs(16, 0.5));
    CHECK_THAT(wrong, WithinAbs(0, 0.5));
    CHECK_THAT(std::sqrt(wrong_squares), WithinAbs(std::sqrt(20.0), 0.4));
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
    const Additive gated = with_query_for_bias(distance);
    CHECK(both_images(gated).accuracy > 0.4);
    CHECK(both_images(gated).accuracy <= 0.5 + 1e-12);
    CHECK(both_images(gated).cross_entropy >= std::log(16.0) - 1e-9);
}

TEST_CASE("every number of a query has noise of its own size", "[03][property]")
{
    Retrieval task = retrieval_tasks(1)[0];
    for (std::size_t m = 0; m < task.noise.size(); ++m) {
        task.noise(m) = static_cast<double>(m);
    }
    random::Generator generator(8);
    constexpr std::size_t n = 400;
    const RetrievalTable draw = draw_table(task, generator, n);
    Vector squares = xt::zeros<double>({task.noise.size()});
    for (std::size_t i = 0; i < n; ++i) {
        const Matrix made = lookup::dot_product(single_row(draw.keys, draw.chosen[i]), task.M);
        for (std::size_t m = 0; m < squares.size(); ++m) {
            const double difference = draw.queries(i, m) - made(0, m);
            squares(m) += difference * difference / n;
        }
    }
    CHECK(squares(0) == 0);
    for (std::size_t m = 1; m < squares.size(); ++m) {
        CHECK_THAT(std::sqrt(squares(m)) / task.noise(m), WithinAbs(1, 0.15));
    }
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

TEST_CASE("same seed, same output, with any number of threads, and another with another seed",
          "[03][property]")
{
    attn::testing::check_seed_decides(ATTN_PROGRAM);
}
