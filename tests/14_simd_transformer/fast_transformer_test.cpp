/// \file
/// \brief The transformer of chapter 12 on the kernels of this chapter: the same numbers, forward
/// and back, for every instruction set and every fusion; masks by perturbation; threads.
/// Deliberately untrained but for twenty steps.
#include "chapters/14_simd_transformer/fast_transformer.hpp"
#include "common/autograd/losses.hpp"
#include "common/nn/optimisers.hpp"
#include "tests/12_transformer/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::simd_transformer;
using namespace attn::testing;
using transformer::NormPlace;
using transformer::TransformerOptions;

namespace {

const std::vector<std::size_t> source_lengths_of_three = {7, 3, 1};

/// Wide enough for a vector and something left over.
TransformerOptions options_of_36(NormPlace norm = NormPlace::before)
{
    TransformerOptions options = small_options(norm);
    options.layer.d_model = 36;
    options.layer.n_heads = 2;
    options.layer.d_ff = 50;
    return options;
}

/// Three sentences with padding on both sides.
text::Batch batch_of_three()
{
    text::Batch batch;
    batch.n_pairs = 3;
    batch.n_source = 7;
    batch.n_target = 5;
    batch.source = random_words(3 * batch.n_source);
    batch.source_lengths = source_lengths_of_three;
    batch.target_input = random_words(3 * batch.n_target, 2);
    batch.answers = random_words(3 * batch.n_target, 3);
    batch.target_lengths = {5, 2, 4};
    for (const std::size_t padded : {7U, 8U, 9U, 14U}) {
        batch.answers[padded] = -100;
    }
    return batch;
}

/// So many sentences, of words and numbers that several threads share: more than 512 rows of 64
/// numbers, and products of more than half a million multiplications.
text::Batch batch_to_share()
{
    text::Batch batch;
    batch.n_pairs = 33;
    batch.n_source = 17;
    batch.n_target = 16;
    batch.source = random_words(batch.n_pairs * batch.n_source);
    batch.source_lengths.assign(batch.n_pairs, batch.n_source);
    batch.source_lengths[1] = 9;
    batch.target_input = random_words(batch.n_pairs * batch.n_target, 2);
    batch.answers = random_words(batch.n_pairs * batch.n_target, 3);
    batch.target_lengths.assign(batch.n_pairs, batch.n_target);
    return batch;
}

seq2seq::Sentences sources_of(const text::Batch& batch)
{
    return {batch.source, batch.source_lengths, batch.n_source};
}

/// Each fusion alone, and all together.
std::vector<FusionStep> fusions_to_try()
{
    std::vector<FusionStep> list = {{"all", "", {}}};
    for (bool Fusions::*const one : {&Fusions::products, &Fusions::attention, &Fusions::norms,
                                     &Fusions::activation, &Fusions::loss}) {
        Fusions fusions = no_fusions();
        fusions.*one = true;
        list.push_back({"one of them", "", fusions});
    }
    return list;
}

float largest_entry(const Array<float>& x)
{
    float largest = 0;
    for (const float number : numbers_of(x)) {
        largest = std::max(largest, std::abs(number));
    }
    return largest;
}

/// The largest difference, as a part of a size.
float apart_relative_to(const Array<float>& a, const Array<float>& b, float size)
{
    REQUIRE(a.shape() == b.shape());
    float largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const float apart = std::abs(a.data()[i] - b.data()[i]);
        largest = apart <= largest ? largest : apart; // a nan is the largest
    }
    return largest / size;
}

/// Copies of all gradients, which are then forgotten.
std::vector<Array<float>> taken_gradients(const Transformer<float>& model)
{
    std::vector<Array<float>> gradients;
    for (const nn::NamedParameter<float>& one : model.parameters()) {
        Variable<float> variable = one.variable;
        gradients.push_back(variable.gradient());
        variable.clear_gradient();
    }
    return gradients;
}

/// The gradients of a loss by chapter 12.
std::vector<Array<float>> plain_gradients(const Transformer<float>& model,
                                          const text::Batch& batch)
{
    const autograd::Tape<float> tape;
    backward(model.loss(batch));
    return taken_gradients(model);
}

std::vector<Array<float>> fast_gradients(const FastTransformer& model, const text::Batch& batch)
{
    const autograd::Tape<float> tape;
    model.backward(model.loss(batch));
    return taken_gradients(model.transformer());
}

Array<float> fast_scores(const FastTransformer& model, const text::Batch& batch)
{
    const Memory<float> memory = model.read(sources_of(batch));
    return model.scores(model.write(batch.target_input, memory)).value();
}

Array<float> plain_scores(const Transformer<float>& model, const text::Batch& batch)
{
    const Memory<float> memory =
        model.read(model.embed(sources_of(batch)), batch.source_lengths);
    return model.scores(model.write(batch.target_input, memory)).value();
}

