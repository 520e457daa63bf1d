/// \file
/// \brief What came of the trainings over three seeds, as committed, and one seed trained again
/// for a short while.
#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "chapters/05_attention_versus_dense/experiments/least_squares.hpp"
#include "chapters/05_attention_versus_dense/experiments/marked_step.hpp"
#include "common/program/csv_columns.hpp"
#include "tests/support/committed_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::attention_versus_dense;
using attn::testing::check_first_losses;
using attn::testing::committed_table;
using Catch::Matchers::WithinAbs;

namespace {

/// A number of a committed table: by row and by the name of its column.
class Committed
{
public:
    explicit Committed(const std::string& file)
        : table_(testing::committed_table_with_gaps(file))
    {
    }

    double operator()(std::size_t row, const std::string& column) const
    {
        return table_.column(column).at(row);
    }
    double lowest(std::size_t row, const std::string& model) const
    {
        return (*this)(row, model + "_lowest");
    }
    double highest(std::size_t row, const std::string& model) const
    {
        return (*this)(row, model + "_highest");
    }
    std::size_t n_rows() const { return table_.n_rows(); }

private:
    program::NumericTable table_;
};

} // namespace

// [claim_saves_data]
TEST_CASE(
    "five hundred examples are enough for attention, five thousand too few for dense networks",
    "[05][claim]")
{
    const Committed table("trained_by_size.csv");
    REQUIRE(table.n_rows() == 4); // 500, 1600, 5000, 50000
    for (const char* shared :
         {"attention", "gated_sum", "embedding_mean", "embedding_maximum"}) {
        CHECK(table.lowest(0, shared) >= 0.99);
    }
    for (const char* dense : {"dense_128_hidden", "dense_512_hidden", "dense_128_gated"}) {
        CHECK(table.highest(0, dense) <= 0.05); // no better than the mean of the steps
        CHECK(table.highest(2, dense) <= 0.6);
        CHECK(table.lowest(3, dense) >= 0.9);
        CHECK(table.highest(3, dense) < 0.98);
    }
    CHECK(table.lowest(2, "dense_128_gated") > table.highest(2, "dense_512_hidden"));
    CHECK(table.lowest(2, "dense_512_hidden") > table.highest(2, "dense_128_hidden"));
    for (const std::size_t row : {0U, 1U, 2U, 3U}) { // no linear map chooses
        CHECK(table.highest(row, "least_squares_of_means") < 0.06);
        CHECK(table.highest(row, "least_squares_of_all") < 0.06);
    }
    CHECK(table(3, "least_squares_of_all") > table(3, "dense_over_both"));
    CHECK_THAT(table(3, "least_squares_of_all"), WithinAbs(0.05, 0.005));
    for (std::size_t row = 0; row < 4; ++row) {
        CHECK(table.highest(row, "dense_over_both") <= 0.06); // 1/T = .05 at best
        for (const char* capped : {"attention_tanh_b_t", "attention_tanh_one_b"}) {
            CHECK(table.lowest(row, capped) >= 0.72);
            CHECK(table.highest(row, capped) <= 0.762);
        }
    }
    const Committed own("trained_by_heart.csv");
    CHECK(own.lowest(0, "dense_512_hidden") >= 0.99); // by heart
    CHECK(own.lowest(2, "dense_512_hidden") >= 0.94);
}
// [claim_saves_data]

// [claim_rates]
TEST_CASE("no learning rate brings a dense network near attention", "[05][claim]")
{
    const Committed table("trained_rates.csv");
    const std::vector<ModelMaker>& makers = model_makers();
    REQUIRE(table.n_rows() == makers.size());
    for (std::size_t row = 0; row < makers.size(); ++row) {
        const std::string& name = makers[row].name;
        CAPTURE(name);
        CHECK_THAT(table(row, "rate"), WithinAbs(makers[row].learning_rate, 1e-6));
        const double all[] = {table(row, "third"), table(row, "own"), table(row, "thrice")};
        const double best = *std::max_element(all, all + 3);
        const double tried = makers[row].thrice ? std::max(all[1], all[2]) : all[1];
        CHECK(best - tried < 0.005); // no other rate that was tried is better
        const bool is_network =
            name.starts_with("dense, 128") || name.starts_with("dense, 512");
        if (!is_network && name != "dense, over both") {
            CHECK(best - *std::min_element(all, all + 3) < 0.005);
        }
        if (name == "attention") {
            CHECK(all[0] > 0.99);
        }
        if (is_network) {
            CHECK(best < 0.6);
        }
    }
}
// [claim_rates]

