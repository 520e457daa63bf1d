#include "chapters/08_bahdanau/blindness.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn::bahdanau {

// [blindness]
template <typename T>
BlindnessTest blindness(const ContextFunction<T>& function, const Encoding<T>& encoding,
                        const Variable<T>& state, const Variable<T>& word,
                        const std::vector<std::size_t>& order)
{
    const std::size_t n = encoding.states.shape()[1];
    const std::size_t d = encoding.states.shape()[2];
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> positions(n);
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    expect(encoding.lengths == std::vector<std::size_t>{n} && sorted == positions,
           "blindness: order must hold each of the {} positions of one sentence once", n);

    const autograd::NoGradient<T> forwards;
    Array<T> permuted(encoding.states.value());
    for (std::size_t j = 0; j < n; ++j) {
        std::copy_n(encoding.states.value().data() + order[j] * d, d, permuted.data() + j * d);
    }
    const Encoding<T> other{Variable<T>(std::move(permuted)), encoding.last, encoding.lengths};
    const Array<T> before = function.read(encoding)({state, word}).weights.value();
    const Array<T> after = function.read(other)({state, word}).weights.value();

    BlindnessTest test{std::equal(before.begin(), before.end(), after.begin()), 0, 0};
    for (std::size_t j = 0; j < n; ++j) {
        const auto p = static_cast<double>(after.data()[j]);
        const auto of_position = static_cast<double>(before.data()[j]);
        const auto of_annotation = static_cast<double>(before.data()[order[j]]);
        test.largest_difference = std::max(test.largest_difference, std::abs(p - of_position));
        test.largest_unmoved = std::max(test.largest_unmoved, std::abs(p - of_annotation));
    }
    return test;
}
// [blindness]

template BlindnessTest blindness(const ContextFunction<float>&, const Encoding<float>&,
                                 const Variable<float>&, const Variable<float>&,
                                 const std::vector<std::size_t>&);
template BlindnessTest blindness(const ContextFunction<double>&, const Encoding<double>&,
                                 const Variable<double>&, const Variable<double>&,
                                 const std::vector<std::size_t>&);

} // namespace attn::bahdanau