/// The numbers of one sentence's place.
std::vector<float> scores_at(const Array<float>& scores, std::size_t sentence,
                             std::size_t place)
{
    const float* const first =
        scores.data() + (sentence * scores.shape()[1] + place) * n_few_words;
    return {first, first + n_few_words};
}

} // namespace

// ---------------------------------------------------------------- the same numbers

// [claim_same_numbers]
TEST_CASE("the same scores, loss and gradients as chapter 12, whatever is fused", "[14][claim]")
{
    const text::Batch batch = batch_of_three();
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        const auto plain = small_transformer<float>(options_of_36(norm));
        const Array<float> scores = plain_scores(plain, batch);
        const float loss = plain.loss(batch).item();
        const std::vector<Array<float>> gradients = plain_gradients(plain, batch);
        float steepest = 0;
        for (const Array<float>& gradient : gradients) {
            steepest = std::max(steepest, largest_entry(gradient));
        }
        for (const Kernels* kernels : instruction_sets()) {
            for (const FusionStep& one : fusions_to_try()) {
                CAPTURE(kernels->name, one.name, transformer::name_of(norm));
                const FastTransformer fast(plain, {.kernels = kernels}, one.fusions);
                CHECK(apart_relative_to(fast_scores(fast, batch), scores,
                                        largest_entry(scores)) <= 1e-5F);
                CHECK(std::abs(fast.loss(batch).item() - loss) <= 1e-5F * loss);
                const std::vector<Array<float>> found = fast_gradients(fast, batch);
                for (std::size_t i = 0; i < gradients.size(); ++i) {
                    CAPTURE(i);
                    CHECK(apart_relative_to(found[i], gradients[i], steepest) <= 1e-5F);
                }
            }
        }
    }
}
// [claim_same_numbers]

TEST_CASE("sublayers that are left away are left away on the kernels too", "[14]")
{
    const text::Batch batch = batch_of_three();
    for (bool transformer::LayerOptions::*const part :
         {&transformer::LayerOptions::residual, &transformer::LayerOptions::feed_forward,
          &transformer::LayerOptions::own_past}) {
        TransformerOptions options = options_of_36();
        options.layer.*part = false;
        const auto plain = small_transformer<float>(options);
        const Array<float> scores = plain_scores(plain, batch);
        CHECK(apart_relative_to(fast_scores(FastTransformer(plain), batch), scores,
                                largest_entry(scores)) <= 1e-5F);
    }
}

TEST_CASE("a layer of the encoder alone, and its gradient", "[14]")
{
    random::Generator generator(5);
    const transformer::EncoderLayer<float> layer({.d_model = 48, .n_heads = 3, .d_ff = 70},
                                                 generator);
    const Visible visible{{9, 4}};
    Array<float> rows = uninitialised<float>({2, 9, 48});
    for (float& number : numbers_of(rows)) {
        number = static_cast<float>(generator.normal());
    }
    const Variable<float> x = autograd::parameter(rows);
    const Variable<float> target(filled<float>({2, 9, 48}, 0.5F));
    const auto gradient_by = [&](const auto& f) {
        const autograd::Tape<float> tape;
        const Variable<float> y = f(x, visible);
        backward(autograd::mean_squared_error(y, target));
        Variable<float> held = x;
        const Array<float> gradient = held.gradient();
        held.clear_gradient();
        return std::pair(y.value(), gradient);
    };
    const auto [y, dx] = gradient_by(layer);
    for (const Kernels* kernels : instruction_sets()) {
        CAPTURE(kernels->name);
        const Execution how{.kernels = kernels};
        const FastEncoderLayer fast(layer, how);
        const Products products(how, {});
        const auto [found_y, found_dx] = gradient_by(fast);
        CHECK(apart_relative_to(found_y, y, largest_entry(y)) <= 1e-5F);
        CHECK(apart_relative_to(found_dx, dx, largest_entry(dx)) <= 1e-5F);
    }
}

TEST_CASE("twenty steps of training stay with those of chapter 12", "[14]")
{
    const text::Batch batch = batch_of_three();
    TransformerOptions options = options_of_36();
    options.layer.dropout = 0.1;
    const auto plain = small_transformer<float>(options);
    nn::Adam<float> plain_adam(plain.parameters(), {.learning_rate = 3e-3});
    random::Generator chance(4);
    std::vector<float> losses;
    for (int step = 0; step < 20; ++step) {
        const autograd::Tape<float> tape;
        const Variable<float> loss = plain.loss(batch, &chance);
        backward(loss);
        plain_adam.step();
        losses.push_back(loss.item());
    }
    for (const Kernels* kernels : instruction_sets()) {
        const auto other = small_transformer<float>(options);
        const FastTransformer fast(other, {.kernels = kernels});
        nn::Adam<float> adam(other.parameters(), {.learning_rate = 3e-3});
        random::Generator same_chance(4);
        for (int step = 0; step < 20; ++step) {
            CAPTURE(kernels->name, step);
            const autograd::Tape<float> tape;
            const Variable<float> loss = fast.loss(batch, &same_chance);
            fast.backward(loss);
            adam.step();
            const float expected = losses[static_cast<std::size_t>(step)];
            CHECK(std::abs(loss.item() - expected) <= 1e-3F * expected);
        }
    }
    CHECK(losses.back() < 0.8F * losses.front());
}

