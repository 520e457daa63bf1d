#include "common/translation/report_evaluation.hpp"

#include "common/program/csv_columns.hpp"

#include <algorithm>

namespace attn::translation::report {

void show_translations(program::Frame& frame, const std::vector<text::SentencePair>& pairs,
                       const Evaluation& evaluation, const std::vector<std::size_t>& lengths)
{
    bool first = true;
    for (const std::size_t length : lengths) {
        const auto found =
            std::find_if(pairs.begin(), pairs.end(), [&](const text::SentencePair& pair) {
                return pair.source.size() == length;
            });
        if (found == pairs.end()) {
            continue;
        }
        if (!first) {
            frame.terminal.line();
        }
        first = false;
        const auto index = static_cast<std::size_t>(found - pairs.begin());
        const text::EvaluatedTranslation& translation = evaluation.translations[index];
        const auto quoted = [](const text::Words& words) {
            return "« " + text::text_of(words) + " »";
        };
        frame.terminal.paragraph("source " + quoted(found->source));
        frame.terminal.paragraph("reference " + quoted(translation.reference));
        frame.terminal.paragraph("translation " + quoted(translation.hypothesis));
    }
}

namespace {

/// BLEU from 0 to 100, or the share of exact translations, of a bucket in each seed.
program::Spread of_bucket(const ByLength& counts, std::size_t bucket, bool bleu)
{
    return program::spread(counts, [&](const text::CountsByLength& one) {
        const text::TranslationCounts& some = one.buckets[bucket].counts;
        return bleu ? 100 * some.bleu() : some.exact_match();
    });
}

} // namespace

void show_lengths(program::Frame& frame, const std::vector<CountsOfModel>& models, bool bleu)
{
    const std::vector<text::LengthBucket> buckets = text::length_buckets();
    std::vector<std::string> header = {bleu ? "BLEU" : "exact match"};
    for (const text::LengthBucket& bucket : buckets) {
        header.push_back(bucket.name());
    }
    program::Table table(header);
    for (const CountsOfModel& model : models) {
        std::vector<std::string> row = {model.name};
        for (std::size_t b = 0; b < buckets.size(); ++b) {
            const double median = of_bucket(model.counts, b, bleu).median();
            row.push_back(program::fixed(median, bleu ? 1 : 2));
        }
        table.row(row);
    }
    frame.terminal.table(table);
}

void save_lengths(program::Frame& frame, const char* file,
                  const std::vector<CountsOfModel>& models)
{
    std::vector<double> middles;
    for (const text::LengthBucket& bucket : text::length_buckets()) {
        middles.push_back(0.5 * static_cast<double>(bucket.shortest + bucket.longest));
    }
    program::CsvColumns csv;
    csv.add("length", middles, program::fixed, 1);
    for (const CountsOfModel& model : models) {
        for (const bool bleu : {false, true}) {
            std::vector<program::Spread> spreads;
            for (std::size_t b = 0; b < middles.size(); ++b) {
                spreads.push_back(of_bucket(model.counts, b, bleu));
            }
            csv.add_spreads((bleu ? "bleu_" : "exact_") + model.short_name, spreads,
                            program::fixed, bleu ? 2 : 4);
        }
    }
    frame.files.write_csv(file, csv);
}

program::Spread spread_of(const std::vector<Measures>& measures, double Measures::*number,
                          double factor)
{
    return program::spread(measures,
                           [&](const Measures& one) { return factor * (one.*number); });
}

} // namespace attn::translation::report
