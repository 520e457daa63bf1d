/// \file
/// \brief Batches: every pair once, nothing lost, padding only at the end.
#include "common/program/bad_input.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"
#include "common/text/batches.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

using attn::ContractError;
using attn::random::Generator;
using attn::random::Stream;
using namespace attn::text;

namespace {

using Row = std::vector<WordId>;

/// Pairs of random words: sources of 3 to 30, targets within 4 words of them.
std::vector<NumberedPair> random_pairs(std::size_t n, std::uint64_t seed)
{
    Generator generator(seed);
    std::vector<NumberedPair> pairs(n);
    for (NumberedPair& pair : pairs) {
        pair.source.resize(3 + generator.below(28));
        pair.target.resize(std::max<std::size_t>(pair.source.size() + generator.below(9), 4) -
                           4); // some are empty
        for (Row* words : {&pair.source, &pair.target}) {
            for (WordId& id : *words) {
                id = static_cast<WordId>(3 + generator.below(97));
            }
        }
    }
    return pairs;
}

Row row_of(const Row& table, std::size_t row, std::size_t n_columns)
{
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(row * n_columns);
    return {begin, begin + static_cast<std::ptrdiff_t>(n_columns)};
}

/// A row of some width: the words, then what fills up.
Row filled_up(Row words, std::size_t n_columns, WordId filling)
{
    words.resize(n_columns, filling);
    return words;
}

/// Whether a plan holds each number below n exactly once, and no batch is larger than asked for
/// or empty.
bool is_each_pair_once(const BatchPlan& plan, std::size_t n, std::size_t batch_size)
{
    std::vector<std::size_t> all;
    std::size_t n_short = 0;
    for (const std::vector<std::size_t>& batch : plan) {
        n_short += batch.size() < batch_size ? 1 : 0;
        if (batch.empty() || batch.size() > batch_size) {
            return false;
        }
        all.insert(all.end(), batch.begin(), batch.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<std::size_t> expected(n);
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    return all == expected && n_short <= 1;
}

} // namespace

TEST_CASE("an epoch holds every pair once, and padding stands at the end only",
          "[text][property]")
{
    for (const std::size_t n : {0u, 1u, 31u, 32u, 33u, 1024u, 2500u}) {
        const std::vector<NumberedPair> pairs = random_pairs(n, n);
        Generator generator(7);
        const BatchPlan plan = training_plan(pairs, 32, generator);
        CHECK(is_each_pair_once(plan, n, 32));
        for (const std::vector<std::size_t>& chosen : plan) {
            const Batch batch = batch_of(pairs, chosen);
            REQUIRE(batch.n_pairs == chosen.size());
            for (std::size_t row = 0; row < batch.n_pairs; ++row) {
                const NumberedPair& pair = pairs[batch.pairs[row]];
                Row input = pair.target;
                input.insert(input.begin(), begin_id);
                Row answers = pair.target;
                answers.push_back(end_id);
                REQUIRE(row_of(batch.source, row, batch.n_source) ==
                        filled_up(pair.source, batch.n_source, pad_id));
                REQUIRE(row_of(batch.target_input, row, batch.n_target) ==
                        filled_up(input, batch.n_target, pad_id));
                REQUIRE(row_of(batch.answers, row, batch.n_target) ==
                        filled_up(answers, batch.n_target, -100));
                REQUIRE(batch.source_lengths[row] == pair.source.size());
                REQUIRE(batch.target_lengths[row] == answers.size());
            }
        }
    }
}

TEST_CASE("the same seed makes the same batches, the next epoch others", "[text][property]")
{
    const std::vector<NumberedPair> pairs = random_pairs(3000, 1);
    Generator one(5);
    Generator same(5);
    Generator other(6);
    const BatchPlan plan = training_plan(pairs, 32, one);
    CHECK(plan == training_plan(pairs, 32, same));
    CHECK(plan != training_plan(pairs, 32, other));
    const BatchPlan second_epoch = training_plan(pairs, 32, one);
    CHECK(second_epoch != plan);
    CHECK(second_epoch == training_plan(pairs, 32, same));

    // Not only the batches' order changes, but who is in them.
    const auto contents = [](BatchPlan batches) {
        for (std::vector<std::size_t>& batch : batches) {
            std::sort(batch.begin(), batch.end());
        }
        return std::set<std::vector<std::size_t>>(batches.begin(), batches.end());
    };
    CHECK(contents(second_epoch) != contents(plan));
}

TEST_CASE("batches hold pairs of similar length, in no order of length", "[text][property]")
{
    const std::vector<NumberedPair> pairs = random_pairs(32 * 32 * 3, 2);
    Generator generator(8);
    const BatchPlan plan = training_plan(pairs, 32, generator);

    std::vector<std::size_t> widths;
    std::size_t n_positions = 0;
    std::size_t n_answers = 0;
    for (const std::vector<std::size_t>& chosen : plan) {
        const Batch batch = batch_of(pairs, chosen);
        widths.push_back(batch.n_target);
        n_positions += batch.answers.size();
        n_answers += std::accumulate(batch.target_lengths.begin(), batch.target_lengths.end(),
                                     std::size_t{0});
        // Within a batch the pool's order holds: target first, then source.
        CHECK(std::is_sorted(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(pairs[a].target.size(), pairs[a].source.size()) <
                   std::pair(pairs[b].target.size(), pairs[b].source.size());
        }));
    }
    const auto n_falls =
        std::count_if(widths.begin() + 1, widths.end(),
                      [&](const std::size_t& width) { return width < *(&width - 1); });
    CHECK(n_falls > 30); // of 95: shuffled
    CHECK(static_cast<double>(n_answers) > 0.96 * static_cast<double>(n_positions));
}

TEST_CASE("an evaluation takes the pairs in their order", "[text]")
{
    CHECK(evaluation_plan(5, 2) == BatchPlan{{0, 1}, {2, 3}, {4}});
    CHECK(evaluation_plan(4, 2) == BatchPlan{{0, 1}, {2, 3}});
    CHECK(evaluation_plan(3, 1000) == BatchPlan{{0, 1, 2}});
    CHECK(evaluation_plan(3, static_cast<std::size_t>(-1)) == BatchPlan{{0, 1, 2}});
    CHECK(evaluation_plan(0, 2).empty());
    CHECK(is_each_pair_once(evaluation_plan(1000, 7), 1000, 7));
}

TEST_CASE("any size of batch and pool will do", "[text]")
{
    const std::vector<NumberedPair> pairs = random_pairs(50, 3);
    Generator generator(9);
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{50},
                                   std::size_t{1} << 63, static_cast<std::size_t>(-1)}) {
        CHECK(is_each_pair_once(training_plan(pairs, size, generator), 50, size));
        CHECK(is_each_pair_once(training_plan(pairs, size, generator, 1), 50, size));
        CHECK(is_each_pair_once(training_plan(pairs, 3, generator, size), 50, 3));
    }
    CHECK_THROWS_AS(training_plan(pairs, 0, generator), ContractError);
    CHECK_THROWS_AS(training_plan(pairs, 1, generator, 0), ContractError);
    CHECK_THROWS_AS(evaluation_plan(1, 0), ContractError);
}

