/// \file
/// \brief The tasks of retrieval that scores learn, as batches of tables.
#pragma once

#include "chapters/03_scoring_functions/retrieval.hpp"
#include "chapters/04_backpropagation/training/training.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::backpropagation {

/// What the keys of a task are.
enum class Keys
{
    normal,    ///< standard normal numbers
    stretched, ///< the same, each key times a factor of its own after the query was made of it
    symbols    ///< one-hot vectors, all different in one table
};

/// A task of retrieval with as many keys as one likes.
struct RetrievalTask
{
    scoring_functions::Retrieval of; ///< name, map, noise and spread, as in chapter 3
    std::size_t n_keys = scoring_functions::n_retrieval_keys; ///< keys in a table
    Keys keys = Keys::normal;                                 ///< what they are
};

/// The tasks of chapter 3, and one more: "scale", where a key is stretched after the query was
/// made from it, so that lengths mean nothing.
/// \returns same, lengths, scale, rotated, noisy, 24 to 16
std::vector<RetrievalTask> learnt_tasks(std::uint64_t seed);

/// Tasks with 8 keys of 2, 4 or 8 normal numbers and little noise (.1), and with 8 of 16
/// symbols (noise .3). A query has half as many numbers again as a key.
std::vector<RetrievalTask> small_tasks(std::uint64_t seed);

/// Draws tables, chooses a key of each, and makes a query from it.
/// \param n  how many tables
Batch draw_batch(const RetrievalTask& task, random::Generator& generator, std::size_t n);

} // namespace attn::backpropagation
