#include "chapters/07_seq2seq/translator.hpp"

#include "common/autograd/embedding.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/translation/search.hpp"

#include <utility>

namespace attn::seq2seq {

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
    return write(batch.target_input, read(translation::sources_of(batch)));
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
    return cross_entropy(write(batch).logits,
                         translation::by_step(batch.answers, batch.n_pairs));
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

// [translate]
template <typename T>
Translations translate(const Translator<T>& translator, const Sentences& sentences,
                       std::size_t max_length, const text::BeamOptions& beam)
{
    const autograd::NoGradient<T> forwards;
    const auto step = [&](Draft<T> draft, std::span<const std::int64_t> words) {
        const NextWord<T> next = translator.step(words, draft);
        draft.state = next.state;
        return translation::NextWords<T, Draft<T>>{next.logits, std::move(draft)};
    };
    const auto select = [&](const Draft<T>& draft, const std::vector<std::size_t>& rows) {
        return translator.select(draft, rows);
    };
    return translation::search<T>(step, select, translator.read(sentences), sentences.batch(),
                                  max_length, beam);
}
// [translate]

template Translations translate(const Translator<float>&, const Sentences&, std::size_t,
                                const text::BeamOptions&);
template Translations translate(const Translator<double>&, const Sentences&, std::size_t,
                                const text::BeamOptions&);

translation::TranslationModel model_of(const Translator<float>& translator)
{
    translation::TranslationModel model;
    model.parameters = translator.parameters();
    model.loss = [&](const text::Batch& batch) { return translator.loss(batch); };
    model.embed = [&](const Sentences& sentences) { return translator.embed(sentences); };
    model.write_from = [&](const Variable<float>& embedded, const text::Batch& batch) {
        return translator.write(batch.target_input,
                                translator.read(embedded, batch.source_lengths));
    };
    model.translate = [&](const Sentences& sentences, std::size_t max_length,
                          const text::BeamOptions& beam) {
        return seq2seq::translate(translator, sentences, max_length, beam);
    };
    return model;
}

} // namespace attn::seq2seq
