#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::nadaraya_watson;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

Matrix softly(const Matrix& scores)
{
    return lookup::softmax(scores);
}

/// The lines of a golden file behind its header, cut at the commas.
std::vector<std::vector<std::string>> golden_rows(const std::string& name)
{
    std::ifstream file(ATTN_SOURCE_DIR "/tests/golden/02_nadaraya_watson/" + name);
    REQUIRE(file.good());
    std::vector<std::vector<std::string>> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) {
            rows.back().push_back(cell);
        }
    }
    return rows;
}

const Kernel& kernel_of_r(const std::string& name)
{
    static const std::map<std::string, std::string> ours = {{"gauss", "gaussian"},
                                                            {"box", "boxcar"},
                                                            {"epan", "epanechnikov"},
                                                            {"tri", "triangular"},
                                                            {"const", "constant"}};
    return kernel_named(ours.at(name));
}

/// R's `bandwidth` in our widths: its kernels have their quartiles at a quarter of it.
double width_of_ksmooth(const std::string& kernel, double bandwidth)
{
    return kernel == "normal" ? 0.3706506 * bandwidth : bandwidth / 2;
}

} // namespace

TEST_CASE("the kernel as a score and a softmax is the formula in plain loops", "[02][oracle]")
{
    const Sample sample = awkward_sample();
    const Vector queries = {-1, 0, 0.3, 0.7, 2, 3.05, 5, 39.5};
    for (const Kernel& kernel : kernels()) {
        for (const double bandwidth : {0.1, 0.5, 2.0, 30.0}) {
            const Prediction found = predict(queries, sample, kernel, bandwidth);
            for (std::size_t i = 0; i < queries.size(); ++i) {
                CAPTURE(kernel.name, bandwidth, queries(i));
                const double wanted = oracle(queries(i), sample, kernel, bandwidth);
                if (std::isnan(wanted)) {
                    // Plain loops cannot tell an empty window from one that underflows.
                    CHECK((std::isnan(found.predictions(i)) || kernel.name == "gaussian"));
                } else {
                    CHECK_THAT(found.predictions(i), WithinRel(wanted, 1e-11));
                }
                std::size_t n_keys = 0;
                for (const double key : sample.keys) {
                    n_keys += kernel.in_window((queries(i) - key) / bandwidth) ? 1 : 0;
                }
                CHECK(found.keys_in_window[i] == n_keys);
            }
        }
    }
}

TEST_CASE("weights of a query sum to one, or to zero if its window is empty", "[02][claim]")
{
    const Sample sample = awkward_sample();
    const Vector queries = {-1e6, -1, 0, 0.3, 2, 20, 1e6};
    for (const Kernel& kernel : kernels()) {
        for (const double bandwidth : {1e-3, 0.1, 1.0, 1e3, 1e9}) {
            const Prediction found = predict(queries, sample, kernel, bandwidth);
            for (std::size_t i = 0; i < queries.size(); ++i) {
                CAPTURE(kernel.name, bandwidth, queries(i));
                for (std::size_t j = 0; j < sample.keys.size(); ++j) {
                    CHECK(found.weights(i, j) >= 0);
                }
                const bool empty = found.keys_in_window[i] == 0;
                CHECK_THAT(row_sum(found.weights, i), WithinAbs(empty ? 0 : 1, 1e-12));
                CHECK(std::isnan(found.predictions(i)) == empty);
            }
        }
    }
}

TEST_CASE("a prediction lies between the smallest and the largest value", "[02][property]")
{
    const Sample sample = old_faithful();
    const auto [lowest, highest] =
        std::minmax_element(sample.values.begin(), sample.values.end());
    const Vector queries = xt::linspace<double>(-3, 12, 61);
    for (const Kernel& kernel : kernels()) {
        for (const double bandwidth : {0.01, 0.3, 5.0}) {
            const Prediction found = predict(queries, sample, kernel, bandwidth);
            for (std::size_t i = 0; i < queries.size(); ++i) {
                if (found.keys_in_window[i] > 0) {
                    CHECK(found.predictions(i) >= *lowest - 1e-9);
                    CHECK(found.predictions(i) <= *highest + 1e-9);
                }
            }
        }
    }
}

