#include "chapters/08_bahdanau/experiments/alignment_cost.hpp"

#include "common/tensor/check.hpp"

namespace attn::bahdanau {

std::vector<AlignmentCost> alignment_costs(std::size_t hidden, std::size_t d_embedding,
                                           std::size_t n_positions, std::size_t n_source)
{
    expect(hidden > 0 && d_embedding > 0 && n_positions > 0 && n_source > 0,
           "alignment_costs: no number may be 0, got {}, {}, {} and {}", hidden, d_embedding,
           n_positions, n_source);
    random::Generator generator(1);
    const std::size_t context = n_source * hidden;  // weights times values
    const std::size_t products = n_source * hidden; // one row a score: w or the query
    const std::size_t one_matrix = hidden * hidden; // for one vector
    const std::size_t all_keys = n_source * one_matrix;
    std::vector<AlignmentCost> costs;
    for (const Score score : {Score::additive, Score::concat, Score::dot, Score::general}) {
        const auto function =
            alignment_model<double>(score, Asks::after, hidden, hidden, generator);
        const bool under_tanh = score == Score::additive || score == Score::concat;
        costs.push_back({name_of(score), function.parameters.n_numbers(),
                         score == Score::dot ? 0 : all_keys,
                         (under_tanh ? one_matrix : 0) + products + context});
    }
    const auto blind = location_only<double>(hidden, d_embedding, n_positions, generator);
    costs.push_back({"location only", blind.parameters.n_numbers(), 0,
                     (d_embedding + hidden) * n_positions + context});
    return costs;
}

} // namespace attn::bahdanau
