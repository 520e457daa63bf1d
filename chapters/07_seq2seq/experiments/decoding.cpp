#include "chapters/07_seq2seq/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/matrices.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/kernels/elementary.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"
#include "common/program/trace.hpp"
#include "common/text/share.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace attn::seq2seq {

using autograd::as_matrix;
using autograd::as_variable;
using autograd::Variable;
using program::fixed;
using program::Frame;
using program::significant;

void show_pencil_steps(Frame& frame)
{
    program::Terminal& terminal = frame.terminal;
    terminal.introduce(
        "Step by step with a pencil",
        "A sentence of three words has been read; the example's keys stand for its states. Two "
        "decoders are in different states, the example's queries, and see the same context: "
        "nothing is asked. The readout is s + c, tanh, and the product with three "
        "words' vectors, the example's keys again.");
    const Matrix queries = lookup::pencil_example::queries();
    const Matrix keys = lookup::pencil_example::keys();
    trace(terminal, "s", "the decoders' states", "batch, d", queries);
    trace(terminal, "e", "the encoder's states", "n_steps, d", keys);

    // The same sentence for both decoders.
    const Matrix twice = xt::concatenate(xt::xtuple(keys, keys));
    const Matrix last = {{keys(2, 0), keys(2, 1)}, {keys(2, 0), keys(2, 1)}};
    const Encoding<double> encoding{
        as_variable(twice, {2, 3, 2}), as_variable(last, {2, 2}), {3, 3}};
    const Variable<double> s = as_variable(queries, {2, 2});
    for (const ContextFunction<double>& context :
         {last_state<double>(), mean_state<double>(), largest_numbers<double>()}) {
        trace(terminal, "c", context.name, "batch, d",
              as_matrix(context.prepare(encoding)({s, s}).context));
    }
    const Variable<double> c = mean_state<double>().prepare(encoding)({s, s}).context;
    const Variable<double> r = tanh(s + c);
    trace(terminal, "r", "tanh(s + c), with the mean", "batch, d", as_matrix(r));
    const Matrix transposed = xt::transpose(keys);
    const Variable<double> logits = matmul(r, as_variable(transposed, {2, 3}));
    trace(terminal, "logits", "r times the words' vectors", "batch, n_words",
          as_matrix(logits));
    trace(terminal, "p", "softmax: of the next word", "batch, n_words",
          as_matrix(softmax(logits)));
}

namespace {

/// The words of the search example by their numbers: start, end, and two words.
constexpr std::array<std::string_view, 4> search_words = {"<s>", "</s>", "a", "b"};

/// p(next | last) [4, 4], rows and columns as search_words; the row of `</s>` is zero.
Matrix search_table()
{
    return {{0, 0, 0.55, 0.45}, {0, 0, 0, 0}, {0, 0.4, 0.3, 0.3}, {0, 0.9, 0.1, 0}};
}

} // namespace

std::vector<text::Hypothesis> search_example(std::size_t width)
{
    using State = std::vector<int>; // nothing: the last word decides
    const Matrix table = search_table();
    const text::Decoder<State> decoder{
        [&](State state, const std::vector<std::size_t>& last_words) {
            text::Step<State> step;
            for (const std::size_t last : last_words) {
                for (std::size_t next = 0; next < search_words.size(); ++next) {
                    step.log_probabilities.push_back(elementary::log(table(last, next)));
                }
            }
            step.state = std::move(state);
            return step;
        },
        text::select_elements<int>};
    return text::batch_beam_search(
        decoder, State{0}, 1, {.start = 0, .end = 1, .max_length = 4}, {.width = width})[0];
}

namespace {

/// A sentence of the search example.
std::string sentence_of(const text::Hypothesis& hypothesis)
{
    std::string sentence;
    for (const std::size_t word : hypothesis.words) {
        sentence += std::string(search_words[word]) + " ";
    }
    return sentence + (hypothesis.finished ? "</s>" : "...");
}

} // namespace

