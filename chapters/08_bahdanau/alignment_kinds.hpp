/// \file
/// \brief The translators that the chapter compares, a row each: programs, tests and figures go
/// through this table. What is to be compared with them gets a row; alignment.hpp says where a score
/// of one's own begins.
#pragma once

#include "chapters/07_seq2seq/translator.hpp"
#include "chapters/08_bahdanau/alignment.hpp"
#include "common/translation/task.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::bahdanau {

using seq2seq::Translator;
using translation::TranslationModel;
using translation::TranslationTask;

/// How large a translator is, before it knows its languages.
struct TranslatorSizes
{
    std::size_t d_embedding = 32; ///< numbers for a word
    std::size_t hidden = 64;      ///< numbers in a state, and under the tanh of a score
};

/// A translator by its name.
struct AlignmentKind
{
    std::string name;       ///< as programs and figures print it
    std::string short_name; ///< for columns and names of files
    bool attends;           ///< whether it has attention weights
    TranslatorSizes sizes;  ///< of its parts
    double peak_rate;       ///< of its training
    /// Makes the way to a context; the last number is the longest source's.
    std::function<ContextFunction<float>(const TranslatorSizes& sizes, std::size_t n_positions,
                                         random::Generator& generator)>
        make;
    std::optional<seq2seq::DecoderArchitecture> architecture =
        {}; ///< of the decoder; the usual one if not given
};

/// All of them: without attention first, Bahdanau's, the other three of query state and score,
/// dot, concat, and those which see positions only: in Bahdanau's decoder, and in the tutorial's.
const std::vector<AlignmentKind>& alignment_kinds();

/// The one with a short name.
/// \throws ContractError if there is none
const AlignmentKind& kind_named(std::string_view short_name);

/// A translator of a kind and of any size, untrained.
/// \param n_source     words of the source language, special symbols included
/// \param n_target     words of the target language, special symbols included
/// \param n_positions  words of the longest source
Translator<float> make_translator(const AlignmentKind& kind, const TranslatorSizes& sizes,
                                  std::size_t n_source, std::size_t n_target,
                                  std::size_t n_positions, random::Generator& generator);

/// A translator of a kind for the languages of a task, untrained.
Translator<float> make_translator(const AlignmentKind& kind, const TranslationTask& task,
                                  std::uint64_t seed);

} // namespace attn::bahdanau
