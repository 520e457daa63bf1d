#include "chapters/02_nadaraya_watson/exercises/solutions.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "tests/02_nadaraya_watson/samples.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/matrices.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::nadaraya_watson;
using namespace attn::nadaraya_watson::solutions;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("exercise 2.1, a window that grows is never empty", "[02][solution]")
{
    const Sample sample = awkward_sample();
    const Vector queries = {-5, 0, 0.3, 2, 3.1, 25, 40, 1000};
    for (const Kernel& kernel : kernels()) {
        for (const std::size_t k : {1UL, 2UL, 5UL, 9UL}) {
            const Vector found =
                predict_with_k_in_window(queries, sample.keys, sample.values, kernel, k);
            for (const double prediction : found) {
                CAPTURE(kernel.name, k);
                CHECK(std::isfinite(prediction));
            }
        }
    }
    CHECK_THROWS_AS(
        predict_with_k_in_window(queries, sample.keys, sample.values, kernels()[0], 0),
        ContractError);
    CHECK_THROWS_AS(
        predict_with_k_in_window(queries, sample.keys, sample.values, kernels()[0], 10),
        ContractError);
}

TEST_CASE("exercise 2.1, with one key in the window it answers alone", "[02][solution]")
{
    const Vector keys = {0, 1, 3, 7};
    const Vector values = {5, 6, 7, 8};
    for (const char* name : {"epanechnikov", "triangular"}) {
        const Vector found =
            predict_with_k_in_window({-1, 0.9, 3.5, 90}, keys, values, kernel_named(name), 1);
        CHECK((found == Vector{5, 6, 7, 8}));
    }
    // With all keys in the window and a boxcar it is the mean.
    CHECK(predict_with_k_in_window({2}, keys, values, kernel_named("boxcar"), 4)(0) == 6.5);
    // On four equal keys as well.
    CHECK(predict_with_k_in_window({1}, {1, 1, 1, 1}, values, kernels()[2], 2)(0) == 6.5);
}

TEST_CASE("exercise 2.2, the sign of the estimate is that of Parzen's difference",
          "[02][solution]")
{
    const Vector keys = column_of(random_matrix(60, 1, 61), 0);
    Vector classes = keys;
    for (std::size_t j = 0; j < keys.size(); ++j) {
        classes(j) = keys(j) * keys(j) > 0.5 ? 1 : -1;
    }
    std::vector<double> plus;
    std::vector<double> minus;
    for (std::size_t j = 0; j < keys.size(); ++j) {
        (classes(j) > 0 ? plus : minus).push_back(keys(j));
    }
    Vector plus_keys = Vector::from_shape({plus.size()});
    Vector minus_keys = Vector::from_shape({minus.size()});
    std::copy(plus.begin(), plus.end(), plus_keys.begin());
    std::copy(minus.begin(), minus.end(), minus_keys.begin());

    const Vector queries = xt::linspace<double>(-2, 2, 41);
    for (const Kernel& kernel : kernels()) {
        const std::vector<int> signs = classify(queries, keys, classes, kernel, 0.4);
        const Vector difference =
            static_cast<double>(plus.size()) * density(queries, plus_keys, kernel, 0.4) -
            static_cast<double>(minus.size()) * density(queries, minus_keys, kernel, 0.4);
        for (std::size_t i = 0; i < queries.size(); ++i) {
            CAPTURE(kernel.name, queries(i), difference(i));
            if (std::abs(difference(i)) > 1e-9) {
                CHECK(signs[i] == (difference(i) > 0 ? 1 : -1));
            }
        }
    }
    CHECK(classify({50}, keys, classes, kernel_named("boxcar"), 1)[0] == 0);
    CHECK(classify({0}, {-1, 1}, {1, -1}, kernel_named("gaussian"), 1)[0] == 0);
    CHECK_THROWS_AS(classify({0}, {-1, 1}, {1, 0}, kernels()[0], 1), ContractError);
}

TEST_CASE("exercise 2.2, a density integrates to 1", "[02][solution]")
{
    const Vector keys = {0, 0.2, 3};
    const Vector grid = xt::linspace<double>(-20, 20, 40001);
    for (const Kernel& kernel : kernels()) {
        if (kernel.name != "constant") {
            CAPTURE(kernel.name);
            const Vector estimate = density(grid, keys, kernel, 0.7);
            CHECK_THAT(xt::sum(estimate)() * 1e-3, WithinAbs(1, 1e-3));
        }
    }
}

TEST_CASE("exercise 2.3, the local line is exact on a line, up to its ends",
          "[02][solution][claim]")
{
    const Vector keys = {0, 0.5, 0.6, 1, 2, 2.2, 3};
    const Vector values = 4.0 - 3.0 * keys;
    const Vector queries = {0, 0.3, 1.5, 3};
    for (const Kernel& kernel : kernels()) {
        for (const double bandwidth : {1.2, 10.0}) {
            CAPTURE(kernel.name, bandwidth);
            const Vector line = local_line(queries, keys, values, kernel, bandwidth);
            check_close(as_column(line), as_column(4.0 - 3.0 * queries), 1e-9);

            // The local mean is pulled inwards at both ends: the boundary bias.
            const Prediction mean = predict(queries, keys, values, kernel, bandwidth);
            CHECK(mean.predictions(0) < 4 - 0.1);
            CHECK(mean.predictions(3) > -5 + 0.1);
        }
    }
}

TEST_CASE("exercise 2.3, where there is no line the mean answers", "[02][solution]")
{
    const Kernel& boxcar = kernel_named("boxcar");
    const Vector found = local_line({0, 5, 99}, {0, 0, 5}, {1, 2, 7}, boxcar, 1);
    CHECK(found(0) == 1.5);
    CHECK(found(1) == 7);
    CHECK(std::isnan(found(2)));
}

TEST_CASE("exercise 2.4, every row twice, and leaving one out memorises again",
          "[02][solution][claim]")
{
    const Sample sample = synthetic_sample(1, 0, 40);
    Sample doubled{Vector::from_shape({80}), Vector::from_shape({80})};
    for (std::size_t i = 0; i < 80; ++i) {
        doubled.keys(i) = sample.keys(i / 2);
        doubled.values(i) = sample.values(i / 2);
    }
    const Kernel& gaussian = kernel_named("gaussian");
    const Choice honest = choose_bandwidth(sample.keys, sample.values, gaussian);
    const Choice fooled = choose_bandwidth(doubled.keys, doubled.values, gaussian);
    CHECK(fooled.error < 0.2 * honest.error);
    CHECK(fooled.bandwidth < 0.1 * honest.bandwidth);
    CHECK_THAT(fooled.bandwidth, WithinRel(width_grid(doubled.keys, 401)(0), 1e-12));
}

TEST_CASE("exercise 2.5, on a circle the Gaussian kernel is the dot product",
          "[02][solution][identity]")
{
    // Keys of length 1.7, queries of any length: the query's own length cancels.
    Matrix keys = random_matrix(9, 3, 71);
    for (std::size_t j = 0; j < 9; ++j) {
        double squared_length = 0;
        for (std::size_t column = 0; column < 3; ++column) {
            squared_length += keys(j, column) * keys(j, column);
        }
        for (std::size_t column = 0; column < 3; ++column) {
            keys(j, column) *= 1.7 / std::sqrt(squared_length);
        }
    }
    const Matrix queries = random_matrix(5, 3, 72);
    for (const double h : {0.3, 1.0, 4.0}) {
        check_close(lookup::softmax(score(kernel_named("gaussian"), h)(queries, keys)),
                    lookup::softmax(lookup::dot_product(queries, keys), h * h), 1e-12);
    }
}
