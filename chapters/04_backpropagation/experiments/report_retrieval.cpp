#include "chapters/04_backpropagation/experiments/learnt_retrieval.hpp"
#include "chapters/04_backpropagation/experiments/report.hpp"
#include "chapters/04_backpropagation/experiments/score_makers.hpp"
#include "common/kernels/elementary.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace attn::backpropagation::report {

using program::fixed;
using program::Frame;
using program::significant;
using program::spread;
using program::Spread;

namespace {

/// What the seeds gave for one score on one task.
struct OverSeeds
{
    std::string score;
    std::size_t n_parameters;
    Spread accuracy;
    Spread loss;
};

/// [n_tasks][n_scores], from [n_seeds][n_tasks][n_scores].
using AllResults = std::vector<std::vector<std::vector<TrainedScore>>>;

/// The results of one task, score by score.
std::vector<OverSeeds> over_seeds(const AllResults& results, std::size_t task)
{
    std::vector<OverSeeds> learnt;
    for (std::size_t which = 0; which < results[0][task].size(); ++which) {
        const TrainedScore& first = results[0][task][which];
        learnt.push_back(
            {first.score, first.n_parameters,
             spread(results, [&](const auto& r) { return r[task][which].accuracy; }),
             spread(results, [&](const auto& r) { return r[task][which].cross_entropy; })});
    }
    return learnt;
}

/// The numbers that are written of a table of tasks and scores.
class AccuracyColumns
{
public:
    void add(std::size_t task, std::size_t score, const OverSeeds& learnt)
    {
        rows_.add({static_cast<double>(task), static_cast<double>(score),
                   static_cast<double>(learnt.n_parameters), learnt.accuracy.lowest(),
                   learnt.accuracy.median(), learnt.accuracy.highest(), learnt.loss.lowest(),
                   learnt.loss.median(), learnt.loss.highest()});
    }

    /// Where a score cannot be asked.
    void add_none(std::size_t task, std::size_t score)
    {
        const Spread none({std::nan("")});
        add(task, score, {"", 0, none, none});
    }

    void write(Frame& frame, const char* file) const
    {
        frame.files.write_csv(file, rows_.columns());
    }

private:
    program::CsvRows rows_{{{"task", fixed, 0},
                            {"score", fixed, 0},
                            {"parameters", fixed, 0},
                            {"lowest_accuracy", fixed, 3},
                            {"accuracy", fixed, 3},
                            {"highest_accuracy", fixed, 3},
                            {"lowest_loss", fixed, 4},
                            {"loss", fixed, 4},
                            {"highest_loss", fixed, 4}}};
};

std::vector<std::string> all_scores()
{
    std::vector<std::string> names;
    for (const ScoreMaker<float>& maker : score_makers<float>()) {
        names.push_back(maker.name);
    }
    return names;
}

/// The tasks of chapter 3, every score.
void chapter_3_table(Frame& frame, const std::vector<RetrievalTask>& tasks,
                     const AllResults& results)
{
    const std::vector<std::string> scores = all_scores();
    std::vector<std::string> header = {"score", "parameters"};
    for (const RetrievalTask& task : tasks) {
        header.push_back(task.of.name);
    }
    header.push_back("loss, same");
    program::Table table(header);
    AccuracyColumns columns;
    double widest = 0;
    for (std::size_t which = 0; which < scores.size(); ++which) {
        std::vector<std::string> cells = {scores[which]};
        std::string loss;
        for (std::size_t task = 0; task < tasks.size(); ++task) {
            const std::vector<OverSeeds> learnt = over_seeds(results, task);
            const auto found =
                std::find_if(learnt.begin(), learnt.end(),
                             [&](const OverSeeds& one) { return one.score == scores[which]; });
            if (task == 0) {
                cells.push_back(std::to_string(found->n_parameters));
                loss = fixed(found->loss.median(), 3);
            }
            cells.push_back(found == learnt.end() ? "-" : fixed(found->accuracy.median(), 3));
            if (found == learnt.end()) {
                columns.add_none(task, which);
            } else {
                columns.add(task, which, *found);
                widest = std::max(widest, found->accuracy.highest() - found->accuracy.lowest());
            }
        }
        cells.push_back(loss);
        table.row(cells);
    }
    std::vector<std::string> chance(tasks.size(),
                                    fixed(1.0 / scoring_functions::n_retrieval_keys, 3));
    chance.insert(chance.begin(), {"chance", ""});
    chance.push_back(
        fixed(elementary::log(static_cast<double>(scoring_functions::n_retrieval_keys)), 3));
    table.row(chance);
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "The largest difference between two seeds, of all accuracies: {}.", fixed(widest, 3)));
    columns.write(frame, "trained_retrieval.csv");
}

/// A row of the second table: a score, and how many hidden units it has.
struct SmallRow
{
    const char* score;
    std::size_t d_hidden;
    const char* name;
};

constexpr std::array<SmallRow, 5> small_rows = {{
    {"multiplicative", 32, "multiplicative"},
    {"multiplicative + key bias", 32, "multiplicative + key bias"},
    {"additive, no bias", 32, "additive, no bias, 32 units"},
    {"additive, bias", 32, "additive, bias, 32 units"},
    {"additive, bias", 128, "additive, bias, 128 units"},
}};

