#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/kernels/elementary.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <memory>
#include <utility>

namespace attn::backpropagation {

using autograd::matmul;
using program::fixed;
using program::Frame;
using program::spread;
using program::Spread;
using random::Generator;

namespace {

template <typename T>
nn::Parameters<T> list_of(std::initializer_list<std::pair<const char*, Variable<T>>> named)
{
    nn::Parameters<T> list;
    for (const auto& [name, variable] : named) {
        list.add(name, variable);
    }
    return list;
}

/// A score without parameters.
template <typename T>
using FixedScore = Variable<T> (*)(const Variable<T>& queries, const Variable<T>& keys);

template <typename T>
ScoreMaker<T> fixed_score(const char* name, FixedScore<T> score)
{
    return {name, true, [score](const ScoreSizes&, Generator&) {
                return LearntScore<T>{{}, score};
            }};
}

/// exp(theta) times scores, theta to be learnt and 0 at first: a temperature that stays
/// positive.
template <typename T>
ScoreMaker<T> with_temperature(const char* name, FixedScore<T> score)
{
    return {name, true, [score](const ScoreSizes&, Generator&) {
                const Variable<T> theta = autograd::parameter(filled<T>({1}, T(0)));
                return LearntScore<T>{list_of<T>({{"theta", theta}}),
                                      [score, theta](const auto& queries, const auto& keys) {
                                          return exp(theta) * score(queries, keys);
                                      }};
            }};
}

template <typename T>
LearntScore<T> learnt_multiplicative(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> W = matrix_parameter<T>(generator, sizes.d_q, sizes.d_k);
    return {list_of<T>({{"W", W}}), [W](const auto& queries, const auto& keys) {
                return multiplicative(queries, keys, W);
            }};
}

template <typename T>
LearntScore<T> learnt_distance(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> W = matrix_parameter<T>(generator, sizes.d_k, sizes.d_q);
    const Variable<T> theta = autograd::parameter(filled<T>({1}, T(0)));
    return {list_of<T>({{"W", W}, {"theta", theta}}),
            [W, theta](const auto& queries, const auto& keys) {
                return exp(theta) * dot_with_key_bias(queries, matmul(keys, W));
            }};
}

template <typename T>
LearntScore<T> learnt_projected(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> U = matrix_parameter<T>(generator, sizes.d_q, sizes.d_hidden);
    const Variable<T> V = matrix_parameter<T>(generator, sizes.d_k, sizes.d_hidden);
    return {list_of<T>({{"U", U}, {"V", V}}), [U, V](const auto& queries, const auto& keys) {
                return scaled_dot_product(matmul(queries, U), matmul(keys, V));
            }};
}

} // namespace

template <typename T>
const std::vector<ScoreMaker<T>>& score_makers()
{
    static const std::vector<ScoreMaker<T>> table = {
        fixed_score<T>("dot", dot_product),
        fixed_score<T>("scaled dot", scaled_dot_product),
        with_temperature<T>("cosine", cosine),
        with_temperature<T>("dot + key bias", dot_with_key_bias),
        {"multiplicative", false, learnt_multiplicative<T>},
        {"multiplicative + key bias", false, learnt_distance<T>},
        {"projected", false, learnt_projected<T>},
        {"additive, no bias", false,
         [](const ScoreSizes& sizes, Generator& generator) {
             return learnt_additive<T>(sizes, generator, false);
         }},
        {"additive, bias", false,
         [](const ScoreSizes& sizes, Generator& generator) {
             return learnt_additive<T>(sizes, generator, true);
         }},
    };
    return table;
}

const ScoreMaker<float>& score_named(const std::string& name)
{
    const std::vector<ScoreMaker<float>>& table = score_makers<float>();
    const auto found =
        std::find_if(table.begin(), table.end(),
                     [&](const ScoreMaker<float>& maker) { return maker.name == name; });
    expect(found != table.end(), "score_named: there is no score '{}'", name);
    return *found;
}

template const std::vector<ScoreMaker<float>>& score_makers();
template const std::vector<ScoreMaker<double>>& score_makers();

namespace {

/// A score in training.
struct TrainingRun
{
    LearntScore<float> score;
    std::unique_ptr<nn::Adam<float>> adam; ///< none if there is nothing to learn
    TrainedScore result;
};

std::vector<TrainingRun> start_runs(const RetrievalTask& task,
                                    const std::vector<std::string>& names, std::uint64_t seed,
                                    const TrainingOptions& options, std::size_t d_hidden)
{
    const ScoreSizes sizes{task.of.M.shape(0), task.of.M.shape(1), d_hidden};
    std::vector<TrainingRun> runs;
    for (std::size_t which = 0; which < names.size(); ++which) {
        const ScoreMaker<float>& maker = score_named(names[which]);
        if (maker.equal_sizes && sizes.d_q != sizes.d_k) {
            continue;
        }
        Generator generator(seed, random::Stream::score_parameters, which);
        TrainingRun run{maker.make(sizes, generator), nullptr, {}};
        run.result.score = maker.name;
        run.result.n_parameters = run.score.parameters.n_numbers();
        if (run.result.n_parameters > 0) {
            run.adam = std::make_unique<nn::Adam<float>>(
                run.score.parameters,
                nn::Adam<float>::Options{.learning_rate = options.learning_rate});
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

} // namespace

std::vector<TrainedScore> train_scores(const RetrievalTask& task,
                                       const std::vector<std::string>& names,
                                       std::uint64_t seed, const TrainingOptions& options,
                                       std::size_t d_hidden)
{
    std::vector<TrainingRun> runs = start_runs(task, names, seed, options, d_hidden);

    // At each step every score sees the same new tables, and takes a step.
    Generator data(seed, random::Stream::retrieval_training);
    for (std::size_t step = 0; step < options.n_steps; ++step) {
        const Batch batch = draw_batch(task, data, options.batch);
        const Variable<float> queries(batch.queries);
        const Variable<float> keys(batch.keys);
        for (TrainingRun& run : runs) {
            if (run.adam) {
                autograd::Tape<float> tape;
                const Variable<float> loss =
                    cross_entropy_of(run.score.score(queries, keys), batch.chosen);
                run.result.losses.push_back(static_cast<double>(loss.item()));
                autograd::backward(loss);
                run.adam->step();
            }
        }
    }

    for (const TrainingRun& run : runs) {
        if (run.adam) {
            nn::count_training(run.score.parameters);
        }
    }

    // The test: new tables, and no step is taken.
    constexpr std::size_t at_a_time = 250;
    Generator test(seed, random::Stream::retrieval_test);
    for (std::size_t n_done = 0; n_done < options.n_test; n_done += at_a_time) {
        const std::size_t n = std::min(at_a_time, options.n_test - n_done);
        const double share = static_cast<double>(n) / static_cast<double>(options.n_test);
        const Batch batch = draw_batch(task, test, n);
        for (TrainingRun& run : runs) {
            const Variable<float> scores = run.score.score(batch.queries, batch.keys);
            const double loss =
                static_cast<double>(cross_entropy_of(scores, batch.chosen).item());
            run.result.accuracy += share * accuracy_of(scores, batch.chosen);
            run.result.cross_entropy += share * loss;
        }
    }

    std::vector<TrainedScore> results;
    for (TrainingRun& run : runs) {
        results.push_back(std::move(run.result));
    }
    return results;
}

namespace {

/// [n_tasks][n_seeds][n_scores].
using Results = std::vector<std::vector<std::vector<TrainedScore>>>;

/// What the seeds gave for one score on one task; nan if sizes do not fit.
struct OverSeeds
{
    std::size_t n_parameters = 0;
    Spread accuracy{{std::nan("")}};
    Spread loss{{std::nan("")}};
};

OverSeeds over_seeds(const std::vector<std::vector<TrainedScore>>& of_task,
                     const std::string& score)
{
    for (std::size_t i = 0; i < of_task[0].size(); ++i) {
        if (of_task[0][i].score == score) {
            return {of_task[0][i].n_parameters,
                    spread(of_task, [i](const auto& seed) { return seed[i].accuracy; }),
                    spread(of_task, [i](const auto& seed) { return seed[i].cross_entropy; })};
        }
    }
    return {};
}

/// Prints and writes a row a score and a column a task: medians, a dash where there is none.
/// \param with_details  whether parameters and the loss in the first task are printed, too
/// \returns             the largest difference between two seeds, of all accuracies
double retrieval_table(Frame& frame, const std::vector<RetrievalTask>& tasks,
                       const std::vector<std::string>& scores, const Results& results,
                       bool with_details, const char* file)
{
    const auto n_keys = static_cast<double>(tasks[0].n_keys);
    std::vector<std::string> header = {"score"};
    std::vector<std::string> chance = {"chance"};
    for (const RetrievalTask& task : tasks) {
        header.push_back(task.of.name);
        chance.push_back(fixed(1 / n_keys, 3));
    }
    if (with_details) {
        header.insert(header.begin() + 1, "parameters");
        header.push_back("loss, same");
        chance.insert(chance.begin() + 1, "");
        chance.push_back(fixed(elementary::log(n_keys), 3));
    }
    program::Table table(header);
    program::Results csv({"task", "score"}, {{"parameters", fixed, 0},
                                             {"lowest_accuracy", fixed, 3},
                                             {"accuracy", fixed, 3},
                                             {"highest_accuracy", fixed, 3},
                                             {"lowest_loss", fixed, 4},
                                             {"loss", fixed, 4},
                                             {"highest_loss", fixed, 4}});
    double widest = 0;
    for (std::size_t row = 0; row < scores.size(); ++row) {
        std::vector<std::string> cells = {scores[row]};
        for (std::size_t task = 0; task < tasks.size(); ++task) {
            const auto& [n, accuracy, loss] = over_seeds(results[task], scores[row]);
            csv.add({program::key_name(tasks[task].of.name), program::key_name(scores[row])},
                    {static_cast<double>(n), accuracy.lowest(), accuracy.median(),
                     accuracy.highest(), loss.lowest(), loss.median(), loss.highest()});
            const bool none = std::isnan(accuracy.median());
            cells.push_back(none ? "-" : fixed(accuracy.median(), 3));
            widest = std::max(widest, none ? 0 : accuracy.highest() - accuracy.lowest());
        }
        if (with_details) {
            const OverSeeds first = over_seeds(results[0], scores[row]);
            cells.insert(cells.begin() + 1, std::to_string(first.n_parameters));
            cells.push_back(fixed(first.loss.median(), 3));
        }
        table.row(cells);
    }
    table.row(chance);
    frame.terminal.table(table);
    frame.files.write_csv(file, csv.columns());
    return widest;
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

/// One of the small tasks, every row of its table.
std::vector<TrainedScore> learn_small(const RetrievalTask& task, std::uint64_t seed,
                                      const TrainingOptions& options)
{
    std::vector<TrainedScore> results;
    for (const std::size_t d_hidden : {32U, 128U}) {
        std::vector<std::string> names;
        for (const SmallRow& row : small_rows) {
            if (row.d_hidden == d_hidden) {
                names.emplace_back(row.score);
            }
        }
        for (TrainedScore& result : train_scores(task, names, seed, options, d_hidden)) {
            result.score = small_rows[results.size()].name;
            results.push_back(std::move(result));
        }
    }
    return results;
}

/// Writes the first losses of the first seed on the rotated task.
void write_first_losses(Frame& frame, const std::vector<TrainedScore>& rotated)
{
    std::vector<std::string> names;
    std::vector<std::vector<double>> losses;
    for (const TrainedScore& result : rotated) {
        if (result.n_parameters > 1) {
            names.push_back(result.score);
            losses.push_back(result.losses);
        }
    }
    frame.files.write_csv("trained_first_losses.csv", program::first_losses_of(names, losses));
}

} // namespace

void show_learnt_retrieval(Frame& frame)
{
    const bool quick = frame.options.quick;
    const TrainingOptions options{quick ? 40U : 600U, 64, 0.01, quick ? 500U : 4000U};
    frame.terminal.introduce(
        "Scores learnt",
        "The share of {} new queries whose right key has the highest score, after {} steps of "
        "Adam on batches of {} tables of 16 keys; the median of three seeds. The tasks are "
        "those of chapter 3, and scale: keys are stretched as in lengths, but after the query "
        "was made. Cosine and key bias learn a temperature. Projected: the scaled dot product "
        "of 32 numbers each. The additive score has 32 hidden units. Last column: the "
        "cross-entropy of the weights in the first task.",
        options.n_test, options.n_steps, options.batch);
    std::vector<std::string> scores;
    for (const ScoreMaker<float>& maker : score_makers<float>()) {
        scores.push_back(maker.name);
    }
    std::vector<std::string> small_scores;
    for (const SmallRow& row : small_rows) {
        small_scores.emplace_back(row.name);
    }
    const std::vector<RetrievalTask> large = learnt_tasks(frame.options.seed);
    const std::vector<RetrievalTask> small = small_tasks(frame.options.seed);
    const Results results = program::run_rows_with_seeds(
        frame, "training", large.size() + small.size(), seeds_of(frame),
        [&](std::size_t task, std::uint64_t seed) {
            return task < large.size()
                       ? train_scores(learnt_tasks(seed)[task], scores, seed, options)
                       : learn_small(small_tasks(seed)[task - large.size()], seed, options);
        });
    const auto first_small = results.begin() + static_cast<std::ptrdiff_t>(large.size());

    const double widest = retrieval_table(frame, large, scores, {results.begin(), first_small},
                                          true, "trained_retrieval.csv");
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "The largest difference between two seeds, of all accuracies: {}.", fixed(widest, 3)));
    frame.terminal.introduce(
        "Keys of few numbers",
        "The same with 8 keys and little noise (0.1). 3 to 2: queries have 3 numbers, keys 2; "
        "so on. 16 symbols: keys are one-hot vectors, all different; queries have 24 numbers "
        "and noise of 0.3. After {} steps on batches of {} tables.",
        options.n_steps, options.batch);
    retrieval_table(frame, small, small_scores, {first_small, results.end()}, false,
                    "trained_small.csv");
    const auto rotated =
        std::find_if(large.begin(), large.end(),
                     [](const RetrievalTask& task) { return task.of.name == "rotated"; });
    write_first_losses(frame, results[static_cast<std::size_t>(rotated - large.begin())][0]);
}

} // namespace attn::backpropagation