// ---------------------------------------------------------------- what may not see what

TEST_CASE("on the kernels a later word leaves earlier scores bit-identical", "[14][claim]")
{
    const text::Batch batch = batch_of_three();
    const auto plain = small_transformer<float>(options_of_36());
    for (const Kernels* kernels : instruction_sets()) {
        const FastTransformer fast(plain, {.kernels = kernels});
        const Array<float> before = fast_scores(fast, batch);
        for (std::size_t changed = 0; changed < batch.n_target; ++changed) {
            text::Batch other = batch;
            std::int64_t& word = other.target_input[changed];
            word = word == 3 ? 4 : 3;
            const Array<float> after = fast_scores(fast, other);
            for (std::size_t t = 0; t < batch.n_target; ++t) {
                CAPTURE(kernels->name, changed, t);
                CHECK((scores_at(before, 0, t) == scores_at(after, 0, t)) == (t < changed));
                CHECK(scores_at(before, 1, t) == scores_at(after, 1, t));
            }
        }
    }
}

TEST_CASE("on the kernels padding leaves all scores bit-identical", "[14][claim]")
{
    const text::Batch batch = batch_of_three();
    const auto plain = small_transformer<float>(options_of_36());
    for (const Kernels* kernels : instruction_sets()) {
        CAPTURE(kernels->name);
        const FastTransformer fast(plain, {.kernels = kernels});
        const Array<float> before = fast_scores(fast, batch);
        text::Batch other = batch;
        for (std::size_t j = source_lengths_of_three[1]; j < batch.n_source; ++j) {
            std::int64_t& word = other.source[batch.n_source + j];
            word = word == 3 ? 4 : 3;
        }
        CHECK(same_bits(before, fast_scores(fast, other)));
        std::int64_t& last = other.source[batch.n_source + source_lengths_of_three[1] - 1];
        last = last == 3 ? 4 : 3;
        CHECK(!same_bits(before, fast_scores(fast, other)));
    }
}

TEST_CASE("on the kernels a source without any word is harmless, forward and back", "[14]")
{
    text::Batch batch = batch_of_three();
    batch.source_lengths = {7, 0, 1};
    const auto plain = small_transformer<float>(options_of_36());
    for (const Kernels* kernels : instruction_sets()) {
        CAPTURE(kernels->name);
        const FastTransformer fast(plain, {.kernels = kernels});
        const Array<float> scores = fast_scores(fast, batch);
        CHECK(apart_relative_to(scores, plain_scores(plain, batch), largest_entry(scores)) <=
              1e-5F);
        for (const Array<float>& gradient : fast_gradients(fast, batch)) {
            CHECK(std::isfinite(largest_entry(gradient)));
        }
    }
}

// ---------------------------------------------------------------- sharing

TEST_CASE("training on the kernels trains the transformer it was made from", "[14]")
{
    const text::Batch batch = batch_of_three();
    const auto plain = small_transformer<float>(options_of_36());
    const FastTransformer fast(plain);
    const float before = plain.loss(batch).item();
    nn::Adam<float> adam(plain.parameters(), {.learning_rate = 1e-2});
    const autograd::Tape<float> tape;
    fast.backward(fast.loss(batch));
    adam.step();
    CHECK(plain.loss(batch).item() < before);
}

TEST_CASE("a training step has the same bits on one, two and three threads", "[14]")
{
    const text::Batch batch = batch_to_share();
    TransformerOptions options = small_options(NormPlace::before, 1);
    options.layer = {.d_model = 64, .n_heads = 4, .d_ff = 128};
    const auto plain = small_transformer<float>(options);
    for (const Kernels* kernels : instruction_sets()) {
        const std::vector<Array<float>> alone =
            fast_gradients(FastTransformer(plain, {.kernels = kernels}), batch);
        for (const std::size_t n_threads : {2U, 3U}) {
            const std::vector<Array<float>> several = fast_gradients(
                FastTransformer(plain, {.kernels = kernels, .n_threads = n_threads}), batch);
            for (std::size_t i = 0; i < alone.size(); ++i) {
                CAPTURE(kernels->name, n_threads, i);
                CHECK(same_bits(alone[i], several[i]));
            }
        }
    }
}

TEST_CASE("each fusion is switched on once, from chapter 12 to everything", "[14]")
{
    const std::vector<FusionStep>& steps = fusion_steps();
    REQUIRE(steps.size() == 6);
    const auto count = [](const Fusions& f) {
        return static_cast<std::size_t>(f.products) + f.attention + f.norms + f.activation +
               f.loss;
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        CHECK(count(steps[i].fusions) == i);
        CHECK(!steps[i].idea.empty());
    }
}
