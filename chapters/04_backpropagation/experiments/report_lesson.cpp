#include "chapters/04_backpropagation/experiments/lesson.hpp"
#include "chapters/04_backpropagation/experiments/report.hpp"
#include "common/kernels/elementary.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/program/terminal.hpp"

#include <algorithm>
#include <array>

namespace attn::backpropagation::report {

using program::fixed;
using program::Frame;
using program::significant;
using program::spread;
using program::Spread;

namespace {

struct NamedMethod
{
    const char* name;
    Method method;
    std::size_t batch;
};

constexpr std::array<NamedMethod, 6> methods = {{
    {"SGD", Method::sgd, n_lesson_train},
    {"momentum", Method::momentum, n_lesson_train},
    {"Adam", Method::adam, n_lesson_train},
    {"SGD", Method::sgd, n_lesson_batch},
    {"momentum", Method::momentum, n_lesson_batch},
    {"Adam", Method::adam, n_lesson_batch},
}};

const Evaluation& evaluation_of(const Study& study, const Choice& choice)
{
    return study.evaluations[choice.attempt][choice.evaluation];
}

void methods_table(Frame& frame, const std::vector<Study>& studies)
{
    program::Table table({"examples a step", "steps", "method", "learning rates",
                          "loss in training", "loss on fresh", "accuracy on fresh"});
    program::CsvRows csv({{"method", fixed, 0},
                          {"seed", fixed, 0},
                          {"rate", significant, 4},
                          {"train_loss", fixed, 4},
                          {"validation_loss", fixed, 4},
                          {"fresh_loss", fixed, 4},
                          {"fresh_accuracy", fixed, 4}});
    for (std::size_t row = 0; row < methods.size(); ++row) {
        const auto& [name, method, batch] = methods[row];
        std::vector<Evaluation> chosen;
        std::vector<double> rates;
        for (std::size_t seed = 0; seed < studies.size(); ++seed) {
            const Choice best = best_of(studies[seed], method, batch);
            const Evaluation& one = evaluation_of(studies[seed], best);
            chosen.push_back(one);
            rates.push_back(studies[seed].attempts[best.attempt].learning_rate);
            csv.add({static_cast<double>(row), static_cast<double>(seed), rates.back(),
                     one.train.loss, one.validation.loss, one.fresh.loss, one.fresh.accuracy});
        }
        const Spread rate(rates);
        table.row(
            {std::to_string(batch), std::to_string(n_epochs * n_lesson_train / batch), name,
             fmt::format("{} to {}", significant(rate.lowest(), 1),
                         significant(rate.highest(), 1)),
             spread(chosen, [](const Evaluation& one) { return one.train.loss; }).text(2),
             spread(chosen, [](const Evaluation& one) { return one.fresh.loss; }).text(2),
             spread(chosen, [](const Evaluation& one) { return one.fresh.accuracy; }).text(2)});
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_methods.csv", csv.columns());
}

/// A way to choose a model, and what came of it with each seed.
struct Outcome
{
    const char* chosen_by;
    std::vector<Promise> promises;
};

std::vector<Outcome> outcomes(const std::vector<Study>& studies)
{
    std::vector<Outcome> result = {{"loss in training", {}},
                                   {"loss in validation", {}},
                                   {"accuracy in a test of 100", {}}};
    for (const Study& study : studies) {
        const Choice of_train =
            choose(study, [](const Evaluation& one) { return one.train.loss; });
        const Choice of_validation =
            choose(study, [](const Evaluation& one) { return one.validation.loss; });
        const Evaluation& by_train = evaluation_of(study, of_train);
        const Evaluation& by_validation = evaluation_of(study, of_validation);
        result[0].promises.push_back(
            {by_train.train.accuracy, by_train.fresh.accuracy, by_train.fresh.loss});
        result[1].promises.push_back({by_validation.validation.accuracy,
                                      by_validation.fresh.accuracy, by_validation.fresh.loss});
        result[2].promises.push_back(choose_by_small_tests(study));
    }
    return result;
}

void choices_table(Frame& frame, const std::vector<Study>& studies)
{
    program::Table table(
        {"chosen by", "accuracy there", "accuracy on fresh", "too high by", "loss on fresh"});
    program::CsvRows csv({{"chosen_by", fixed, 0},
                          {"seed", fixed, 0},
                          {"promised", fixed, 4},
                          {"kept", fixed, 4},
                          {"fresh_loss", fixed, 4}});
    const std::vector<Outcome> all = outcomes(studies);
    for (std::size_t row = 0; row < all.size(); ++row) {
        const std::vector<Promise>& promises = all[row].promises;
        table.row({all[row].chosen_by,
                   spread(promises, [](const Promise& one) { return one.promised; }).text(2),
                   spread(promises, [](const Promise& one) { return one.kept; }).text(2),
                   spread(promises, [](const Promise& one) { return one.promised - one.kept; })
                       .text(2),
                   spread(promises, [](const Promise& one) { return one.loss; }).text(2)});
        for (std::size_t seed = 0; seed < promises.size(); ++seed) {
            csv.add({static_cast<double>(row), static_cast<double>(seed),
                     promises[seed].promised, promises[seed].kept, promises[seed].loss});
        }
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_choices.csv", csv.columns());
}

/// Writes the curves of the first seed: each method at its best rate on fresh examples, and the
/// widest model on what it learns from, on the validation set and on fresh examples.
void write_curves(Frame& frame, const Study& study)
{
    const auto column = [](const std::vector<Evaluation>& evaluations, const auto& number) {
        std::vector<double> numbers;
        std::transform(evaluations.begin(), evaluations.end(), std::back_inserter(numbers),
                       number);
        return numbers;
    };
    std::vector<double> rounds;
    for (std::size_t i = 0; i <= n_evaluations; ++i) {
        rounds.push_back(static_cast<double>(n_epochs * i) / n_evaluations);
    }
    program::CsvColumns columns;
    columns.add("rounds", rounds, significant, 4);
    for (const auto& [name, method, batch] : methods) {
        columns.add(fmt::format("{}_{}", name, batch),
                    column(study.evaluations[best_of(study, method, batch).attempt],
                           [](const Evaluation& one) { return one.fresh.loss; }),
                    fixed, 4);
    }
    const auto wide =
        std::find_if(study.attempts.begin(), study.attempts.end(), [](const Attempt& attempt) {
            return attempt.d_hidden == 128 && attempt.learning_rate == 0.01;
        });
    const std::vector<Evaluation>& evaluations =
        study.evaluations[static_cast<std::size_t>(wide - study.attempts.begin())];
    columns
        .add("wide_train",
             column(evaluations, [](const Evaluation& one) { return one.train.loss; }), fixed,
             4)
        .add("wide_validation",
             column(evaluations, [](const Evaluation& one) { return one.validation.loss; }),
             fixed, 4)
        .add("wide_fresh",
             column(evaluations, [](const Evaluation& one) { return one.fresh.loss; }), fixed,
             4);
    frame.files.write_csv("trained_lesson.csv", columns.names(), columns.cells());
}

} // namespace

void optimisers(Frame& frame)
{
    const std::vector<Attempt> attempts = lesson_attempts(frame.options.quick);
    const std::vector<std::uint64_t> seeds = seeds_of(frame);
    frame.terminal.introduce(
        "From one step to a training",
        "The additive score learns which of 8 keys a query was made from, from {} "
        "examples, each seen {} times. The numbers of a query come in units from 3 down "
        "to 0.03. Seven learning rates from 0.003 to 3 were tried, and models looked at "
        "before the first step and {} times after; rate and look with the lowest loss on "
        "512 examples for validation were "
        "chosen. Numbers are the lowest, median and highest of three seeds. Fresh: 1000 "
        "examples that nothing was chosen by. Equal weights have a loss of ln 8 = {}.",
        n_lesson_train, n_epochs, n_evaluations, fixed(elementary::log(8.0), 2));
    std::vector<Study> studies;
    {
        program::Progress progress("training", seeds.size() * attempts.size());
        std::mutex one_at_a_time;
        studies = study_lesson(seeds, attempts, frame.options.threads, [&] {
            const std::lock_guard lock(one_at_a_time);
            progress.advance();
        });
    }
    methods_table(frame, studies);
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format(
        "Now one model of all {} trainings and all their looks, among them some with 8 and "
        "with 128 hidden units and some from other first parameters: the one with the lowest "
        "loss or the highest accuracy on the examples that it is chosen by. The last choice is "
        "made ten times, each by another hundred of the fresh examples, with the accuracy on "
        "the other 900 and the loss on all; its numbers are the means.",
        attempts.size()));
    frame.terminal.line();
    choices_table(frame, studies);
    write_curves(frame, studies.front());
}

} // namespace attn::backpropagation::report
