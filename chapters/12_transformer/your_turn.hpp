/// \file
/// \brief Your turn: write chapter 12's layer of the encoder around its two sublayers, and what
/// a smoothed loss asks for.
///
/// Replace the two bodies, then ask
///
///     cmake --build build && ctest --test-dir build -L your_turn -R 12 --output-on-failure
///
/// The tests judge properties, not digits, and their messages say what is wrong. Until a
/// body is written ctest reports its tests as skipped; no other test looks here.
#pragma once

#include "common/tensor/tensor.hpp"
#include "common/your_turn/not_written_yet.hpp"

#include <cstddef>
#include <functional>

/// What the reader writes in chapter 12.
namespace attn::transformer::your_turn {

/// What takes rows and gives rows: [n, d] to [n, d].
using Rows = std::function<Matrix(const Matrix& rows)>;

/// What a layer is made of; each of them may be any function.
struct Parts
{
    Rows norm_1;       ///< of the first sublayer
    Rows attention;    ///< the first sublayer
    Rows norm_2;       ///< of the second sublayer
    Rows feed_forward; ///< the second sublayer
};

/// A layer of the encoder, pre-norm: two sublayers one after the other, each with a residual
/// connection around it.
/// \param x      [n, d]
/// \param parts  what it is made of
/// \returns      [n, d]
inline Matrix encoder_layer([[maybe_unused]] const Matrix& x,
                            [[maybe_unused]] const Parts& parts)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/12_transformer/your_turn.hpp: encoder_layer");
}

/// The probabilities that label smoothing asks for, as PyTorch has them: the share epsilon is
/// spread over all words, the right one included.
/// \param n_words  at least 1
/// \param right    the right word, below n_words
/// \param epsilon  from 0 to 1
/// \returns        [n_words]
inline Vector smoothed_targets([[maybe_unused]] std::size_t n_words,
                               [[maybe_unused]] std::size_t right,
                               [[maybe_unused]] double epsilon)
{
    throw attn::your_turn::NotWrittenYet(
        "chapters/12_transformer/your_turn.hpp: smoothed_targets");
}

} // namespace attn::transformer::your_turn
