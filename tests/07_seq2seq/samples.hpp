/// \file
/// \brief What the tests of chapter 7 are written with: a tiny translator in double, and a batch
/// of three sentences.
#pragma once

#include "chapters/07_seq2seq/translator.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/loss_gradient.hpp"

#include <algorithm>
#include <cmath>
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

} // namespace attn::testing
