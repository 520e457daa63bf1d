/// \file
/// \brief Sentence pairs of the grammar for training, validation and test: how many, how long,
/// and never the same sentence twice. The seed is the corpus: there is no file.
#pragma once

#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::text {

/// The shortest sentence of the grammar, in source words: "i sleep .".
inline constexpr std::size_t shortest_source = 3;
/// The longest source sentence of a corpus.
inline constexpr std::size_t longest_source = 30;
/// The longest target sentence of a corpus.
inline constexpr std::size_t longest_target = 40;

/// How many pairs a corpus is to have, and how long.
struct CorpusSizes
{
    std::size_t train = 40000;    ///< source lengths 4 to 10 with weight 1, 11 to 20 with .7,
                                  ///< 21 to 30 with .35; there are too few sentences of 4
                                  ///< words, so that some 1,200 of the 40,000 are missing
    std::size_t validation = 705; ///< every length from 4 to 30 as often, of 3 words a few
    std::size_t test = 1410;      ///< the same
    std::size_t longest_train = longest_source;      ///< in source words, at least 4
    std::size_t longest_evaluation = longest_source; ///< of validation and test, at least 4
};

/// Draws a corpus from five grammars of richness .1, .3, .5, .8 and 1.0 in turn, and keeps what
/// is new and of a length that is still wanted. Test and validation come first: what is asked
/// of the training set changes neither. Lengths that fill early stand in front, so shuffle.
/// \param sizes  what is wanted; where sentences of a length run out (2,000 draws in a row
///               bring nothing wanted), the set stays smaller
/// \throws ContractError if a longest length is outside 4 to 30
CorpusParts grammar_corpus(std::uint64_t seed, const CorpusSizes& sizes = {});

} // namespace attn::text
