/// \file
/// \brief The transformer whole: what may not see what, by perturbation; its look-ups, its loss
/// and incremental decoding; the same bits with fused rows, on every instruction set and any
/// threads.
#include "chapters/12_transformer/experiments/experiments.hpp"
#include "chapters/12_transformer/training/label_smoothing.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "tests/12_transformer/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::transformer;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

constexpr std::size_t n_source = 5;
constexpr std::size_t n_target = 6;
const std::vector<std::size_t> lengths = {5, 3};

/// Two sentences, the second of them with padding.
text::Batch two_sentences()
{
    text::Batch batch = random_batch(2, n_source, n_target);
    batch.source_lengths = lengths;
    return batch;
}

} // namespace

// ---------------------------------------------------------------- what may not see what

// [claim_causal]
TEST_CASE("a later word leaves earlier scores bit-identical", "[12][claim]")
{
    const text::Batch batch = two_sentences();
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        const auto transformer = small_transformer<float>(small_options(norm));
        const Array<float> before = scores_of(transformer, batch);
        for (std::size_t changed = 0; changed < n_target; ++changed) {
            text::Batch other = batch;
            change(other.target_input[changed]);
            const Array<float> after = scores_of(transformer, other);
            for (std::size_t t = 0; t < n_target; ++t) {
                CAPTURE(changed, t);
                CHECK((scores_at(before, 0, t) == scores_at(after, 0, t)) == (t < changed));
                CHECK(scores_at(before, 1, t) == scores_at(after, 1, t)); // another sentence
            }
        }
    }
}

TEST_CASE("padding leaves all scores bit-identical, whatever it holds", "[12][claim]")
{
    const auto transformer = small_transformer<float>(small_options());
    text::Batch batch = two_sentences();
    const Array<float> before = scores_of(transformer, batch);
    for (std::size_t j = lengths[1]; j < n_source; ++j) {
        change(batch.source[n_source + j]);
    }
    CHECK(same_bits(before, scores_of(transformer, batch)));
    change(batch.source[n_source + lengths[1] - 1]); // its last word
    CHECK(!same_bits(before, scores_of(transformer, batch)));
}
// [claim_causal]

TEST_CASE("a sentence alone and inside a padded batch", "[12]")
{
    const auto transformer = small_transformer<double>(small_options());
    const text::Batch batch = two_sentences();
    const Array<double> both = scores_of(transformer, batch);
    text::Batch alone = random_batch(1, 3, n_target);
    alone.source.assign(batch.source.begin() + n_source, batch.source.begin() + n_source + 3);
    alone.target_input.assign(batch.target_input.begin() + n_target, batch.target_input.end());
    const Array<double> scores = scores_of(transformer, alone);
    for (std::size_t t = 0; t < n_target; ++t) {
        CHECK(scores_at(scores, 0, t) == scores_at(both, 1, t)); // bit for bit
    }
}

// [claim_masked]
TEST_CASE("a source without any word is harmless, forward and back", "[12][claim]")
{
    const auto transformer = small_transformer<double>(small_options());
    const auto source = random_words(2 * n_source);
    const auto target = random_words(2 * n_target, 2);
    const std::vector<std::size_t> none = {n_source, 0};
    const autograd::Tape<double> tape;
    const Memory<double> memory =
        transformer.encode(transformer.embed({source, none, n_source}), none);
    AllWeights<double> weights;
    const Variable<double> rows = transformer.decode(target, memory, nullptr, &weights);
    const Variable<double> logits = transformer.logits(rows);
    CHECK(std::all_of(logits.value().begin(), logits.value().end(),
                      [](double number) { return std::isfinite(number); }));
    const Array<double>& seen = weights.decoder[0].source; // of sentence 1: all 0
    CHECK(std::all_of(seen.data() + seen.size() / 2, seen.data() + seen.size(),
                      [](double weight) { return weight == 0; }));
    const std::vector<std::int64_t> answers(2 * n_target, 4);
    backward(cross_entropy(reshape(logits, {2 * n_target, n_few_words}), answers));
    for (const nn::NamedParameter<double>& one : transformer.parameters()) {
        CAPTURE(one.name);
        CHECK(std::all_of(one.variable.gradient().begin(), one.variable.gradient().end(),
                          [](double number) { return std::isfinite(number); }));
    }
}
// [claim_masked]

// ---------------------------------------------------------------- positions, words

