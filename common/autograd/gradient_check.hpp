/// \file
/// \brief The one gradient checker: what an operator says about its slopes against central
/// differences, in double. Deliberately only that; which operators on which shapes is the tests'
/// business.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::autograd {

/// What a check found.
struct GradientCheck
{
    bool passed = true;         ///< whether every entry agrees
    double worst = 0.0;         ///< largest |a - n| / max(|a|, |n|, .001) over all entries
    std::string first_mismatch; ///< "input 1, entry 3: 0.5 by the rule, 0.4 by differences"
};

/// A computation of one array from others.
using Computation =
    std::function<Variable<double>(const std::vector<Variable<double>>& inputs)>;

/// Compares the gradients of a computation with central differences. The loss is a random
/// projection of the result, so that every entry of it counts. An entry passes when
/// \f$ |a - n| \le 10^{-6} \max(|a|, |n|) + 10^{-9} \f$. The difference is Richardson's, from
/// steps h and h / 2 with \f$ h = 10^{-3} \max(1, |x|) \f$, whose error falls as \f$ h^4 \f$.
/// A second walk back finds a gradient at every input and must add to it.
/// \param computation  called many times; always the same function of its inputs
/// \param inputs       where the slopes are compared; each as a parameter
/// \param seed         of the projection
/// \returns            whether all agree, and where they first do not
/// \throws whatever the computation throws
GradientCheck check_gradient(const Computation& computation,
                             const std::vector<Array<double>>& inputs, std::uint64_t seed = 1);

} // namespace attn::autograd
