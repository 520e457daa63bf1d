#include "chapters/13_language_models/experiments/experiments.hpp"

#include "chapters/13_language_models/training.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace attn::language_models {

using program::fixed;
using program::Frame;
using program::spread;

namespace {

constexpr std::size_t n_tested = 200; // sequences that nobody learns from
constexpr std::size_t batch_size = 32;

} // namespace

// ---------------------------------------------------------------- trainings

namespace {

/// A model of attention alone: no dense layers, one head a layer.
LanguageModelOptions attention_alone(const RepetitionTask& task, std::size_t n_layers)
{
    return {.n_tokens = task.n_tokens,
            .n_positions = task.n,
            .n_layers = n_layers,
            .layer = {.d_model = 64, .n_heads = 1, .d_ff = 1, .feed_forward = false},
            .tied = false};
}

Array<float> all_logits(const LanguageModel<float>& model, const TokenBatch& batch,
                        std::vector<Array<float>>* weights = nullptr)
{
    const autograd::NoGradient<float> forwards;
    return model
        .logits(reshape(model.rows(batch, weights),
                        {batch.tokens.size(), model.options().layer.d_model}))
        .value();
}

Moment observed(const LanguageModel<float>& model, const Repetitions& tested,
                std::size_t n_steps)
{
    std::vector<Array<float>> weights;
    const Array<float> logits = all_logits(model, tested.batch, &weights);
    Moment moment{n_steps, measure_repetitions(logits, tested), {}, {}};
    for (const Array<float>& of_layer : weights) {
        moment.induction_scores.push_back(induction_scores(of_layer, tested.periods)[0]);
        moment.previous_scores.push_back(previous_token_scores(of_layer)[0]);
    }
    return moment;
}

} // namespace

TrainedRepeater train_repeater(const RepetitionTask& task, const Repetitions& tested,
                               std::size_t n_layers, std::size_t n_steps, std::uint64_t seed)
{
    TrainedRepeater trained{make_language_model(attention_alone(task, n_layers), seed), {}};
    const auto batch = [&](std::size_t step) {
        random::Generator generator(seed, random::Stream::repetition_training, step);
        return draw_repetitions(task, batch_size, generator).batch;
    };
    train(trained.model, batch, {.n_steps = n_steps, .fall = Fall::none},
          {.label = "induction heads", .show_progress = false}, [&](std::size_t done) {
              if (done % 20 == 0 || done == n_steps) {
                  trained.moments.push_back(observed(trained.model, tested, done));
              }
          });
    return trained;
}

// ---------------------------------------------------------------- interventions

namespace {

/// Which rows of the second layer are made from the first layer's sum, and which from the
/// embeddings alone, as if the first layer had not been there for them.
struct Paths
{
    bool queries = true; ///< those of the second layer
    bool keys = true;    ///< its keys
    bool values = true;  ///< its values
};

/// The rows after both layers of such a model, some of its paths cut.
Variable<float> rows_with(const LanguageModel<float>& model, const TokenBatch& batch,
                          const Paths& paths, multi_head::Inside<float>& second)
{
    const EncoderLayer<float>& layer = model.layers()[1];
    const AttentionMask causal{.causal = true};
    const Variable<float> embedded = model.embed(batch.tokens, batch.n_texts);
    const Variable<float> sum = model.layers()[0](embedded, causal).sum();
    const auto input = [&](bool of_first_layer) {
        return layer.norm_self(of_first_layer ? sum : embedded);
    };
    return model.last_norm()(sum + layer.self(input(paths.queries), input(paths.keys),
                                              input(paths.values), causal, &second));
}

/// The weights of a head in attention whose weights are changed before they are used.
using ChangeOfWeights = std::function<void(Array<float>& weights)>;

/// Attention as always, but with changed weights; each row of them is divided by its sum.
Attend<float> attend_with(const ChangeOfWeights& change)
{
    return [change](const Variable<float>& queries, const Variable<float>& keys,
                    const Variable<float>& values, std::size_t n_heads,
                    const AttentionMask& mask, Array<float>* weights) {
        Array<float> changed;
        multi_head::attend_in_one_step(queries, keys, values, n_heads, mask, &changed);
        change(changed); // [batch, H, n, n]
        if (weights != nullptr) {
            *weights = changed;
        }
        return multi_head::merge_heads(
            matmul(Variable<float>(changed), multi_head::split_heads(values, n_heads)));
    };
}

/// Leaves of each query's weights only that on the token before it, or all but that.
void keep_previous(Array<float>& weights, bool previous)
{
    const Shape shape = weights.shape();
    for (std::size_t text = 0; text < shape[0]; ++text) {
        for (std::size_t q = 1; q < shape[2]; ++q) {
            float sum = 0;
            for (std::size_t k = 0; k <= q; ++k) {
                float& weight = weights(text, 0, q, k);
                weight = (k + 1 == q) == previous ? weight : 0.0F;
                sum += weight;
            }
            for (std::size_t k = 0; k <= q; ++k) {
                weights(text, 0, q, k) /= sum > 0 ? sum : 1.0F;
            }
        }
    }
}

Intervention intervene(const std::string& name, LanguageModel<float> model,
                       const Repetitions& tested, const ChangeOfWeights& in_first,
                       const ChangeOfWeights& in_second, const Paths& paths = {})
{
    const autograd::NoGradient<float> forwards;
    for (const auto& [i, change] : {std::pair(0U, &in_first), std::pair(1U, &in_second)}) {
        if (*change) {
            model.layers()[i].self.attend = attend_with(*change);
        }
    }
    multi_head::Inside<float> second;
    const Variable<float> rows = rows_with(model, tested.batch, paths, second);
    const Array<float> logits =
        model.logits(reshape(rows, {tested.batch.tokens.size(), rows.shape()[2]})).value();
    return {name, measure_repetitions(logits, tested),
            induction_scores(second.weights, tested.periods)[0]};
}

} // namespace