TEST_CASE("without positions the source is a bag of words, with them it is not", "[12][claim]")
{
    for (const Positions positions : {Positions::none, Positions::sinusoidal}) {
        TransformerOptions options = small_options();
        options.positions = positions;
        const auto transformer = small_transformer<double>(options);
        text::Batch batch = two_sentences();
        batch.source = {3, 4, 5, 6, 7, 3, 4, 5, 6, 7};
        const Array<double> a = scores_of(transformer, batch);
        batch.source = {7, 6, 5, 4, 3, 5, 4, 3, 6, 7};
        const Array<double> b = scores_of(transformer, batch);
        double largest = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
        }
        CHECK((largest < 1e-12) == (positions == Positions::none));
    }
}

TEST_CASE("words beyond the table of positions have theirs, too", "[12]")
{
    const auto transformer = small_transformer<double>(small_options());
    const auto long_source = random_words(2 * 520);
    const std::vector<std::size_t> long_lengths = {520, 520};
    const Memory<double> memory =
        transformer.encode(transformer.embed({long_source, long_lengths, 520}), long_lengths);
    CHECK(lengths_of(memory.rows.shape()) == std::vector<std::size_t>{2, 520, 6});

    // The same as if the sinusoids had been added by hand to a transformer without positions.
    TransformerOptions options = small_options();
    options.positions = Positions::none;
    const auto bare = small_transformer<double>(options);
    const Variable<double> positions(multi_head::sinusoids<double>(520, 6));
    const Memory<double> by_hand =
        bare.encode(bare.embed({long_source, long_lengths, 520}) + positions, long_lengths);
    CHECK(same_bits(memory.rows.value(), by_hand.rows.value()));

    // A step beyond the table says what all words at once say.
    const DecodingDifference found =
        compare_decoding<double>({.d_model = 4, .n_heads = 2, .d_ff = 4}, 1, 520, 1);
    CHECK(found.largest < 1e-12);
}

TEST_CASE("what is no word or no size is refused", "[12]")
{
    const auto transformer = small_transformer<double>(small_options());
    const std::vector<std::int64_t> bad = {3, 4, 11};
    const std::vector<std::size_t> three = {3};
    CHECK_THROWS_WITH(transformer.embed({bad, three, 3}), contains("11"));
    CHECK_THROWS_WITH(transformer.embed({random_words(7), lengths, 4}), contains("7 words"));
    TransformerOptions options = small_options();
    options.n_encoder_layers = 0;
    CHECK_THROWS_AS(small_transformer<double>(options), ContractError);
    options = small_options();
    options.positions = Positions::rotary;
    CHECK_THROWS_WITH(small_transformer<double>(options), contains("rotary"));
    options = small_options();
    options.layer.d_model = 9;
    CHECK_THROWS_AS(small_transformer<double>(options), ContractError);
}

// ---------------------------------------------------------------- the loss and its floor

// [claim_floor]
TEST_CASE("no smoothed loss is below its floor, and the floor is reached", "[12][claim]")
{
    const Vector q = smoothed_targets(270, 7, 0.1);
    CHECK_THAT(std::accumulate(q.begin(), q.end(), 0.0), WithinAbs(1, 1e-12));
    CHECK_THAT(q(7), WithinAbs(0.9 + 0.1 / 270, 1e-12));
    CHECK_THAT(smoothing_floor(270, 0.1), WithinAbs(0.882, 5e-4));
    CHECK(smoothing_floor(270, 0.0) == 0);

    Array<double> logits = uninitialised<double>({1, 270}); // ln q: the softmax is q
    for (std::size_t w = 0; w < 270; ++w) {
        logits.data()[w] = std::log(q(w));
    }
    const std::vector<std::int64_t> target = {7};
    const double loss =
        cross_entropy(Variable<double>(logits), target, {.label_smoothing = 0.1}).item();
    CHECK_THAT(loss, WithinAbs(smoothing_floor(270, 0.1), 1e-12));
    CHECK_THAT(smoothed_loss(270, 0.1, q(7)), WithinAbs(loss, 1e-12));
    for (const double p : {0.5, 0.89, 0.91, 0.999}) {
        CHECK(smoothed_loss(270, 0.1, p) > loss);
    }
}
// [claim_floor]

