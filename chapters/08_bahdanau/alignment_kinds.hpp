/// \file
/// \brief The translators that the chapter compares, each with the settings it is trained by.
/// Deliberately a table: programs, tests and figures go through it.
#pragma once

#include "chapters/07_seq2seq/translator_training.hpp"
#include "chapters/08_bahdanau/alignment.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::bahdanau {

using seq2seq::TranslationModel;
using seq2seq::TranslationTask;
using seq2seq::Translator;

/// How large a translator is, before it knows its languages.
struct Sizes
{
    std::size_t d_embedding = 32; ///< numbers for a word
    std::size_t hidden = 64;      ///< numbers in a state, and under the tanh of a score
};

/// A translator by its name.
struct AlignmentKind
{
    std::string name;       ///< as programs and figures print it
    std::string short_name; ///< for columns and names of files
    bool attends;           ///< whether there are weights to look at
    Sizes sizes;            ///< of its parts
    double peak_rate;       ///< of its training
    /// Makes the way to a context; the last number is the longest source's.
    std::function<ContextFunction<float>(const Sizes& sizes, std::size_t n_positions,
                                         random::Generator& generator)>
        make;
    std::optional<seq2seq::Wiring> wiring = {}; ///< of the decoder; the usual one if not given
};

/// All of them: without attention first, Bahdanau's, the other three of query state and score,
/// dot, concat, and those which see positions only: in Bahdanau's decoder, and in the tutorial's.
/// \returns  the table
const std::vector<AlignmentKind>& alignment_kinds();

/// One of them.
/// \param short_name  of the table
/// \returns           the kind
/// \throws ContractError if there is none
const AlignmentKind& kind_named(std::string_view short_name);

/// A translator of a kind and of any size, untrained.
/// \param kind         of the table
/// \param sizes        of its parts
/// \param n_source     words of the source language, special symbols included
/// \param n_target     words of the target language, special symbols included
/// \param n_positions  words of the longest source
/// \param generator    advanced
/// \returns            the translator
Translator<float> make_translator(const AlignmentKind& kind, const Sizes& sizes,
                                  std::size_t n_source, std::size_t n_target,
                                  std::size_t n_positions, random::Generator& generator);

/// A translator of a kind, untrained.
/// \param kind  of the table
/// \param task  whose languages it shall know
/// \param seed  of its first numbers
/// \returns     the translator
Translator<float> make_translator(const AlignmentKind& kind, const TranslationTask& task,
                                  std::uint64_t seed);

} // namespace attn::bahdanau
