/// \file
/// \brief The transformer whole: what may not see what, by perturbation; its look-ups, its loss and
/// incremental decoding. Deliberately untrained.
#include "chapters/12_transformer/decoding_cost.hpp"
#include "chapters/12_transformer/depth.hpp"
#include "chapters/12_transformer/smoothing.hpp"
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

/// Scores of every next word of two sentences, [2, n_target, n_few_words].
template <typename T>
Array<T> scores_of(const Transformer<T>& transformer, const std::vector<std::int64_t>& source,
                   const std::vector<std::int64_t>& target)
{
    const Memory<T> memory = transformer.read(
        transformer.embed({source, lengths, source.size() / lengths.size()}), lengths);
    return transformer.scores(transformer.write(target, memory)).value();
}

/// The numbers of one place of one sentence.
template <typename T>
std::vector<T> at(const Array<T>& scores, std::size_t sentence, std::size_t place)
{
    const T* const first = scores.data() + (sentence * scores.shape()[1] + place) * n_few_words;
    return {first, first + n_few_words};
}

} // namespace

// ---------------------------------------------------------------- what may not see what

// [claim_causal]
TEST_CASE("a later word leaves earlier scores bit-identical", "[12][claim]")
{
    const auto source = random_words(2 * n_source);
    const auto target = random_words(2 * n_target, 2);
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        const auto transformer = small_transformer<float>(small_options(norm));
        const Array<float> before = scores_of(transformer, source, target);
        for (std::size_t changed = 0; changed < n_target; ++changed) {
            auto other = target;
            other[changed] = other[changed] == 3 ? 4 : 3;
            const Array<float> after = scores_of(transformer, source, other);
            for (std::size_t t = 0; t < n_target; ++t) {
                CAPTURE(changed, t);
                CHECK((at(before, 0, t) == at(after, 0, t)) == (t < changed));
                CHECK(at(before, 1, t) == at(after, 1, t)); // another sentence
            }
        }
    }
}

TEST_CASE("padding leaves all scores bit-identical, whatever it holds", "[12][claim]")
{
    const auto source = random_words(2 * n_source);
    const auto target = random_words(2 * n_target, 2);
    const auto transformer = small_transformer<float>(small_options());
    const Array<float> before = scores_of(transformer, source, target);
    auto other = source;
    for (std::size_t j = lengths[1]; j < n_source; ++j) {
        other[n_source + j] = other[n_source + j] == 3 ? 4 : 3;
    }
    CHECK(same_bits(before, scores_of(transformer, other, target)));
    other = source;
    other[n_source + lengths[1] - 1] = other[n_source + lengths[1] - 1] == 3 ? 4 : 3;
    CHECK(!same_bits(before, scores_of(transformer, other, target))); // its last word
}
// [claim_causal]