std::vector<Intervention> all_interventions(const LanguageModel<float>& model,
                                            const Repetitions& tested)
{
    const ChangeOfWeights remove = [](Array<float>& weights) { weights.fill(0.0F); };
    const ChangeOfWeights only_previous = [](Array<float>& w) { keep_previous(w, true); };
    const ChangeOfWeights never_previous = [](Array<float>& w) { keep_previous(w, false); };
    return {
        intervene("as it is", model, tested, {}, {}),
        intervene("no head in layer 1", model, tested, remove, {}),
        intervene("no head in layer 2", model, tested, {}, remove),
        intervene("layer 1: the token before alone", model, tested, only_previous, {}),
        intervene("layer 1: all but the token before", model, tested, never_previous, {}),
        intervene("layer 2: queries without layer 1", model, tested, {}, {},
                  {.queries = false}),
        intervene("layer 2: keys without layer 1", model, tested, {}, {}, {.keys = false}),
        intervene("layer 2: values without layer 1", model, tested, {}, {}, {.values = false})};
}

// ---------------------------------------------------------------- printed and saved

namespace {

/// [n_layers - 1][n_seeds]
using Trained = std::vector<std::vector<TrainedRepeater>>;

template <typename Number>
program::Spread last_of(const std::vector<TrainedRepeater>& seeds, Number number)
{
    return spread(seeds,
                  [&](const TrainedRepeater& one) { return number(one.moments.back()); });
}

/// Lowest, median and highest of what the pages' tables give the median of.
void show_depths_of_seeds(Frame& frame, const Trained& trained)
{
    frame.terminal.introduce(
        "Two layers are needed: every seed",
        "The same models: loss before the repetition begins and after it, median of the seeds; "
        "then lowest, median and highest of the share of repeated tokens predicted right, of "
        "the last layer's mean weight on tokens that followed the present one earlier, and of "
        "the first layer's on the token before.");
    program::Table table({"layers", "loss, first", "loss, repeats", "right", "induction score",
                          "previous token"});
    for (std::size_t row = 0; row < trained.size(); ++row) {
        const std::vector<TrainedRepeater>& seeds = trained[row];
        const auto spread_of = [&](auto number) { return last_of(seeds, number); };
        table.row(
            {std::to_string(row + 1),
             fixed(spread_of([](const Moment& m) { return m.measures.loss_first; }).median(),
                   2),
             fixed(spread_of([](const Moment& m) { return m.measures.loss_repeat; }).median(),
                   2),
             spread_of([](const Moment& m) { return m.measures.accuracy; }).text(3),
             spread_of([](const Moment& m) { return m.induction_scores.back(); }).text(3),
             spread_of([](const Moment& m) { return m.previous_scores.front(); }).text(2)});
    }
    frame.terminal.table(table);
}

void show_depths(Frame& frame, const Trained& trained)
{
    program::Table table({"layers", "right", "by chance"});
    for (std::size_t row = 0; row < trained.size(); ++row) {
        const auto right = [](const Moment& m) { return m.measures.accuracy; };
        table.row({std::to_string(row + 1), fixed(last_of(trained[row], right).median(), 3),
                   fixed(trained[row][0].moments.back().measures.chance, 3)});
    }
    frame.terminal.table(table);
    show_depths_of_seeds(frame, trained);
}

void show_moments(Frame& frame, const Trained& trained)
{
    frame.terminal.introduce(
        "All at once",
        "The same trainings on the way: share of repeated tokens predicted right, and the "
        "induction score of the last layer. Lowest, median and highest of the seeds.");
    program::Table table({"steps", "1 layer, right", "2 layers, right", "2 layers, score"});
    program::CsvColumns csv;
    std::vector<double> steps;
    std::vector<std::vector<program::Spread>> columns(4);
    const std::size_t n_moments = trained[0][0].moments.size();
    for (std::size_t i = 0; i < n_moments; ++i) {
        const auto at = [&](std::size_t row, auto number) {
            return spread(trained[row],
                          [&](const TrainedRepeater& one) { return number(one.moments[i]); });
        };
        const auto right = [](const Moment& m) { return m.measures.accuracy; };
        const auto score = [](const Moment& m) { return m.induction_scores.back(); };
        const std::array<program::Spread, 4> cells = {at(0, right), at(1, right), at(0, score),
                                                      at(1, score)};
        for (std::size_t c = 0; c < cells.size(); ++c) {
            columns[c].push_back(cells[c]);
        }
        const std::size_t n_steps = trained[0][0].moments[i].n_steps;
        steps.push_back(static_cast<double>(n_steps));
        if (n_steps % 60 == 0 || i + 1 == n_moments) {
            table.row({std::to_string(n_steps), cells[0].text(2), cells[1].text(2),
                       cells[3].text(2)});
        }
    }
    frame.terminal.table(table);
    csv.add("steps", steps, fixed, 0)
        .add_spreads("right_1", columns[0], fixed, 4)
        .add_spreads("right_2", columns[1], fixed, 4)
        .add_spreads("score_1", columns[2], fixed, 4)
        .add_spreads("score_2", columns[3], fixed, 4);
    frame.files.write_csv("trained_induction.csv", csv);
}

void show_interventions(Frame& frame, const Trained& trained, const Repetitions& tested)
{
    frame.terminal.introduce(
        "Which head does what",
        "The models of two layers, changed after their training: a head taken out, the "
        "attention weights of the first layer changed, or one of the second layer's three "
        "inputs made from the "
        "embeddings alone. Share of repeated tokens predicted right, and the induction score: "
        "the mean weight of the second layer's head on tokens that followed the present one "
        "earlier. Medians of the seeds.");
    std::vector<std::vector<Intervention>> of_seed;
    for (const TrainedRepeater& one : trained[1]) {
        of_seed.push_back(all_interventions(one.model, tested));
    }
    program::Table table({"changed", "right", "induction score"});
    program::Table table_of_seeds({"changed", "right", "induction score"});
    std::vector<program::Spread> accuracy;
    std::vector<program::Spread> scores;
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < of_seed[0].size(); ++i) {
        accuracy.push_back(
            spread(of_seed, [&](const auto& all) { return all[i].measures.accuracy; }));
        scores.push_back(
            spread(of_seed, [&](const auto& all) { return all[i].induction_score; }));
        keys.push_back(program::key_name(of_seed[0][i].name));
        table.row(
            {of_seed[0][i].name, fixed(accuracy[i].median(), 3), fixed(scores[i].median(), 3)});
        table_of_seeds.row({of_seed[0][i].name, accuracy[i].text(3), scores[i].text(3)});
    }
    frame.terminal.table(table);
    frame.terminal.introduce("Which head does what: every seed",
                             "The same, each as lowest, median and highest of the seeds.");
    frame.terminal.table(table_of_seeds);
    frame.files.write_csv("trained_interventions.csv",
                          program::CsvColumns()
                              .add("change", keys)
                              .add_spreads("right", accuracy, fixed, 4)
                              .add_spreads("score", scores, fixed, 4));
}

