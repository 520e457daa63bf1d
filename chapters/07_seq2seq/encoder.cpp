#include "chapters/07_seq2seq/encoder.hpp"

#include "common/autograd/layout.hpp"
#include "common/tensor/check.hpp"

namespace attn::seq2seq {

namespace {

nn::RecurrentSizes sizes_of(const EncoderOptions& options)
{
    expect(options.n_words > 0 && options.d_embedding > 0 && options.hidden > 0,
           "Encoder: sizes must be at least 1, got {} words, {} numbers for a word and {} in a "
           "state",
           options.n_words, options.d_embedding, options.hidden);
    expect(options.hidden % 2 == 0,
           "Encoder: {} numbers in a state cannot be shared by two directions", options.hidden);
    return {options.d_embedding, options.hidden / 2, 1, true};
}

template <typename T>
std::variant<nn::Gru<T>, nn::Lstm<T>> recurrent_of(const EncoderOptions& options,
                                                   random::Generator& generator)
{
    if (options.unit == Unit::gru) {
        return nn::Gru<T>(sizes_of(options), generator);
    }
    return nn::Lstm<T>(sizes_of(options), generator);
}

/// The numbers that a state hands out: an LSTM keeps its cell to itself.
template <typename State>
const auto& hidden_of(const State& state)
{
    if constexpr (requires { state.hidden; }) {
        return state.hidden;
    } else {
        return state;
    }
}

} // namespace

template <typename T>
Encoder<T>::Encoder(const EncoderOptions& options, random::Generator& generator)
    : embedding_(options.n_words, options.d_embedding, generator),
      recurrent_(recurrent_of<T>(options, generator))
{
}

// [encoder]
template <typename T>
Encoding<T> Encoder<T>::operator()(const Sentences& sentences) const
{
    return encode(embed(sentences), sentences.lengths);
}

template <typename T>
Variable<T> Encoder<T>::embed(const Sentences& sentences) const
{
    return embedding_(sentences.words, {sentences.batch(), sentences.n_steps});
}

template <typename T>
Encoding<T> Encoder<T>::encode(const Variable<T>& embedded,
                               std::span<const std::size_t> lengths) const
{
    return std::visit(
        [&](const auto& recurrent) {
            const auto result = recurrent(embedded, lengths);
            std::vector<Variable<T>> last; // one a direction, [batch, hidden of one]
            for (const auto& state : result.final_states) {
                last.push_back(hidden_of(state));
            }
            return Encoding<T>{
                result.outputs, concatenate(last, -1), {lengths.begin(), lengths.end()}};
        },
        recurrent_);
}
// [encoder]

template <typename T>
nn::Parameters<T> Encoder<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add_layer("embedding", embedding_);
    std::visit([&](const auto& recurrent) { list.add_layer("recurrent", recurrent); },
               recurrent_);
    return list;
}

template class Encoder<float>;
template class Encoder<double>;

} // namespace attn::seq2seq
