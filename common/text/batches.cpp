#include "common/text/batches.hpp"

#include "common/random/random.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace attn::text {

namespace {

/// Cuts a list into pieces of one size; the last may be shorter.
BatchPlan cut_into_batches(std::span<const std::size_t> order, std::size_t batch_size)
{
    BatchPlan plan;
    for (std::size_t begin = 0; begin < order.size(); begin += batch_size) {
        const auto piece = order.subspan(begin, std::min(batch_size, order.size() - begin));
        plan.emplace_back(piece.begin(), piece.end());
    }
    return plan;
}

/// Demands that nothing in a sentence is taken for padding, a beginning or an end.
void expect_words_only(const std::vector<WordId>& ids)
{
    expect(std::all_of(ids.begin(), ids.end(), [](WordId id) { return id > end_id; }),
           "batch_of: sentences must not hold <pad>, <s>, </s> or negative numbers");
}

/// Writes words into a row of a table.
void fill_row(std::vector<WordId>& table, std::size_t first, const std::vector<WordId>& words)
{
    std::copy(words.begin(), words.end(), table.begin() + static_cast<std::ptrdiff_t>(first));
}

/// A batch's sizes and lengths, its tables filled with padding.
Batch empty_batch(std::span<const NumberedPair> pairs, std::span<const std::size_t> chosen)
{
    expect(!chosen.empty(), "batch_of: chosen must hold at least one pair");
    Batch batch;
    batch.n_pairs = chosen.size();
    batch.pairs.assign(chosen.begin(), chosen.end());
    for (const std::size_t i : chosen) {
        expect(i < pairs.size(), "batch_of: chosen must be below {}, got {}", pairs.size(), i);
        expect(!pairs[i].source.empty(), "batch_of: the source of pair {} must have a word", i);
        batch.source_lengths.push_back(pairs[i].source.size());
        batch.target_lengths.push_back(pairs[i].target.size() + 1);
    }
    batch.n_source =
        *std::max_element(batch.source_lengths.begin(), batch.source_lengths.end());
    batch.n_target =
        *std::max_element(batch.target_lengths.begin(), batch.target_lengths.end());
    batch.source.assign(batch.n_pairs * batch.n_source, pad_id);
    batch.target_input.assign(batch.n_pairs * batch.n_target, pad_id);
    batch.answers.assign(batch.n_pairs * batch.n_target, ignored_answer);
    return batch;
}

} // namespace

std::vector<NumberedPair> numbered_pairs(std::span<const SentencePair> pairs,
                                         const Vocabulary& sources, const Vocabulary& targets)
{
    std::vector<NumberedPair> numbered;
    numbered.reserve(pairs.size());
    for (const SentencePair& pair : pairs) {
        numbered.push_back({sources.encode(pair.source), targets.encode(pair.target)});
    }
    return numbered;
}

BatchPlan training_plan(std::span<const NumberedPair> pairs, std::size_t batch_size,
                        random::Generator& generator, std::size_t pool)
{
    expect(batch_size > 0 && pool > 0,
           "training_plan: batch_size and pool must be at least 1, got {} and {}", batch_size,
           pool);
    std::vector<std::size_t> order = generator.permutation(pairs.size());

    // Sort each pool by target and source length; equal ones stay in random order.
    const auto is_shorter = [&](std::size_t i, std::size_t k) {
        return std::pair(pairs[i].target.size(), pairs[i].source.size()) <
               std::pair(pairs[k].target.size(), pairs[k].source.size());
    };
    const std::size_t enough = pairs.size() + 1; // a pool need not be larger than that
    const BatchPlan pools =
        cut_into_batches(order, std::min(batch_size, enough) * std::min(pool, enough));
    order.clear();
    for (std::vector<std::size_t> in_pool : pools) {
        std::stable_sort(in_pool.begin(), in_pool.end(), is_shorter);
        order.insert(order.end(), in_pool.begin(), in_pool.end());
    }

    // Shuffle the batches.
    BatchPlan sorted = cut_into_batches(order, batch_size);
    BatchPlan plan;
    for (const std::size_t i : generator.permutation(sorted.size())) {
        plan.push_back(std::move(sorted[i]));
    }
    return plan;
}

ShuffledBatches::ShuffledBatches(std::span<const NumberedPair> pairs, std::size_t batch_size,
                                 std::uint64_t seed, random::Stream stream)
    : pairs_(pairs), batch_size_(batch_size), seed_(seed), stream_(stream),
      n_an_epoch_(batch_size == 0 ? 0 : (pairs.size() + batch_size - 1) / batch_size)
{
    expect(n_an_epoch_ > 0,
           "ShuffledBatches: there must be pairs and room for them in a batch, got {} and {}",
           pairs.size(), batch_size);
}

const std::vector<std::size_t>& ShuffledBatches::of_step(std::size_t step)
{
    const std::size_t epoch = step / n_an_epoch_;
    if (plan_.empty() || epoch != epoch_) {
        random::Generator order(seed_, stream_, epoch);
        plan_ = training_plan(pairs_, batch_size_, order);
        epoch_ = epoch;
    }
    return plan_[step % n_an_epoch_];
}

BatchPlan evaluation_plan(std::size_t n_pairs, std::size_t batch_size)
{
    expect(batch_size > 0, "evaluation_plan: batch_size must be at least 1, got 0");
    std::vector<std::size_t> order(n_pairs);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return cut_into_batches(order, batch_size);
}

Batch batch_of(std::span<const NumberedPair> pairs, std::span<const std::size_t> chosen)
{
    Batch batch = empty_batch(pairs, chosen);
    for (std::size_t row = 0; row < batch.n_pairs; ++row) {
        const NumberedPair& pair = pairs[chosen[row]];
        expect_words_only(pair.source);
        expect_words_only(pair.target);
        fill_row(batch.source, row * batch.n_source, pair.source);

        const std::size_t first = row * batch.n_target;
        batch.target_input[first] = begin_id;
        fill_row(batch.target_input, first + 1, pair.target);
        fill_row(batch.answers, first, pair.target);
        batch.answers[first + pair.target.size()] = end_id;
    }
    return batch;
}

std::size_t n_predicted_words(const Batch& batch)
{
    return std::accumulate(batch.target_lengths.begin(), batch.target_lengths.end(),
                           std::size_t{0});
}

Array<bool> mask_of_lengths(std::span<const std::size_t> lengths, std::size_t n_steps)
{
    Array<bool> mask = filled<bool>({lengths.size(), n_steps}, false);
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        expect(lengths[row] <= n_steps,
               "mask_of_lengths: lengths must be at most n_steps = {}, got {}", n_steps,
               lengths[row]);
        std::fill_n(mask.data() + row * n_steps, lengths[row], true);
    }
    return mask;
}

} // namespace attn::text