/// A symbol as a letter.
std::string letter_of(TokenId token)
{
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
    return std::string(1, letters.at(static_cast<std::size_t>(token)));
}

/// What the explorer shows of the same beginning.
void save_explorer(Frame& frame, const LanguageModel<float>& model,
                   std::span<const TokenId> beginning)
{
    frame.files.write_widget_data(
        "trained_13_language_models_explorer.data.js",
        program::explorer_data("Random symbols that repeat",
                               explored(model, beginning, letter_of)));
}

/// Prints, around the first repetition of a sequence, where the second layer's head attends most
/// and what the model predicts.
/// \param scores   of the next token [n, n_tokens]
/// \param weights  of the second layer's head [n, n]
void show_sequence(Frame& frame, std::span<const TokenId> tokens, std::size_t period,
                   const float* scores, std::size_t n_tokens, const float* weights)
{
    const std::size_t n = tokens.size();
    std::string beginning;
    for (std::size_t t = 0; t < 2 * period; ++t) {
        beginning += (t == 0 ? "" : " ") + letter_of(tokens[t]);
    }
    frame.terminal.introduce(
        "One sequence",
        "It begins {}, a letter for each symbol: {} of them, then the same again. Each line "
        "gives the number of tokens that a model of two layers has read so far, the last of "
        "them, the token to which its head in layer 2 attends most, with the weight, what the "
        "model predicts, and what really comes.",
        beginning, period);
    program::Table table({"read", "last", "attends most to", "weight", "predicts", "comes"});
    for (std::size_t q = period - 2; q < period + 5; ++q) {
        const float* const row = weights + q * n;
        const auto key = static_cast<std::size_t>(std::max_element(row, row + q + 1) - row);
        const float* const next = scores + q * n_tokens;
        const auto predicted =
            static_cast<TokenId>(std::max_element(next, next + n_tokens) - next);
        table.row({std::to_string(q + 1), letter_of(tokens[q]),
                   fmt::format("{}, number {}", letter_of(tokens[key]), key + 1),
                   fixed(static_cast<double>(row[key]), 2), letter_of(predicted),
                   letter_of(tokens[q + 1])});
    }
    frame.terminal.table(table);
}

