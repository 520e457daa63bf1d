#include "chapters/10_entity_network/experiments/experiments.hpp"

#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

namespace attn::entity_network {

using program::Cell;
using program::fixed;
using program::Frame;

namespace {

enum class Kind
{
    entity,
    gru,
    memory,
    placed_memory,
    two_searches
};

struct Contestant
{
    std::string name;
    Kind kind;
    std::size_t n_steps;
};

std::vector<Contestant> contestants(std::size_t gru_steps)
{
    return {{"entity network", Kind::entity, 1000},
            {"GRU", Kind::gru, gru_steps},
            {"memory, one hop", Kind::memory, 1000},
            {"one hop, positions", Kind::placed_memory, 1000},
            {"two hops, positions", Kind::two_searches, 1000}};
}

struct Answers
{
    std::vector<double> right; // one a length; without those that the network cannot read
    std::size_t n_parameters = 0;
    std::optional<EntityNetwork<float>> entity;
};

std::size_t n_tested(const Frame& frame)
{
    return frame.options.quick ? 50 : 1000;
}

template <typename Network>
void measure(Answers& answers, const Network& network, Task task,
             const std::vector<std::size_t>& lengths, std::size_t n, std::uint64_t seed)
{
    answers.n_parameters = network.parameters().n_numbers();
    for (const std::size_t length : lengths) {
        answers.right.push_back(accuracy(network, test_stories(task, n, length, seed)));
    }
}

Answers train_and_measure(const Contestant& one, const TrainingOptions& training,
                          const std::vector<std::size_t>& lengths, std::size_t n)
{
    Answers answers;
    random::Generator generator(training.seed, random::Stream::other_parameters);
    if (one.kind == Kind::entity) {
        answers.entity = train_entity_network({}, training);
        measure(answers, *answers.entity, training.task, lengths, n, training.seed);
    } else if (one.kind == Kind::gru) {
        GruReader network(generator);
        train(network, training);
        measure(answers, network, training.task, lengths, n, training.seed);
    } else {
        const bool placed = one.kind != Kind::memory;
        SentenceMemory network(placed ? std::optional<std::size_t>(8) : std::nullopt,
                               one.kind == Kind::two_searches ? 2 : 1, generator);
        train(network, training);
        measure(answers, network, training.task, placed ? std::vector<std::size_t>{8} : lengths,
                n, training.seed);
    }
    return answers;
}

/// How often the place that was mentioned last is the answer.
double last_place_right(Task task, std::size_t n, std::size_t length, std::uint64_t seed)
{
    double right = 0;
    for (const Story& story : test_stories(task, n, length, seed)) {
        right += story.last_place == story.answer ? 1 : 0;
    }
    return right / static_cast<double>(n);
}

/// The columns of a table: one for each length.
std::vector<program::ViewColumn> by_sentences(const std::vector<std::size_t>& lengths,
                                              Cell cell)
{
    std::vector<program::ViewColumn> columns;
    for (const std::size_t length : lengths) {
        columns.push_back({fmt::format("{} sentences", length),
                           "right",
                           3,
                           cell,
                           fixed,
                           {"sentences", std::to_string(length)}});
    }
    return columns;
}

/// Adds a row for each length and seed.
/// \param right  [n_lengths or fewer][n_seeds]: the network cannot read what is missing
void add_rows(program::Results& results, const std::string& name, std::size_t n_parameters,
              std::size_t n_steps, const std::vector<std::size_t>& lengths,
              const std::vector<std::vector<double>>& right,
              const std::vector<std::uint64_t>& seeds)
{
    for (std::size_t k = 0; k < right.size(); ++k) {
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            results.add(
                {name, std::to_string(seeds[i]), std::to_string(lengths[k])},
                {right[k][i], static_cast<double>(n_parameters), static_cast<double>(n_steps)});
        }
    }
}

/// [n_lengths, n_seeds], what networks of one kind answered right.
std::vector<std::vector<double>> by_length(const std::vector<Answers>& answers)
{
    std::vector<std::vector<double>> right(answers.front().right.size());
    for (const Answers& one : answers) {
        for (std::size_t k = 0; k < right.size(); ++k) {
            right[k].push_back(one.right[k]);
        }
    }
    return right;
}

/// The same of the place that was mentioned last.
std::vector<std::vector<double>> by_length(Task task, std::size_t n,
                                           const std::vector<std::size_t>& lengths,
                                           const std::vector<std::uint64_t>& seeds)
{
    std::vector<std::vector<double>> right;
    for (const std::size_t length : lengths) {
        right.emplace_back();
        for (const std::uint64_t seed : seeds) {
            right.back().push_back(last_place_right(task, n, length, seed));
        }
    }
    return right;
}

/// One of the two tasks, its medians and every seed, and the entity networks of the first row.
std::vector<EntityNetwork<float>> show_task(Frame& frame, Task task, const char* title,
                                            const char* what, const std::string& file,
                                            const std::vector<std::size_t>& lengths,
                                            std::size_t gru_steps)
{
    const std::vector<Contestant> rows = contestants(gru_steps);
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    const std::size_t n = n_tested(frame);
    const auto steps_of = [&](std::size_t row) {
        return frame.options.quick ? std::size_t{20} : rows[row].n_steps;
    };
    auto answers = program::run_rows_with_seeds(
        frame, title, rows.size(), seeds, [&](std::size_t row, std::uint64_t seed) {
            return train_and_measure(
                rows[row], {.task = task, .n_steps = steps_of(row), .seed = seed}, lengths, n);
        });
    program::Results results({"network", "seed", "sentences"}, {{"right", fixed, 3}},
                             {"parameters", "steps"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        add_rows(results, rows[row].name, answers[row][0].n_parameters, steps_of(row), lengths,
                 by_length(answers[row]), seeds);
    }
    add_rows(results, "the place mentioned last", 0, 0, lengths,
             by_length(task, n, lengths, seeds), seeds);
    frame.terminal.introduce(
        title,
        "{} Networks learn from new stories of 8 sentences, {} a step. "
        "Share of {} other stories of 8 and of {} sentences whose question "
        "is answered right: the median of {} seeds. Chance is 1/{}, {}.",
        what, batch_size, n, lengths.back(), seeds.size(), n_places,
        fixed(1.0 / static_cast<double>(n_places), 3));
    frame.terminal.table(
        results.table({"", by_sentences({lengths.front(), lengths.back()}, Cell::median)}));
    frame.terminal.introduce(fmt::format("{}, every seed", std::string(title).substr(0, 6)),
                             "The same shares: lowest, median and highest of the seeds.");
    std::vector<program::ViewColumn> columns = by_sentences(lengths, Cell::spread);
    columns.insert(columns.begin(), {{"parameters", "parameters", 0}, {"steps", "steps", 0}});
    frame.terminal.table(results.table({"", columns}));
    frame.files.write_csv(file, results.columns());
    std::vector<EntityNetwork<float>> networks;
    for (Answers& one : answers[0]) {
        networks.push_back(std::move(*one.entity));
    }
    return networks;
}

} // namespace

void show_world(Frame& frame)
{
    frame.terminal.introduce(
        "A story of each task",
        "Four persons, six places, three objects; a verb of going has four forms, taking "
        "and dropping have two each.");
    struct Shown
    {
        const char* name;
        Task task;
    };
    bool first = true;
    for (const Shown& shown : {Shown{"Task 1, persons move. ", Task::moves},
                               Shown{"Task 2, they take objects along. ", Task::carried},
                               Shown{"Task 3, they drop objects as well. ", Task::dropped}}) {
        random::Generator generator(frame.options.seed, random::Stream::shown_story,
                                    static_cast<std::uint64_t>(shown.task));
        Story story = draw_story(shown.task, 8, generator);
        while (shown.task == Task::dropped && story.holder) { // ask for a dropped object
            story = draw_story(shown.task, 8, generator);
        }
        if (!first) {
            frame.terminal.line();
        }
        first = false;
        std::string text = shown.name;
        for (const Sentence& sentence : story.sentences) {
            text += text_of(sentence) + " ";
        }
        frame.terminal.paragraph(
            fmt::format("{}{} In the {}.", text, question_about(story.question),
                        vocabulary[static_cast<std::size_t>(story.answer)]));
    }
}

TrainedNetworks show_answers(Frame& frame, std::size_t gru_steps)
{
    std::vector<EntityNetwork<float>> moves = show_task(
        frame, Task::moves, "Task 1: where is a person?", "Four persons go to six places.",
        "trained_task_1.csv", {8, 16, 32}, gru_steps);
    return {std::move(moves),
            show_task(frame, Task::carried, "Task 2: where is an object?",
                      "Objects are taken, and move along with whoever has them.",
                      "trained_task_2.csv", {8, 12, 16}, gru_steps)};
}

namespace {

/// Shares of right answers, one row a case.
using Cases = std::vector<std::pair<std::string, double>>;

/// Returns the medians for the shortest and the longest stories.
Cases show_dropped(Frame& frame, const std::vector<std::uint64_t>& seeds)
{
    const std::size_t n_steps = frame.options.quick ? 20 : 2500;
    const std::vector<std::size_t> lengths = {8, 12, 16};
    const auto answers = program::run_rows_with_seeds(
        frame, "dropped objects", 1, seeds, [&](std::size_t, std::uint64_t seed) {
            return train_and_measure({"", Kind::entity, n_steps},
                                     {.task = Task::dropped, .n_steps = n_steps, .seed = seed},
                                     lengths, n_tested(frame));
        })[0];
    frame.terminal.introduce(
        "Task 3: objects are dropped",
        "An object that was dropped stays where it is, whoever goes elsewhere. Stories of 8 "
        "sentences, {} steps; share of {} other stories that are answered right.",
        n_steps, n_tested(frame));
    program::Table table({"sentences", "entity network", "the place mentioned last"});
    program::CsvRows csv({{"sentences", program::fixed, 0},
                          {"seed", program::fixed, 0},
                          {"right", program::fixed, 3}});
    Cases cases;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
        std::vector<double> last;
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            last.push_back(
                last_place_right(Task::dropped, n_tested(frame), lengths[k], seeds[i]));
            csv.add({static_cast<double>(lengths[k]), static_cast<double>(seeds[i]),
                     answers[i].right[k]});
        }
        const program::Spread right =
            program::spread(answers, [&](const Answers& one) { return one.right[k]; });
        table.row({std::to_string(lengths[k]), right.text(3), program::Spread(last).text(3)});
        if (k == 0 || k + 1 == lengths.size()) {
            cases.emplace_back(
                fmt::format("task 3, new stories, asked after {} sentences", lengths[k]),
                right.median());
        }
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_task_3.csv", csv.columns());
    return cases;
}

} // namespace

