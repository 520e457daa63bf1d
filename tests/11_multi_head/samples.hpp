/// \file
/// \brief Random variables, arrays compared, and layers beside PyTorch's, for the tests of
/// chapters 11 and 12.
#pragma once

#include "chapters/11_multi_head/attention_kernels.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/reductions.hpp"
#include "common/nn/initialise.hpp"
#include "common/nn/parameters.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/matrices.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attn::testing {

/// A way to compute attention.
template <typename T>
struct AttentionKernel
{
    const char* name;
    multi_head::Attend<T> attend;
};

/// The ways of the chapter.
template <typename T>
std::vector<AttentionKernel<T>> attention_kernels()
{
    return {{"by operators", multi_head::attend_by_operators<T>},
            {"in one step", multi_head::attend_in_one_step<T>}};
}

/// Standard normal numbers, others for another stream.
inline autograd::Variable<double> normal_variable(const Shape& shape, std::uint64_t stream)
{
    random::Generator generator(11, stream);
    return autograd::Variable<double>(
        nn::initialise::normal<double>(shape, 0.0, 1.0, generator));
}

/// The numbers of x [1, n, d].
inline Matrix matrix_of(const autograd::Variable<double>& x)
{
    Matrix matrix = Matrix::from_shape({x.shape()[1], x.shape()[2]});
    std::copy(x.value().begin(), x.value().end(), matrix.begin());
    return matrix;
}

/// The rows of axis 1 of x [batch, n, d] in another order: row i of the result is row order[i].
inline autograd::Variable<double> rows_in_order(const autograd::Variable<double>& x,
                                                const std::vector<std::size_t>& order)
{
    std::vector<autograd::Variable<double>> rows;
    for (const std::size_t row : order) {
        rows.push_back(slice(x, 1, row, row + 1));
    }
    return autograd::concatenate(rows, 1);
}

/// The largest difference of two arrays, entry by entry; infinity if shapes differ.
inline double largest_difference(const Array<double>& a, const Array<double>& b)
{
    if (a.shape() != b.shape()) {
        return HUGE_VAL;
    }
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double here = std::abs(a.data()[i] - b.data()[i]);
        largest = here <= largest ? largest : here; // a nan stays
    }
    return largest;
}

/// Whether n numbers of two arrays, from the first on, have the same bits.
inline bool same_numbers(const Array<double>& a, const Array<double>& b, std::size_t first,
                         std::size_t n)
{
    return std::memcmp(a.data() + first, b.data() + first, n * sizeof(double)) == 0;
}

/// A layer's golden values: those of a case of tests/golden/<folder>.
struct GoldenLayer
{
    std::string folder;
    std::string name; ///< of the case
    double tolerance; ///< of what is checked, as a part of the largest golden number

    /// \param array  "x", "gradient.x" or the name of a parameter
    Array<double> operator()(const std::string& array) const
    {
        return golden(name + "." + array, folder);
    }
    /// The same as a leaf of the tape.
    template <typename T>
    autograd::Variable<T> input(const std::string& array) const
    {
        return autograd::parameter(converted<T>((*this)(array)));
    }
    template <typename T>
    void check(const Array<T>& actual, const std::string& array) const
    {
        CAPTURE(name, array);
        const Array<double> ours = converted<double>(actual);
        const Array<double> wanted = (*this)(array);
        CHECK(golden_difference(numbers_of(ours), numbers_of(wanted)) <= tolerance);
    }
    /// The layer's parameters become the golden ones. PyTorch's matrices are [n_out, n_in].
    template <typename T>
    void load_into(const nn::Parameters<T>& parameters) const
    {
        for (const nn::NamedParameter<T>& one : parameters) {
            const Array<double> theirs = (*this)(one.name);
            const bool same = one.layout == nn::FileLayout::same;
            autograd::Variable<T>(one.variable).value() = converted<T>(
                same ? theirs : transpose(autograd::Variable<double>(theirs)).value());
        }
    }
    /// Back from the golden projection of the output, and all gradients of the parameters.
    template <typename T>
    void check_backward(const autograd::Variable<T>& output,
                        const nn::Parameters<T>& parameters) const
    {
        backward(sum(output * input<T>("projection")));
        for (const nn::NamedParameter<T>& one : parameters) {
            CAPTURE(name, one.name);
            const Array<T>& gradient = one.variable.gradient();
            if (one.name.find("k_proj.bias") != std::string::npos) {
                // It shifts all scores of a query alike: both sides have rounding only.
                for (const T number : gradient) {
                    CHECK(std::abs(static_cast<double>(number)) <= tolerance);
                }
            } else {
                const bool same = one.layout == nn::FileLayout::same;
                check(same ? gradient : transpose(autograd::Variable<T>(gradient)).value(),
                      "gradient." + one.name);
            }
        }
    }
};

} // namespace attn::testing
