#include "chapters/10_entity_network/exercises/solutions.hpp"

#include "common/kernels/elementary.hpp"

#include <cmath>

namespace attn::entity_network::solutions {

std::size_t n_parameters(std::size_t n_words, std::size_t n_positions, std::size_t d,
                         std::size_t n_answers)
{
    return (n_words + n_positions + 4 * d + n_answers) * d; // E, f, U V W H, R
}

double share_left(std::size_t n, bool normalised)
{
    const auto writes = static_cast<double>(n);
    return normalised ? elementary::exp(-writes / 2 * elementary::log(2.0))
                      : 1 / std::sqrt(writes + 1);
}

std::size_t numbers_stored(std::size_t n_sentences, std::size_t n_slots, std::size_t d,
                           bool slots)
{
    return (slots ? n_slots : 2 * n_sentences) * d;
}

} // namespace attn::entity_network::solutions
