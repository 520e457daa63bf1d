/// \file
/// \brief What several heads are for: two marked vectors, three earlier letters.
#include "chapters/11_multi_head/experiments/marked_pairs.hpp"
#include "chapters/11_multi_head/experiments/report.hpp"
#include "chapters/11_multi_head/experiments/report_tables.hpp"
#include "chapters/11_multi_head/experiments/sequence_trainings.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/program/widget_data.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace attn::multi_head::report {

using program::fixed;
using program::Frame;
using program::seeds_of;
using program::side_by_side;
using program::significant;
using program::Spread;
using program::spread;

// ---------------------------------------------------------------- two marked vectors

namespace {

constexpr std::size_t n_pair_seeds = 10;

struct PairRow
{
    PairTraining training;
    std::size_t n_seeds;
};

std::vector<PairRow> pair_rows()
{
    std::vector<PairRow> rows;
    for (const std::size_t n_heads : {1U, 2U, 4U}) {
        rows.push_back({{.n_heads = n_heads}, n_pair_seeds});
    }
    for (const std::size_t n_heads : {1U, 2U}) {
        rows.push_back({{.n_heads = n_heads, .inputs = PairInputs::everything}, 3});
    }
    return rows;
}

void save_pairs(Frame& frame, const std::vector<PairRow>& rows,
                const std::vector<std::vector<PairResult>>& results)
{
    program::CsvRows csv({{"heads", fixed, 0},
                          {"everything", fixed, 0},
                          {"seed", significant, 10},
                          {"r_squared", fixed, 4},
                          {"ceiling", fixed, 4},
                          {"seen", fixed, 0}});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (std::size_t seed = 0; seed < results[row].size(); ++seed) {
            const PairTraining& training = rows[row].training;
            const PairResult& result = results[row][seed];
            csv.add({static_cast<double>(training.n_heads),
                     training.inputs == PairInputs::everything ? 1.0 : 0.0,
                     static_cast<double>(frame.options.seed + seed), result.r_squared,
                     result.ceiling, static_cast<double>(result.n_preferred)});
        }
    }
    frame.files.write_csv("trained_pairs.csv", csv.columns());
    // A column a number of heads, for the figure.
    program::CsvRows seeds({{"seed", significant, 10},
                            {"heads_1", fixed, 4},
                            {"heads_2", fixed, 4},
                            {"heads_4", fixed, 4}});
    for (std::size_t seed = 0; seed < results[0].size(); ++seed) {
        seeds.add({static_cast<double>(frame.options.seed + seed), results[0][seed].r_squared,
                   results[1][seed].r_squared, results[2][seed].r_squared});
    }
    frame.files.write_csv("trained_pair_seeds.csv", seeds.columns());
    frame.files.write_csv("trained_pair_losses.csv",
                          program::CsvColumns().add("two_heads",
                                                    program::first_losses(results[1][0].losses),
                                                    significant, 6));
}

} // namespace

void pairs(Frame& frame)
{
    const std::vector<PairRow> rows = pair_rows();
    frame.terminal.introduce(
        "Several heads: the difference of two marked vectors",
        "Ten vectors, two of them marked, a and b: answer v_a - v_b. One layer of 32 numbers "
        "with a learnt query and a linear readout, in 1, 2 or 4 heads: the same numbers to "
        "learn. Share of variance explained, R^2, on 5000 new rows: lowest, median, highest "
        "seed. Ceiling: the highest R^2 that the weights of the one head allow. Found: in "
        "how many seeds R^2 is above .98. The last two columns "
        "are mean weights of the first seed's first head.");
    std::vector<std::vector<PairResult>> results;
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        results.emplace_back(frame.options.quick ? 1 : rows[row].n_seeds);
        for (std::size_t seed = 0; seed < results[row].size(); ++seed) {
            all.emplace_back(row, seed);
        }
    }
    side_by_side(frame, "marked pairs", all.size(), [&](std::size_t index) {
        const auto& [row, seed] = all[index];
        PairTraining training = rows[row].training;
        training.n_steps = frame.options.quick ? 50 : training.n_steps;
        results[row][seed] = train_pairs(training, frame.options.seed + seed);
    });

    program::Table table(
        {"keys see", "heads", "parameters", "R^2", "ceiling", "found", "on a", "on b"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::vector<PairResult>& of = results[row];
        const PairTraining& training = rows[row].training;
        const auto n_found = std::count_if(
            of.begin(), of.end(), [](const PairResult& r) { return r.r_squared > 0.98; });
        const bool bounded = training.n_heads == 1 && training.inputs != PairInputs::everything;
        const Matrix& weights = of[0].weights;
        table.row({name_of(training.inputs), std::to_string(training.n_heads),
                   std::to_string(of[0].n_parameters),
                   spread(of, [](const auto& r) { return r.r_squared; }).text(3),
                   bounded ? spread(of, [](const auto& r) { return r.ceiling; }).text(3) : "",
                   fmt::format("{} of {}", n_found, of.size()), fixed(weights(0, 0), 2),
                   fixed(weights(0, 1), 2)});
    }
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph("Always answering 0 has an R^2 of 0; answering v_a, as if there "
                             "were no b, has 0.5.");
    save_pairs(frame, rows, results);
}