TEST_CASE("the loss is the smoothed cross-entropy of the scores", "[12][oracle]")
{
    const auto transformer = small_transformer<double>(small_options());
    const text::Batch batch = batch_of_three();
    const Array<double> scores = scores_of(transformer, batch);
    double sum = 0;
    double n_counted = 0;
    for (std::size_t row = 0; row < batch.answers.size(); ++row) {
        if (batch.answers[row] == text::ignored_answer) {
            continue;
        }
        const double* const of_row = scores.data() + row * n_few_words;
        double all = 0;
        for (std::size_t w = 0; w < n_few_words; ++w) {
            all += std::exp(of_row[w]);
        }
        const Vector q =
            smoothed_targets(n_few_words, static_cast<std::size_t>(batch.answers[row]), 0.1);
        for (std::size_t w = 0; w < n_few_words; ++w) {
            sum -= q(w) * (of_row[w] - std::log(all));
        }
        n_counted += 1;
    }
    CHECK_THAT(transformer.loss(batch).item(), WithinAbs(sum / n_counted, 1e-10));
}

TEST_CASE("dropout takes words of the embedding, too", "[12]")
{
    TransformerOptions options = small_options(NormPlace::nowhere, 1);
    options.layer.dropout = 0.5;
    options.layer.feed_forward = false;
    const auto transformer = small_transformer<double>(options);
    for (const char* name : {"weight", "bias"}) { // self-attention adds nothing
        const std::string out = std::string("encoder.layers.0.self_attn.out_proj.") + name;
        Variable<double> numbers = transformer.parameters().at(out).variable;
        std::fill_n(numbers.value().data(), numbers.size(), 0.0);
    }
    const std::vector<std::int64_t> source = random_words(2 * n_source);
    const Variable<double> embedded = transformer.embed({source, lengths, n_source});
    const Array<double> whole = transformer.encode(embedded, lengths).rows.value();
    random::Generator rng(1);
    const Array<double> dropped = transformer.encode(embedded, lengths, &rng).rows.value();
    std::size_t n_dropped = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        n_dropped += dropped.data()[i] == 0 ? 1U : 0U;
        if (dropped.data()[i] != 0) {
            CHECK_THAT(dropped.data()[i], WithinAbs(2 * whole.data()[i], 1e-12));
        }
    }
    CHECK(n_dropped > whole.size() / 4);
    CHECK(n_dropped < whole.size() * 3 / 4);
}

TEST_CASE("smoothing refuses what is no word and no share", "[12]")
{
    CHECK_THROWS_AS(smoothed_targets(3, 3, 0.1), ContractError);
    CHECK_THROWS_AS(smoothed_targets(3, 0, 1.1), ContractError);
    CHECK_THROWS_AS(smoothing_floor(0, 0.1), ContractError);
    CHECK_THROWS_AS(smoothed_loss(3, 0.1, 1.0), ContractError);
    CHECK_THROWS_AS(smoothed_loss(1, 0.1, 0.5), ContractError);
    CHECK_THAT(smoothed_loss(4, 0.0, 0.25), WithinAbs(std::log(4.0), 1e-12));
}

// ---------------------------------------------------------------- incremental decoding

namespace {

/// Writes words with every instruction set that is fused; the scores are compared with those of
/// all words at once.
template <typename T>
double largest_difference(const LayerOptions& layer, std::size_t n_layers, std::size_t n_words)
{
    double largest = 0;
    for (const kernels::Kernels* kernels : fused_sets()) {
        const kernels::ComputeWith guard({.kernels = kernels});
        const DecodingDifference found = compare_decoding<T>(layer, n_layers, n_words, 1);
        CHECK(found.n_numbers == 2 * n_words * 23);
        largest = std::max(largest, found.largest);
    }
    return largest;
}

Memory<double> memory_of(const Transformer<double>& transformer)
{
    return transformer.encode(
        transformer.embed({random_words(2 * n_source), lengths, n_source}), lengths);
}

} // namespace

// [claim_cached]
TEST_CASE("a cached step says what all words at once say, bit for bit", "[12][claim]")
{
    LayerOptions layer = {.d_model = 6, .n_heads = 3, .d_ff = 10};
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        layer.norm = norm;
        for (const std::size_t n_layers : {1U, 3U}) {
            CHECK(largest_difference<double>(layer, n_layers, 20) == 0);
            CHECK(largest_difference<float>(layer, n_layers, 20) == 0);
        }
    }
    for (bool LayerOptions::*const part :
         {&LayerOptions::residual, &LayerOptions::feed_forward, &LayerOptions::self_attention,
          &LayerOptions::encoder_attention, &LayerOptions::encoder_residual,
          &LayerOptions::decoder_residual}) {
        LayerOptions without = layer;
        without.*part = false;
        CHECK(largest_difference<float>(without, 2, 20) == 0);
    }
}
// [claim_cached]

