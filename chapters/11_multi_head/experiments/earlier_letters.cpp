#include "chapters/11_multi_head/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/program/widget_data.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace attn::multi_head {

using program::fixed;
using program::Frame;
using program::significant;
using program::spread;

std::vector<Matrix> weights_on_word(const SequenceModel& model, const std::string& word)
{
    std::vector<std::size_t> letters;
    for (const char letter : word) {
        expect(letter >= 'a' && letter <= 'z', "weights_on_word: '{}' is no small letter",
               letter);
        letters.push_back(static_cast<std::size_t>(letter - 'a'));
    }
    const Array<float> all = weights_on(model, one_hot_row(letters, 26));
    const std::size_t n = letters.size();
    std::vector<Matrix> tables(all.shape()[1], Matrix::from_shape({n, n}));
    for (std::size_t head = 0; head < tables.size(); ++head) {
        std::copy_n(all.data() + head * n * n, n * n, tables[head].begin());
    }
    return tables;
}

namespace {

/// The letter before, the third before and the first, with 1, 2 and 4 heads of together 36
/// numbers.
std::vector<NamedTraining> head_trainings()
{
    constexpr std::size_t n_letters = 26;
    constexpr std::size_t length = 12;
    std::vector<NamedTraining> trainings;
    for (const std::size_t n_heads : {1U, 2U, 4U}) {
        SequenceTraining training{
            three_earlier(n_letters),
            {.positions = Positions::learnt, .n_heads = n_heads, .d = 36, .longest = length}};
        training.shortest = training.longest = length;
        trainings.push_back({std::to_string(n_heads), training});
    }
    return trainings;
}

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
    save_weights(frame, "trained_heads.csv", program::numbered("head", views.size()),
                 weights_on_word(model, words()[0]));
    frame.files.write_widget_data("trained_11_multi_head_heads.data.js", data);
}

struct HeadsResult
{
    std::vector<double> accuracies; // [3]
    std::size_t n_parameters = 0;
};

} // namespace

void show_earlier_letters(Frame& frame)
{
    const std::vector<NamedTraining> trainings = head_trainings();
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    frame.terminal.introduce(
        "Several heads: three letters at once",
        "Twelve random letters. At each position: which letter stands before it, which three "
        "positions back, and which was the first? One causal layer of 36 numbers, all answers "
        "read out linearly from what it found. Accuracy on 1000 new sequences, over all "
        "positions where there is such a letter: lowest, median, highest of three seeds. "
        "Chance "
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
        program::run_rows_with_seeds(frame, "three letters", trainings.size(), seeds, run);

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

} // namespace attn::multi_head
