/// \file
/// \brief What the tests of chapter 8 are written with: alignment models of every kind in double,
/// and an encoding of random numbers.
#pragma once

#include "chapters/08_bahdanau/alignment.hpp"
#include "tests/common/autograd/samples.hpp"

#include <algorithm>
#include <vector>

namespace attn::testing {

/// An encoding of random numbers.
/// \param lengths  of the sentences, at least one
/// \returns        with rows of random numbers behind the ends too
inline seq2seq::Encoding<double> random_encoding(const std::vector<std::size_t>& lengths,
                                                 std::size_t hidden)
{
    std::size_t n = 0;
    for (const std::size_t length : lengths) {
        n = std::max(n, length);
    }
    return {Variable<double>(random_array({lengths.size(), n, hidden}, 1)),
            Variable<double>(random_array({lengths.size(), hidden}, 2)), lengths};
}

/// All scores.
inline const std::vector<bahdanau::Score> all_scores = {
    bahdanau::Score::additive, bahdanau::Score::concat, bahdanau::Score::dot,
    bahdanau::Score::general};

} // namespace attn::testing