TEST_CASE("predictions follow the data when all is moved, stretched or shuffled",
          "[02][property]")
{
    const Sample sample = awkward_sample();
    const Vector queries = {0.1, 0.6, 3.2};
    const std::vector<std::size_t> order = {8, 2, 5, 0, 7, 1, 3, 6, 4};
    const Sample shuffled{xt::view(sample.keys, xt::keep(order)),
                          xt::view(sample.values, xt::keep(order))};
    for (const Kernel& kernel : kernels()) {
        CAPTURE(kernel.name);
        const Prediction found = predict(queries, sample, kernel, 0.55);
        const Prediction other = predict(queries, shuffled, kernel, 0.55);
        const Prediction moved = predict(
            queries + 8.0, {sample.keys + 8.0, 3.0 * sample.values - 2.0}, kernel, 0.55);
        const Prediction stretched =
            predict(4.0 * queries, {4.0 * sample.keys, sample.values}, kernel, 2.2);
        for (std::size_t i = 0; i < queries.size(); ++i) {
            CHECK_THAT(other.predictions(i), WithinRel(found.predictions(i), 1e-12));
            CHECK_THAT(moved.predictions(i), WithinRel(3 * found.predictions(i) - 2, 1e-11));
            CHECK_THAT(stretched.predictions(i), WithinRel(found.predictions(i), 1e-12));
        }
        check_close(other.weights, xt::view(found.weights, xt::all(), xt::keep(order)), 1e-12);
    }
}

// [claim_temperature]
TEST_CASE("the Gaussian kernel is chapter 1's soft lookup at temperature h squared",
          "[02][claim][identity]")
{
    const Matrix queries = random_matrix(6, 3, 41);
    const Matrix keys = random_matrix(10, 3, 42);
    const Matrix values = random_matrix(10, 2, 43);
    for (const double h : {0.05, 0.4, 1.0, 7.0}) {
        CAPTURE(h);
        const lookup::Attention by_kernel =
            lookup::attend(queries, keys, values, score(gaussian, h), softly);
        const lookup::Attention by_temperature = lookup::attend(
            queries, keys, values, lookup::minus_half_squared_distance,
            [h](const Matrix& scores) { return lookup::softmax(scores, h * h); });
        check_close(by_kernel.weights, by_temperature.weights, 1e-12);
        check_close(by_kernel.context, by_temperature.context, 1e-12);
    }
}
// [claim_temperature]

TEST_CASE("the softmax of the logarithm is the share of the kernel's values", "[02][identity]")
{
    const Matrix queries = random_matrix(5, 2, 51);
    const Matrix keys = random_matrix(8, 2, 52);
    const Matrix distance = distances(queries, keys);
    for (const Kernel& kernel : kernels()) {
        CAPTURE(kernel.name);
        Matrix kernel_values = distance;
        for (double& entry : kernel_values) {
            entry = kernel(entry / 1.3);
        }
        check_close(lookup::softmax(score(kernel, 1.3)(queries, keys)),
                    lookup::share(kernel_values), 1e-14);
    }
}

TEST_CASE("towards width 0 the Gaussian is the nearest key, towards infinity the mean",
          "[02][claim][identity]")
{
    const Sample sample = old_faithful();
    const Vector queries = {1.0, 1.8, 3.15, 3.2, 4.4, 6.0};

    // Of keys at the same distance the values are averaged, as one_hot does.
    const lookup::Attention nearest =
        lookup::attend(as_column(queries), as_column(sample.keys), as_column(sample.values),
                       lookup::minus_half_squared_distance, lookup::one_hot);
    for (const double h : {1e-3, 1e-6, 1e-100, 1e-150}) {
        const Prediction narrow = predict(queries, sample, gaussian, h);
        check_close(as_column(narrow.predictions), nearest.context, 1e-9);
    }

    const double mean = xt::mean(sample.values)();
    for (const double h : {1e5, 1e10, 1e200}) {
        const Prediction wide = predict(queries, sample, gaussian, h);
        for (const double prediction : wide.predictions) {
            CHECK_THAT(prediction, WithinAbs(mean, 1e-6));
        }
    }
}

TEST_CASE("every window wider than the data is the mean, and the constant kernel at any width",
          "[02][identity]")
{
    const Sample sample = old_faithful();
    const double mean = xt::mean(sample.values)();
    for (const Kernel& kernel : kernels()) {
        CAPTURE(kernel.name);
        const Prediction wide = predict({2, 4}, sample, kernel, 1e8);
        CHECK_THAT(wide.predictions(0), WithinAbs(mean, 1e-4));
        CHECK(wide.keys_in_window[1] == 272);
    }
    for (const double h : {1e-300, 1.0, 1e300}) {
        const Prediction same = predict({-1e9}, sample, kernel_named("constant"), h);
        CHECK_THAT(same.predictions(0), WithinAbs(mean, 1e-9));
        CHECK(same.keys_in_window[0] == 272);
    }
}

TEST_CASE("with the narrow width one eruption decides at 5.1 minutes", "[02][claim]")
{
    const Sample sample = sorted(old_faithful());
    const Prediction narrow = predict({5.1}, sample, gaussian, 0.02);
    CHECK(sample.keys(271) == 5.1);
    CHECK(sample.values(271) == 96);
    CHECK(narrow.weights(0, 271) > 0.75);
}