void show_greedy_search(Frame& frame)
{
    frame.terminal.introduce(
        "A search that is greedy",
        "Two words, a and b, and the end. The probability of the next word depends on the last "
        "one alone; a row is the last word, a column the next.");
    const Matrix p = search_table();
    program::Table table({"last", "</s>", "a", "b"});
    for (const std::size_t last : {0U, 2U, 3U}) {
        table.row({std::string(search_words[last]), fixed(p(last, 1), 2), fixed(p(last, 2), 2),
                   fixed(p(last, 3), 2)});
    }
    frame.terminal.table(table);
    frame.terminal.line();
    program::Table found({"search", "finds", "probability"});
    for (const std::size_t width : {1U, 2U}) {
        const text::Hypothesis best = search_example(width).front();
        found.row({width == 1 ? "greedy" : "beam of 2", sentence_of(best),
                   fixed(elementary::exp(best.log_probability), 4)});
    }
    frame.terminal.table(found);
}

double all_words_right(const std::vector<text::EvaluatedTranslation>& translations)
{
    double n_right = 0;
    for (const text::EvaluatedTranslation& translation : translations) {
        n_right += translation.tokens.n_right == translation.tokens.n_tokens ? 1 : 0;
    }
    return text::share_of(n_right, static_cast<double>(translations.size()));
}

double right_positions(const std::vector<text::EvaluatedTranslation>& translations)
{
    double n_right = 0;
    double n = 0;
    for (const auto& [source_length, hypothesis, reference, tokens] : translations) {
        for (std::size_t t = 0; t < reference.size(); ++t) {
            n_right += t < hypothesis.size() && hypothesis[t] == reference[t] ? 1 : 0;
        }
        n_right += hypothesis.size() == reference.size() ? 1 : 0; // the end
        n += static_cast<double>(reference.size() + 1);
    }
    return text::share_of(n_right, n);
}

std::vector<text::EvaluatedTranslation>
of_bucket(const std::vector<text::EvaluatedTranslation>& translations,
          const text::LengthBucket& bucket)
{
    std::vector<text::EvaluatedTranslation> chosen;
    for (const text::EvaluatedTranslation& translation : translations) {
        if (bucket.holds(translation.source_length)) {
            chosen.push_back(translation);
        }
    }
    return chosen;
}