TEST_CASE("a cached step has the same bits after the caches have grown, and in wide rows",
          "[12]")
{
    const LayerOptions layer = {.d_model = 38, .n_heads = 2, .d_ff = 70};
    CHECK(largest_difference<float>(layer, 1, 150) == 0);
    CHECK(largest_difference<double>(layer, 1, 150) == 0);
}

TEST_CASE("a copy of a decoding state goes its own way, and threads decode the same", "[12]")
{
    const auto transformer = small_transformer<double>(small_options());
    std::vector<DecodingState<double>> states = transformer.begin(memory_of(transformer));
    transformer.step(std::vector<std::int64_t>{3, 4}, states);
    std::vector<DecodingState<double>> copies = states;
    transformer.step(std::vector<std::int64_t>{9, 9}, copies);
    const std::vector<std::int64_t> words = {5, 6};
    const Array<double> scores = transformer.step(words, states);
    CHECK(!same_bits(scores, transformer.step(words, copies)));

    const std::vector<std::int64_t> of_five = {5, 6, 7, 8, 9}; // more sentences than threads
    const auto five_on = [&](std::size_t n_threads) {
        const kernels::ComputeWith guard({.n_threads = n_threads});
        std::vector<DecodingState<double>> five = {copies[0], copies[1], copies[0], copies[1],
                                                   copies[0]};
        return transformer.step(of_five, five);
    };
    CHECK(same_bits(five_on(2), five_on(1)));
}

TEST_CASE("states of other layers or other sentences are refused, and what is no word", "[12]")
{
    const auto transformer = small_transformer<double>(small_options());
    std::vector<DecodingState<double>> states = transformer.begin(memory_of(transformer));
    const auto step = [&](const std::vector<std::int64_t>& words) {
        return transformer.step(words, states);
    };
    CHECK_THROWS_WITH(step({4}), contains("1 words for 2 sentences"));
    CHECK_THROWS_WITH(step({4, 11}), contains("11 is none of 11 words"));
    CHECK_THROWS_AS(step({-1, 4}), ContractError);
    states[1].own.pop_back();
    CHECK_THROWS_WITH(step({4, 4}), contains("1 caches for 2 layers"));
}

TEST_CASE("costs of a word, counted by hand", "[12]")
{
    // d = 1, d_ff = 1, one source word, one target word, one layer: 6 + 2 for the row,
    // 2 n + 2 for the attentions, 1 for the score.
    const DecodingSizes tiny = {1, 1, 1, 1, 1};
    CHECK(cached_cost(tiny, 1) == 8 + 4 + 1);
    CHECK(cached_cost(tiny, 5) == 8 + 12 + 1);
    CHECK(source_cost(tiny) == 2);
    CHECK(uncached_cost(tiny, 1) == 8 + 2 + 2 + 2 + 1);
    CHECK(uncached_cost(tiny, 3) == 3 * 8 + 12 + 6 + 2 + 1);
    CHECK(uncached_cost(tiny, 1) == cached_cost(tiny, 1) + source_cost(tiny));
}

// ---------------------------------------------------------------- depth

// [claim_depth]
TEST_CASE("without residual connections the rows of a sentence become one", "[12][claim]")
{
    const auto found = [](std::size_t kind) {
        return norms_by_depth(depth_kinds()[kind], 12, 1);
    };
    const DepthNorms pre = found(0);
    const DepthNorms post = found(1);
    const DepthNorms none = found(2);
    const DepthNorms no_residual = found(3);
    const DepthNorms pre_bare = found(4);
    const DepthNorms none_bare = found(5);
    CHECK(no_residual.apart.front() < 0.4);
    CHECK(no_residual.apart[5] < 0.005);
    CHECK(pre.apart.back() > 0.7);
    CHECK(post.apart.back() > 0.7);
    for (const double size : post.rows) {
        CHECK_THAT(size, WithinAbs(1, 1e-4)); // each row is normalised
    }
    CHECK(pre.rows.back() > 1.4 * pre.rows.front()); // what is added adds up
    CHECK(pre.gradients.back() < 0.7 * pre.gradients.front());
    CHECK(std::max_element(post.gradients.begin(), post.gradients.end()) ==
          post.gradients.end() - 1);
    CHECK(post.gradients.back() > 2 * pre.gradients.back());
    CHECK(none.rows.back() > pre.rows.back());
    for (std::size_t layer = 0; layer < 12; ++layer) {
        CHECK(none.gradients[layer] < 2 * pre.gradients[layer]);
    }
    CHECK_THAT(pre.gradients.front(), WithinAbs(0.33, 5e-3));
    CHECK_THAT(none.gradients.front(), WithinAbs(0.37, 5e-3));
    CHECK_THAT(pre_bare.gradients.front(), WithinAbs(1.67, 5e-3)); // the loss sees bare rows
    CHECK_THAT(none_bare.gradients.front(), WithinAbs(5.01, 5e-3));
}
// [claim_depth]

