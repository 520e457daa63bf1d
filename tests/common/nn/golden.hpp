/// \file
/// \brief PyTorch's parameters for a layer, and its gradients compared with PyTorch's.
#pragma once

#include "common/nn/parameters.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/golden.hpp"

#include <algorithm>
#include <string>

namespace attn::testing {

/// Rows and columns exchanged, if that is how a parameter lies in files.
inline Array<double> as_in_memory(const Array<double>& array, nn::FileLayout layout)
{
    return layout == nn::FileLayout::same ? array : Array<double>(xt::transpose(array));
}

/// Gives a layer PyTorch's parameters.
/// \param prefix  of the golden names: "gru_equal."
inline void load_golden(const nn::Parameters<double>& parameters, const std::string& prefix)
{
    for (const nn::NamedParameter<double>& one : parameters) {
        const Array<double> stored = as_in_memory(golden(prefix + one.name), one.layout);
        INFO(one.name);
        REQUIRE(stored.shape() == one.variable.shape());
        std::copy(stored.begin(), stored.end(), one.variable.node().value.begin());
    }
}

/// Compares a layer's gradients with PyTorch's.
inline void check_golden_gradients(const nn::Parameters<double>& parameters,
                                   const std::string& prefix)
{
    for (const nn::NamedParameter<double>& one : parameters) {
        INFO(one.name);
        check_close(one.variable.gradient(),
                    as_in_memory(golden(prefix + "gradient." + one.name), one.layout), 1e-12);
    }
}

} // namespace attn::testing