TEST_CASE("a batch of what is no sentence is refused", "[text]")
{
    const std::vector<NumberedPair> pairs = {
        {{5}, {6}}, {{}, {6}}, {{5, 0, 6}, {7}}, {{5}, {6, 2}}, {{-1}, {6}}};
    using Chosen = std::vector<std::size_t>;
    CHECK_NOTHROW(batch_of(pairs, Chosen{0, 0}));
    CHECK_THROWS_AS(batch_of(pairs, Chosen{}), ContractError);
    CHECK_THROWS_AS(batch_of(pairs, Chosen{0, 5}), ContractError);
    for (const std::size_t bad : {1u, 2u, 3u, 4u}) {
        CHECK_THROWS_AS(batch_of(pairs, Chosen{0, bad}), ContractError);
    }
}

TEST_CASE("pairs are numbered by the vocabularies of their sides", "[text]")
{
    const std::vector<SentencePair> pairs = {{{"a", "b"}, {"c"}, {}, {}},
                                             {{"b"}, {"c", "d", "c"}, {}, {}}};
    const Vocabulary sources(frequencies_of(pairs, &SentencePair::source));
    const Vocabulary targets(frequencies_of(pairs, &SentencePair::target));
    const std::vector<NumberedPair> numbered = numbered_pairs(pairs, sources, targets);
    REQUIRE(numbered.size() == 2);
    CHECK(numbered[0].source == Row{4, 3});
    CHECK(numbered[0].target == Row{3});
    CHECK(numbered[1].target == Row{3, 4, 3});
    CHECK_THROWS_AS(numbered_pairs(pairs, targets, sources), attn::program::BadInput);
}

TEST_CASE("the mask is true within a sentence", "[text]")
{
    const std::vector<std::size_t> lengths = {2, 0, 3};
    const attn::Array<bool> mask = mask_of_lengths(lengths, 3);
    CHECK(std::vector<bool>(mask.begin(), mask.end()) ==
          std::vector<bool>{true, true, false, false, false, false, true, true, true});
    CHECK(mask.shape(0) == 3);
    CHECK(mask_of_lengths(lengths, 4).shape(1) == 4);
    CHECK_THROWS_AS(mask_of_lengths(lengths, 2), ContractError);
}

TEST_CASE("a training's batches can be asked for from any step on", "[text]")
{
    const std::vector<NumberedPair> pairs = random_pairs(70, 4);
    const Stream stream = Stream::translation_order;
    ShuffledBatches in_order(pairs, 32, 9, stream);
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t step = 0; step < 9; ++step) {
        all.push_back(in_order.of_step(step));
    }
    for (std::size_t epoch = 0; epoch < 3; ++epoch) {
        std::set<std::size_t> seen;
        for (std::size_t step = 3 * epoch; step < 3 * epoch + 3; ++step) {
            seen.insert(all[step].begin(), all[step].end());
        }
        CHECK(seen.size() == 70);
    }
    CHECK(all[0] != all[3]);
    ShuffledBatches later(pairs, 32, 9, stream);
    CHECK(later.of_step(7) == all[7]);
    CHECK(later.of_step(2) == all[2]);
    ShuffledBatches other_seed(pairs, 32, 10, stream);
    CHECK(other_seed.of_step(0) != all[0]);
    CHECK_THROWS_AS(ShuffledBatches({}, 32, 9, stream), ContractError);
    CHECK_THROWS_AS(ShuffledBatches(pairs, 0, 9, stream), ContractError);
}