// ---------------------------------------------------------------- however it is computed

namespace {

/// Options of a transformer whose rows no vector divides.
TransformerOptions wide_options(NormPlace norm)
{
    TransformerOptions options = small_options(norm);
    options.layer.d_model = 36;
    options.layer.n_heads = 2;
    options.layer.d_ff = 50;
    options.layer.dropout = 0.1;
    return options;
}

/// A loss, and the gradients of all parameters.
template <typename T>
std::vector<Array<T>> loss_and_gradients(const Transformer<T>& transformer,
                                         const text::Batch& batch)
{
    random::Generator rng(4);
    Array<T> loss;
    std::vector<Array<T>> numbers = gradients_of(transformer, batch, &rng, &loss);
    numbers.push_back(loss);
    return numbers;
}

template <typename T>
void check_same_bits(const std::vector<Array<T>>& a, const std::vector<Array<T>>& b)
{
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CAPTURE(i);
        CHECK(same_bits(a[i], b[i]));
    }
}

/// Rows fused and not, on every set, on one to three threads.
template <typename T>
void check_every_way(const Transformer<T>& original, const text::Batch& batch)
{
    Transformer<T> transformer = original;
    transformer.set_computation({.fused_rows = false});
    const std::vector<Array<T>> wanted = [&] {
        const kernels::ComputeWith reference({fused_sets().front()});
        return loss_and_gradients(transformer, batch);
    }();
    transformer.set_computation({.fused_rows = true});
    for (const kernels::Kernels* kernels : fused_sets()) {
        for (const std::size_t n_threads : {1U, 2U, 3U}) {
            CAPTURE(kernels->name, n_threads);
            const kernels::ComputeWith guard({kernels, n_threads});
            check_same_bits(loss_and_gradients(transformer, batch), wanted);
        }
    }
}

} // namespace

// [claim_same_bits]
TEST_CASE("loss and gradients have the same bits with fused rows, on every set, on any threads",
          "[12][claim]")
{
    const text::Batch batch = batch_of_three();
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        check_every_way(small_transformer<float>(wide_options(norm)), batch);
        check_every_way(small_transformer<double>(wide_options(norm)), batch);
    }
    for (bool LayerOptions::*const part :
         {&LayerOptions::residual, &LayerOptions::feed_forward, &LayerOptions::self_attention,
          &LayerOptions::encoder_attention, &LayerOptions::encoder_residual,
          &LayerOptions::decoder_residual}) {
        TransformerOptions options = wide_options(NormPlace::before);
        options.layer.*part = false;
        check_every_way(small_transformer<float>(options), batch);
    }
}
// [claim_same_bits]

TEST_CASE("so have those of a batch that is large enough to be shared among threads", "[12]")
{
    TransformerOptions options = small_options(NormPlace::before, 1);
    options.layer = {.d_model = 64, .n_heads = 4, .d_ff = 128};
    check_every_way(small_transformer<float>(options), batch_to_share());
}

TEST_CASE("another attention, the same scores", "[12]")
{
    const text::Batch batch = batch_of_three();
    auto transformer = small_transformer<double>(small_options());
    const std::vector<Array<double>> usual = loss_and_gradients(transformer, batch);
    const std::vector<multi_head::Attend<double>> kernels = {
        multi_head::attend_by_operators<double>, multi_head::attend_in_one_step<double>};
    for (const auto& attend : kernels) {
        transformer.set_computation({.attend = attend});
        const std::vector<Array<double>> found = loss_and_gradients(transformer, batch);
        for (std::size_t i = 0; i < usual.size(); ++i) {
            for (std::size_t j = 0; j < usual[i].size(); ++j) {
                CHECK_THAT(found[i].data()[j], WithinAbs(usual[i].data()[j], 1e-12));
            }
        }
    }
    std::size_t n_calls = 0;
    transformer.set_computation(
        {.attend = [&](const auto& q, const auto& k, const auto& v, std::size_t n_heads,
                       const AttentionMask& mask, Array<double>* weights) {
            ++n_calls;
            return multi_head::attend_by_operators(q, k, v, n_heads, mask, weights);
        }});
    transformer.loss(batch);
    CHECK(n_calls == 2 + 2 * 2); // each attention of two layers and two layers
}
