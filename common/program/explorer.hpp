/// \file
/// \brief The attention explorer: every head of a model over one text, as one HTML file that
/// needs nothing beside it, or as the data of a widget. docs/widgets/explorer.js shows it.
#pragma once

#include "common/program/widget_data.hpp"
#include "common/tensor/array.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn::program {

/// One attention over one text, all its heads.
struct ExploredAttention
{
    std::string name = {};                     ///< "layer 1"
    std::vector<std::string> query_words = {}; ///< [n_queries]
    std::vector<std::string> key_words = {};   ///< [n_keys]
    bool causal = false;                       ///< whether no query attends to a later key
    Array<float> weights = {};                 ///< [1, H, n_queries, n_keys]
    Array<float> queries = {}; ///< [1, n_queries, H d_k], the heads side by side;
                               ///< empty if scores are no products
    Array<float> keys = {};    ///< [1, n_keys, H d_k], or empty
    Matrix drops = Matrix::from_shape({0, 0}); ///< [n_queries, n_keys], the drop of ln p of a
                                               ///< query's word without a key's; or empty

    /// \returns whether there are queries and keys
    bool has_rows() const { return queries.dimension() == 3; }
    /// \returns H
    std::size_t n_heads() const { return weights.shape()[1]; }
};

/// The size that no file exceeds, in bytes.
inline constexpr std::size_t largest_explorer = 5'000'000;

/// The levels of a number on either side of 0: it is written as two of base64's digits.
inline constexpr int explorer_levels = 2047;

/// What the explorer shows. Under `names` stand the attentions' names, and for the attention a
/// - `query_words_a` and `key_words_a`, `causal_a` (1 or 0), `drops_a` if there are some;
/// - `weights_a`: a text for each query of the first head, then of the next. Two digits of base64
///   are a number from 0 to 4095, and that of a weight is 4095 times the weight; the zeros at a
///   row's end are left out;
/// - `queries_a` and `keys_a`: a text for each head, row by row; the number less 2048, times the
///   head's entry of `queries_units_a` or `keys_units_a`.
/// \param title       above it
/// \param with_rows   whether queries and keys are to be there
/// \throws ContractError naming an attention whose shapes do not go together
WidgetData explorer_data(const std::string& title,
                         const std::vector<ExploredAttention>& attentions,
                         bool with_rows = true);

/// Writes the file, without queries and keys if it would be too large with them.
/// \throws BadInput if it cannot be written, or is too large in any case
/// \throws ContractError as explorer_data
void write_explorer(const std::string& file, const std::string& title,
                    const std::vector<ExploredAttention>& attentions);

/// Attention that computes what `attend` does, and puts down what it was given and computed.
/// \tparam Attend   as multi_head::Attend, of float
/// \param recorded  receives an attention without names at each call; must outlive the result
template <typename Attend>
auto recording(Attend attend, std::vector<ExploredAttention>& recorded)
{
    return [attend, &recorded](const auto& queries, const auto& keys, const auto& values,
                               std::size_t n_heads, const auto& mask, Array<float>* weights) {
        ExploredAttention& one = recorded.emplace_back();
        auto contexts = attend(queries, keys, values, n_heads, mask, &one.weights);
        one.causal = mask.causal;
        one.queries = queries.value();
        one.keys = keys.value();
        if (weights != nullptr) {
            *weights = one.weights;
        }
        return contexts;
    };
}

} // namespace attn::program