/// Small keys, few scores.
void small_table(Frame& frame, const std::vector<RetrievalTask>& tasks,
                 const AllResults& results)
{
    std::vector<std::string> header = {"score"};
    for (const RetrievalTask& task : tasks) {
        header.push_back(task.of.name);
    }
    program::Table table(header);
    AccuracyColumns columns;
    for (std::size_t row = 0; row < small_rows.size(); ++row) {
        std::vector<std::string> cells = {small_rows[row].name};
        for (std::size_t task = 0; task < tasks.size(); ++task) {
            const OverSeeds learnt = over_seeds(results, task)[row];
            cells.push_back(fixed(learnt.accuracy.median(), 3));
            columns.add(task, row, learnt);
        }
        table.row(cells);
    }
    table.row({"chance", "0.125", "0.125", "0.125", "0.125"});
    frame.terminal.table(table);
    columns.write(frame, "trained_small.csv");
}

/// One of the small tasks, every row of its table.
std::vector<TrainedScore> learn_small(const RetrievalTask& task, std::uint64_t seed, bool quick)
{
    const TrainingOptions options{quick ? 40U : 600U, 64, 0.01, quick ? 500U : 4000U};
    std::vector<TrainedScore> results;
    for (const std::size_t d_hidden : {32U, 128U}) {
        std::vector<std::string> names;
        for (const SmallRow& row : small_rows) {
            if (row.d_hidden == d_hidden) {
                names.emplace_back(row.score);
            }
        }
        for (TrainedScore& result : train_scores(task, names, seed, options, d_hidden)) {
            results.push_back(std::move(result));
        }
    }
    return results;
}

/// Writes the first losses of the first seed on the rotated task.
void write_first_losses(Frame& frame, const std::vector<TrainedScore>& results)
{
    std::vector<double> steps(program::first_losses(results.back().losses).size());
    std::iota(steps.begin(), steps.end(), 0.0);
    program::CsvColumns columns;
    columns.add("step", steps, fixed, 0);
    for (const TrainedScore& result : results) {
        if (result.n_parameters > 1) {
            std::string name;
            for (const char c : result.score) {
                if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
                    name += c;
                } else if (name.back() != '_') {
                    name += '_';
                }
            }
            columns.add(name, program::first_losses(result.losses), significant, 6);
        }
    }
    frame.files.write_csv("trained_first_losses.csv", columns);
}

} // namespace

void retrieval(Frame& frame)
{
    const bool quick = frame.options.quick;
    const std::vector<std::uint64_t> seeds = seeds_of(frame);
    const TrainingOptions options{quick ? 40U : 600U, 64, 0.01, quick ? 500U : 4000U};
    frame.terminal.introduce(
        "Scores learnt",
        "The share of {} new queries whose key has the highest score, after {} steps of "
        "Adam on batches of {} tables of 16 keys; the median of three seeds. The tasks "
        "are those of chapter 3, and scale: keys are stretched as in lengths, but after "
        "the query was made. Nothing is constructed; scores see queries, keys and "
        "which key was right. Temperatures are learnt by cosine and key bias. Projected: "
        "the scaled dot product of 32 numbers each. 32 hidden units in the additive "
        "score. Last column: the cross-entropy of the weights in the first task.",
        options.n_test, options.n_steps, options.batch);

    // Every task of every seed on its own.
    AllResults large(seeds.size());
    AllResults small(seeds.size());
    std::vector<std::vector<RetrievalTask>> large_tasks;
    std::vector<std::vector<RetrievalTask>> few_numbers;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        large_tasks.push_back(learnt_tasks(seeds[i]));
        few_numbers.push_back(small_tasks(seeds[i]));
        large[i].resize(large_tasks[i].size());
        small[i].resize(few_numbers[i].size());
    }
    const std::size_t n_large = large_tasks[0].size();
    const std::size_t n_tasks = n_large + few_numbers[0].size();
    side_by_side(frame, "training", seeds.size() * n_tasks, [&](std::size_t index) {
        const std::size_t i = index / n_tasks;
        const std::size_t task = index % n_tasks;
        if (task < n_large) {
            large[i][task] =
                train_scores(large_tasks[i][task], all_scores(), seeds[i], options);
        } else {
            small[i][task - n_large] =
                learn_small(few_numbers[i][task - n_large], seeds[i], quick);
        }
    });

    chapter_3_table(frame, large_tasks[0], large);
    frame.terminal.line();
    frame.terminal.paragraph(
        "The same with 8 keys and little noise (0.1). 3 to 2: queries have 3 numbers, keys 2; "
        "so on. 16 symbols: keys are one-hot vectors, all different; queries have 24 numbers "
        "and noise of 0.3. After 600 steps on batches of 64 tables.");
    frame.terminal.line();
    small_table(frame, few_numbers[0], small);
    const auto rotated =
        std::find_if(large_tasks[0].begin(), large_tasks[0].end(),
                     [](const RetrievalTask& task) { return task.of.name == "rotated"; });
    write_first_losses(frame,
                       large[0][static_cast<std::size_t>(rotated - large_tasks[0].begin())]);
}

} // namespace attn::backpropagation::report