// [claim_by_length]
TEST_CASE("with a tanh and a bias what is learnt follows the formula at every length",
          "[05][claim]")
{
    const Committed table("trained_by_length.csv");
    const std::size_t lengths[] = {5, 10, 20, 50, 100};
    for (std::size_t row = 0; row < 5; ++row) {
        CAPTURE(lengths[row]);
        for (const char* capped : {"attention_tanh_b_t", "attention_tanh_one_b"}) {
            CHECK_THAT(table(row, capped), WithinAbs(marked_ceiling(2, lengths[row]), 0.02));
        }
        CHECK_THAT(table(row, "attention_tanh"),
                   WithinAbs(marked_ceiling(1, lengths[row]), 0.06));
        CHECK(table.lowest(row, "attention") >= 0.99);
    }
    CHECK(table(0, "attention_tanh") >
          marked_ceiling(1, 5) + 0.02); // its scores depend on the numbers
    CHECK(table.lowest(1, "attention_tanh") > marked_ceiling(1, 10));
}
// [claim_by_length]

// [claim_longer]
TEST_CASE("the maximum keeps on longer sequences, attention nearly, the mean does not",
          "[05][claim]")
{
    const Committed table("trained_longer.csv");
    for (std::size_t row = 0; row < 3; ++row) { // 20, 50, 100
        CHECK(table.lowest(row, "embedding_maximum") >= 0.99);
        CHECK(table.lowest(row, "attention") >= (row == 0 ? 0.99 : row == 1 ? 0.95 : 0.8));
    }
    CHECK(table.lowest(2, "gated_sum") >= 0.99); // gates do not compete
    CHECK(table.highest(1, "attention") < 0.99);
    CHECK(table.highest(2, "embedding_mean") < 0.2);
    CHECK(table(2, "attention_tanh_one_b") < 0.25);
}
// [claim_longer]

