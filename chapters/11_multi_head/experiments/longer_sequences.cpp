#include "chapters/11_multi_head/experiments/experiments.hpp"

#include "common/kernels/elementary.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/check.hpp"

#include <fmt/format.h>
#include <string>

namespace attn::multi_head {

using program::fixed;
using program::Frame;
using program::significant;
using program::Spread;

double likeness_to_the_one_before(std::size_t d, std::size_t n_pairs, std::size_t distance)
{
    const Vector omega = frequencies(d);
    expect(n_pairs >= 1 && n_pairs <= omega.size() && distance >= 1,
           "likeness_to_the_one_before: 1 to {} pairs and a distance are wanted, got {} and {}",
           omega.size(), n_pairs, distance);
    double sum = 0;
    for (std::size_t j = 0; j < n_pairs; ++j) {
        sum += elementary::cos(omega(j) * static_cast<double>(distance - 1));
    }
    return sum / static_cast<double>(n_pairs);
}

std::vector<NamedTraining> position_trainings()
{
    std::vector<NamedTraining> trainings;
    for (const Positions positions :
         {Positions::none, Positions::sinusoidal, Positions::learnt, Positions::rotary}) {
        SequenceTraining training{previous_symbol(n_kinds), {.positions = positions}};
        training.shortest = 2;
        training.longest = trained_length;
        trainings.push_back({name_of(positions), training});
    }
    return trainings;
}

Vector weights_by_distance(const SequenceModel& model, const SequenceTask& task,
                           std::size_t length, std::uint64_t seed)
{
    constexpr std::size_t n_rows = 200;
    const Array<float> all =
        weights_on(model, test_sequences(task, n_rows, length, seed).inputs);
    expect(all.shape() == Shape{n_rows, 1, length, length},
           "weights_by_distance: a model with attention of one head is wanted, got weights {}",
           all.shape());
    Vector means = xt::zeros<double>({length});
    for (std::size_t row = 0; row < n_rows; ++row) {
        const float* const of_last = all.data() + ((row + 1) * length - 1) * length;
        for (std::size_t back = 0; back < length; ++back) {
            means(back) += static_cast<double>(of_last[length - 1 - back]) / n_rows;
        }
    }
    return means;
}

namespace {

/// What the 64th position of rotary models attends to, and how like the one before the keys
/// there are.
void show_weights_back(Frame& frame, const SequenceTask& task,
                       const std::vector<ByPosition>& rotary)
{
    std::vector<Vector> by_distance;
    for (const std::uint64_t seed : program::seeds_of(frame)) {
        by_distance.push_back(weights_by_distance(rotary[by_distance.size()].trained.model,
                                                  task, tested_length, seed));
    }
    const auto weight_back = [&](std::size_t back) {
        return program::spread(by_distance, [&](const Vector& one) { return one(back); });
    };
    constexpr std::size_t d = 32;
    constexpr std::size_t n_fast = 3;
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "Where the 64th position of the rotary layers attends: the mean weight on the key so "
        "many positions back, on 200 sequences; median of the seeds. The row of fast pairs "
        "compares this key with the key one position back. In both each pair of numbers is "
        "turned by an angle; the row has the cosine of the difference of the two angles, "
        "averaged over the {} pairs that turn fastest. It is 1 if the angles are equal.",
        n_fast));
    frame.terminal.line();
    program::Table table(
        {"positions back", "1", "2", "3", "13", "33", "45", "56", "57", "58", "59"});
    std::vector<std::string> weights = {"weight"};
    std::vector<std::string> likeness = {"fast pairs"};
    for (const std::size_t back : {1U, 2U, 3U, 13U, 33U, 45U, 56U, 57U, 58U, 59U}) {
        weights.push_back(fixed(weight_back(back).median(), 2));
        likeness.push_back(fixed(likeness_to_the_one_before(d, n_fast, back), 2));
    }
    table.row(weights);
    table.row(likeness);
    frame.terminal.table(table);
    program::CsvRows csv({{"back", fixed, 0}, {"rotary", fixed, 4}, {"rotary_low", fixed, 4}});
    for (std::size_t back = 0; back < tested_length; ++back) {
        const Spread weight = weight_back(back);
        csv.add({static_cast<double>(back), weight.median(), weight.lowest()});
    }
    frame.files.write_csv("trained_place_looks.csv", csv.columns());
}

} // namespace

void show_longer_sequences(Frame& frame)
{
    const std::vector<NamedTraining> trainings = position_trainings();
    frame.terminal.introduce(
        "Longer than trained: which symbol stood before?",
        "One causal head of 32 numbers learns from sequences of 2 to 16 symbols of eight "
        "kinds to name the symbol before, and is tested on 1000 sequences of 64. Accuracy at "
        "some positions: lowest, median, highest of three seeds. Learnt rows beyond position "
        "16 "
        "are as they were drawn. Chance is 0.125.");
    const AllByPosition results =
        train_by_position(frame, "places", trainings, tested_length, 40);
    program::Table table({"positions", "16th", "17th", "24th", "32nd", "64th"});
    std::vector<std::string> names;
    for (std::size_t row = 0; row < trainings.size(); ++row) {
        std::vector<std::string> cells = {trainings[row].name};
        for (const std::size_t position : {16U, 17U, 24U, 32U, 64U}) {
            cells.push_back(at_position(results[row], position - 1).text(2));
        }
        table.row(cells);
        names.push_back(trainings[row].name);
    }
    frame.terminal.table(table);
    save_by_position(frame, "trained_places.csv", names, results, 1);
    show_weights_back(frame, trainings.back().training.task, results.back());
    frame.files.write_csv(
        "trained_place_losses.csv",
        program::CsvColumns().add(
            "rotary", program::first_losses(results.back()[0].trained.losses), significant, 6));
}

} // namespace attn::multi_head
