/// \file
/// \brief The bodies of forced_and_free() and searches() of report_trials.hpp.
#include "chapters/07_seq2seq/experiments/report_trials.hpp"
#include "common/program/csv_columns.hpp"

namespace attn::seq2seq::report {

using program::fixed;
using program::Frame;
using program::significant;

void forced_and_free(Frame& frame, const std::vector<Trial>& trials)
{
    frame.terminal.introduce(
        "Forced and free",
        "The GRU with the last state (medians over seeds). Forced: each word is foretold after "
        "the right words before it. Free: after the words that the model wrote itself, greedy; "
        "counted is whether the same word stands at the same place. Ends count as words.");
    program::Table table(
        {"words", "right, forced", "right, free", "all right, forced", "exact match, free"});
    program::CsvRows csv({{"shortest", significant, 3},
                          {"forced", fixed, 4},
                          {"free", fixed, 4},
                          {"all_forced", fixed, 4},
                          {"exact", fixed, 4}});
    std::vector<text::LengthBucket> buckets = text::length_buckets();
    buckets.push_back({buckets.front().shortest, buckets.back().longest});
    for (std::size_t index = 0; index < buckets.size(); ++index) {
        const text::LengthBucket bucket = buckets[index];
        const auto counted = [&](auto number) {
            return of(trials,
                      [&](const Trial& trial) {
                          return number(index + 1 == buckets.size() ? all_of(trial)
                                                                    : counts_of(trial, index));
                      })
                .median();
        };
        const auto looked_at = [&](auto number) {
            return of(trials,
                      [&](const Trial& trial) {
                          return number(of_bucket(trial.judgement.translations, bucket));
                      })
                .median();
        };
        const std::vector<double> row = {
            static_cast<double>(bucket.shortest),
            counted([](const text::TranslationCounts& some) { return some.token_accuracy(); }),
            looked_at(right_places), looked_at(all_words_right), counted(exact_of)};
        table.row({bucket.name(), fixed(row[1], 3), fixed(row[2], 3), fixed(row[3], 3),
                   fixed(row[4], 3)});
        csv.add(row);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_forced.csv", csv.columns());
}

void searches(Frame& frame, const std::vector<Trial>& trials)
{
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
    for (std::size_t i = 0; i < trials[0].searches.size(); ++i) {
        const auto median = [&](auto number) {
            return of(trials, [&](const Trial& trial) { return number(trial.searches[i]); })
                .median();
        };
        const SearchResult& first = trials[0].searches[i];
        const std::vector<double> row = {
            static_cast<double>(first.width),
            first.alpha,
            median([](const SearchResult& found) { return found.counts.exact_match(); }),
            median([](const SearchResult& found) { return 100 * found.counts.bleu(); }),
            median([](const SearchResult& found) { return found.mean_log_probability; }),
            median([](const SearchResult& found) { return found.mean_length; })};
        table.row({fixed(row[0], 0), fixed(row[1], 0), fixed(row[2], 3), fixed(row[3], 1),
                   fixed(row[4], 2), fixed(row[5], 2)});
        csv.add(row);
    }
    frame.terminal.table(table);
    frame.files.write_csv("trained_searches.csv", csv.columns());
}

} // namespace attn::seq2seq::report
