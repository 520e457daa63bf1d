#include "chapters/13_language_models/experiments/experiments.hpp"

#include "common/nn/initialise.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace attn::language_models {

namespace {

/// The decoder's norm after the dense layers is its third one, the encoder's its second.
std::string name_in_encoder(const std::string& of_decoder)
{
    return of_decoder.rfind("norm3", 0) == 0 ? "norm2" + of_decoder.substr(5) : of_decoder;
}

} // namespace

double compare_halves(const LayerOptions& options, std::uint64_t seed)
{
    const autograd::NoGradient<double> forwards;
    random::Generator generator(seed, random::Stream::halves);
    transformer::DecoderLayer<double> decoder(options, generator);
    decoder.source.W_o.weight.value().fill(0);
    decoder.source.W_o.bias->value().fill(0);
    const EncoderLayer<double> encoder(options, generator);
    const nn::Parameters<double> taken = decoder.parameters();
    for (const nn::NamedParameter<double>& one : taken) {
        if (one.name.rfind("multihead_attn", 0) != 0 && one.name.rfind("norm2", 0) != 0) {
            Variable<double> own = encoder.parameters().at(name_in_encoder(one.name)).variable;
            own.value() = one.variable.value();
        }
    }
    const auto random_rows = [&](std::size_t n) {
        return Variable<double>(
            nn::initialise::normal<double>({2, n, options.d_model}, 0, 1, generator));
    };
    const Variable<double> x = random_rows(6);
    const Array<double> with_source = decoder(x, random_rows(4), {}).sum().value();
    const Array<double> masked = encoder(x, {.causal = true}).sum().value();
    double largest = 0;
    for (std::size_t i = 0; i < masked.size(); ++i) {
        largest = std::max(largest, std::abs(with_source.data()[i] - masked.data()[i]));
    }
    return largest;
}

void show_halves(program::Frame& frame)
{
    const LayerOptions options;
    frame.terminal.introduce(
        "A decoder without a source",
        "Numbers in a layer of chapter 12, {} wide with {} heads. Then a layer of the decoder, "
        "its attention to the source set to 0, beside one of the encoder with the same "
        "parameters under a causal mask: the largest difference between their rows.",
        options.d_model, options.n_heads);
    random::Generator generator(1, random::Stream::halves);
    const auto numbers = [](const auto& layer) {
        return std::to_string(layer.parameters().n_numbers());
    };
    const EncoderLayer<float> encoder(options, generator);
    const transformer::DecoderLayer<float> decoder(options, generator);
    program::Table table({"layer", "numbers"});
    table.row({"of the decoder", numbers(decoder)});
    table.row({"its attention to the source, with a norm",
               std::to_string(decoder.source.parameters().n_numbers() +
                              decoder.norm_source.parameters().n_numbers())});
    table.row({"of the encoder: GPT's and BERT's", numbers(encoder)});
    frame.terminal.table(table);
    frame.terminal.line();
    const double largest = compare_halves(options, frame.options.seed);
    frame.terminal.line("largest difference: " +
                        (largest == 0 ? "none" : program::significant(largest, 2)));
}

} // namespace attn::language_models
