/// \file
/// \brief Evaluations as programs print and save them: translations, quality by length, measures over
/// seeds.
#pragma once

#include "common/program/run.hpp"
#include "common/program/spread.hpp"
#include "common/translation/evaluation.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// Tables and files that the programs of several chapters have alike.
namespace attn::translation::report {

/// Prints the first sentence of each of some lengths, its reference and its translation, in quotation
/// marks: the tests then take the words for what a model wrote, and do not compare them.
/// \param pairs    that were evaluated
/// \param lengths  of the sources, in words; those that no sentence has are left out
void show_translations(program::Frame& frame, const std::vector<text::SentencePair>& pairs,
                       const Evaluation& evaluation, const std::vector<std::size_t>& lengths);

using ByLength = std::vector<text::CountsByLength>; ///< [n_seeds]

/// What a model's translations came to, seed by seed.
struct CountsOfModel
{
    std::string name;       ///< as programs print it
    std::string short_name; ///< for columns
    ByLength counts;        ///< [n_seeds]
};

/// The counts of trained models.
/// \param trained  [n_seeds], each with an evaluation
template <typename Trained>
CountsOfModel counts_of(const std::string& name, const std::string& short_name,
                        const std::vector<Trained>& trained)
{
    CountsOfModel model{name, short_name, {}};
    for (const Trained& one : trained) {
        model.counts.push_back(text::counts_by_length(one.evaluation.translations));
    }
    return model;
}

/// Prints medians of the seeds, a row a model.
/// \param bleu  BLEU, or the share of exact translations
void show_lengths(program::Frame& frame, const std::vector<CountsOfModel>& models, bool bleu);

/// Saves lowest, median and highest of the seeds, by the middle of each bucket of lengths.
void save_lengths(program::Frame& frame, const char* file,
                  const std::vector<CountsOfModel>& models);

/// The spread of one of the measures over the seeds.
/// \param factor  100 for per cent
program::Spread spread_of(const std::vector<Measures>& measures, double Measures::*number,
                          double factor = 1);

} // namespace attn::translation::report