// ---------------------------------------------------------------- three earlier letters

namespace {

const std::vector<std::string>& words()
{
    static const std::vector<std::string> list = {"permutation", "attention", "projection",
                                                  "transformer"};
    return list;
}

std::vector<std::string> letters_of(const std::string& word)
{
    std::vector<std::string> letters;
    for (const char letter : word) {
        letters.emplace_back(1, letter);
    }
    return letters;
}

void save_heads(Frame& frame, const SequenceModel& model)
{
    program::WidgetData data;
    data.set("n_sentences", static_cast<double>(words().size()), 3);
    std::vector<std::string> views;
    for (std::size_t i = 0; i < words().size(); ++i) {
        const std::vector<Matrix> tables = weights_on_word(model, words()[i]);
        const std::size_t n = words()[i].size();
        const std::string number = std::to_string(i);
        data.set("source_" + number, letters_of(words()[i]));
        data.set("target_" + number, letters_of(words()[i]));
        Matrix links = Matrix::from_shape({(n - 1) + (n - 3) + n, std::size_t{3}});
        std::size_t row = 0;
        for (std::size_t t = 0; t < n; ++t) {
            for (const std::size_t back : {1U, 3U}) {
                if (t >= back) {
                    xt::row(links, static_cast<long>(row++)) =
                        Vector{static_cast<double>(t - back), static_cast<double>(t), 1.0};
                }
            }
            xt::row(links, static_cast<long>(row++)) = Vector{0.0, static_cast<double>(t), 1.0};
        }
        data.set("links_" + number, links, 4);
        for (std::size_t head = 0; head < tables.size(); ++head) {
            data.set("weights_" + number + "_" + std::to_string(head), tables[head], 3);
            if (i == 0) {
                views.push_back("head " + std::to_string(head + 1));
            }
        }
    }
    data.set("views", views);
    data.set("sure", "Asked for by the task");
    save_tables(frame, "trained_heads.csv", program::numbered("head", views.size()),
                weights_on_word(model, words()[0]));
    frame.files.write_widget_data("trained_11_multi_head_heads.data.js", data);
}

struct HeadsResult
{
    std::vector<double> accuracies; // [3]
    std::size_t n_parameters = 0;
};

} // namespace

void heads(Frame& frame)
{
    const std::vector<NamedTraining> trainings = head_trainings();
    const std::vector<std::uint64_t> seeds = seeds_of(frame);
    frame.terminal.introduce(
        "Several heads: three looks at once",
        "Twelve random letters. At each place: which letter stands before it, which three "
        "places back, and which was the first? One causal layer of 36 numbers, all answers "
        "read out linearly from what it found. Accuracy on 1000 new sequences, over all "
        "places where there is such a letter: lowest, median, highest of three seeds. Chance "
        "is 0.038.");
    std::optional<TrainedSequence> shown; // four heads, the first seed: one run's alone
    const auto run = [&](std::size_t row, std::uint64_t seed) {
        SequenceTraining training = trainings[row].training;
        training.n_steps = frame.options.quick ? 40 : training.n_steps;
        TrainedSequence trained = train_sequence(training, seed);
        const Matrix right =
            accuracy_by_position(trained.model, training.task, training.longest, 1000, seed);
        HeadsResult result;
        for (std::size_t answer = 0; answer < 3; ++answer) {
            result.accuracies.push_back(mean_of(as_column(column_of(right, answer))));
        }
        result.n_parameters = trained.model.parameters.n_numbers();
        if (row + 1 == trainings.size() && seed == seeds.front()) {
            shown.emplace(std::move(trained));
        }
        return result;
    };
    const std::vector<std::vector<HeadsResult>> results =
        program::run_rows_with_seeds(frame, "three looks", trainings.size(), seeds, run);

    program::Table table(
        {"heads", "parameters", "letter before", "three back", "first letter"});
    program::CsvRows csv({{"heads", fixed, 0},
                          {"seed", significant, 10},
                          {"before", fixed, 4},
                          {"three_back", fixed, 4},
                          {"first", fixed, 4}});
    for (std::size_t row = 0; row < trainings.size(); ++row) {
        std::vector<std::string> cells = {trainings[row].name,
                                          std::to_string(results[row][0].n_parameters)};
        for (std::size_t answer = 0; answer < 3; ++answer) {
            cells.push_back(spread(results[row], [&](const HeadsResult& r) {
                                return r.accuracies[answer];
                            }).text(3));
        }
        table.row(cells);
        for (std::size_t which = 0; which < seeds.size(); ++which) {
            const std::vector<double>& accuracies = results[row][which].accuracies;
            csv.add({static_cast<double>(trainings[row].training.options.n_heads),
                     static_cast<double>(seeds[which]), accuracies[0], accuracies[1],
                     accuracies[2]});
        }
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_looks.csv", csv.columns());
    save_heads(frame, shown->model);
}

} // namespace attn::multi_head::report
