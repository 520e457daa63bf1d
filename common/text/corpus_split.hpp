/// \file
/// \brief Which pairs are for training, which for choosing among settings and which for the
/// last evaluation: decided by the source sentence alone, so that a corpus may grow or be read
/// in another order and no pair changes sides.
#pragma once

#include "common/text/sentence_pair.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::text {

/// How a corpus is shared out: the three numbers stand in proportion, whatever their sum.
struct Shares
{
    std::size_t train = 80;      ///< to learn from
    std::size_t validation = 10; ///< to choose settings by
    std::size_t test = 10;       ///< to be looked at once
};

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

/// The part that a source sentence belongs to: with hash h and shares a, b and c, training if h
/// mod (a + b + c) is below a, validation if it is below a + b, test otherwise. All its
/// translations belong to the same part. (Another source with the same translation may not.)
/// \throws ContractError if all shares are 0
CorpusPart part_of(const Words& source, const Shares& shares = {});

/// Shares a corpus out. A part of a small corpus may be empty.
/// \throws ContractError if all shares are 0
CorpusParts split_by_source(std::vector<SentencePair> pairs, const Shares& shares = {});

} // namespace attn::text
