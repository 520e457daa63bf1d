/// \file
/// \brief Quality against length as programs print and keep it, here and in chapter 12.
/// Deliberately without models: counts go in.
#pragma once

#include "common/program/csv_columns.hpp"
#include "common/program/run.hpp"
#include "common/program/spread.hpp"
#include "common/text/length_buckets.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::bahdanau::report {

using ByLength = std::vector<text::CountsByLength>; ///< [n_seeds]

/// What a model's translations came to, seed by seed.
struct CountsOfModel
{
    std::string name;       ///< as programs print it
    std::string short_name; ///< for columns
    ByLength counts;        ///< [n_seeds]
};

/// The counts of trials.
/// \param name        as programs print it
/// \param short_name  for columns
/// \param trials      [n_seeds], each with a judgement
/// \returns           by length
template <typename Trials>
CountsOfModel counts_of(const std::string& name, const std::string& short_name,
                        const Trials& trials)
{
    CountsOfModel model{name, short_name, {}};
    for (const auto& trial : trials) {
        model.counts.push_back(text::counts_by_length(trial.judgement.translations));
    }
    return model;
}

/// One number of a bucket in each seed.
/// \param counts  of the seeds
/// \param bucket  its number
/// \param bleu    BLEU from 0 to 100, or the share of exact translations
/// \returns       their spread
inline program::Spread of_bucket(const ByLength& counts, std::size_t bucket, bool bleu)
{
    return program::spread(counts, [&](const text::CountsByLength& one) {
        const text::TranslationCounts& some = one.buckets[bucket].counts;
        return bleu ? 100 * some.bleu() : some.exact_match();
    });
}

/// Prints medians of the seeds, a row a model.
/// \param frame   the program's terminal
/// \param models  at least one
/// \param bleu    BLEU, or the share of exact translations
inline void show_lengths(program::Frame& frame, const std::vector<CountsOfModel>& models,
                         bool bleu)
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

/// Keeps lowest, median and highest of the seeds, by the middle of each bucket of lengths.
/// \param frame   the program's files
/// \param file    its name
/// \param models  at least one
inline void keep_lengths(program::Frame& frame, const char* file,
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

} // namespace attn::bahdanau::report
