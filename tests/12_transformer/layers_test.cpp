/// \file
/// \brief A layer of the encoder and one of the decoder: against PyTorch's, and by their
/// properties; the solutions of the exercises.
#include "chapters/12_transformer/layers.hpp"

#include "chapters/12_transformer/exercises/solutions.hpp"
#include "chapters/12_transformer/experiments/experiments.hpp"
#include "tests/11_multi_head/samples.hpp"
#include "tests/12_transformer/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>

using namespace attn;
using namespace attn::transformer;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

constexpr std::size_t d = 6;

LayerOptions options_with(NormPlace norm)
{
    return {.d_model = d, .n_heads = 3, .d_ff = 10, .norm = norm};
}

// ---------------------------------------------------------------- against PyTorch

const std::vector<std::size_t> golden_lengths = {5, 2, 4};

template <typename T>
void check_encoder(NormPlace norm, const char* name, double tolerance)
{
    const GoldenLayer wanted{"12_transformer", name, tolerance};
    random::Generator generator(1);
    const EncoderLayer<T> layer(options_with(norm), generator);
    wanted.load_into(layer.parameters());
    const Variable<T> x = wanted.input<T>("x");
    const autograd::Tape<T> tape;
    const Variable<T> output = layer(x, {golden_lengths}).sum();
    wanted.check(output.value(), "output");
    wanted.check_backward(output, layer.parameters());
    wanted.check(x.gradient(), "gradient.x");
}

template <typename T>
void check_decoder(NormPlace norm, const char* name, double tolerance)
{
    const GoldenLayer wanted{"12_transformer", name, tolerance};
    random::Generator generator(1);
    const DecoderLayer<T> layer(options_with(norm), generator);
    wanted.load_into(layer.parameters());
    const Variable<T> x = wanted.input<T>("x");
    const Variable<T> memory = wanted.input<T>("memory");
    const autograd::Tape<T> tape;
    const Variable<T> output = layer(x, memory, {golden_lengths}).sum();
    wanted.check(output.value(), "output");
    wanted.check_backward(output, layer.parameters());
    wanted.check(x.gradient(), "gradient.x");
    wanted.check(memory.gradient(), "gradient.memory");
}

} // namespace

// [claim_pytorch]
TEST_CASE("a layer of the encoder is PyTorch's, forward and all gradients", "[12][claim]")
{
    check_encoder<double>(NormPlace::before, "encoder_pre", 1e-12);
    check_encoder<double>(NormPlace::after, "encoder_post", 1e-12);
    check_encoder<float>(NormPlace::before, "encoder_pre", 1e-5);
    check_encoder<float>(NormPlace::after, "encoder_post", 1e-5);
}

TEST_CASE("a layer of the decoder is PyTorch's, forward and all gradients", "[12][claim]")
{
    check_decoder<double>(NormPlace::before, "decoder_pre", 1e-12);
    check_decoder<double>(NormPlace::after, "decoder_post", 1e-12);
    check_decoder<float>(NormPlace::before, "decoder_pre", 1e-5);
    check_decoder<float>(NormPlace::after, "decoder_post", 1e-5);
}
// [claim_pytorch]

// ---------------------------------------------------------------- gradients by differences

