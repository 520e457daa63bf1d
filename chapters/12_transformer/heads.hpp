/// \file
/// \brief What each head of the attention to the source looks at: alignment of every head and
/// of their mean, and the choice of one. Deliberately nothing printed.
#pragma once

#include "chapters/12_transformer/variants.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attn::transformer {

/// How well the weights of one look point to the words that are translated.
struct HeadMeasures
{
    Look look;               ///< a head, or the mean of all
    double validation_error; ///< alignment error on sentences to validate on
    Measures test;           ///< of sentences to test on, without translations of its own
};

/// The mean of all heads, then each of them.
/// \param transformer  any
/// \param layer        of the decoder
/// \returns            [n_heads + 1]
std::vector<Look> looks_of_layer(const Transformer<float>& transformer, std::size_t layer = 0);

/// \param look  any
/// \returns     "mean" or "head 1", counted from 1
std::string name_of(const Look& look);

/// Measures the mean and every head of the decoder's first layer.
/// \param transformer  trained
/// \param validation   sentences on which a head may be chosen
/// \param test         other ones
/// \returns            [n_heads + 1], the mean first
std::vector<HeadMeasures> measure_heads(const Transformer<float>& transformer,
                                        const JudgedPart& validation, const JudgedPart& test);

/// The head with the lowest alignment error on the validation sentences.
/// \param measures  of measure_heads
/// \returns         its number; of equal ones the first
/// \throws ContractError if there is no head
std::size_t best_head(const std::vector<HeadMeasures>& measures);

} // namespace attn::transformer
