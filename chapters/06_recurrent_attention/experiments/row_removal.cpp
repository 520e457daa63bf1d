#include "chapters/06_recurrent_attention/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::recurrent_attention {

using program::fixed;
using program::Frame;
using program::significant;
using program::Spread;

Array<float> without_rows(const Array<float>& windows, const std::vector<std::size_t>& lags,
                          std::size_t column)
{
    const std::size_t window = windows.shape()[1];
    const std::size_t n_columns = windows.shape()[2];
    expect(lags.size() == windows.shape()[0] && column < n_columns,
           "without_rows: there must be a lag for each window of {} and a column {}, got {} "
           "lags",
           windows.shape(), column, lags.size());
    Array<float> altered = windows;
    for (std::size_t i = 0; i < lags.size(); ++i) {
        expect(lags[i] >= 1 && lags[i] <= window, "without_rows: lags must be 1 to {}, got {}",
               window, lags[i]);
        altered.data()[(i * window + window - lags[i]) * n_columns + column] = 0;
    }
    return altered;
}

namespace {

/// The lag of the largest weight in each row.
std::vector<std::size_t> heaviest_lags(const Matrix& weights)
{
    std::vector<std::size_t> lags;
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        const double* const row = weights.data() + i * weights.shape(1);
        lags.push_back(static_cast<std::size_t>(row + weights.shape(1) -
                                                std::max_element(row, row + weights.shape(1))));
    }
    return lags;
}

} // namespace

void show_row_removal(Frame& frame, const Problem& problem,
                      const std::vector<ComparedModel>& compared)
{
    frame.terminal.introduce(
        "Is the row with the largest weight the one that counts?",
        "Switched series, the same networks and rows. Weight: the mean weight on the row that "
        "y depends on. Then the root mean squared error on windows as they are, and with x1 "
        "replaced by its mean in one row: the one that y depends on, or the one with the "
        "largest weight. Lowest, median and highest of three seeds.");
    std::vector<std::size_t> right;
    for (const bool on : switched_on(problem, problem.test)) {
        right.push_back(on ? lag_if_1 : lag_if_0);
    }
    const Matrix truth = truth_of(problem, problem.test);
    program::Table table({"model", "weight", "as it is", "right row out", "heaviest out"});
    program::Results csv({"model"}, {{"seed", significant, 10},
                                     {"weight", fixed, 4},
                                     {"as_it_is", significant, 4},
                                     {"right_out", significant, 4},
                                     {"heaviest_out", significant, 4}});
    const std::vector<const char*> names = {"LSTM", "LSTM with attention", "attention only",
                                            "dense network"};
    for (std::size_t number = 0; number < names.size(); ++number) {
        const ComparedModel& model = model_named(compared, names[number]);
        std::vector<double> weight;
        std::vector<double> as_it_is;
        std::vector<double> right_out;
        std::vector<double> heaviest_out;
        for (std::size_t seed = 0; seed < model.trained.size(); ++seed) {
            const auto error_without = [&](const std::vector<std::size_t>& lags) {
                const Array<float> altered = without_rows(problem.test.inputs, lags, 0);
                return rmse(in_own_units(problem, model.predict[seed](altered)), truth, 0);
            };
            as_it_is.push_back(model.errors[0][seed]);
            right_out.push_back(error_without(right));
            const Forecaster<float>& network = model.trained[seed].network;
            if (number == 1 || number == 2) {
                const Matrix weights = weights_on(network, problem.test);
                double mean = 0;
                for (std::size_t i = 0; i < right.size(); ++i) {
                    mean += weights(i, problem.plan.window - right[i]) /
                            static_cast<double>(right.size());
                }
                weight.push_back(mean);
                heaviest_out.push_back(error_without(heaviest_lags(weights)));
            } else {
                weight.push_back(0);
                heaviest_out.push_back(0);
            }
            csv.add({program::key_name(model.name)},
                    {static_cast<double>(frame.options.seed + seed), weight.back(),
                     as_it_is.back(), right_out.back(), heaviest_out.back()});
        }
        const bool attends = number == 1 || number == 2;
        table.row({names[number], attends ? Spread(weight).text(2) : "-",
                   Spread(as_it_is).text(3), Spread(right_out).text(3),
                   attends ? Spread(heaviest_out).text(3) : "-"});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_removal.csv", csv.columns());
}

} // namespace attn::recurrent_attention