TEST_CASE("every gradient of both layers agrees with differences, whatever is left out",
          "[12][gradient]")
{
    std::vector<LayerOptions> all;
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        all.push_back(options_with(norm));
    }
    for (bool LayerOptions::*const part :
         {&LayerOptions::residual, &LayerOptions::feed_forward, &LayerOptions::self_attention,
          &LayerOptions::encoder_attention, &LayerOptions::encoder_residual,
          &LayerOptions::decoder_residual}) {
        all.push_back(options_with(NormPlace::before));
        all.back().*part = false;
    }
    for (const LayerOptions& options : all) {
        random::Generator generator(3);
        const EncoderLayer<double> encoder(options, generator);
        const DecoderLayer<double> decoder(options, generator);
        const auto of_encoder = autograd::check_gradient(
            [&](const std::vector<Variable<double>>& inputs) {
                return encoder(inputs[0], {{3, 1}}).sum();
            },
            {random_array({2, 3, d}, 1)});
        INFO(name_of(options.norm) << ": " << of_encoder.first_mismatch);
        CHECK(of_encoder.passed);
        const auto of_decoder = autograd::check_gradient(
            [&](const std::vector<Variable<double>>& inputs) {
                return decoder(inputs[0], inputs[1], {{2, 3}}).sum();
            },
            {random_array({2, 2, d}, 1), random_array({2, 3, d}, 2)});
        INFO(of_decoder.first_mismatch);
        CHECK(of_decoder.passed);
    }
}

// ---------------------------------------------------------------- switches

TEST_CASE("a switch of one half is the switch of both in that half, and none in the other",
          "[12]")
{
    struct Switch
    {
        bool LayerOptions::*part;
        bool LayerOptions::*in_both; ///< what it is the half of, if there is such a one
        bool of_encoder;             ///< whose half
    };
    const Variable<double> x(random_array({2, 3, d}, 1));
    const auto outputs = [&](const LayerOptions& options) {
        random::Generator generator(3);
        const EncoderLayer<double> encoder(options, generator);
        random::Generator again(3);
        const DecoderLayer<double> decoder(options, again);
        return std::pair{encoder(x, {{3, 1}}).sum().value(),
                         decoder(x, x, {{2, 3}}).sum().value()};
    };
    const auto whole = outputs(options_with(NormPlace::before));
    for (const Switch& at :
         {Switch{&LayerOptions::encoder_residual, &LayerOptions::residual, true},
          Switch{&LayerOptions::decoder_residual, &LayerOptions::residual, false},
          Switch{&LayerOptions::encoder_attention, nullptr, true},
          Switch{&LayerOptions::self_attention, nullptr, false}}) {
        LayerOptions options = options_with(NormPlace::before);
        options.*at.part = false;
        const auto [encoded, decoded] = outputs(options);
        CHECK(same_bits(encoded, whole.first) == !at.of_encoder);
        CHECK(same_bits(decoded, whole.second) == at.of_encoder);
        if (at.in_both != nullptr) {
            options = options_with(NormPlace::before);
            options.*at.in_both = false;
            const auto both = outputs(options);
            CHECK(same_bits(encoded, both.first) == at.of_encoder);
            CHECK(same_bits(decoded, both.second) == !at.of_encoder);
        }
    }
}

// ---------------------------------------------------------------- word by word

TEST_CASE("a layer under a causal mask is stepped with the bits of all words at once", "[12]")
{
    const std::size_t n = 5;
    const Array<double> x = random_array({1, n, d}, 9);
    std::vector<LayerOptions> all;
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        for (const HiddenActivation activation :
             {HiddenActivation::relu, HiddenActivation::gelu, HiddenActivation::gelu_tanh}) {
            all.push_back(options_with(norm));
            all.back().activation = activation;
        }
    }
    all.push_back(options_with(NormPlace::before));
    all.back().feed_forward = false;
    for (const LayerOptions& options : all) {
        random::Generator generator(10);
        const EncoderLayer<double> layer(options, generator);
        const AttentionMask causal{.causal = true};
        const Array<double> at_once = layer(Variable<double>(x), causal).sum().value();
        for (const std::size_t n_read : {std::size_t{0}, std::size_t{3}}) {
            KeyValueCache<double> own(d);
            if (n_read > 0) { // the first words in one pass, which fills the cache
                const Variable<double> first(
                    array_of<double>({1, n_read, d}, {x.data(), n_read * d}));
                layer(first, causal, nullptr, nullptr, &own);
            }
            CHECK(own.size() == n_read);
            DecodingWorkspace<double> row(kernels::current<double>(), d, options.d_ff);
            for (std::size_t t = n_read; t < n; ++t) {
                std::copy_n(x.data() + t * d, d, row.x);
                layer.step(row, own);
                CHECK(std::equal(row.x, row.x + d, at_once.data() + t * d));
            }
        }
    }
}

