/// \file
/// \brief The transformer of chapter 12 with attention in one pass, and the ladder of whole
/// models: the same numbers, forwards and back, for every instruction set; masks by
/// perturbation; threads.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"

#include "chapters/12_transformer/training/translation.hpp"
#include "tests/12_transformer/samples.hpp"
#include "tests/common/translation/small_task.hpp"
#include "tests/support/program_checks.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::simd_transformer;
using namespace attn::testing;
using attn::testing::contains;
using transformer::NormPlace;
using transformer::Transformer;
using transformer::TransformerOptions;

namespace {

/// Wide enough for a vector and something left over.
TransformerOptions options_of_36(NormPlace norm = NormPlace::before)
{
    TransformerOptions options = small_options(norm);
    options.layer.d_model = 36;
    options.layer.n_heads = 2;
    options.layer.d_ff = 50;
    return options;
}

/// The same parameters, with attention in one pass.
Transformer<float> in_one_pass(Transformer<float> model, const kernels::Execution& how)
{
    model.set_computation(computation_of(model_variants().back(), how));
    return model;
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

} // namespace

// ---------------------------------------------------------------- the same numbers

// [claim_same_numbers]
TEST_CASE("with attention in one pass the same scores, loss and gradients", "[14][claim]")
{
    const text::Batch batch = batch_of_three();
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        const auto plain = small_transformer<float>(options_of_36(norm));
        const Array<float> scores = scores_of(plain, batch);
        const float loss = plain.loss(batch).item();
        const std::vector<Array<float>> gradients = gradients_of(plain, batch);
        float steepest = 0;
        for (const Array<float>& gradient : gradients) {
            steepest = std::max(steepest, largest_entry(gradient));
        }
        for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
            CAPTURE(kernels->name, transformer::name_of(norm));
            const kernels::Execution how{.kernels = kernels};
            const kernels::ComputeWith guard(how);
            const Transformer<float> fast = in_one_pass(plain, how);
            CHECK(apart_relative_to(scores_of(fast, batch), scores, largest_entry(scores)) <=
                  1e-5F);
            CHECK(std::abs(fast.loss(batch).item() - loss) <= 1e-5F * loss);
            const std::vector<Array<float>> found = gradients_of(fast, batch);
            for (std::size_t i = 0; i < gradients.size(); ++i) {
                CAPTURE(i);
                CHECK(apart_relative_to(found[i], gradients[i], steepest) <= 1e-5F);
            }
        }
    }
}
// [claim_same_numbers]

TEST_CASE("a training step has the same bits on one, two and three threads", "[14]")
{
    const text::Batch batch = batch_to_share();
    TransformerOptions options = small_options(NormPlace::before, 1);
    options.layer = {.d_model = 64, .n_heads = 4, .d_ff = 128};
    const auto plain = small_transformer<float>(options);
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        const auto on = [&](std::size_t n_threads) {
            const kernels::Execution how{kernels, n_threads};
            const kernels::ComputeWith guard(how);
            return gradients_of(in_one_pass(plain, how), batch);
        };
        const std::vector<Array<float>> alone = on(1);
        for (const std::size_t n_threads : {2U, 3U}) {
            const std::vector<Array<float>> several = on(n_threads);
            for (std::size_t i = 0; i < alone.size(); ++i) {
                CAPTURE(kernels->name, n_threads, i);
                CHECK(same_bits(alone[i], several[i]));
            }
        }
    }
}

// ---------------------------------------------------------------- what may not see what

TEST_CASE("in one pass no word sees a later word or padding, to the bit", "[14][claim]")
{
    const auto plain = small_transformer<float>(options_of_36());
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        CAPTURE(kernels->name);
        const Transformer<float> fast = in_one_pass(plain, {.kernels = kernels});
        const text::Batch batch = batch_of_three();
        const Array<float> before = scores_of(fast, batch);
        for (std::size_t changed = 0; changed < batch.n_target; ++changed) {
            text::Batch other = batch;
            change(other.target_input[changed]);
            const Array<float> after = scores_of(fast, other);
            for (std::size_t t = 0; t < batch.n_target; ++t) {
                CAPTURE(changed, t);
                CHECK((scores_at(before, 0, t) == scores_at(after, 0, t)) == (t < changed));
                CHECK(scores_at(before, 1, t) == scores_at(after, 1, t));
            }
        }
        text::Batch padded = batch;
        for (std::size_t j = batch.source_lengths[1]; j < batch.n_source; ++j) {
            change(padded.source[batch.n_source + j]);
        }
        CHECK(same_bits(before, scores_of(fast, padded)));
        change(padded.source[batch.n_source + batch.source_lengths[1] - 1]);
        CHECK(!same_bits(before, scores_of(fast, padded)));
    }
}