TEST_CASE("far from all data the Gaussian still answers, with the value of the nearest key",
          "[02][claim]")
{
    const Sample sample = awkward_sample();
    const Prediction far = predict({1000, -1000}, sample, gaussian, 0.1);
    CHECK(gaussian((1000 - 40) / 0.1) == 0); // the kernel's value underflows
    CHECK(far.predictions(0) == 100);
    CHECK(far.predictions(1) == 1);
    CHECK(far.keys_in_window[0] == 9);
}

// [claim_empty_window]
TEST_CASE("an empty window predicts nan from no key, never zero", "[02][claim]")
{
    const Sample sample = old_faithful();
    const Gap gap = widest_gap(sample.keys);
    CHECK(gap.below == 3.067);
    CHECK(gap.above == 3.317);
    for (const char* name : {"boxcar", "epanechnikov", "triangular"}) {
        CAPTURE(name);
        const Kernel& kernel = kernel_named(name);
        const Prediction narrow = predict({3.192}, sample, kernel, 0.1);
        CHECK(std::isnan(narrow.predictions(0)));
        CHECK(narrow.keys_in_window[0] == 0);
        const Prediction wider = predict({3.192}, sample, kernel, 0.2);
        CHECK(std::isfinite(wider.predictions(0)));
        CHECK(wider.keys_in_window[0] > 0);
    }
}
// [claim_empty_window]

TEST_CASE("a key on the edge counts for the boxcar and for no other window", "[02][claim]")
{
    // Speeds are whole numbers: with width 2 the edge decides.
    const Sample cars = golden_sample("cars");
    const Prediction inclusive = predict({15}, cars, kernel_named("boxcar"), 2);
    CHECK_THAT(inclusive.predictions(0), WithinAbs(39.75, 1e-12));
    const Prediction strict = predict({15}, cars, kernel_named("boxcar"), std::nextafter(2, 1));
    CHECK_THAT(strict.predictions(0), WithinAbs(41.5556, 1e-4));
    CHECK(strict.keys_in_window[0] < inclusive.keys_in_window[0]);

    // In binary 0.4 - 0.1 is a little more than 0.3: with decimals rounding decides.
    const Prediction rounded = predict({0.4}, {{0.1, 5}, {1, 2}}, kernel_named("boxcar"), 0.3);
    CHECK(rounded.keys_in_window[0] == 0);
    CHECK(std::isnan(rounded.predictions(0)));
    const Prediction tent = predict({6}, cars, kernel_named("triangular"), 1);
    CHECK(std::isnan(tent.predictions(0)));
}

TEST_CASE("distances are Euclidean, and neither overflow nor underflow", "[02][property]")
{
    check_close(distances({{0, 0}, {1, 1}}, {{3, 4}, {1, 1}}),
                {{5, std::sqrt(2.0)}, {std::sqrt(13.0), 0}}, 1e-14);
    CHECK(distances({{1e200, 0}}, {{0, 0}})(0, 0) == 1e200);
    CHECK(distances({{1e-200}}, {{0}})(0, 0) == 1e-200);
    CHECK(distances({{-3.5}}, {{1.25}})(0, 0) == 4.75);
    CHECK_THROWS_AS(distances({{1, 2}}, {{1}}), ContractError);
}

TEST_CASE("a width too small for the distances is an error that says so", "[02][bad_input]")
{
    const Sample sample = awkward_sample();
    const auto ask = [&](const char* kernel, double h) {
        return predict({0.1}, sample, kernel_named(kernel), h);
    };
    CHECK_THROWS_WITH(ask("gaussian", 1e-200), contains("1e-200 is too small"));
    CHECK_THROWS_AS(ask("gaussian", 1e-308), ContractError);
    CHECK(ask("boxcar", 1e-308).keys_in_window[0] == 0); // far outside, whatever the square
    CHECK(ask("constant", 1e-308).keys_in_window[0] == 9);
    for (const double h : {0.0, -1.0, std::nan(""), infinity}) {
        CHECK_THROWS_WITH(ask("boxcar", h), contains("bandwidth must be positive"));
    }
}

TEST_CASE("what does not fit together is refused by name", "[02][bad_input]")
{
    const Vector nothing = Vector::from_shape({0});
    CHECK_THROWS_WITH(predict({1}, {nothing, nothing}, gaussian, 1), contains("keys"));
    CHECK_THROWS_WITH(predict({1}, {{1, 2}, {1}}, gaussian, 1), contains("values"));
    CHECK_THROWS_WITH(predict({std::nan("")}, {{1}, {1}}, gaussian, 1), contains("queries"));
    CHECK_THROWS_WITH(predict({1}, {{infinity}, {1}}, gaussian, 1), contains("keys"));
    CHECK_THROWS_WITH(predict({1}, {{1}, {std::nan("")}}, gaussian, 1), contains("values"));
    CHECK(predict({5}, {{1}, {7}}, gaussian, 1).predictions(0) == 7); // one key is enough
    CHECK(predict(nothing, {{1}, {7}}, gaussian, 1).predictions.size() == 0);
}