// ---------------------------------------------------------------- around a sublayer

TEST_CASE("a sublayer that adds nothing leaves pre-norm rows as they are", "[12]")
{
    random::Generator generator(4);
    const EncoderLayer<double> layer(options_with(NormPlace::before), generator);
    for (const nn::NamedParameter<double>& one : layer.parameters()) {
        if (one.name.rfind("self_attn.out_proj", 0) == 0 || one.name.rfind("linear2", 0) == 0) {
            Variable<double> parameter = one.variable;
            parameter.value().fill(0);
        }
    }
    const Array<double> x = random_array({2, 4, d});
    CHECK(same_bits(layer(Variable<double>(x), {}).sum().value(), x)); // x + 0
}

TEST_CASE("post-norm hands on normalised rows, pre-norm does not", "[12]")
{
    random::Generator generator(4);
    const EncoderLayer<double> post(options_with(NormPlace::after), generator);
    const EncoderLayer<double> pre(options_with(NormPlace::before), generator);
    const Variable<double> x(Array<double>(100.0 * random_array({1, 3, d})));
    const Array<double> rows = post(x, {}).sum().value();
    for (std::size_t t = 0; t < 3; ++t) {
        double square = 0;
        for (std::size_t m = 0; m < d; ++m) {
            square += rows.data()[t * d + m] * rows.data()[t * d + m];
        }
        CHECK_THAT(square / static_cast<double>(d), WithinAbs(1, 1e-4));
    }
    const Array<double> as_they_are = pre(x, {}).sum().value();
    CHECK(*std::max_element(as_they_are.begin(), as_they_are.end()) > 10);
}

TEST_CASE("dense layers and norms see each row alone", "[12]")
{
    random::Generator generator(5);
    const FeedForward<double> dense(d, 10, generator);
    const Array<double> x = random_array({1, 3, d});
    Array<double> other = x;
    std::fill_n(other.data() + d, d, 7.0); // row 1
    const Array<double> a = dense(Variable<double>(x)).value();
    const Array<double> b = dense(Variable<double>(other)).value();
    CHECK(std::equal(a.data(), a.data() + d, b.data()));
    CHECK(std::equal(a.data() + 2 * d, a.data() + 3 * d, b.data() + 2 * d));
    CHECK(!std::equal(a.data() + d, a.data() + 2 * d, b.data() + d));
}

TEST_CASE("dropout acts in training alone, and on what a sublayer adds", "[12]")
{
    LayerOptions options = options_with(NormPlace::before);
    options.dropout = 0.5;
    random::Generator generator(6);
    const EncoderLayer<double> layer(options, generator);
    const Variable<double> x(random_array({2, 4, d}));
    random::Generator rng(1);
    random::Generator same(1);
    const Array<double> used = layer(x, {}).sum().value();
    const Array<double> trained = layer(x, {}, &rng).sum().value();
    CHECK(!same_bits(used, trained));
    CHECK(same_bits(trained, layer(x, {}, &same).sum().value()));
    CHECK(rng.state() == same.state());
    CHECK(same_bits(used, layer(x, {}).sum().value()));

    options.dropout = 0;
    random::Generator again(6);
    const EncoderLayer<double> without(options, again);
    CHECK(same_bits(without(x, {}, &rng).sum().value(), used)); // nothing is drawn for 0
}