/// Saves the weights of both layers on the beginning of a tested sequence, one of the shortest
/// period, and prints what the model does with it.
void show_weights(Frame& frame, const LanguageModel<float>& model, const Repetitions& tested)
{
    constexpr std::size_t n_shown = 24; // of the 48 tokens
    std::vector<Array<float>> weights;
    const Array<float> logits = all_logits(model, tested.batch, &weights);
    const auto text = static_cast<std::size_t>(
        std::min_element(tested.periods.begin(), tested.periods.end()) -
        tested.periods.begin());
    program::CsvRows csv({{"query", fixed, 0},
                          {"key", fixed, 0},
                          {"weight_1", fixed, 3},
                          {"weight_2", fixed, 3}});
    for (std::size_t q = 0; q < n_shown; ++q) {
        for (std::size_t k = 0; k < n_shown; ++k) {
            csv.add({static_cast<double>(q + 1), static_cast<double>(k + 1),
                     static_cast<double>(weights[0](text, 0, q, k)),
                     static_cast<double>(weights[1](text, 0, q, k))});
        }
    }
    frame.files.write_csv("trained_weights.csv", csv.columns());
    const std::size_t n = tested.batch.tokens.size() / tested.batch.n_texts;
    save_explorer(frame, model, std::span(tested.batch.tokens).subspan(text * n, n_shown));
    const std::size_t n_tokens = model.options().n_tokens;
    show_sequence(frame, std::span(tested.batch.tokens).subspan(text * n, n),
                  tested.periods[text], logits.data() + text * n * n_tokens, n_tokens,
                  weights[1].data() + text * n * n);
}

} // namespace

void show_induction(Frame& frame)
{
    const RepetitionTask task;
    random::Generator generator(frame.options.seed, random::Stream::repetition_test);
    const Repetitions tested = draw_repetitions(task, n_tested, generator);
    const std::size_t n_steps = frame.options.quick ? 20 : 500;
    const Trained trained = program::run_rows_with_seeds(
        frame, "induction heads", 2, program::seeds_of(frame),
        [&](std::size_t row, std::uint64_t seed) {
            return train_repeater(task, tested, row + 1, n_steps, seed);
        });
    frame.terminal.introduce(
        "Two layers are needed",
        "A sequence has {} to {} different symbols, drawn from {}, and repeats them until "
        "there "
        "are {} tokens. Models of attention alone, one head a layer, after {} steps of {} "
        "sequences. On {} new sequences: the share of repeated tokens predicted right, median "
        "of the seeds; by chance, if one guesses among the sequence's own symbols.",
        task.shortest_period, task.longest_period, task.n_tokens, task.n, n_steps, batch_size,
        n_tested);
    show_depths(frame, trained);
    show_moments(frame, trained);
    show_interventions(frame, trained, tested);
    show_weights(frame, trained[1].front().model, tested);
}

} // namespace attn::language_models
