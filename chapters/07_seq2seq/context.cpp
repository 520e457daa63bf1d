#include "chapters/07_seq2seq/context.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/attention_scores.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/reductions.hpp"

#include <limits>

namespace attn::seq2seq {

namespace {

/// The same context whatever the query.
template <typename T>
AttentionFunction<T> always(const Variable<T>& context, const Variable<T>& weights)
{
    return [context, weights](const DecoderQuery<T>& /*query*/) {
        return Attended<T>{context, weights};
    };
}

/// A number for each word, and another behind the end of its sentence.
template <typename T>
Array<T> by_word(const Encoding<T>& encoding,
                 const std::function<T(std::size_t length)>& inside, T outside)
{
    const std::size_t n_steps = encoding.states.shape()[1];
    Array<T> numbers = filled<T>({encoding.lengths.size(), n_steps}, outside);
    for (std::size_t b = 0; b < encoding.lengths.size(); ++b) {
        for (std::size_t t = 0; t < encoding.lengths[b]; ++t) {
            numbers.data()[b * n_steps + t] = inside(encoding.lengths[b]);
        }
    }
    return numbers;
}

} // namespace

// [context]
template <typename T>
ContextFunction<T> last_state()
{
    return {"last state", QueryState::none, [](const Encoding<T>& encoding) {
                const Variable<T> none(by_word<T>(
                    encoding, [](std::size_t) { return T(0); }, 0));
                return always(encoding.last, none);
            }};
}

template <typename T>
ContextFunction<T> mean_state()
{
    return {
        "mean", QueryState::none, [](const Encoding<T>& encoding) {
            const Variable<T> equal(by_word<T>(
                encoding, [](std::size_t length) { return T(1) / static_cast<T>(length); }, 0));
            return always(weighted_sum(equal, encoding.states), equal);
        }};
}

template <typename T>
ContextFunction<T> largest_numbers()
{
    return {"maximum", QueryState::none, [](const Encoding<T>& encoding) {
                constexpr T lowest = std::numeric_limits<T>::lowest();
                const Array<T> hidden = by_word<T>(
                    encoding, [](std::size_t) { return T(0); }, lowest);
                const Variable<T> shift(hidden);
                const Variable<T> none(filled<T>(shift.shape(), T(0)));
                const Variable<T> seen =
                    encoding.states + reshape(shift, {hidden.shape()[0], hidden.shape()[1], 1});
                return always(maximum(seen, 1), none);
            }};
}
// [context]

template ContextFunction<float> last_state();
template ContextFunction<double> last_state();
template ContextFunction<float> mean_state();
template ContextFunction<double> mean_state();
template ContextFunction<float> largest_numbers();
template ContextFunction<double> largest_numbers();

} // namespace attn::seq2seq