TEST_CASE("in one pass a source without any word is harmless, forwards and back", "[14]")
{
    text::Batch batch = batch_of_three();
    batch.source_lengths = {7, 0, 1};
    const auto plain = small_transformer<float>(options_of_36());
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        CAPTURE(kernels->name);
        const Transformer<float> fast = in_one_pass(plain, {.kernels = kernels});
        const Array<float> scores = scores_of(fast, batch);
        CHECK(apart_relative_to(scores, scores_of(plain, batch), largest_entry(scores)) <=
              1e-5F);
        for (const Array<float>& gradient : gradients_of(fast, batch)) {
            CHECK(std::isfinite(largest_entry(gradient)));
        }
    }
}

// ---------------------------------------------------------------- the ladder

// [claim_model_ladder]
TEST_CASE("every rung of the model's ladder learns the same", "[14][claim]")
{
    const ModelTraining training = model_training(1, 3);
    for (const kernels::Kernels* kernels : fused_sets()) {
        std::vector<float> first;
        for (const ModelVariant& variant : model_variants()) {
            CAPTURE(kernels->name, variant.name);
            const std::vector<float> losses =
                train_model(variant, {kernels, 2}, training).losses;
            REQUIRE(losses.size() == 3);
            first = first.empty() ? losses : first;
            CHECK((variant.one_pass || losses == first)); // bit for bit
            for (std::size_t step = 0; step < 3; ++step) {
                CHECK(std::abs(losses[step] - first[step]) <= 1e-5F * first[step]);
            }
        }
        CHECK(first.back() < first.front());
    }
}
// [claim_model_ladder]

TEST_CASE("the operations of a training step, counted by hand", "[14]")
{
    // One sentence of one word each, d = d_ff = 2: the encoder's layer has 4 * 4 + 2 * 4, and 4
    // in its attention, the decoder's 8 * 4 + 2 * 4 and 8, the scores 2 * 3; each is two,
    // thrice.
    TransformerOptions options = small_options(NormPlace::before, 1);
    options.layer = {.d_model = 2, .n_heads = 1, .d_ff = 2};
    options.n_target_words = 3;
    CHECK(step_operations(options, random_batch(1, 1, 1)) == 6 * (28 + 48 + 6));
}

TEST_CASE("a long text takes memory in proportion to its length", "[14]")
{
    const LongText once = read_long_text(kernels::default_kernels(), 256);
    const LongText twice = read_long_text(kernels::default_kernels(), 512);
    CHECK(twice.scores == 4 * once.scores);
    CHECK(static_cast<double>(twice.bytes) < 2.2 * static_cast<double>(once.bytes));
}

// ---------------------------------------------------------------- files

TEST_CASE("a transformer that chapter 12 saved is loaded here, and the other way round",
          "[14][train]")
{
    const ScratchFolder scratch;
    const std::string sentence = "the king 's red car is here .";
    const TransformerOptions options{.n_source_words = small_task().source.size(),
                                     .n_target_words = small_task().target.size()};
    const transformer::SavedTransformer there{{small_task().source, small_task().target,
                                               text::Normalisation::gentle,
                                               small_task().max_length},
                                              transformer::make_transformer(options, 2)};
    nn::save_model(scratch.path() / "there.safetensors", there.transformer.parameters(),
                   settings_of(there));
    const auto run = [&](const std::vector<std::string>& arguments) {
        const ProgramRun found = run_program(ATTN_PROGRAM, arguments, scratch.path());
        CHECK(found.exit_code == 0);
        return found.out;
    };
    const auto translated = [&](const transformer::SavedTransformer& one) {
        return translation::translate(model_of(one.transformer), one.languages, sentence)
            .target;
    };
    const text::Words words = translated(there);
    CHECK_THAT(run({"--load", "there.safetensors", "--translate", sentence}),
               contains(text::text_of({words.begin(), words.begin() + 3})));

    run({"--quick", "--save", "here.safetensors"});
    const transformer::SavedTransformer here =
        transformer::load(scratch.path() / "here.safetensors");
    CHECK(!translated(here).empty());
}