TEST_CASE("what is left out has no parameters", "[12]")
{
    const auto names_of = [](const LayerOptions& options) {
        random::Generator generator(7);
        std::string names;
        for (const auto& one : DecoderLayer<double>(options, generator).parameters()) {
            names += one.name + " ";
        }
        return names;
    };
    LayerOptions options = options_with(NormPlace::before);
    CHECK_THAT(names_of(options), contains("self_attn.q_proj.weight") &&
                                      contains("linear1.bias") && contains("norm3.weight"));
    options.feed_forward = false;
    CHECK_THAT(names_of(options), !contains("linear") && !contains("norm3"));
    options.self_attention = false;
    CHECK_THAT(names_of(options), !contains("self_attn") && !contains("norm1"));
    options.norm = NormPlace::nowhere;
    CHECK_THAT(names_of(options), !contains("norm") && contains("multihead_attn"));
}

TEST_CASE("shapes that do not fit are named, and so are sizes", "[12]")
{
    random::Generator generator(8);
    const EncoderLayer<double> encoder(options_with(NormPlace::before), generator);
    const DecoderLayer<double> decoder(options_with(NormPlace::before), generator);
    const Variable<double> x(random_array({2, 3, d}));
    const Variable<double> wide(random_array({2, 3, d + 1}));
    const Variable<double> one(random_array({1, 3, d}));
    CHECK_THROWS_WITH(encoder(wide, {}), contains("7") && contains("6"));
    CHECK_THROWS_AS(encoder(x, {{3}}), ContractError);
    CHECK_THROWS_AS(encoder(x, {{3, 4}}), ContractError);
    CHECK_THROWS_AS(decoder(x, wide, {}), ContractError);
    CHECK_THROWS_AS(decoder(x, one, {}), ContractError);
    CHECK_THROWS_AS(EncoderLayer<double>({.d_model = 6, .n_heads = 4}, generator),
                    ContractError);
    CHECK(name_of(NormPlace::before) == "pre-norm");
    CHECK(name_of(NormPlace::after) == "post-norm");
    CHECK(name_of(NormPlace::nowhere) == "no norm");
}

// ---------------------------------------------------------------- solutions

TEST_CASE("exercise 12.1, the numbers of a layer", "[12][solution]")
{
    for (const LayerOptions& options :
         {LayerOptions(), LayerOptions{.d_model = 6, .n_heads = 3, .d_ff = 10}}) {
        random::Generator generator(1);
        CHECK(solutions::numbers_in_layer(options.d_model, options.d_ff, false) ==
              EncoderLayer<float>(options, generator).parameters().n_numbers());
        CHECK(solutions::numbers_in_layer(options.d_model, options.d_ff, true) ==
              DecoderLayer<float>(options, generator).parameters().n_numbers());
    }
    CHECK(solutions::numbers_in_layer(64, 128, false) == 33472);
    CHECK(solutions::numbers_in_layer(64, 128, true) == 50240);
}

TEST_CASE("exercise 12.2, where attention costs more than the rest", "[12][solution]")
{
    const std::size_t n = solutions::where_attention_costs_more(64, 128, 14);
    CHECK(n == 307);
    DecodingSizes sizes; // without scores of words: one layer alone
    sizes.n_target = 0;
    const std::size_t rest = 6 * 64 * 64 + 2 * 64 * 128;
    CHECK(cached_cost(sizes, n) > 2 * rest);
    CHECK(cached_cost(sizes, n - 1) <= 2 * rest);
    CHECK(solutions::where_attention_costs_more(2, 2, 100) == 1);
    CHECK_THROWS_AS(solutions::where_attention_costs_more(0, 1, 1), ContractError);
}

TEST_CASE("exercise 12.3, what remains of the first rows", "[12][solution]")
{
    CHECK(solutions::share_of_first_rows(0, 1, true) == 1);
    CHECK_THAT(solutions::share_of_first_rows(12, 1, true), WithinAbs(1.0 / 4096, 1e-12));
    CHECK_THAT(solutions::share_of_first_rows(12, 1, false), WithinAbs(1.0 / 13, 1e-12));
    CHECK(solutions::share_of_first_rows(5, 0, true) == 1);
    CHECK_THROWS_AS(solutions::share_of_first_rows(5, -1, true), ContractError);
}
