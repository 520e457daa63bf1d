#include "chapters/04_backpropagation/experiments/report.hpp"

#include "chapters/04_backpropagation/experiments/root_training.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <array>

namespace attn::backpropagation::report {

using program::fixed;
using program::Frame;
using program::significant;
using program::spread;
using program::Spread;

namespace {

/// The loss, and what makes it small.
struct RootSetting
{
    const char* loss;
    Objective objective;
    const char* method;
    bool adam;
    double rate;
};
constexpr std::array<RootSetting, 3> root_settings = {{
    {"context", Objective::values, "Adam", true, 0.003},
    {"context", Objective::values, "SGD", false, 0.3},
    {"weights", Objective::weights, "Adam", true, 0.003},
}};
constexpr std::array<std::size_t, 3> root_sizes = {64, 256, 1024};

/// Trains a row of the table, scaled or plain.
/// \param which  twice the row, and 1 more for plain
RootResult train_root(std::size_t which, std::uint64_t seed)
{
    const RootSetting& setting = root_settings[which / 2 / root_sizes.size()];
    return train_projections({root_sizes[which / 2 % root_sizes.size()], which % 2 == 0,
                              setting.objective, setting.adam, setting.rate, 400},
                             seed);
}

} // namespace

void root(Frame& frame)
{
    frame.terminal.introduce(
        "What the root of d does to a training",
        "Queries and keys of the rotated task are projected to d numbers each, by matrices "
        "that are learnt. Steps until 9 of 10 of 500 new queries find their key (lowest, "
        "median and highest of three seeds) with the score q.k / sqrt(d) and with q.k, and "
        "the median of the first loss. Loss of the context: its squared error, when the "
        "right key's value is asked for. Loss of the weights: their cross-entropy. Learning "
        "rates: Adam 0.003, SGD 0.3.");
    const std::size_t n_rows = root_settings.size() * root_sizes.size();
    const std::vector<std::vector<RootResult>> results = program::run_rows_with_seeds(
        frame, "training", 2 * n_rows, seeds_of(frame), train_root);

    const auto steps = [&](std::size_t which) {
        return spread(results[which], [](const RootResult& result) { return result.n_steps; });
    };
    const auto first_loss = [&](std::size_t which) {
        return spread(results[which],
                      [](const RootResult& result) { return result.first_loss; });
    };
    program::Table table({"loss of the", "method", "d", "scaled: first loss", "steps",
                          "q.k: first loss", "steps"});
    program::CsvRows csv({{"setting", significant, 4},
                          {"d", significant, 4},
                          {"scaled_lowest", significant, 4},
                          {"scaled_median", significant, 4},
                          {"scaled_highest", significant, 4},
                          {"plain_lowest", significant, 4},
                          {"plain_median", significant, 4},
                          {"plain_highest", significant, 4},
                          {"plain_first_loss", significant, 4}});
    for (std::size_t row = 0; row < n_rows; ++row) {
        const RootSetting& setting = root_settings[row / root_sizes.size()];
        const std::size_t d = root_sizes[row % root_sizes.size()];
        table.row({setting.loss, setting.method, std::to_string(d),
                   fixed(first_loss(2 * row).median(), 2), steps(2 * row).text(0),
                   fixed(first_loss(2 * row + 1).median(), 2), steps(2 * row + 1).text(0)});
        const Spread scaled = steps(2 * row);
        const Spread plain = steps(2 * row + 1);
        csv.add({static_cast<double>(row / root_sizes.size()), static_cast<double>(d),
                 scaled.lowest(), scaled.median(), scaled.highest(), plain.lowest(),
                 plain.median(), plain.highest(), first_loss(2 * row + 1).median()});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_root.csv", csv.columns());
}

} // namespace attn::backpropagation::report
