/// \file
/// \brief The scores that are compared when all of them are learnt, by their names.
#pragma once

#include "chapters/04_backpropagation/learnt_scores.hpp"

#include <string>
#include <vector>

namespace attn::backpropagation {

/// A score by its name, and how it begins.
template <typename T>
struct ScoreMaker
{
    std::string name; ///< as the program prints it
    bool equal_sizes; ///< whether it needs d_q = d_k
    /// Makes it with parameters drawn from the generator.
    std::function<LearntScore<T>(const ScoreSizes& sizes, random::Generator& generator)> make;
};

/// Every score that can be learnt here: dot, scaled dot, cosine with a temperature, dot with
/// key bias and a temperature, multiplicative, the same with key bias, projected, additive
/// without a bias and with one.
template <typename T>
const std::vector<ScoreMaker<T>>& score_makers();

/// One of them, in float.
/// \throws ContractError if there is none of that name
const ScoreMaker<float>& score_named(const std::string& name);

} // namespace attn::backpropagation
