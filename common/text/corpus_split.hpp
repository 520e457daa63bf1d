/// \file
/// \brief Which pairs are for training, which for choosing among settings and which for the
/// last evaluation: decided by the source sentence alone, so that a corpus may grow or be read
/// in another order and no pair changes sides.
#pragma once

#include "common/text/sentence_pair.hpp"

#include <cstdint>
#include <vector>

namespace attn::text {

/// A part of a corpus.
enum class CorpusPart
{
    train,      ///< to learn from
    validation, ///< to choose settings by
    test        ///< to be looked at once
};

/// A number that depends on a sentence's words only, on every machine: FNV-1a with 64 bits
/// (Fowler, Noll and Vo) over the words with a blank between each two, then mixed by
/// SplitMix64, since FNV's high bits hardly change with the last letters of a text.
std::uint64_t hash_of(const Words& words);

/// The part that a source sentence belongs to: of a hundred values of the hash modulo 100, 80 are
/// for training, then 10 for validation, then 10 for the test. All its translations belong to the
/// same part. (Another source with the same translation may not.)
CorpusPart part_of(const Words& source);

/// Shares a corpus out. A part of a small corpus may be empty.
CorpusParts split_by_source(std::vector<SentencePair> pairs);

} // namespace attn::text
