#include "chapters/07_seq2seq/decoder.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/nn/initialise.hpp"
#include "common/tensor/check.hpp"

namespace attn::seq2seq {

namespace {

std::size_t n_gates(Unit unit)
{
    return unit == Unit::gru ? 3 : 4;
}

/// Numbers as PyTorch draws them for a recurrent layer.
template <typename T>
Variable<T> drawn(const Shape& shape, std::size_t hidden, random::Generator& generator)
{
    return autograd::parameter(nn::initialise::pytorch_recurrent<T>(shape, hidden, generator));
}

/// What enters the step of a word: the word, or what a word and a context are joined into.
std::size_t n_entering(const DecoderOptions& options)
{
    return options.architecture.context_input == ContextInput::joined ? options.hidden
                                                                      : options.d_embedding;
}

/// The layer that joins a word with a context.
template <typename T>
std::optional<nn::Linear<T>> joining_layer(const DecoderOptions& options,
                                           random::Generator& generator)
{
    if (options.architecture.context_input != ContextInput::joined) {
        return {};
    }
    return nn::Linear<T>(options.d_embedding + options.hidden, options.hidden, generator);
}

/// The layer under the readout's tanh: of state, context and, if it is seen, the word.
template <typename T>
std::optional<nn::Linear<T>> readout_layer(const DecoderOptions& options,
                                           random::Generator& generator)
{
    if (options.architecture.readout_input == ReadoutInput::state) {
        return {};
    }
    const bool sees_word =
        options.architecture.readout_input == ReadoutInput::state_context_word;
    const std::size_t n_seen = 2 * options.hidden + (sees_word ? options.d_embedding : 0);
    return nn::Linear<T>(n_seen, options.hidden, generator);
}

/// Refuses what cannot be built.
const DecoderOptions& checked(const DecoderOptions& options, QueryState query_state)
{
    const bool in_step = options.architecture.context_input != ContextInput::none;
    expect(!in_step || query_state != QueryState::current,
           "Decoder: a context that s_t asks for comes too late to enter the step to s_t");
    expect(in_step || options.architecture.readout_input != ReadoutInput::state,
           "Decoder: the context enters neither the step nor the readout");
    return options;
}

} // namespace

DecoderArchitecture usual_architecture(QueryState query_state)
{
    return query_state == QueryState::current
               ? DecoderArchitecture{ContextInput::none, ReadoutInput::state_context}
               : DecoderArchitecture{ContextInput::gates, ReadoutInput::state_context_word};
}

template <typename T>
Decoder<T>::Decoder(const DecoderOptions& options, QueryState query_state,
                    random::Generator& generator)
    : options_(checked(options, query_state)), query_state_(query_state),
      embedding_(options.n_words, options.d_embedding, generator),
      first_(options.hidden, options.hidden, generator),
      join_(joining_layer<T>(options, generator)),
      word_(n_entering(options), n_gates(options.unit) * options.hidden, generator),
      context_weight_(
          options.architecture.context_input == ContextInput::gates
              ? std::optional(drawn<T>({options.hidden, n_gates(options.unit) * options.hidden},
                                       options.hidden, generator))
              : std::nullopt),
      weight_hh_(drawn<T>({options.hidden, n_gates(options.unit) * options.hidden},
                          options.hidden, generator)),
      bias_hh_(drawn<T>({n_gates(options.unit) * options.hidden}, options.hidden, generator)),
      readout_(readout_layer<T>(options, generator)),
      output_(options.hidden, options.n_words, generator)
{
}

template <typename T>
DecoderState<T> Decoder<T>::first_state(const Encoding<T>& encoding) const
{
    const Variable<T> hidden = tanh(first_(encoding.last));
    if (options_.unit == Unit::gru) {
        return {hidden, {}};
    }
    return {hidden, Variable<T>(filled<T>(hidden.shape(), T(0)))};
}

template <typename T>
DecoderState<T> Decoder<T>::advance(const Variable<T>& projected,
                                    const DecoderState<T>& state) const
{
    if (options_.unit == Unit::gru) {
        return {gru_step(projected, state.hidden, weight_hh_, bias_hh_), {}};
    }
    const auto [hidden, cell] = lstm_step(
        projected, autograd::LstmState<T>{state.hidden, *state.cell}, weight_hh_, bias_hh_);
    return {hidden, cell};
}

template <typename T>
Variable<T> Decoder<T>::read_out(const Variable<T>& states, const Variable<T>& contexts,
                                 const Variable<T>& embedded) const
{
    const auto rows = [](const Variable<T>& x) { // one a step and sentence
        return reshape(x, {x.size() / x.shape().back(), x.shape().back()});
    };
    if (!readout_) {
        return output_(rows(states));
    }
    std::vector<Variable<T>> seen = {states, contexts};
    if (options_.architecture.readout_input == ReadoutInput::state_context_word) {
        seen.push_back(embedded);
    }
    return output_(tanh((*readout_)(rows(autograd::concatenate<T>(seen, -1)))));
}

/// What the gates get of the words before there is a context: for all steps at once.
template <typename T>
Variable<T> Decoder<T>::prepared(const Variable<T>& embedded) const
{
    return options_.architecture.context_input == ContextInput::joined ? embedded
                                                                       : word_(embedded);
}

/// What the gates get of prepared words and a context [..., g * hidden].
template <typename T>
Variable<T> Decoder<T>::gates_of(const Variable<T>& prepared_words,
                                 const Variable<T>& context) const
{
    if (options_.architecture.context_input == ContextInput::gates) {
        return prepared_words + linear(context, *context_weight_);
    }
    if (options_.architecture.context_input == ContextInput::joined) {
        return word_(relu((*join_)(autograd::concatenate<T>({prepared_words, context}, -1))));
    }
    return prepared_words;
}

template <typename T>
Variable<T> Decoder<T>::all_states(const Variable<T>& projected,
                                   const DecoderState<T>& first) const
{
    if (options_.unit == Unit::gru) {
        return gru_steps(projected, first.hidden, weight_hh_, bias_hh_);
    }
    return lstm_steps(projected, autograd::LstmState<T>{first.hidden, *first.cell}, weight_hh_,
                      bias_hh_);
}

template <typename T>
DecoderOutput<T> Decoder<T>::operator()(std::span<const std::int64_t> words,
                                        const DecoderState<T>& first,
                                        const AttentionFunction<T>& attend) const
{
    const std::size_t batch = first.hidden.shape()[0];
    const std::vector<std::int64_t> steps = translation::by_step(words, batch);
    const Variable<T> embedded = embedding_(steps, {steps.size() / batch, batch});
    return query_state_ == QueryState::previous ? decode_step_by_step(embedded, first, attend)
                                                : decode_in_one_pass(embedded, first, attend);
}

// [decoder]
template <typename T>
DecoderOutput<T> Decoder<T>::decode_step_by_step(const Variable<T>& embedded,
                                                 const DecoderState<T>& first,
                                                 const AttentionFunction<T>& attend) const
{
    const Variable<T> words = prepared(embedded); // for all steps [n_steps, batch, ...]
    DecoderState<T> state = first;
    std::vector<Variable<T>> states;   // [n_steps], each [batch, hidden]
    std::vector<Variable<T>> contexts; // the same
    std::vector<Variable<T>> weights;  // [n_steps], each [batch, n_source]
    for (std::size_t t = 0; t < embedded.shape()[0]; ++t) {
        const Variable<T> word = select(embedded, 0, t);                         // y_{t-1}
        const Attended<T> attended = attend({state.hidden, word});               // c_t
        state = advance(gates_of(select(words, 0, t), attended.context), state); // s_t
        states.push_back(state.hidden);
        contexts.push_back(attended.context);
        weights.push_back(attended.weights);
    }
    return {read_out(stack(states, 0), stack(contexts, 0), embedded), weights};
}

template <typename T>
DecoderOutput<T> Decoder<T>::decode_in_one_pass(const Variable<T>& embedded,
                                                const DecoderState<T>& first,
                                                const AttentionFunction<T>& attend) const
{
    const auto attend_at = [&](const Variable<T>& state, std::size_t t) {
        return attend({state, select(embedded, 0, t)});
    };
    const std::size_t n_steps = embedded.shape()[0];
    std::vector<Attended<T>> attended;
    Variable<T> gates = prepared(embedded); // [n_steps, batch, g * hidden], with a context
    if (query_state_ == QueryState::none) {
        attended.assign(n_steps, attend_at(first.hidden, 0)); // c, the same at every step
        const Variable<T>& c = attended[0].context;
        const bool joined =
            options_.architecture.context_input == ContextInput::joined; // with each word
        gates = gates_of(gates, joined ? stack(std::vector(n_steps, c), 0) : c);
    }
    const Variable<T> states = all_states(gates, first); // s_1 ... s_n [n_steps, batch, hidden]
    for (std::size_t t = 0; query_state_ == QueryState::current && t < n_steps; ++t) {
        attended.push_back(attend_at(select(states, 0, t), t)); // c_t
    }

    std::vector<Variable<T>> contexts; // [n_steps], each [batch, hidden]
    std::vector<Variable<T>> weights;  // [n_steps], each [batch, n_source]
    for (const Attended<T>& one : attended) {
        contexts.push_back(one.context);
        weights.push_back(one.weights);
    }
    return {read_out(states, stack(contexts, 0), embedded), weights};
}
// [decoder]

// [step]
template <typename T>
NextWord<T> Decoder<T>::step(std::span<const std::int64_t> words, const DecoderState<T>& state,
                             const AttentionFunction<T>& attend) const
{
    const std::size_t batch = state.hidden.shape()[0];
    const Variable<T> word = embedding_(words, {batch});
    const Variable<T> ready = prepared(word);
    DecoderState<T> next = state;
    if (query_state_ == QueryState::current) {
        next = advance(ready, state);
    }
    const Attended<T> attended = attend({next.hidden, word});
    if (query_state_ != QueryState::current) {
        next = advance(gates_of(ready, attended.context), state);
    }
    return {read_out(next.hidden, attended.context, word), attended.weights, next};
}
// [step]

template <typename T>
nn::Parameters<T> Decoder<T>::parameters() const
{
    nn::Parameters<T> list;
    list.add_layer("embedding", embedding_);
    list.add_layer("first", first_);
    if (join_) {
        list.add_layer("join", *join_);
    }
    list.add_layer("word", word_);
    if (context_weight_) {
        list.add("context.weight", *context_weight_, nn::FileLayout::transposed);
    }
    list.add("weight_hh", weight_hh_, nn::FileLayout::transposed);
    list.add("bias_hh", bias_hh_);
    if (readout_) {
        list.add_layer("readout", *readout_);
    }
    list.add_layer("output", output_);
    return list;
}

template class Decoder<float>;
template class Decoder<double>;

} // namespace attn::seq2seq