TEST_CASE("a sentence alone and inside a padded batch", "[12]")
{
    const auto transformer = small_transformer<double>(small_options());
    const auto source = random_words(2 * n_source);
    const auto target = random_words(2 * n_target, 2);
    const Array<double> both = scores_of(transformer, source, target);
    const std::vector<std::int64_t> alone(source.begin() + n_source,
                                          source.begin() + n_source + 3);
    const std::vector<std::size_t> length = {3};
    const Memory<double> memory =
        transformer.read(transformer.embed({alone, length, 3}), length);
    const std::vector<std::int64_t> own(target.begin() + n_target, target.end());
    const Array<double> scores = transformer.scores(transformer.write(own, memory)).value();
    for (std::size_t t = 0; t < n_target; ++t) {
        CHECK(at(scores, 0, t) == at(both, 1, t)); // bit for bit
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
        transformer.read(transformer.embed({source, none, n_source}), none);
    AllWeights<double> weights;
    const Variable<double> rows = transformer.write(target, memory, nullptr, &weights);
    const Variable<double> scores = transformer.scores(rows);
    CHECK(std::all_of(scores.value().begin(), scores.value().end(),
                      [](double number) { return std::isfinite(number); }));
    const Array<double>& seen = weights.decoder[0].source; // of sentence 1: all 0
    CHECK(std::all_of(seen.data() + seen.size() / 2, seen.data() + seen.size(),
                      [](double weight) { return weight == 0; }));
    const std::vector<std::int64_t> answers(2 * n_target, 4);
    backward(cross_entropy(reshape(scores, {2 * n_target, n_few_words}), answers));
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
        const std::vector<std::int64_t> source = {3, 4, 5, 6, 7, 3, 4, 5, 6, 7};
        const std::vector<std::int64_t> turned = {7, 6, 5, 4, 3, 5, 4, 3, 6, 7};
        const auto target = random_words(2 * n_target, 2);
        const Array<double> a = scores_of(transformer, source, target);
        const Array<double> b = scores_of(transformer, turned, target);
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
        transformer.read(transformer.embed({long_source, long_lengths, 520}), long_lengths);
    CHECK(lengths_of(memory.rows.shape()) == std::vector<std::size_t>{2, 520, 6});

    // The same as if the sinusoids had been added by hand to a transformer without positions.
    TransformerOptions options = small_options();
    options.positions = Positions::none;
    const auto bare = small_transformer<double>(options);
    const Variable<double> positions(multi_head::sinusoids<double>(520, 6));
    const Memory<double> by_hand =
        bare.read(bare.embed({long_source, long_lengths, 520}) + positions, long_lengths);
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
    const double epsilon = transformer.options().label_smoothing;
    CHECK(epsilon > 0);
    const text::Batch batch = batch_of_three();
    const Memory<double> memory = transformer.read(
        transformer.embed({batch.source, batch.source_lengths, batch.n_source}),
        batch.source_lengths);
    const Array<double> scores =
        transformer.scores(transformer.write(batch.target_input, memory)).value();
    double sum = 0;
    double n = 0;
    for (std::size_t i = 0; i < batch.answers.size(); ++i) {
        if (batch.answers[i] == text::ignored_answer) {
            continue;
        }
        const Vector q =
            smoothed_targets(n_few_words, static_cast<std::size_t>(batch.answers[i]), epsilon);
        const double* const s = scores.data() + i * n_few_words;
        double all = 0;
        for (std::size_t w = 0; w < n_few_words; ++w) {
            all += std::exp(s[w]);
        }
        for (std::size_t w = 0; w < n_few_words; ++w) {
            sum -= q(w) * (s[w] - std::log(all));
        }
        n += 1;
    }
    CHECK_THAT(transformer.loss(batch).item(), WithinAbs(sum / n, 1e-12));
}

TEST_CASE("dropout reaches the looked-up words of both languages", "[12]")
{
    TransformerOptions options = small_options(NormPlace::nowhere, 1);
    options.layer.dropout = 0.5;
    const auto transformer = small_transformer<double>(options);
    for (const nn::NamedParameter<double>& one : transformer.parameters()) {
        if (one.name.find("layers") != std::string::npos) {
            Variable<double> nothing = one.variable; // so that the layers add nothing
            nothing.value().fill(0);
        }
    }
    random::Generator rng(1);
    const auto check_half = [](const Variable<double>& rows, const Variable<double>& dropped) {
        std::size_t n_zero = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double here = dropped.value().data()[i];
            n_zero += here == 0 ? 1U : 0U;
            CHECK((here == 0 || here == 2 * rows.value().data()[i]));
        }
        CHECK(4 * n_zero > rows.size());
        CHECK(4 * n_zero < 3 * rows.size());
    };
    const auto words = random_words(2 * n_source);
    const Variable<double> embedded = transformer.embed({words, lengths, n_source});
    const Memory<double> memory = transformer.read(embedded, lengths);
    check_half(memory.rows, transformer.read(embedded, lengths, &rng).rows);
    check_half(transformer.write(words, memory), transformer.write(words, memory, &rng));
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
    return transformer.read(transformer.embed({random_words(2 * n_source), lengths, n_source}),
                            lengths);
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
         {&LayerOptions::residual, &LayerOptions::feed_forward, &LayerOptions::own_past}) {
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

TEST_CASE("a copy of a draft goes its own way, and several threads write the same", "[12]")
{
    const auto transformer = small_transformer<double>(small_options());
    std::vector<Draft<double>> drafts = transformer.begin(memory_of(transformer));
    transformer.step(std::vector<std::int64_t>{3, 4}, drafts);
    std::vector<Draft<double>> copies = drafts;
    transformer.step(std::vector<std::int64_t>{9, 9}, copies);
    const std::vector<std::int64_t> words = {5, 6};
    const Array<double> scores = transformer.step(words, drafts);
    CHECK(!same_bits(scores, transformer.step(words, copies)));

    const kernels::ComputeWith two_threads({.n_threads = 2});
    std::vector<Draft<double>> again = transformer.begin(memory_of(transformer));
    transformer.step(std::vector<std::int64_t>{3, 4}, again);
    CHECK(same_bits(scores, transformer.step(words, again)));
}

TEST_CASE("the weights of a step are those of all words at once", "[12]")
{
    const auto transformer = small_transformer<double>(small_options());
    const Memory<double> memory = memory_of(transformer);
    const std::vector<std::int64_t> words = {3, 4};
    AllWeights<double> at_once;
    transformer.write(words, memory, nullptr, &at_once);
    std::vector<Draft<double>> drafts = transformer.begin(memory);
    AllWeights<double> of_step;
    transformer.step(words, drafts, &of_step);
    REQUIRE(of_step.decoder.size() == 2);
    for (std::size_t layer = 0; layer < 2; ++layer) {
        CHECK(same_bits(of_step.decoder[layer].source, at_once.decoder[layer].source));
    }
}

TEST_CASE("drafts of other layers or other sentences are refused, and what is no word", "[12]")
{
    const auto transformer = small_transformer<double>(small_options());
    std::vector<Draft<double>> drafts = transformer.begin(memory_of(transformer));
    const auto step = [&](const std::vector<std::int64_t>& words) {
        return transformer.step(words, drafts);
    };
    CHECK_THROWS_WITH(step({4}), contains("1 words for 2 sentences"));
    CHECK_THROWS_WITH(step({4, 11}), contains("11 is none of 11 words"));
    CHECK_THROWS_AS(step({-1, 4}), ContractError);
    drafts[1].written.pop_back();
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
