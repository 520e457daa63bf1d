/// \file
/// \brief The tutorial's decoder: one step by plain loops, and its slopes.
#include "chapters/08_bahdanau/alignment.hpp"
#include "chapters/08_bahdanau/alignment_kinds.hpp"
#include "tests/07_seq2seq/samples.hpp"

#include <cmath>

using namespace attn;
using namespace attn::bahdanau;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

using Row = std::vector<double>;
constexpr std::size_t d_state = 4;
constexpr std::size_t d_input = 3;
constexpr std::size_t n_positions = 5;

seq2seq::Translator<double> tutorials_translator()
{
    random::Generator generator(6);
    return tiny_translator<double>(
        seq2seq::Unit::gru, location_only<double>(d_state, d_input, n_positions, generator),
        seq2seq::tutorial_architecture);
}

/// x W + b by plain loops.
Row layer(const nn::Parameters<double>& parameters, const std::string& name, const Row& x)
{
    const Variable<double>& W = parameters.at(name + ".weight").variable;
    const Row bias = list_of(parameters.at(name + ".bias").variable.value());
    REQUIRE(W.shape() == Shape{x.size(), bias.size()});
    Row y = bias;
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < y.size(); ++j) {
            y[j] += x[i] * W.value().data()[i * y.size() + j];
        }
    }
    return y;
}

Row row_of(const Variable<double>& matrix, std::size_t row)
{
    const std::size_t n = matrix.shape().back();
    return {matrix.value().data() + row * n, matrix.value().data() + (row + 1) * n};
}

Row joined(Row a, const Row& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

double sigma(double x)
{
    return 1 / (1 + std::exp(-x));
}

/// PyTorch's gated unit, from what its gates get of the input.
Row gru_by_hand(const nn::Parameters<double>& parameters, const Row& input, const Row& s)
{
    const Variable<double>& U = parameters.at("decoder.weight_hh").variable;
    Row gates = list_of(parameters.at("decoder.bias_hh").variable.value());
    for (std::size_t i = 0; i < d_state; ++i) {
        for (std::size_t j = 0; j < 3 * d_state; ++j) {
            gates[j] += s[i] * U.value().data()[i * 3 * d_state + j];
        }
    }
    Row next;
    for (std::size_t i = 0; i < d_state; ++i) {
        const double r = sigma(input[i] + gates[i]);
        const double z = sigma(input[d_state + i] + gates[d_state + i]);
        const double n = std::tanh(input[2 * d_state + i] + r * gates[2 * d_state + i]);
        next.push_back((1 - z) * n + z * s[i]);
    }
    return next;
}

} // namespace

TEST_CASE("a step of the tutorial's decoder, by hand", "[08][oracle]")
{
    const auto translator = tutorials_translator();
    const nn::Parameters<double> parameters = translator.parameters();
    const text::Batch batch = tiny_batch();
    const seq2seq::DecodingState<double> decoding =
        translator.encode(translation::sources_of(batch));
    const std::vector<std::int64_t> words = {1, 4, 3};
    const seq2seq::NextWord<double> found = translator.step(words, decoding);
    for (std::size_t b = 0; b < 3; ++b) {
        CAPTURE(b);
        const Row s = row_of(decoding.state.hidden, b);
        const Row y = row_of(parameters.at("decoder.embedding.weight").variable,
                             static_cast<std::size_t>(words[b]));

        // The weights: of the places that this sentence has.
        const std::size_t n_source = batch.source_lengths[b];
        Row a = layer(parameters, "context.positions", joined(y, s));
        a.resize(n_source);
        double all = 0;
        for (double& u : a) {
            all += u = std::exp(u);
        }
        Row c(d_state, 0.0);
        for (std::size_t j = 0; j < n_source; ++j) {
            a[j] /= all;
            CHECK_THAT(found.weights.value().data()[b * batch.n_source + j],
                       WithinAbs(a[j], 1e-12));
            for (std::size_t i = 0; i < d_state; ++i) {
                c[i] += a[j] * decoding.encoding.states.value()
                                   .data()[(b * batch.n_source + j) * d_state + i];
            }
        }

        // The step, and the word that is read out of the state.
        Row x = layer(parameters, "decoder.join", joined(y, c));
        for (double& number : x) {
            number = std::max(number, 0.0);
        }
        const Row next = gru_by_hand(parameters, layer(parameters, "decoder.word", x), s);
        const Row logits = layer(parameters, "decoder.output", next);
        for (std::size_t i = 0; i < d_state; ++i) {
            CHECK_THAT(row_of(found.state.hidden, b)[i], WithinAbs(next[i], 1e-12));
        }
        for (std::size_t word = 0; word < n_tiny_words; ++word) {
            CHECK_THAT(row_of(found.logits, b)[word], WithinAbs(logits[word], 1e-12));
        }
    }
}

TEST_CASE("gradients of the tutorial's decoder", "[08]")
{
    const auto translator = tutorials_translator();
    const text::Batch batch = tiny_batch();
    check_all_gradients(translator.parameters(), [&] { return translator.loss(batch); });
}

TEST_CASE("the tutorial's kind has its decoder, and location only the common one", "[08]")
{
    const AlignmentKind& tutorial = kind_named("tutorial");
    REQUIRE(tutorial.architecture);
    CHECK(tutorial.architecture->context_input == seq2seq::ContextInput::joined);
    CHECK(tutorial.architecture->readout_input == seq2seq::ReadoutInput::state);
    CHECK(tutorial.peak_rate == 1e-2);
    CHECK(tutorial.sizes.hidden == 64);
    CHECK(tutorial.sizes.d_embedding == 32);
    CHECK_FALSE(kind_named("location").architecture);
    CHECK_FALSE(kind_named("additive_before").architecture);
}