// [claim_too_small]
TEST_CASE("on a hundred steps attention answers too small, and off by a constant",
          "[05][train][claim]")
{
    const Fitted fitted = fit_marked("attention", 1, 5000, n_marked_steps, {1500});
    const auto line_of = [&](std::size_t n_steps) { // answer = slope y + offset
        random::Generator generator(1, stream::test);
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

// [claim_trap]
TEST_CASE("with one number a step the answer may hide in the weight", "[05][claim]")
{
    const Committed table("trained_trap.csv");
    std::size_t n_sprung = 0;
    for (std::size_t seed = 0; seed < 3; ++seed) {
        const bool sprung = table(seed, "r_squared") > 0.98;
        n_sprung += sprung ? 1 : 0;
        if (sprung) { // above the ceiling, and read off the weight
            CHECK(table(seed, "of_weight") > 0.98);
            CHECK(table(seed, "of_value") < 0.6);
        } else {
            CHECK(table(seed, "r_squared") < 0.76);
        }
    }
    CHECK(n_sprung == 2);
}
// [claim_trap]

// [claim_lags]
TEST_CASE("fixed days with signs are the dense layer's", "[05][claim]")
{
    const Committed table("trained_lags.csv");
    enum Task
    {
        features,
        days,
        signs
    };
    for (const Task task : {features, days, signs}) {
        CHECK(table.lowest(task, "dense_over_both") >= 0.999);
    }
    CHECK(table.lowest(features, "attention") >= 0.99);
    CHECK(table.lowest(features, "dense_over_features") >= 0.99);
    CHECK(table.lowest(days, "attention_b_t") >= 0.99); // days, all of one sign
    CHECK(table.lowest(days, "dense_over_time") >= 0.99);
    CHECK(table.highest(days, "attention_tanh_b_t") < 0.85); // the cap again
    CHECK(table.highest(days, "attention") < 0.15);          // it cannot tell the days
    CHECK(table.highest(days, "dense_over_features") < 0.15);
    CHECK(table(signs, "attention_b_t") <= 1.16 / 1.52 + 0.01); // one sign for all days
    CHECK(table(signs, "attention_b_t") >= 0.7);
    CHECK(table(signs, "dense_over_time") >= 0.95);
    CHECK(table.highest(signs, "attention_tanh_b_t") < 0.55);
}
// [claim_lags]

// [claim_arithmetic]
TEST_CASE("two marked numbers are multiplied by attention, not by a dense network",
          "[05][claim]")
{
    const Committed times("trained_multiplication.csv");
    const Committed plus("trained_addition.csv");
    enum Measure
    {
        explained,
        near,
        twice
    };
    for (const char* attends : {"embedding_tanh_attention", "embedding_attention"}) {
        CHECK(times(near, attends) >= 0.99);
        CHECK(times(explained, attends) >= 0.99);
    }
    CHECK(times.lowest(near, "embedding_attention") >= 0.99);
    CHECK(times.highest(near, "dense_128_hidden") <= 0.3); // a constant has .278
    CHECK(times.highest(explained, "dense_128_hidden") <= 0.75);
    CHECK(times(near, "embedding_mean") >= 0.98); // at this length the mean does it, too
    CHECK(plus.lowest(near, "embedding_mean") >= 0.98);
    CHECK(times(twice, "embedding_attention") > times(twice, "embedding_mean") + 0.05);
    CHECK(plus(twice, "embedding_attention") > plus(twice, "embedding_mean") + 0.05);
    CHECK(times.lowest(twice, "embedding_attention") >
          times.highest(twice, "embedding_tanh_attention") + 0.05);
}
// [claim_arithmetic]

// [claim_order]
TEST_CASE("who is blind to order is right half the time", "[05][claim]")
{
    const Committed table("trained_order.csv");
    for (const char* blind : {"mean_of_the_steps", "embedding_mean", "embedding_maximum",
                              "embedding_tanh_attention", "attention_tanh_one_b"}) {
        CHECK_THAT(table.lowest(0, blind), WithinAbs(0.5, 0.01));
        CHECK_THAT(table.highest(0, blind), WithinAbs(0.5, 0.01));
    }
    for (const char* placed : {"attention_tanh_b_t", "attention_b_t", "dense_over_both"}) {
        CHECK(table.lowest(0, placed) >= 0.95);
    }
}
// [claim_order]

TEST_CASE("the weights of the figure are where the marker is", "[05][claim]")
{
    const Committed table("trained_weights.csv");
    for (std::size_t row = 0; row < table.n_rows(); ++row) {
        const bool marked = table(row, "marked") == 1;
        CHECK((table(row, "plain") > 0.9) == marked);
        CHECK(table(row, "capped") <= largest_weight(2, 20) + 1e-4);
        CHECK((table(row, "capped") > 0.2) == marked);
    }
}

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

// [claim_falling]
TEST_CASE("a falling rate and weight decay mend much at 5000 examples, and nothing at 1600",
          "[05][claim]")
{
    const program::NumericTable table = committed_table("trained_falling.csv");
    const auto fresh = [&](double n_examples) {
        return testing::numbers_where(table, "fresh", {{"examples", n_examples}});
    };
    CHECK(fresh(500).back() < 0);
    CHECK(fresh(1600).back() < 0);
    REQUIRE(fresh(5000).size() == 3);
    CHECK_THAT(fresh(5000)[1], WithinAbs(0.796, 0.0005));
    const Committed fixed_rate("trained_by_size.csv");
    CHECK_THAT(fixed_rate(2, "dense_128_gated"), WithinAbs(0.548, 0.0005));
    CHECK(fresh(5000).front() > fixed_rate.highest(2, "dense_128_gated"));
    for (const double learnt_from : table.column("learnt_from")) {
        CHECK(learnt_from > 0.99); // by heart, in spite of the decay
    }
}
// [claim_falling]

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
    const Committed table("trained_by_size.csv"); // after 4000 batches
    for (const char* dense : {"dense, 128 hidden", "dense, 512 hidden", "dense, 128 gated"}) {
        CAPTURE(dense);
        Training training;
        training.rate_factor = 1;
        training.n_steps = 8000;
        training.n_test = 2000;
        CHECK(fit_marked(dense, 1, 50000, n_marked_steps, training).fit.test >
              table.highest(3, program::column_name(dense)));
    }
}
// [claim_unfinished]
