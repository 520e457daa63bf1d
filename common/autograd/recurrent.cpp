/// \file
/// \brief Into reading order and out of it again: what recurrent_walk.hpp does for any cell.
#include "common/autograd/recurrent_walk.hpp"

namespace attn::autograd::recurrent {

Schedule schedule_of(const Shape& x, std::span<const std::size_t> lengths, Direction direction,
                     const char* function)
{
    expect(x.size() == 3, "{}: x must be [batch, n_steps, n_in], got {}", function, x);
    const std::size_t batch = x[0];
    const std::size_t n_steps = x[1];
    expect(n_steps > 0, "{}: x must have at least one step, got {}", function, x);
    expect(lengths.empty() || lengths.size() == batch,
           "{}: there must be a length for each sentence of x, {}, got {}", function, x,
           lengths.size());
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        expect(lengths[b] <= n_steps,
               "{}: the length of sentence {} must be at most the steps of x, {}, got {}",
               function, b, x, lengths[b]);
    }
    return {n_steps, batch, direction, {lengths.begin(), lengths.end()}};
}

namespace {

/// Calls visit(step, sentence, row), the row counted in a batch of sentences.
template <typename Visit>
void for_each_word(const Schedule& schedule, Visit visit)
{
    for (std::size_t step = 0; step < schedule.n_steps; ++step) {
        for (std::size_t b = 0; b < schedule.batch; ++b) {
            visit(step, b, b * schedule.n_steps + schedule.position(step));
        }
    }
}

} // namespace

template <typename T>
Array<T> in_reading_order(const Array<T>& x, const Schedule& schedule)
{
    const std::size_t n_in = x.shape()[2];
    Array<T> words = uninitialised<T>({schedule.n_steps, schedule.batch, n_in});
    T* to = words.data();
    for_each_word(schedule, [&](std::size_t step, std::size_t b, std::size_t row) {
        if (schedule.has_word(b, step)) {
            std::copy_n(x.data() + row * n_in, n_in, to);
        } else {
            std::fill_n(to, n_in, T(0));
        }
        to += n_in;
    });
    return words;
}

template <typename T>
void add_in_sentence_order(const Variable<T>& x, const Schedule& schedule,
                           const Array<T>& dwords)
{
    const std::size_t n_in = x.shape()[2];
    T* const dx = zeroed_gradient(x);
    const T* from = dwords.data();
    for_each_word(schedule, [&](std::size_t /*step*/, std::size_t /*b*/, std::size_t row) {
        T* const to = dx + row * n_in;
        for (std::size_t j = 0; j < n_in; ++j) {
            to[j] += from[j];
        }
        from += n_in;
    });
}

template <typename T>
Variable<T> outputs_of(const Variable<T>& states, const Schedule& schedule, std::size_t hidden)
{
    const std::size_t width = states.shape()[2];
    Array<T> outputs = uninitialised<T>({schedule.batch, schedule.n_steps, hidden});
    const T* from = states.value().data() + schedule.batch * width;
    for_each_word(schedule, [&](std::size_t step, std::size_t b, std::size_t row) {
        T* const to = outputs.data() + row * hidden;
        if (schedule.has_word(b, step)) {
            std::copy_n(from, hidden, to);
        } else {
            std::fill_n(to, hidden, T(0));
        }
        from += width;
    });

    return record(
        std::move(outputs), states.needs_gradient(),
        [states, schedule, hidden, width](const Array<T>& /*value*/, const Array<T>& gradient) {
            T* to = zeroed_gradient(states) + schedule.batch * width;
            for_each_word(schedule, [&](std::size_t step, std::size_t b, std::size_t row) {
                const T* const dy = gradient.data() + row * hidden;
                if (schedule.has_word(b, step)) {
                    for (std::size_t j = 0; j < hidden; ++j) {
                        to[j] += dy[j];
                    }
                }
                to += width;
            });
        });
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Array<T> in_reading_order(const Array<T>&, const Schedule&);                      \
    template void add_in_sentence_order(const Variable<T>&, const Schedule&, const Array<T>&); \
    template Variable<T> outputs_of(const Variable<T>&, const Schedule&, std::size_t);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd::recurrent
