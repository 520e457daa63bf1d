/// \file
/// \brief The bodies of translator.hpp.
#include "chapters/07_seq2seq/translator.hpp"

#include "common/autograd/embedding.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/softmax.hpp"

#include <utility>

namespace attn::seq2seq {

const std::vector<ContextKind>& fixed_contexts()
{
    static const std::vector<ContextKind> kinds = {
        {"last state", [](std::size_t, random::Generator&) { return last_state<float>(); }},
        {"mean", [](std::size_t, random::Generator&) { return mean_state<float>(); }},
        {"maximum", [](std::size_t, random::Generator&) { return largest_numbers<float>(); }},
    };
    return kinds;
}

Sentences sources_of(const text::Batch& batch)
{
    return {batch.source, batch.source_lengths, batch.n_source};
}

template <typename T>
Translator<T>::Translator(const TranslatorOptions& options, ContextFunction<T> context,
                          random::Generator& generator)
    : encoder_({options.n_source_words, options.d_embedding, options.hidden, options.unit,
                options.bidirectional},
               generator),
      context_(std::move(context)),
      decoder_({options.n_target_words, options.d_embedding, options.hidden, options.unit,
                options.wiring.value_or(usual_wiring(context_.asks))},
               context_.asks, generator)
{
}

// [translator]
template <typename T>
Draft<T> Translator<T>::read(const Sentences& sentences) const
{
    return read(embed(sentences), sentences.lengths);
}

template <typename T>
Draft<T> Translator<T>::read(const Variable<T>& embedded,
                             std::span<const std::size_t> lengths) const
{
    const Encoding<T> encoding = encoder_.read(embedded, lengths);
    return {encoding, context_.read(encoding), decoder_.first_state(encoding)};
}

template <typename T>
Written<T> Translator<T>::write(const text::Batch& batch) const
{
    return write(batch.target_input, read(sources_of(batch)));
}

template <typename T>
Written<T> Translator<T>::write(std::span<const std::int64_t> target_input,
                                const Draft<T>& begin) const
{
    return decoder_(target_input, begin.state, begin.answer);
}

template <typename T>
Variable<T> Translator<T>::loss(const text::Batch& batch) const
{
    return cross_entropy(write(batch).logits, by_step(batch.answers, batch.n_pairs));
}
// [translator]

template <typename T>
NextWord<T> Translator<T>::step(std::span<const std::int64_t> words,
                                const Draft<T>& draft) const
{
    return decoder_.step(words, draft.state, draft.answer);
}

template <typename T>
Draft<T> Translator<T>::select(const Draft<T>& draft,
                               const std::vector<std::size_t>& rows) const
{
    const std::vector<std::int64_t> indices(rows.begin(), rows.end());
    const auto chosen = [&](const Variable<T>& x) {
        Shape shape = x.shape();
        const Variable<T> table = reshape(x, {shape[0], x.size() / shape[0]});
        shape[0] = rows.size();
        return reshape(gather_rows(table, indices, {rows.size()}), shape);
    };
    Encoding<T> encoding{chosen(draft.encoding.states), chosen(draft.encoding.last), {}};
    for (const std::size_t row : rows) {
        encoding.lengths.push_back(draft.encoding.lengths.at(row));
    }
    DecoderState<T> state{chosen(draft.state.hidden), {}};
    if (draft.state.cell) {
        state.cell = chosen(*draft.state.cell);
    }
    return {encoding, context_.read(encoding), std::move(state)};
}

template <typename T>
nn::Parameters<T> Translator<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add_layer("encoder", encoder_);
    list.add_layer("decoder", decoder_);
    for (const nn::NamedParameter<T>& own : context_.parameters) {
        list.add("context." + own.name, own.variable, own.layout);
    }
    return list;
}

template class Translator<float>;
template class Translator<double>;

namespace {

/// The numbers of each row.
template <typename T>
std::vector<WeightsOfStep> rows_of(const Array<T>& matrix)
{
    const std::size_t n_columns = matrix.shape()[1];
    std::vector<WeightsOfStep> rows;
    for (std::size_t row = 0; row < matrix.shape()[0]; ++row) {
        const T* const first = matrix.data() + row * n_columns;
        rows.emplace_back(first, first + n_columns);
    }
    return rows;
}

} // namespace

// [translate]
template <typename T>
Translations translate(const Translator<T>& translator, const Sentences& sentences,
                       std::size_t max_length, const text::BeamOptions& beam)
{
    const autograd::NoGradient<T> looking;
    using State = Draft<T>;
    const text::Decoder<State, WeightsOfStep> decoder{
        [&](State state, const std::vector<std::size_t>& last_words) {
            const std::vector<std::int64_t> words(last_words.begin(), last_words.end());
            const NextWord<T> next = translator.step(words, state);
            state.state = next.state;
            const Variable<T> log_p = log_softmax(next.logits); // [n_hypotheses, n_words]
            const std::span<const T> numbers = numbers_of(log_p.value());
            return text::Step<State, WeightsOfStep>{{numbers.begin(), numbers.end()},
                                                    std::move(state),
                                                    rows_of(next.weights.value())};
        },
        [&](const State& state, const std::vector<std::size_t>& rows) {
            return translator.select(state, rows);
        }};
    constexpr auto begin = static_cast<std::size_t>(text::begin_id);
    constexpr auto end = static_cast<std::size_t>(text::end_id);
    return text::batch_beam_search(decoder, translator.read(sentences), sentences.batch(),
                                   {begin, end, max_length}, beam);
}
// [translate]

template Translations translate(const Translator<float>&, const Sentences&, std::size_t,
                                const text::BeamOptions&);
template Translations translate(const Translator<double>&, const Sentences&, std::size_t,
                                const text::BeamOptions&);

} // namespace attn::seq2seq
