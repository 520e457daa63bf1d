#include "chapters/07_seq2seq/translator.hpp"

#include "common/autograd/embedding.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/translation/search.hpp"

#include <memory>
#include <utility>

namespace attn::seq2seq {

template <typename T>
Translator<T>::Translator(const TranslatorOptions& options, ContextFunction<T> context,
                          random::Generator& generator)
    : encoder_({options.n_source_words, options.d_embedding, options.hidden, options.unit},
               generator),
      context_(std::move(context)),
      decoder_({options.n_target_words, options.d_embedding, options.hidden, options.unit,
                options.architecture.value_or(usual_architecture(context_.query_state))},
               context_.query_state, generator)
{
}

// [translator]
template <typename T>
DecodingState<T> Translator<T>::encode(const Sentences& sentences) const
{
    return encode(embed(sentences), sentences.lengths);
}

template <typename T>
DecodingState<T> Translator<T>::encode(const Variable<T>& embedded,
                                       std::span<const std::size_t> lengths) const
{
    const Encoding<T> encoding = encoder_.encode(embedded, lengths);
    return {encoding, context_.prepare(encoding), decoder_.first_state(encoding)};
}

template <typename T>
DecoderOutput<T> Translator<T>::decode(const text::Batch& batch) const
{
    return decode(batch.target_input, encode(translation::sources_of(batch)));
}

template <typename T>
DecoderOutput<T> Translator<T>::decode(std::span<const std::int64_t> target_input,
                                       const DecodingState<T>& begin) const
{
    return decoder_(target_input, begin.state, begin.attend);
}

template <typename T>
Variable<T> Translator<T>::loss(const text::Batch& batch) const
{
    return cross_entropy(decode(batch).logits,
                         translation::by_step(batch.answers, batch.n_pairs));
}
// [translator]

template <typename T>
NextWord<T> Translator<T>::step(std::span<const std::int64_t> words,
                                const DecodingState<T>& decoding) const
{
    return decoder_.step(words, decoding.state, decoding.attend);
}

template <typename T>
DecodingState<T> Translator<T>::select(const DecodingState<T>& decoding,
                                       const std::vector<std::size_t>& rows) const
{
    const std::vector<std::int64_t> indices(rows.begin(), rows.end());
    const auto chosen = [&](const Variable<T>& x) {
        Shape shape = x.shape();
        const Variable<T> table = reshape(x, {shape[0], x.size() / shape[0]});
        shape[0] = rows.size();
        return reshape(gather_rows(table, indices, {rows.size()}), shape);
    };
    Encoding<T> encoding{chosen(decoding.encoding.states), chosen(decoding.encoding.last), {}};
    for (const std::size_t row : rows) {
        encoding.lengths.push_back(decoding.encoding.lengths.at(row));
    }
    DecoderState<T> state{chosen(decoding.state.hidden), {}};
    if (decoding.state.cell) {
        state.cell = chosen(*decoding.state.cell);
    }
    return {encoding, context_.prepare(encoding), std::move(state)};
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
    const auto step = [&](DecodingState<T> decoding, std::span<const std::int64_t> words) {
        const NextWord<T> next = translator.step(words, decoding);
        decoding.state = next.state;
        return translation::NextWords<T, DecodingState<T>>{next.logits, std::move(decoding)};
    };
    const auto select = [&](const DecodingState<T>& decoding,
                            const std::vector<std::size_t>& rows) {
        return translator.select(decoding, rows);
    };
    return translation::search<T>(step, select, translator.encode(sentences), sentences.batch(),
                                  max_length, beam);
}
// [translate]

template Translations translate(const Translator<float>&, const Sentences&, std::size_t,
                                const text::BeamOptions&);
template Translations translate(const Translator<double>&, const Sentences&, std::size_t,
                                const text::BeamOptions&);

translation::TranslationModel model_of(const Translator<float>& translator)
{
    const auto own = std::make_shared<const Translator<float>>(translator);
    translation::TranslationModel model;
    model.parameters = own->parameters();
    model.loss = [own](const text::Batch& batch) { return own->loss(batch); };
    model.embed = [own](const Sentences& sentences) { return own->embed(sentences); };
    model.decode_from = [own](const Variable<float>& embedded, const text::Batch& batch) {
        return own->decode(batch.target_input, own->encode(embedded, batch.source_lengths));
    };
    model.translate = [own](const Sentences& sentences, std::size_t max_length,
                            const text::BeamOptions& beam) {
        return seq2seq::translate(*own, sentences, max_length, beam);
    };
    return model;
}

} // namespace attn::seq2seq
