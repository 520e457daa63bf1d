/// \file
/// \brief The symbol before, with projections tied and free.
#include "chapters/11_multi_head/experiments/report.hpp"
#include "chapters/11_multi_head/experiments/report_tables.hpp"
#include "chapters/11_multi_head/experiments/sequence_trainings.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <algorithm>
#include <array>

namespace attn::multi_head::report {

using program::fixed;
using program::Frame;
using program::seeds_of;
using program::significant;
using program::spread;

namespace {

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
    const SequenceBatch one = training.task.draw(1, projection_length, fresh);
    const autograd::NoGradient<float> evaluation;
    Inside<float> inside;
    trained.model.logits(one.inputs, &inside);
    result.table = Matrix::from_shape({projection_length, projection_length});
    std::copy(inside.weights.begin(), inside.weights.end(), result.table.begin());
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

void projections(Frame& frame)
{
    const std::vector<std::uint64_t> seeds = seeds_of(frame);
    const std::size_t n_rows = settings.size() * ties.size();
    frame.terminal.introduce(
        "Three projections: the symbol before",
        "Twelve symbols of eight kinds, one head: which symbol stands before each place? On "
        "a line with rotary places, where nothing is hidden or what comes later is; and on a "
        "ring with learnt places, where the last symbol stands before the first. d = 16, or "
        "6. Accuracy on 1000 new sequences: lowest, median, highest of three seeds. Then, "
        "medians: the mean weight on the place before, on the place itself, and behind it; "
        "and on the ring the geometric mean of the weight before. Chance is 0.125.");
    const std::vector<std::vector<ProjectionResult>> results = program::run_rows_with_seeds(
        frame, "projections", n_rows, seeds, [&](std::size_t row, std::uint64_t seed) {
            SequenceTraining training =
                projection_training(settings[row / ties.size()], ties[row % ties.size()]);
            training.n_steps = frame.options.quick ? 20 : training.n_steps;
            return measure_projection(training, seed);
        });

    program::Table table(
        {"where", "projections", "accuracy", "before", "itself", "behind", "geometric"});
    program::CsvRows csv({{"setting", fixed, 0},
                          {"tied", fixed, 0},
                          {"seed", significant, 10},
                          {"accuracy", fixed, 4},
                          {"before", fixed, 4},
                          {"on_ring", fixed, 4},
                          {"never_all", fixed, 0}});
    for (std::size_t row = 0; row < n_rows; ++row) {
        const std::vector<ProjectionResult>& of = results[row];
        const bool ring = row / ties.size() >= 2;
        const auto median = [&](double NeighbourWeights::*number) {
            return fixed(spread(of, [&](const auto& r) { return r.weights.*number; }).median(),
                         3);
        };
        table.row({name_of(settings[row / ties.size()]), name_of(ties[row % ties.size()]),
                   spread(of, [](const auto& r) { return r.accuracy; }).text(3),
                   median(&NeighbourWeights::before), median(&NeighbourWeights::own),
                   median(&NeighbourWeights::after),
                   ring ? median(&NeighbourWeights::before_on_ring) : ""});
        for (std::size_t seed = 0; seed < of.size(); ++seed) {
            csv.add({static_cast<double>(row / ties.size()),
                     static_cast<double>(row % ties.size()), static_cast<double>(seeds[seed]),
                     of[seed].accuracy, of[seed].weights.before,
                     of[seed].weights.before_on_ring,
                     of[seed].weights.never_all_right ? 1.0 : 0.0});
        }
    }
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph("Right at eleven places of twelve and guessing at the last one "
                             "gives 0.927.");
    frame.files.write_csv("trained_projections.csv", csv.columns());
    save_tables(
        frame, "trained_projection_weights.csv", {"free", "tied"},
        {best_table(results[2 * ties.size()]), best_table(results[2 * ties.size() + 1])});
}

} // namespace attn::multi_head::report
