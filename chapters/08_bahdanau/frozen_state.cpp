#include "chapters/08_bahdanau/frozen_state.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn::bahdanau {

// [frozen_state]
template <typename T>
FrozenStateTest frozen_state_test(const ContextFunction<T>& function,
                                  const Encoding<T>& encoding, const Variable<T>& state,
                                  const Variable<T>& word,
                                  const std::vector<std::size_t>& order)
{
    const std::size_t n = encoding.states.shape()[1];
    const std::size_t d = encoding.states.shape()[2];
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> positions(n);
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    expect(encoding.lengths == std::vector<std::size_t>{n} && sorted == positions,
           "frozen_state_test: order must hold each of the {} positions of one sentence once",
           n);

    const autograd::NoGradient<T> forwards;
    Array<T> permuted(encoding.states.value());
    for (std::size_t j = 0; j < n; ++j) {
        std::copy_n(encoding.states.value().data() + order[j] * d, d, permuted.data() + j * d);
    }
    const Encoding<T> other{Variable<T>(std::move(permuted)), encoding.last, encoding.lengths};
    const Array<T> before = function.prepare(encoding)({state, word}).weights.value();
    const Array<T> after = function.prepare(other)({state, word}).weights.value();

    FrozenStateTest test{std::equal(before.begin(), before.end(), after.begin()), 0, 0};
    for (std::size_t j = 0; j < n; ++j) {
        const auto p = static_cast<double>(after.data()[j]);
        const auto of_position = static_cast<double>(before.data()[j]);
        const auto of_annotation = static_cast<double>(before.data()[order[j]]);
        test.largest_difference = std::max(test.largest_difference, std::abs(p - of_position));
        test.largest_unmoved = std::max(test.largest_unmoved, std::abs(p - of_annotation));
    }
    return test;
}
// [frozen_state]

template FrozenStateTest frozen_state_test(const ContextFunction<float>&,
                                           const Encoding<float>&, const Variable<float>&,
                                           const Variable<float>&,
                                           const std::vector<std::size_t>&);
template FrozenStateTest frozen_state_test(const ContextFunction<double>&,
                                           const Encoding<double>&, const Variable<double>&,
                                           const Variable<double>&,
                                           const std::vector<std::size_t>&);

} // namespace attn::bahdanau
