/// \file
/// \brief What the tests of chapter 7 are written with: a tiny translator in double, a batch of
/// three sentences, and gradients of all parameters checked.
#pragma once

#include "chapters/07_seq2seq/translator.hpp"
#include "tests/common/autograd/samples.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn::testing {

using autograd::Variable;
namespace s2s = attn::seq2seq;

/// Words of the tiny languages, special symbols among them.
inline constexpr std::size_t n_tiny_words = 7;

/// Three pairs of different lengths.
inline std::vector<text::NumberedPair> tiny_pairs()
{
    return {{{3, 4, 5, 6}, {4, 3, 5}}, {{6, 3}, {5}}, {{5, 5, 4}, {3, 6, 4, 4}}};
}

/// The tiny pairs as a batch.
inline text::Batch tiny_batch()
{
    return text::batch_of(tiny_pairs(), std::vector<std::size_t>{0, 1, 2});
}

/// The three ways to a context, in double.
inline std::vector<s2s::ContextFunction<double>> tiny_contexts()
{
    return {s2s::last_state<double>(), s2s::mean_state<double>(),
            s2s::largest_numbers<double>()};
}

/// A translator of the tiny languages, with 3 numbers for a word and 4 in a state.
/// \returns        the same numbers each time
template <typename T>
s2s::Translator<T> tiny_translator(s2s::Unit unit, s2s::ContextFunction<T> context,
                                   std::optional<s2s::DecoderArchitecture> architecture = {})
{
    random::Generator generator(7);
    s2s::TranslatorOptions options{n_tiny_words, n_tiny_words, 3, 4};
    options.unit = unit;
    options.architecture = architecture;
    return {options, std::move(context), generator};
}

/// Every slope of a loss agrees with central differences, of all parameters.
/// \param loss        of it, of rank 0
inline void check_all_gradients(const nn::Parameters<double>& parameters,
                                const std::function<Variable<double>()>& loss)
{
    {
        const autograd::Tape<double> tape;
        backward(loss());
    }
    const autograd::NoGradient<double> looking;
    for (const nn::NamedParameter<double>& one : parameters) {
        for (std::size_t i = 0; i < one.variable.size(); ++i) {
            double& number = one.variable.node().value.data()[i];
            const double centre = number;
            const auto slope = [&](double h) {
                number = centre + h;
                const double above = loss().item();
                number = centre - h;
                const double below = loss().item();
                number = centre;
                return (above - below) / (2 * h);
            };
            const double difference = (4 * slope(5e-4) - slope(1e-3)) / 3; // Richardson's
            const double rule =
                one.variable.has_gradient() ? one.variable.gradient().data()[i] : 0.0;
            INFO(one.name << ", entry " << i << ": " << rule << " by the rule, " << difference
                          << " by differences");
            CHECK(std::abs(rule - difference) <=
                  1e-6 * std::max(std::abs(rule), std::abs(difference)) + 1e-9);
        }
    }
}

} // namespace attn::testing
