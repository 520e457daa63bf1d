/// \file
/// \brief Whose attention weights count as the alignment, in a model whose attentions have heads.
#pragma once

#include "common/tensor/array.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attn::translation {

/// One head of the attention to the source of a layer, or the mean of all.
struct HeadChoice
{
    std::size_t layer = 0;                ///< of the decoder
    std::optional<std::size_t> head = {}; ///< none: the mean of all heads
};

/// "mean" or "head 1", counted from 1.
std::string name_of(const HeadChoice& choice);

/// The mean of all heads of the first layer, then each of them [n_heads + 1].
std::vector<HeadChoice> head_choices(std::size_t n_heads);

/// The chosen weights of those of a layer.
/// \param weights  [batch, n_heads, n_queries, n_keys]
/// \returns        [batch, n_queries, n_keys]
Array<float> weights_of(const HeadChoice& choice, const Array<float>& weights);

} // namespace attn::translation
