/// \file
/// \brief Attempts at chapter 10's functions: right, but for the mistake that a run makes.
#pragma once

#include "common/tensor/tensor.hpp"
#include "tests/support/attempts.hpp"

#include <cmath>

namespace attn::entity_network::your_turn {

using testing::Mistake;

/// The gates compete, as weights of attention do.
inline const Mistake softmax("gates: softmax", "need not sum to 1");
/// A gate compares the sentence with the key alone.
inline const Mistake key_alone("gates: key_alone", "what the slot holds counts as well");

inline Vector gates(const Vector& sentence, const Matrix& contents, const Matrix& keys)
{
    Vector g = Vector::from_shape({contents.shape()[0]});
    double sum = 0;
    for (std::size_t j = 0; j < g.size(); ++j) {
        double x = 0;
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            x += sentence(i) * (keys(j, i) + (key_alone ? 0 : contents(j, i)));
        }
        g(j) = softmax ? std::exp(x) : 1 / (1 + std::exp(-x));
        sum += g(j);
    }
    for (std::size_t j = 0; j < g.size() && softmax; ++j) {
        g(j) /= sum;
    }
    return g;
}

/// The lengths grow.
inline const Mistake not_normalised("write: not_normalised", "has length 1");
/// The old content is closed out as far as the gate is open, as in a GRU.
inline const Mistake interpolated("write: interpolated", "is added to what is there");

inline Matrix write(const Matrix& contents, const Vector& gate, const Matrix& candidates)
{
    Matrix h = contents;
    for (std::size_t j = 0; j < h.shape()[0]; ++j) {
        double squares = 0;
        for (std::size_t i = 0; i < h.shape()[1]; ++i) {
            h(j, i) = (interpolated ? 1 - gate(j) : 1) * h(j, i) + gate(j) * candidates(j, i);
            squares += h(j, i) * h(j, i);
        }
        for (std::size_t i = 0; i < h.shape()[1] && !not_normalised; ++i) {
            h(j, i) /= std::sqrt(squares);
        }
    }
    return h;
}

} // namespace attn::entity_network::your_turn