void show_more_answers(Frame& frame)
{
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    const Cases dropped = show_dropped(frame, seeds);
    constexpr std::array<std::size_t, 3> n_stories = {300, 1000, 10000};
    const std::size_t n_steps = frame.options.quick ? 20 : 1000;
    const auto answers =
        program::run_rows_with_seeds(frame, "few stories", n_stories.size(), seeds,
                                     [&](std::size_t row, std::uint64_t seed) {
                                         return train_and_measure({"", Kind::entity, n_steps},
                                                                  {.task = Task::carried,
                                                                   .n_steps = n_steps,
                                                                   .n_stories = n_stories[row],
                                                                   .seed = seed},
                                                                  {8}, n_tested(frame));
                                     });
    frame.terminal.introduce("Few stories",
                             "Task 2 learnt in {} steps from a number of stories, again and "
                             "again: share of {} other "
                             "stories that are answered right.",
                             n_steps, n_tested(frame));
    program::Table table({"stories", "entity network"});
    program::CsvRows csv({{"stories", program::fixed, 0},
                          {"seed", program::fixed, 0},
                          {"right", program::fixed, 3}});
    Cases cases;
    for (std::size_t row = 0; row < n_stories.size(); ++row) {
        const program::Spread right =
            program::spread(answers[row], [](const Answers& one) { return one.right[0]; });
        table.row({std::to_string(n_stories[row]), right.text(3)});
        cases.emplace_back(fmt::format("task 2, learnt from {} stories", n_stories[row]),
                           right.median());
        for (std::size_t i = 0; i < seeds.size(); ++i) {
            csv.add({static_cast<double>(n_stories[row]), static_cast<double>(seeds[i]),
                     answers[row][i].right[0]});
        }
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_few_stories.csv", csv.columns());
    cases.insert(cases.end(), dropped.begin(), dropped.end());
    frame.terminal.introduce("Few stories, and objects that are dropped",
                             "Share of {} other stories that the entity network answers right: "
                             "the median of {} seeds. It learns from stories of 8 sentences.",
                             n_tested(frame), seeds.size());
    program::Table medians({"", "right"});
    for (const auto& [name, right] : cases) {
        medians.row({name, fixed(right, 3)});
    }
    frame.terminal.table(medians);
}

} // namespace attn::entity_network
