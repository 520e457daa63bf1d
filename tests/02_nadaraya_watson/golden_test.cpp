/// \file
/// \brief Agreement with R: its own estimator ksmooth, and the formula written in plain R.
#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::nadaraya_watson;
using attn::testing::golden_sample;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

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

// [claim_ksmooth]
TEST_CASE("every prediction of ksmooth, missing ones included", "[02][golden][claim]")
{
    std::size_t n_missing = 0;
    double largest_difference = 0;
    const auto rows = golden_rows("ksmooth.csv"); // data, kernel, bandwidth, x, prediction
    REQUIRE(rows.size() == 94);
    for (const auto& row : rows) {
        CAPTURE(row[0], row[1], row[2], row[3]);
        const Sample sample = golden_sample(row[0]);
        const bool normal = row[1] == "normal";
        const double h = width_of_ksmooth(row[1], std::stod(row[2]));
        const Kernel kernel =
            normal ? cut(kernel_named("gaussian"), 4) : kernel_named("boxcar");
        const Prediction found =
            predict({std::stod(row[3])}, sample.keys, sample.values, kernel, h);
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
            const Prediction whole = predict({std::stod(row[3])}, sample.keys, sample.values,
                                             kernel_named("gaussian"), h);
            largest_difference =
                std::max(largest_difference, std::abs(whole.predictions(0) - wanted) / wanted);
        }
    }
    CHECK(n_missing == 4);
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
        const Prediction found = predict({std::stod(row[3])}, sample.keys, sample.values,
                                         kernel_of_r(row[1]), std::stod(row[2]));
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
        CHECK_THAT(leave_one_out_error(sample.keys, sample.values, kernel_of_r(row[1]),
                                       std::stod(row[2])),
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
        const Choice choice = choose_bandwidth(sample.keys, sample.values, kernel_of_r(row[1]));
        CHECK_THAT(choice.bandwidth, WithinAbs(std::stod(row[2]), 1e-5));
        CHECK_THAT(choice.error, WithinRel(std::stod(row[3]), 1e-9));
    }
}

TEST_CASE("the chapter's table is R's, row by row", "[02][golden]")
{
    const Sample ours = attn::testing::old_faithful();
    const Sample golden = golden_sample("faithful");
    REQUIRE(ours.keys.size() == 272);
    REQUIRE(golden.keys.size() == 272);
    for (std::size_t i = 0; i < 272; ++i) {
        CHECK(ours.keys(i) == golden.keys(i));
        CHECK(ours.values(i) == golden.values(i));
    }
}
