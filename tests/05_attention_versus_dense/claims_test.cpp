/// \file
/// \brief One seed trained again for a short while, beside what came of three, as committed.
#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "chapters/05_attention_versus_dense/experiments/experiments.hpp"
#include "common/program/csv_columns.hpp"
#include "common/random/streams.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::attention_versus_dense;
using attn::testing::check_first_losses;
using attn::testing::committed_numbers;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

// [claim_rates]
TEST_CASE("the rates in the table are those in use, and none that was tried is better",
          "[05][claim]")
{
    REQUIRE(committed_numbers("trained_rates.csv", "rate", {}).size() == model_makers().size());
    for (const ModelMaker& maker : model_makers()) {
        CAPTURE(maker.name);
        const auto number = [&](const char* column) {
            return committed_numbers("trained_rates.csv", column,
                                     {{"model", program::key_name(maker.name)}})
                .at(0);
        };
        CHECK_THAT(number("rate"), WithinAbs(maker.learning_rate, 1e-6));
        const double third = number("third");
        const double own = number("own");
        const double thrice = number("thrice");
        const double in_use = maker.thrice ? std::max(own, thrice) : own;
        CHECK(std::max({third, own, thrice}) - in_use < 0.005);
    }
}
// [claim_rates]

// [claim_too_small]
TEST_CASE("on a hundred steps attention answers too small, and off by a constant",
          "[05][train][claim]")
{
    const Fitted fitted = fit_marked("attention", 1, 5000, n_marked_steps, {1500});
    const auto line_of = [&](std::size_t n_steps) { // answer = slope y + offset
        random::Generator generator(1, random::Stream::layer_test);
        const Examples test = draw_marked(generator, 2000, n_steps);
        const Array<float> answers = predictions(fitted.model, test);
        std::array<LinearMap, 4> lines;
        for (std::size_t k = 0; k < lines.size(); ++k) {
            lines[k] = least_squares(Matrix(xt::view(test.Y, xt::all(), xt::range(k, k + 1))),
                                     xt::view(answers, xt::all(), xt::range(k, k + 1)));
        }
        return lines;
    };
    double largest_offset = 0;
    for (const LinearMap& line : line_of(n_marked_steps)) {
        CHECK_THAT(line.coefficients(0, 0), WithinAbs(1, 0.02));
        CHECK_THAT(line.coefficients(1, 0), WithinAbs(0, 0.02));
    }
    for (const LinearMap& line : line_of(100)) {
        CHECK(line.coefficients(0, 0) < 0.85);
        largest_offset = std::max(largest_offset, std::abs(line.coefficients(1, 0)));
    }
    CHECK(largest_offset > 0.1);
}
// [claim_too_small]

TEST_CASE("the committed trainings begin as committed, and learn what the tables say",
          "[05][train]")
{
    const program::NumericTable committed = committed_table("trained_first_losses.csv");
    for (const char* model :
         {"attention, tanh, b_t", "attention", "embedding, maximum", "dense, 512 hidden"}) {
        CAPTURE(model);
        const bool thrice = maker_named(model).thrice; // that rate was the better one
        const Fitted fitted =
            fit_marked(model, 1, 5000, n_marked_steps, {100, 64, thrice ? 3.0 : 1.0, 1, 500});
        check_first_losses(fitted.fit.losses, committed.column(program::column_name(model)));
    }

    // From 500 examples, at the rates of the tables.
    Training training;
    training.n_steps = 600;
    training.n_test = 2000;
    const auto learn = [&](const char* model) {
        return fit_marked(model, 5, 500, n_marked_steps, training).fit;
    };
    CHECK(learn("attention").test > 0.97);
    CHECK_THAT(learn("attention, tanh, one b").test, WithinAbs(marked_ceiling(2, 20), 0.04));
    CHECK(learn("dense, 128 hidden").test < 0.1);

    // Examples that are learnt from get better to the end, new ones do not: validation stops.
    training.n_steps = 400;
    training.rate_factor = 1;
    const Fit stopped = learn("dense, 512 hidden");
    training.n_evaluations = 1; // at the end
    const Fit at_the_end = learn("dense, 512 hidden");
    CHECK(stopped.losses == at_the_end.losses);
    CHECK(stopped.test > at_the_end.test + 0.05);
}

// [claim_batches]
TEST_CASE("from 500 examples more batches gain a dense network nothing", "[05][train][claim]")
{
    for (const char* dense : {"dense, 128 hidden", "dense, 512 hidden", "dense, 128 gated"}) {
        CAPTURE(dense);
        Training training;
        training.rate_factor = 1;
        training.n_test = 2000;
        const auto after = [&](std::size_t n_steps) {
            training.n_steps = n_steps;
            return fit_marked(dense, 1, 500, n_marked_steps, training).fit.test;
        };
        CHECK(after(1500) < after(600) + 0.03);
    }
}
// [claim_batches]

// [claim_unfinished]
TEST_CASE("from 50000 examples twice the batches gain each dense network", "[05][train][claim]")
{
    const program::NumericTable table = committed_table("trained_by_size.csv"); // 4000 batches
    for (const char* dense : {"dense, 128 hidden", "dense, 512 hidden", "dense, 128 gated"}) {
        CAPTURE(dense);
        Training training;
        training.rate_factor = 1;
        training.n_steps = 8000;
        training.n_test = 2000;
        CHECK(fit_marked(dense, 1, 50000, n_marked_steps, training).fit.test >
              table.column(program::column_name(dense) + "_highest").at(3));
    }
}
// [claim_unfinished]
