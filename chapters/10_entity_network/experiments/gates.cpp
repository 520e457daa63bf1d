#include "chapters/10_entity_network/experiments/experiments.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/embedding.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/softmax.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/spread.hpp"
#include "common/program/widget_data.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <string>

namespace attn::entity_network {

using program::fixed;
using program::Frame;

namespace {

std::string place_name(std::size_t place)
{
    return std::string(vocabulary.at(static_cast<std::size_t>(first_place) + place));
}

/// A probability of each place, for the first story.
std::vector<double> place_probabilities(const Reading<float>& reading)
{
    const Array<float> p = softmax(reading.logits).value();
    return {p.data(), p.data() + n_places};
}

std::size_t best_of(const std::vector<double>& numbers)
{
    return static_cast<std::size_t>(std::max_element(numbers.begin(), numbers.end()) -
                                    numbers.begin());
}

} // namespace

GateStatistics gate_statistics(const EntityNetwork<float>& network,
                               const std::vector<Story>& stories)
{
    const autograd::NoGradient<float> forwards;
    const Reading<float> reading = network.read(batch_of(stories), true);
    GateStatistics found;
    const std::size_t n_sentences = stories.front().sentences.size();
    const std::size_t n_slots = network.options().n_slots;
    for (std::size_t i = 0; i < stories.size(); ++i) {
        for (std::size_t t = 0; t < n_sentences; ++t) {
            const auto who = static_cast<std::size_t>(stories[i].sentences[t][0]);
            for (std::size_t j = 0; j < n_slots; ++j) {
                const auto g = static_cast<double>(reading.gates[t](i, j, 0));
                const auto content = static_cast<double>(reading.content_products[t](i, j, 0));
                const auto key = static_cast<double>(reading.key_products[t](i, j, 0));
                (j == who ? found.on : found.off) += g;
                (j == who ? found.content_on : found.content_off) += content;
                (j == who ? found.key_on : found.key_off) += key;
            }
        }
        const auto holder = static_cast<std::size_t>(*stories[i].holder);
        const float* const p = reading.weights.value().data() + i * n_slots;
        found.holder += std::max_element(p, p + n_slots) == p + holder ? 1 : 0;
        found.weight += static_cast<double>(p[holder]);
    }
    const auto n = static_cast<double>(stories.size());
    const double n_on = n * static_cast<double>(n_sentences);
    const double n_off = n_on * static_cast<double>(n_slots - 1);
    return {found.on / n_on,       found.off / n_off,       found.key_on / n_on,
            found.key_off / n_off, found.content_on / n_on, found.content_off / n_off,
            found.holder / n,      found.weight / n};
}

Matrix gates_by_person(const EntityNetwork<float>& network, const std::vector<Story>& stories)
{
    const autograd::NoGradient<float> forwards;
    const Reading<float> reading = network.read(batch_of(stories));
    const std::size_t n_slots = network.options().n_slots;
    Matrix sums = xt::zeros<double>({n_slots, n_persons});
    Vector counts = xt::zeros<double>({n_persons});
    for (std::size_t i = 0; i < stories.size(); ++i) {
        for (std::size_t t = 0; t < stories[i].sentences.size(); ++t) {
            const auto who = static_cast<std::size_t>(stories[i].sentences[t][0]);
            counts(who) += 1;
            for (std::size_t j = 0; j < n_slots; ++j) {
                sums(j, who) += static_cast<double>(reading.gates[t](i, j, 0));
            }
        }
    }
    for (std::size_t j = 0; j < n_slots; ++j) {
        for (std::size_t who = 0; who < n_persons; ++who) {
            sums(j, who) /= std::max(counts(who), 1.0);
        }
    }
    return sums;
}

std::vector<StrangeSentence> strange_sentences(const EntityNetwork<float>& network,
                                               const Story& story)
{
    const autograd::NoGradient<float> forwards;
    const Variable<float> h = network.read(batch_of({&story, 1})).slots;
    const Variable<float> w = network.keys();
    const nn::Parameters<float> parameters = network.parameters();
    const Variable<float> f = parameters.at("f").variable;
    const std::vector<Word> words = {0, 1, 10, 6}; // Anna, Ben, went, hall
    const Variable<float> e =
        autograd::gather_rows(parameters.at("E").variable, words, Shape{1, 4});
    const auto masked = [&](std::size_t word, std::size_t position) {
        return slice(e, 1, word, word + 1) * slice(f, 0, position, position + 1);
    };
    const Variable<float> nobody = masked(2, 1) + masked(3, 2);
    std::vector<StrangeSentence> found;
    const auto add = [&](const char* persons, const char* text, const Variable<float>& s) {
        const Array<float> g = gate(s, h, w).value();
        const Array<float> sums = (sum(s * h, -1) + sum(s * w, -1)).value();
        const Array<float> p = softmax(Variable<float>(sums)).value();
        found.push_back({persons, text, {g.begin(), g.end()}, {p.begin(), p.end()}});
    };
    add("one", "Anna went to the hall.", nobody + masked(0, 0));
    add("two", "Anna and Ben went to the hall.", nobody + masked(0, 0) + masked(1, 0));
    add("nobody", "Somebody went to the hall.", nobody);
    return found;
}

void print_story_with_gates(program::Terminal& terminal, const EntityNetwork<float>& network,
                            const Story& story)
{
    const autograd::NoGradient<float> forwards;
    const Reading<float> reading = network.read(batch_of({&story, 1}));
    program::Table table({"sentence", "Anna", "Ben", "Clara", "David", "sum"});
    const auto row = [&](const std::string& name, const Array<float>& numbers) {
        std::vector<std::string> cells = {name};
        double sum = 0;
        for (std::size_t j = 0; j < n_persons; ++j) {
            const auto x = static_cast<double>(numbers.data()[j]);
            sum += x;
            cells.push_back(fixed(x, 2));
        }
        cells.push_back(fixed(sum, 2));
        table.row(cells);
    };
    for (std::size_t t = 0; t < story.sentences.size(); ++t) {
        row(text_of(story.sentences[t]), reading.gates[t]);
    }
    row(question_about(story.question), reading.weights.value());
    terminal.table(table);
    const std::vector<double> places = place_probabilities(reading);
    terminal.line();
    terminal.paragraph(fmt::format("The network answers: in the {}, with probability {}.",
                                   place_name(best_of(places)),
                                   fixed(places[best_of(places)], 3)));
}

namespace {

void save_story(Frame& frame, const EntityNetwork<float>& network, const Story& story)
{
    const Reading<float> reading = network.read(batch_of({&story, 1}));
    program::CsvRows csv({{"sentence", program::fixed, 0},
                          {"slot", program::fixed, 0},
                          {"gate", program::fixed, 4},
                          {"read", program::fixed, 4}});
    for (std::size_t t = 0; t < story.sentences.size(); ++t) {
        for (std::size_t j = 0; j < n_persons; ++j) {
            csv.add({static_cast<double>(t + 1), static_cast<double>(j + 1),
                     static_cast<double>(reading.gates[t](0, j, 0)),
                     static_cast<double>(reading.weights.value()(0, 0, j))});
        }
    }
    frame.files.write_csv("trained_gates.csv", csv.columns());
}

/// Six stories for the figure in the page: gates at each sentence, and what would be read and answered
/// if the question came then.
void save_widget(Frame& frame, const EntityNetwork<float>& network)
{
    constexpr std::size_t n_stories = 6;
    constexpr std::size_t n_sentences = 8;
    random::Generator generator(frame.options.seed, random::Stream::page_stories);
    std::vector<std::string> sentences;
    std::vector<std::string> questions;
    std::vector<std::string> answers;
    Matrix numbers = Matrix::from_shape({n_stories * n_sentences, 2 * n_persons + 1});
    for (std::size_t i = 0; i < n_stories; ++i) {
        const Story story = draw_story(Task::carried, n_sentences, generator);
        questions.push_back(question_about(story.question));
        Story told = story;
        told.sentences.clear();
        for (std::size_t t = 0; t < n_sentences; ++t) {
            told.sentences.push_back(story.sentences[t]);
            sentences.push_back(text_of(story.sentences[t]));
            const Reading<float> reading = network.read(batch_of({&told, 1}));
            const std::vector<double> places = place_probabilities(reading);
            const std::size_t at = i * n_sentences + t;
            for (std::size_t j = 0; j < n_persons; ++j) {
                numbers(at, j) = static_cast<double>(reading.gates.back()(0, j, 0));
                numbers(at, n_persons + j) =
                    static_cast<double>(reading.weights.value()(0, 0, j));
            }
            numbers(at, 2 * n_persons) = places[best_of(places)];
            answers.push_back(place_name(best_of(places)));
        }
    }
    program::WidgetData data;
    data.set("slots",
             std::vector<std::string>(vocabulary.begin(), vocabulary.begin() + n_persons));
    data.set("n_sentences", static_cast<double>(n_sentences), 3);
    data.set("questions", questions);
    data.set("sentences", sentences);
    data.set("answers", answers);
    data.set("numbers", numbers, 3);
    frame.files.write_widget_data("trained_10_entity_network_story.data.js", data);
}

/// The question of a story asked after each of its sentences: what was written is overwritten.
void show_answers_on_the_way(Frame& frame, const EntityNetwork<float>& network,
                             const Story& story)
{
    const autograd::NoGradient<float> forwards;
    frame.terminal.introduce("The same question after each sentence",
                             "{} The probability of each place as the answer when the story "
                             "has come this far.",
                             question_about(story.question));
    std::vector<std::string> heads = {"after"};
    std::vector<program::CsvColumn> columns = {{"sentence", fixed, 0}};
    for (std::size_t place = 0; place < n_places; ++place) {
        heads.push_back(place_name(place));
        columns.push_back({heads.back(), fixed, 4});
    }
    program::Table table(heads);
    program::CsvRows csv(columns);
    for (std::size_t t = 0; t < story.sentences.size(); ++t) {
        Story so_far = story;
        so_far.sentences.resize(t + 1);
        const std::vector<double> p = place_probabilities(network.read(batch_of({&so_far, 1})));
        std::vector<std::string> cells = {text_of(story.sentences[t])};
        std::vector<double> row = {static_cast<double>(t + 1)};
        for (const double p_place : p) {
            cells.push_back(fixed(p_place, 2));
            row.push_back(p_place);
        }
        table.row(cells);
        csv.add(row);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_answers_on_the_way.csv", csv.columns());
}

void show_strange_sentences(Frame& frame, const EntityNetwork<float>& network,
                            const Story& story)
{
    frame.terminal.introduce(
        "Gates or a softmax",
        "The gates for a sentence that could follow this story, and for two that no training "
        "has: with the names of two persons, and with no name. Below each the sums of products "
        "of the same network, recalculated by a softmax; it was trained with sigmoids.");
    program::Table table({"sentence", "Anna", "Ben", "Clara", "David", "sum"});
    program::Results results({"persons", "slot"}, {{"gate", fixed, 4}, {"share", fixed, 4}});
    const std::vector<StrangeSentence> sentences = strange_sentences(network, story);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const auto row = [&](const std::string& name, const std::vector<double>& numbers) {
            std::vector<std::string> cells = {name};
            for (const double x : numbers) {
                cells.push_back(fixed(x, 2));
            }
            cells.push_back(fixed(std::accumulate(numbers.begin(), numbers.end(), 0.0), 2));
            table.row(cells);
        };
        row(sentences[i].text, sentences[i].gates);
        row("  by softmax, recalculated", sentences[i].shares);
        for (std::size_t j = 0; j < n_persons; ++j) {
            results.add({sentences[i].persons, std::to_string(j + 1)},
                        {sentences[i].gates[j], sentences[i].shares[j]});
        }
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_strange_sentences.csv", results.columns());
}

} // namespace

void show_gates(Frame& frame, const std::vector<EntityNetwork<float>>& networks)
{
    const autograd::NoGradient<float> forwards;
    const std::size_t n = frame.options.quick ? 50 : 1000;
    frame.terminal.introduce(
        "What opens a gate",
        "Task 2, {} stories of 8 sentences. Means over the slot whose "
        "person the sentence is about, and over the other three; a gate is "
        "the sigmoid of the sum of the two products. Medians of {} seeds.",
        n, networks.size());
    std::vector<GateStatistics> all;
    program::CsvRows csv({"seed", "on", "off", "key_on", "key_off", "content_on", "content_off",
                          "holder", "weight"},
                         program::fixed, 3);
    for (std::size_t i = 0; i < networks.size(); ++i) {
        const std::uint64_t seed = frame.options.seed + i;
        const GateStatistics s =
            gate_statistics(networks[i], test_stories(Task::carried, n, 8, seed));
        all.push_back(s);
        csv.add({static_cast<double>(seed), s.on, s.off, s.key_on, s.key_off, s.content_on,
                 s.content_off, s.holder, s.weight});
    }
    const auto text = [&](double GateStatistics::*field, int digits) {
        return program::spread(all, [&](const GateStatistics& one) { return one.*field; })
            .text(digits);
    };
    const auto median = [&](double GateStatistics::*field, int digits) {
        return fixed(program::spread(all, [&](const GateStatistics& one) { return one.*field; })
                         .median(),
                     digits);
    };
    program::Table medians({"slot", "gate", "sentence . key", "sentence . content"});
    medians.row({"the person's", median(&GateStatistics::on, 2),
                 median(&GateStatistics::key_on, 1), median(&GateStatistics::content_on, 1)});
    medians.row({"the others'", median(&GateStatistics::off, 2),
                 median(&GateStatistics::key_off, 1), median(&GateStatistics::content_off, 1)});
    frame.terminal.table(medians);
    frame.terminal.introduce("What opens a gate, every seed",
                             "The same: lowest, median and highest of the seeds.");
    program::Table table({"slot", "gate", "sentence . key", "sentence . content"});
    table.row({"the person's", text(&GateStatistics::on, 2), text(&GateStatistics::key_on, 1),
               text(&GateStatistics::content_on, 1)});
    table.row({"the others'", text(&GateStatistics::off, 2), text(&GateStatistics::key_off, 1),
               text(&GateStatistics::content_off, 1)});
    frame.terminal.table(table);
    frame.terminal.line();
    frame.terminal.paragraph(fmt::format("The largest weight of the read is at the slot of the "
                                         "person who has the object: {} of the "
                                         "questions. Mean weight there: {}.",
                                         text(&GateStatistics::holder, 3),
                                         text(&GateStatistics::weight, 2)));
    frame.files.write_csv("trained_gate_means.csv", csv.columns());

    const Story story = read_story("Anna went to the kitchen. Anna took the apple. Ben went to "
                                   "the garden. Anna moved to the office. Where is the apple?",
                                   "the page's story")
                            .story;
    frame.terminal.introduce(
        "One story and its gates",
        "A row for each sentence: how far the gate of each slot opens. In the "
        "last row the weights with which the slots are read.");
    print_story_with_gates(frame.terminal, networks[0], story);
    save_story(frame, networks[0], story);
    show_answers_on_the_way(frame, networks[0], story);
    show_strange_sentences(frame, networks[0], story);
    save_widget(frame, networks[0]);
}

} // namespace attn::entity_network