TEST_CASE("Epanechnikov's weights of the pencil example", "[02][claim]")
{
    namespace pencil = lookup::pencil_example;
    const lookup::Attention found =
        lookup::attend(pencil::queries(), pencil::keys(), pencil::values(),
                       score(kernel_named("epanechnikov"), 2), softly);
    check_close(found.weights, {{2.0 / 3, 1.0 / 3, 0}, {0.375, 0.375, 0.25}}, 1e-12);
    check_close(found.context, {{2, 2}, {3, 3.5}}, 1e-12);
}

// ---------------------------------------------------------------- agreement with R

// [claim_ksmooth]
TEST_CASE("every prediction of ksmooth, missing ones included", "[02][golden][claim]")
{
    std::size_t n_missing = 0;
    std::size_t n_gaussian = 0; // answered by R's Gaussian
    double largest_difference = 0;
    const auto rows = golden_rows("ksmooth.csv"); // data, kernel, bandwidth, x, prediction
    REQUIRE(rows.size() == 94);
    for (const auto& row : rows) {
        CAPTURE(row[0], row[1], row[2], row[3]);
        const Sample sample = golden_sample(row[0]);
        const bool normal = row[1] == "normal";
        const double h = width_of_ksmooth(row[1], std::stod(row[2]));
        const Kernel kernel = normal ? cut(gaussian, 4) : kernel_named("boxcar");
        const Prediction found = predict({std::stod(row[3])}, sample, kernel, h);
        if (row[4] == "NA") {
            ++n_missing;
            CHECK(std::isnan(found.predictions(0)));
            CHECK(found.keys_in_window[0] == 0);
            continue;
        }
        const double wanted = std::stod(row[4]);
        CHECK_THAT(found.predictions(0), WithinRel(wanted, 1e-6));
        CHECK(found.keys_in_window[0] > 0);

        if (normal) { // and without the cut
            ++n_gaussian;
            const Prediction whole = predict({std::stod(row[3])}, sample, gaussian, h);
            largest_difference =
                std::max(largest_difference, std::abs(whole.predictions(0) - wanted) / wanted);
        }
    }
    CHECK(n_missing == 4);
    CHECK(n_gaussian == 44);
    CHECK_THAT(largest_difference, WithinAbs(4.4e-4, 0.05e-4));
}
// [claim_ksmooth]

TEST_CASE("every prediction of plain R, for all five kernels", "[02][golden]")
{
    const auto rows = golden_rows("kernels.csv"); // data, kernel, h, x, prediction
    REQUIRE(rows.size() == 45);
    for (const auto& row : rows) {
        CAPTURE(row[0], row[1], row[2], row[3]);
        const Sample sample = golden_sample(row[0]);
        const Prediction found =
            predict({std::stod(row[3])}, sample, kernel_of_r(row[1]), std::stod(row[2]));
        CHECK_THAT(found.predictions(0), WithinRel(std::stod(row[4]), 1e-6));
    }
}

TEST_CASE("leave-one-out errors of plain R", "[02][golden]")
{
    const auto rows = golden_rows("leave_one_out.csv"); // data, kernel, h, error
    REQUIRE(rows.size() == 15);
    for (const auto& row : rows) {
        CAPTURE(row[0], row[1], row[2]);
        const Sample sample = golden_sample(row[0]);
        CHECK_THAT(leave_one_out_error(sample, kernel_of_r(row[1]), std::stod(row[2])),
                   WithinRel(std::stod(row[3]), 1e-6));
    }
}

TEST_CASE("the optimum that R's optimize finds for the Gaussian", "[02][golden]")
{
    const auto rows = golden_rows("optimum.csv"); // data, kernel, h, error
    REQUIRE(rows.size() == 3);
    for (const auto& row : rows) {
        CAPTURE(row[0]);
        const Sample sample = golden_sample(row[0]);
        const Choice choice = choose_bandwidth(sample, kernel_of_r(row[1]));
        CHECK_THAT(choice.bandwidth, WithinAbs(std::stod(row[2]), 1e-5));
        CHECK_THAT(choice.error, WithinRel(std::stod(row[3]), 1e-9));
    }
}

TEST_CASE("the chapter's table is R's, row by row", "[02][golden]")
{
    const Sample ours = old_faithful();
    const Sample golden = golden_sample("faithful");
    REQUIRE(ours.keys.size() == 272);
    REQUIRE(golden.keys.size() == 272);
    for (std::size_t i = 0; i < 272; ++i) {
        CHECK(ours.keys(i) == golden.keys(i));
        CHECK(ours.values(i) == golden.values(i));
    }
}
