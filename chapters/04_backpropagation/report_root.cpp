/// \file
/// \brief The body of root() of report_learning.hpp.
#include "chapters/04_backpropagation/report_learning.hpp"

#include "chapters/04_backpropagation/root_training.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/program/trained.hpp"

#include <array>

namespace attn::backpropagation::report {

using program::fixed;
using program::Frame;
using program::significant;
using program::spread;
using program::Spread;

void root(Frame& frame)
{
    struct Setting
    {
        const char* loss;
        Objective objective;
        const char* method;
        bool adam;
        double rate;
    };
    constexpr std::array<Setting, 3> settings = {{
        {"context", Objective::values, "Adam", true, 0.003},
        {"context", Objective::values, "SGD", false, 0.3},
        {"weights", Objective::weights, "Adam", true, 0.003},
    }};
    constexpr std::array<std::size_t, 3> sizes = {64, 256, 1024};
    const std::vector<std::uint64_t> seeds = seeds_of(frame);
    program::begin_trained(
        frame, "What the root of d does to a training",
        "Queries and keys of the rotated task are projected to d numbers each, by matrices "
        "that are learnt. Steps until 9 of 10 of 500 new queries find their key (lowest, "
        "median and highest of three seeds) with the score q.k / sqrt(d) and with q.k, and "
        "the median of the first loss. Loss of the context: its squared error, when the "
        "right key's value is asked for. Loss of the weights: their cross-entropy. Learning "
        "rates: Adam 0.003, SGD 0.3.");
    const std::size_t n_rows = settings.size() * sizes.size();
    std::vector<std::vector<RootResult>> results(2 * n_rows,
                                                 std::vector<RootResult>(seeds.size()));
    side_by_side(frame, "training", results.size() * seeds.size(), [&](std::size_t index) {
        const std::size_t seed = index % seeds.size();
        const std::size_t which = index / seeds.size();
        const Setting& setting = settings[which / 2 / sizes.size()];
        const RootTraining training{sizes[which / 2 % sizes.size()],
                                    which % 2 == 0,
                                    setting.objective,
                                    setting.adam,
                                    setting.rate,
                                    400};
        results[which][seed] = train_projections(training, seeds[seed]);
    });

    const auto steps = [&](std::size_t which) {
        return spread(results[which], [](const RootResult& result) { return result.n_steps; });
    };
    const auto first_loss = [&](std::size_t which) {
        return spread(results[which],
                      [](const RootResult& result) { return result.first_loss; });
    };
    program::Table table({"loss of the", "method", "d", "scaled: first loss", "steps",
                          "q.k: first loss", "steps"});
    std::array<std::vector<double>, 9> kept;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const Setting& setting = settings[row / sizes.size()];
        const std::size_t d = sizes[row % sizes.size()];
        table.row({setting.loss, setting.method, std::to_string(d),
                   fixed(first_loss(2 * row).median(), 2), steps(2 * row).text(0),
                   fixed(first_loss(2 * row + 1).median(), 2), steps(2 * row + 1).text(0)});
        kept[0].push_back(static_cast<double>(row / sizes.size()));
        kept[1].push_back(static_cast<double>(d));
        for (std::size_t plain = 0; plain < 2; ++plain) {
            const Spread of_steps = steps(2 * row + plain);
            kept[2 + 3 * plain].push_back(of_steps.lowest());
            kept[3 + 3 * plain].push_back(of_steps.median());
            kept[4 + 3 * plain].push_back(of_steps.highest());
        }
        kept[8].push_back(first_loss(2 * row + 1).median());
    }
    frame.terminal.table(table);

    constexpr std::array<const char*, 9> names = {"setting",         "d",
                                                  "scaled_lowest",   "scaled_median",
                                                  "scaled_highest",  "plain_lowest",
                                                  "plain_median",    "plain_highest",
                                                  "plain_first_loss"};
    program::CsvColumns columns;
    for (std::size_t i = 0; i < names.size(); ++i) {
        columns.add(names[i], kept[i], significant, 4);
    }
    frame.files.write_csv("trained_root.csv", columns.names(), columns.cells());
}

} // namespace attn::backpropagation::report
