/// \file
/// \brief A training that is looked at on the way: how well words are foretold, where the largest
/// weights point, and how spread out the weights are. Deliberately nothing printed.
#pragma once

#include "chapters/08_bahdanau/alignment_kinds.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::bahdanau {

/// What was seen at one moment of a training.
struct Look
{
    std::size_t n_steps;    ///< taken so far
    double accuracy;        ///< share of the words foretold right, end symbols included
    double alignment_error; ///< of the largest weights; nan without attention
    double entropy;         ///< mean over target words, see mean_entropy
};

/// How a translator is trained and looked at.
struct LearningOptions
{
    std::size_t n_steps = 2000;    ///< batches of 32
    std::uint64_t seed = 1;        ///< of its first numbers and of the order of the sentences
    std::size_t look_every = 50;   ///< steps between two looks; 0: none
    std::size_t n_looked_at = 128; ///< sentences of the validation part, or all if fewer
    bool show_progress = false;    ///< false where several go on side by side
    nn::TrainingFiles files = {};  ///< kept and taken up where
    nn::Settings settings = {};    ///< must be the same when it is taken up again
};

/// A translator, and how it came about.
struct Learnt
{
    Translator<float> translator; ///< trained
    std::vector<double> losses;   ///< [n_steps]
    std::vector<Look> looks;      ///< one every look_every steps
};

/// Trains a translator of a kind.
/// \param kind     of the table
/// \param task     to learn
/// \param options  settings
/// \returns        the translator
/// \throws as seq2seq::train
Learnt learn(const AlignmentKind& kind, const TranslationTask& task,
             const LearningOptions& options);

/// How spread out weights are: the mean over the target words of
/// \f$ -\sum_j p_j \ln p_j \f$, 0 where one source word has all.
/// \param judgement  of a translator
/// \returns          in nats; nan if there are no words
double mean_entropy(const seq2seq::Judgement& judgement);

} // namespace attn::bahdanau