void show_forced_and_free(Frame& frame, const SeedsOfModel& trained)
{
    frame.terminal.introduce(
        "Forced and free",
        "The GRU with the last state (medians over seeds). Forced: each word is predicted "
        "after "
        "the right words before it. Free: after the words that the model wrote itself, greedy; "
        "counted is whether the same word stands at the same position. Ends count as words.");
    program::Table table(
        {"words", "right, forced", "right, free", "all right, forced", "exact match, free"});
    program::CsvRows csv({{"shortest", significant, 3},
                          {"forced", fixed, 4},
                          {"free", fixed, 4},
                          {"all_forced", fixed, 4},
                          {"exact", fixed, 4}});
    std::vector<text::LengthBucket> buckets = text::length_buckets();
    buckets.push_back({buckets.front().shortest, buckets.back().longest});
    for (const text::LengthBucket& bucket : buckets) {
        const auto median = [&](auto measure) {
            return program::spread(trained,
                                   [&](const TrainedModel& one) {
                                       return measure(
                                           of_bucket(one.evaluation.translations, bucket));
                                   })
                .median();
        };
        const auto counted = [](double (text::TranslationCounts::*measure)() const) {
            return [measure](const std::vector<text::EvaluatedTranslation>& some) {
                return (text::counts_by_length(some).all.*measure)();
            };
        };
        const std::vector<double> row = {
            static_cast<double>(bucket.shortest),
            median(counted(&text::TranslationCounts::token_accuracy)), median(right_positions),
            median(all_words_right), median(counted(&text::TranslationCounts::exact_match))};
        table.row({bucket.name(), fixed(row[1], 3), fixed(row[2], 3), fixed(row[3], 3),
                   fixed(row[4], 3)});
        csv.add(row);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_forced.csv", csv.columns());
}

const text::Hypothesis& preferred(const std::vector<text::Hypothesis>& found,
                                  const text::LengthPenalty& penalty)
{
    const auto score = [&](const auto& one) {
        return std::pair(one.finished, one.log_probability / penalty.divisor(one.length()));
    };
    return *std::max_element(found.begin(), found.end(),
                             [&](const auto& a, const auto& b) { return score(a) < score(b); });
}

namespace {

/// One beam search over the test set, whose sentences are compared in several ways.
std::vector<SearchResult> results_of(const Translator<float>& translator,
                                     const TranslationTask& task, std::size_t width,
                                     const std::vector<double>& alphas)
{
    constexpr std::size_t at_once = 64; // sentences
    std::vector<SearchResult> results;
    for (const double alpha : alphas) {
        results.push_back({width, alpha, {}, 0, 0});
    }
    const auto n = static_cast<double>(task.test.size());
    for (const auto& chosen : text::evaluation_plan(task.test.size(), at_once)) {
        const text::Batch batch = text::batch_of(task.test, chosen);
        const Translations found = translate(translator, translation::sources_of(batch),
                                             task.max_length, {.width = width});
        for (std::size_t row = 0; row < batch.n_pairs; ++row) {
            const text::SentencePair& pair = task.pairs.test[batch.pairs[row]];
            for (SearchResult& result : results) {
                const auto penalty = text::gnmt_length_penalty(result.alpha);
                const auto& best = preferred(found[row], penalty);
                const std::vector<text::WordId> ids(best.words.begin(), best.words.end());
                result.counts.add(
                    {pair.source.size(), task.target.decode(ids), pair.target, {}});
                result.mean_log_probability += best.log_probability / n;
                result.mean_length += static_cast<double>(best.words.size()) / n;
            }
        }
    }
    return results;
}

} // namespace

std::vector<SearchResult> compare_searches(const Translator<float>& translator,
                                           const TranslationTask& task)
{
    std::vector<SearchResult> results = results_of(translator, task, 1, {0});
    for (const SearchResult& result : results_of(translator, task, 4, {0, 1})) {
        results.push_back(result);
    }
    return results;
}

void show_searches(Frame& frame, const TranslationTask& task, const SeedsOfModel& trained)
{
    std::vector<std::vector<SearchResult>> found(trained.size());
    program::side_by_side(frame, "searches", trained.size(), [&](std::size_t seed) {
        found[seed] = compare_searches(trained[seed].translator, task);
    });
    frame.terminal.introduce(
        "Greedy and beam search",
        "The GRU with the last state on the test set (medians over seeds). log p is the mean "
        "log-probability of the sentence that was found. The penalty is Google's, with alpha.");
    program::Table table({"beam", "alpha", "exact match", "BLEU", "log p", "mean words"});
    program::CsvRows csv({{"beam", significant, 3},
                          {"alpha", significant, 3},
                          {"exact", fixed, 4},
                          {"bleu", fixed, 2},
                          {"log_p", fixed, 3},
                          {"words", fixed, 3}});
    for (std::size_t i = 0; i < found[0].size(); ++i) {
        const auto median = [&](auto number) {
            return program::spread(found,
                                   [&](const auto& of_seed) { return number(of_seed[i]); })
                .median();
        };
        const SearchResult& first = found[0][i];
        const std::vector<double> row = {
            static_cast<double>(first.width),
            first.alpha,
            median([](const SearchResult& one) { return one.counts.exact_match(); }),
            median([](const SearchResult& one) { return 100 * one.counts.bleu(); }),
            median([](const SearchResult& one) { return one.mean_log_probability; }),
            median([](const SearchResult& one) { return one.mean_length; })};
        table.row({fixed(row[0], 0), fixed(row[1], 0), fixed(row[2], 3), fixed(row[3], 1),
                   fixed(row[4], 2), fixed(row[5], 2)});
        csv.add(row);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_searches.csv", csv.columns());
}

} // namespace attn::seq2seq
