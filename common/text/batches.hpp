/// \file
/// \brief Sentence pairs of similar length side by side, in numbers: what a step of training,
/// or of an evaluation, computes at once. The numbers lie as gather_rows, cross_entropy and the
/// recurrent sequences of autograd take them, the mask as its masked softmax.
#pragma once

#include "common/tensor/array.hpp"
#include "common/text/sentence_pair.hpp"
#include "common/text/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn::random {
class Generator;
enum class Stream : std::uint64_t;
} // namespace attn::random

namespace attn::text {

/// A pair of sentences in numbers, without special symbols around them.
struct NumberedPair
{
    std::vector<WordId> source; ///< [n_source]
    std::vector<WordId> target; ///< [n_target]
};

/// Pairs in numbers.
/// \throws BadInput naming the first unknown word if its vocabulary has no `<unk>`
std::vector<NumberedPair> numbered_pairs(std::span<const SentencePair> pairs,
                                         const Vocabulary& sources, const Vocabulary& targets);

/// What stands in an answer behind the end of a sentence: cross_entropy does not count it.
inline constexpr WordId ignored_answer = -100;

/// Pairs computed at once, one a row; shorter ones are filled up at the end. The source is its
/// words alone. The target stands there twice, shifted by one: what the decoder reads is `<s>`
/// y_1 ... y_n, and what it should answer is y_1 ... y_n `</s>`.
struct Batch
{
    std::size_t n_pairs = 0;                 ///< rows
    std::size_t n_source = 0;                ///< words of the longest source
    std::size_t n_target = 0;                ///< words of the longest target, and one
    std::vector<std::size_t> pairs;          ///< [batch]: which pair each row is
    std::vector<WordId> source;              ///< [batch, n_source], filled up with `<pad>`
    std::vector<std::size_t> source_lengths; ///< [batch], each at least 1
    std::vector<WordId> target_input;        ///< [batch, n_target], filled up with `<pad>`
    std::vector<WordId> answers;             ///< [batch, n_target], filled up with -100
    std::vector<std::size_t> target_lengths; ///< [batch]: answers that count, `</s>` among them
};

/// The pairs of each batch, by their numbers.
using BatchPlan = std::vector<std::vector<std::size_t>>;

/// An epoch of training: all pairs in random order, in pools of several batches sorted by the
/// lengths of target and source, so that what stands side by side is similar, cut into batches,
/// and the batches in random order. Every pair is in exactly one batch; all but one have
/// batch_size pairs.
/// \param batch_size  at least 1
/// \param pool        how many batches are sorted together, at least 1
/// \throws ContractError if a size is 0
BatchPlan training_plan(std::span<const NumberedPair> pairs, std::size_t batch_size,
                        random::Generator& generator, std::size_t pool = 32);

/// The batches of a training, epoch after epoch: the order of each depends on the seed and its
/// number alone, so a training can begin at any step.
class ShuffledBatches
{
public:
    /// \param pairs   must outlive this
    /// \param stream  of the orders, with a member for each epoch
    /// \throws ContractError if there are no pairs, or a batch has no room for one
    ShuffledBatches(std::span<const NumberedPair> pairs, std::size_t batch_size,
                    std::uint64_t seed, random::Stream stream);

    /// The pairs of a step's batch, by their numbers; valid until the next call.
    const std::vector<std::size_t>& of_step(std::size_t step);

private:
    std::span<const NumberedPair> pairs_;
    std::size_t batch_size_;
    std::uint64_t seed_;
    random::Stream stream_;
    std::size_t n_an_epoch_;
    std::size_t epoch_ = 0;
    BatchPlan plan_;
};

/// All pairs in their order.
/// \returns the batches, all but the last with batch_size pairs
/// \throws ContractError if batch_size is 0
BatchPlan evaluation_plan(std::size_t n_pairs, std::size_t batch_size);

/// A batch of a plan.
/// \param chosen  which, in the order of the rows; at least one
/// \throws ContractError if no pair is chosen, there is no such pair, a source is empty, or a
///         sentence holds `<pad>`, `<s>` or `</s>`
Batch batch_of(std::span<const NumberedPair> pairs, std::span<const std::size_t> chosen);

/// How many words of a batch are predicted, end symbols included.
std::size_t n_predicted_words(const Batch& batch);

/// The positions within each sentence. Against scores of one query a sentence, [batch,
/// n_steps], the mask fits as it is; for [batch, n_queries, n_steps] it is reshaped to [batch,
/// 1, n_steps].
/// \param lengths  [batch], each at most n_steps
/// \returns        [batch, n_steps], true for a word, false for what fills up
/// \throws ContractError if a length is above n_steps
Array<bool> mask_of_lengths(std::span<const std::size_t> lengths, std::size_t n_steps);

} // namespace attn::text
