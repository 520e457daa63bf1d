#include "chapters/11_multi_head/experiments/experiments.hpp"

#include "common/kernels/elementary.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace attn::multi_head {

using program::fixed;
using program::Frame;
using program::significant;
using program::spread;

double mean_weight_on_ring(const Matrix& weights, int steps)
{
    const std::size_t n = weights.shape(0);
    expect_columns(weights, n, "mean_weight_on_ring", "weights", "as many as rows");
    expect(n >= 3 && steps >= -1 && steps <= 1,
           "mean_weight_on_ring: a ring of at least 3 positions and a step are wanted, got {} "
           "and {}",
           n, steps);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t there = (i + n + static_cast<std::size_t>(steps + 1) - 1) % n;
        const double alpha = weights(i, there);
        expect(alpha >= 0, "mean_weight_on_ring: a weight is not negative, got {} in row {}",
               alpha, i);
        sum += elementary::log(alpha);
    }
    return elementary::exp(sum / static_cast<double>(n));
}

SequenceTraining projection_training(Setting setting, Tied tied)
{
    const bool on_line = setting == Setting::line || setting == Setting::causal;
    SequenceTraining training{on_line ? previous_symbol(n_kinds, setting == Setting::causal)
                                      : previous_on_ring(n_kinds),
                              {.positions = on_line ? Positions::rotary : Positions::learnt,
                               .tied = tied,
                               .d = setting == Setting::narrow ? 6U : 16U}};
    training.shortest = training.longest = projection_length;
    return training;
}

namespace {

std::string name_of(Setting setting)
{
    const std::array<const char*, 4> names = {"line, rotary", "line, rotary, causal",
                                              "ring, learnt", "ring, learnt, d = 6"};
    return names.at(static_cast<std::size_t>(setting));
}

std::string name_of(Tied tied)
{
    const std::array<const char*, 4> names = {"all free", "W_q = W_k", "W_k = W_v",
                                              "W_q = W_k = W_v"};
    return names.at(static_cast<std::size_t>(tied));
}

/// Mean weights, over sequences and positions that have both neighbours.
struct NeighbourWeights
{
    double before = 0;         ///< on the position before: the one that is asked for
    double own = 0;            ///< on the position itself
    double after = 0;          ///< on the position after
    double before_on_ring = 0; ///< geometric mean over all positions, see mean_weight_on_ring
    bool never_all_right =
        true; ///< whether on each ring at least one position attends elsewhere
};

/// Means over 200 test sequences of at least 3 positions, for a model with attention of one
/// head; those of the ring only if nothing is masked.
NeighbourWeights neighbour_weights(const SequenceModel& model, const SequenceTask& task,
                                   std::size_t length, std::uint64_t seed)
{
    constexpr std::size_t n_rows = 200;
    expect(length >= 3, "neighbour_weights: positions need two neighbours, got a length of {}",
           length);
    const Array<float> all =
        weights_on(model, test_sequences(task, n_rows, length, seed).inputs);

    NeighbourWeights result;
    Matrix weights = Matrix::from_shape({length, length});
    for (std::size_t row = 0; row < n_rows; ++row) {
        std::copy_n(all.data() + row * length * length, length * length, weights.begin());
        std::size_t n_right = 0;
        for (std::size_t i = 1; i + 1 < length; ++i) {
            const double share = 1 / static_cast<double>(n_rows * (length - 2));
            result.before += share * weights(i, i - 1);
            result.own += share * weights(i, i);
            result.after += share * weights(i, i + 1);
        }
        if (!task.causal) {
            for (std::size_t i = 0; i < length; ++i) {
                const double* const of_position = weights.data() + i * length;
                const auto most =
                    std::max_element(of_position, of_position + length) - of_position;
                n_right += static_cast<std::size_t>(most) == (i + length - 1) % length ? 1 : 0;
            }
            result.never_all_right = result.never_all_right && n_right < length;
            result.before_on_ring += mean_weight_on_ring(weights, -1) / n_rows;
        }
    }
    return result;
}

struct ProjectionResult
{
    double accuracy = 0;
    NeighbourWeights weights;
    Matrix table; // of one sequence
};

constexpr std::array<Setting, 4> settings = {Setting::line, Setting::causal, Setting::ring,
                                             Setting::narrow};
constexpr std::array<Tied, 4> ties = {Tied::none, Tied::queries_and_keys, Tied::keys_and_values,
                                      Tied::all};

ProjectionResult measure_projection(const SequenceTraining& training, std::uint64_t seed)
{
    const TrainedSequence trained = train_sequence(training, seed);
    ProjectionResult result;
    result.accuracy = mean_of(
        accuracy_by_position(trained.model, training.task, projection_length, 1000, seed));
    result.weights = neighbour_weights(trained.model, training.task, projection_length, seed);
    random::Generator fresh(seed);
    const Array<float> weights =
        weights_on(trained.model, training.task.draw(1, projection_length, fresh).inputs);
    result.table = Matrix::from_shape({projection_length, projection_length});
    std::copy(weights.begin(), weights.end(), result.table.begin());
    return result;
}

/// The weights of the seed that is right most often, on one sequence.
const Matrix& best_table(const std::vector<ProjectionResult>& of)
{
    return std::max_element(of.begin(), of.end(),
                            [](const ProjectionResult& a, const ProjectionResult& b) {
                                return a.accuracy < b.accuracy;
                            })
        ->table;
}

} // namespace

void show_projections(Frame& frame)
{
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    const std::size_t n_rows = settings.size() * ties.size();
    const std::vector<std::vector<ProjectionResult>> results = program::run_rows_with_seeds(
        frame, "projections", n_rows, seeds, [&](std::size_t row, std::uint64_t seed) {
            SequenceTraining training =
                projection_training(settings[row / ties.size()], ties[row % ties.size()]);
            training.n_steps = frame.options.quick ? 20 : training.n_steps;
            return measure_projection(training, seed);
        });
    const auto show_settings = [&](const std::vector<std::size_t>& shown) {
        program::Table table({"where", "projections", "accuracy", "before", "itself", "after"});
        for (const std::size_t setting : shown) {
            for (std::size_t tied = 0; tied < ties.size(); ++tied) {
                const std::vector<ProjectionResult>& of = results[setting * ties.size() + tied];
                const auto median = [&](double NeighbourWeights::*number) {
                    return fixed(
                        spread(of, [&](const auto& r) { return r.weights.*number; }).median(),
                        3);
                };
                table.row({name_of(settings[setting]), name_of(ties[tied]),
                           spread(of, [](const auto& r) { return r.accuracy; }).text(3),
                           median(&NeighbourWeights::before), median(&NeighbourWeights::own),
                           median(&NeighbourWeights::after)});
            }
        }
        frame.terminal.table(table);
    };
    frame.terminal.introduce(
        "Three projections: the symbol before, on a ring",
        "Twelve symbols of eight kinds, one head, d = 16, learnt positions. Accuracy on 1000 "
        "new sequences: lowest, median, highest of three seeds. Then, medians: the mean weight "
        "on the position before, on the position itself, and on that after it. Chance is "
        "0.125.");
    show_settings({2});
    frame.terminal.line();
    frame.terminal.paragraph("Right at eleven positions of twelve and guessing at the last one "
                             "gives 0.927.");
    frame.terminal.introduce(
        "Three projections: on a line, and with little room",
        "The same on a line with rotary positions, where nothing is hidden or what comes later "
        "is, and nothing is asked of the first position; and on the ring with d = 6.");
    show_settings({0, 1, 3});

    program::Results saved({"setting", "tied"}, {{"seed", significant, 10},
                                                 {"accuracy", fixed, 4},
                                                 {"before", fixed, 4},
                                                 {"on_ring", fixed, 4},
                                                 {"never_all", fixed, 0}});
    for (std::size_t row = 0; row < n_rows; ++row) {
        const std::vector<ProjectionResult>& of = results[row];
        for (std::size_t seed = 0; seed < of.size(); ++seed) {
            saved.add({name_of(settings[row / ties.size()]), name_of(ties[row % ties.size()])},
                      {static_cast<double>(seeds[seed]), of[seed].accuracy,
                       of[seed].weights.before, of[seed].weights.before_on_ring,
                       of[seed].weights.never_all_right ? 1.0 : 0.0});
        }
    }
    frame.files.write_csv("trained_projections.csv", saved.columns());
    save_weights(
        frame, "trained_projection_weights.csv", {"free", "tied"},
        {best_table(results[2 * ties.size()]), best_table(results[2 * ties.size() + 1])});
}

} // namespace attn::multi_head
