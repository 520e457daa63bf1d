#include "tests/bench/our_steps.hpp"

#include "chapters/07_seq2seq/translator.hpp"
#include "chapters/08_bahdanau/alignment.hpp"
#include "chapters/12_transformer/transformer.hpp"
#include "chapters/14_simd_transformer/whole_model/whole_model.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/optimisers.hpp"
#include "common/nn/recurrent_layers.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace attn::bench::ours {

namespace {

using autograd::Variable;
using nn::Parameters;

/// An array with a copy of numbers.
Array<float> copied(const float* values, const Shape& shape)
{
    return array_of<float>(shape, std::span<const float>(values, size_of(shape)));
}

/// Starts a parameter from the peer's values, turned round where PyTorch keeps it so.
void start_from(const nn::NamedParameter<float>& ours, const InitialValues& theirs)
{
    Variable<float> variable = ours.variable;
    const Shape shape(theirs.shape.begin(), theirs.shape.end());
    Variable<float> values(copied(theirs.values.data(), shape));
    if (ours.layout == nn::FileLayout::transposed) {
        values = autograd::transpose(values);
    }
    expect(values.shape() == variable.shape(), "bench: {} has shape {} here and {} there",
           ours.name, variable.shape(), values.shape());
    variable.value() = values.value();
}

/// A model's parameters take the peer's values, in the same order.
void start_from(const Parameters<float>& parameters, const std::vector<InitialValues>& initial)
{
    if (initial.empty()) {
        return;
    }
    expect(initial.size() == parameters.size(), "bench: {} parameters here, {} there",
           parameters.size(), initial.size());
    auto theirs = initial.begin();
    for (const nn::NamedParameter<float>& one : parameters) {
        start_from(one, *theirs++);
    }
}

/// The training step that all models share.
std::function<void()> training_step(const Parameters<float>& parameters,
                                    std::function<Variable<float>()> loss_of, float* target)
{
    auto adam = std::make_shared<nn::Adam<float>>(
        parameters, nn::Adam<float>::Options{.learning_rate = learning_rate});
    return [adam, loss_of = std::move(loss_of), target] {
        autograd::Tape<float> tape;
        const Variable<float> loss = loss_of();
        backward(loss);
        adam->step();
        if (target != nullptr) {
            *target = loss.item();
        }
    };
}

/// A recurrent network that attends over its own states.
struct AttentiveRnn
{
    Variable<float> W_i;    ///< [n_features, hidden]
    Variable<float> W_h;    ///< [2 hidden, hidden]
    Variable<float> b;      ///< [hidden]
    nn::Linear<float> head; ///< from the last state to the classes

    AttentiveRnn(const RecurrentSizes& sizes, random::Generator& generator)
        : W_i(random_parameter({sizes.n_features, sizes.hidden}, generator)),
          W_h(random_parameter({2 * sizes.hidden, sizes.hidden}, generator)),
          b(random_parameter({sizes.hidden}, generator)),
          head(sizes.hidden, sizes.n_outputs, generator)
    {
    }

    static Variable<float> random_parameter(const Shape& shape, random::Generator& generator)
    {
        Array<float> values(shape);
        for (float& x : numbers_of(values)) {
            x = static_cast<float>(generator.uniform(-.18, .18));
        }
        return autograd::parameter(std::move(values));
    }

    /// x [n_steps, batch, n_features] -> logits [batch, n_outputs]
    Variable<float> operator()(const Variable<float>& x) const
    {
        const std::size_t n_steps = x.shape()[0];
        const std::size_t batch = x.shape()[1];
        const std::size_t hidden = b.size();
        const Variable<float> inputs = autograd::linear(x, W_i, b);
        Variable<float> h(filled<float>({batch, hidden}, 0));
        std::vector<Variable<float>> states = {h};
        for (std::size_t t = 0; t < n_steps; ++t) {
            const Variable<float> memory = autograd::stack(states, 1); // [batch, t + 1, hidden]
            const Variable<float> query = autograd::reshape(h, {batch, 1, hidden});
            const Variable<float> weights =
                autograd::softmax(matmul(query, memory, Transpose::no, Transpose::yes));
            const Variable<float> context =
                autograd::reshape(matmul(weights, memory), {batch, hidden});
            h = autograd::tanh(autograd::select(inputs, 0, t) +
                               matmul(autograd::concatenate<float>({h, context}, 1), W_h));
            states.push_back(h);
        }
        return head(h);
    }

    Parameters<float> parameters() const
    {
        Parameters<float> list;
        list.add("W_i", W_i, nn::FileLayout::transposed);
        list.add("W_h", W_h, nn::FileLayout::transposed);
        list.add("b", b);
        list.add_layer("head", head);
        return list;
    }
};

} // namespace

std::function<void()> gru_step(const float* x, const float* y,
                               const std::vector<InitialValues>& initial, float* loss)
{
    constexpr RecurrentSizes sizes = gru_sizes;
    random::Generator generator(1);
    const nn::Gru<float> gru({sizes.n_features, sizes.hidden}, generator);
    const nn::Linear<float> head(sizes.hidden, sizes.n_outputs, generator);
    Parameters<float> parameters;
    parameters.add_layer("gru", gru);
    parameters.add_layer("head", head);
    start_from(parameters, initial);

    const Variable<float> sentences(copied(x, {sizes.batch, sizes.n_steps, sizes.n_features}));
    const Variable<float> targets(copied(y, {sizes.batch, sizes.n_outputs}));
    return training_step(
        parameters,
        [=] {
            const Variable<float> last = gru(sentences).final_states.back();
            return autograd::mean_squared_error(head(last), targets);
        },
        loss);
}

std::function<void()> attentive_rnn_step(const float* x, const std::int64_t* classes,
                                         const std::vector<InitialValues>& initial, float* loss)
{
    constexpr RecurrentSizes sizes = attentive_rnn_sizes;
    random::Generator generator(1);
    const AttentiveRnn model(sizes, generator);
    start_from(model.parameters(), initial);

    const Variable<float> steps_first = autograd::transpose(
        Variable<float>(copied(x, {sizes.batch, sizes.n_steps, sizes.n_features})), 0, 1);
    const std::vector<std::int64_t> targets(classes, classes + sizes.batch);
    return training_step(
        model.parameters(),
        [=] { return autograd::cross_entropy<float>(model(steps_first), targets); }, loss);
}

std::function<void()> perceptron_step(const float* x, const std::int64_t* classes,
                                      const std::vector<InitialValues>& initial, float* loss)
{
    constexpr PerceptronSizes sizes = perceptron_sizes;
    random::Generator generator(1);
    const nn::Mlp<float> mlp({sizes.n_features, sizes.hidden, sizes.n_classes},
                             autograd::relu<float>, generator);
    start_from(mlp.parameters(), initial);

    const Variable<float> rows(copied(x, {sizes.batch, sizes.n_features}));
    const std::vector<std::int64_t> targets(classes, classes + sizes.batch);
    return training_step(
        mlp.parameters(), [=] { return autograd::cross_entropy<float>(mlp(rows), targets); },
        loss);
}

namespace {

/// Sentences that are all as long.
text::Batch batch_of(const SentenceSizes& sizes, const std::int64_t* source,
                     const std::int64_t* target_input, const std::int64_t* answers)
{
    const std::size_t n_source = sizes.batch * sizes.n_source;
    const std::size_t n_target = sizes.batch * sizes.n_target;
    text::Batch batch;
    batch.n_pairs = sizes.batch;
    batch.n_source = sizes.n_source;
    batch.n_target = sizes.n_target;
    batch.source.assign(source, source + n_source);
    batch.source_lengths.assign(sizes.batch, sizes.n_source);
    batch.target_input.assign(target_input, target_input + n_target);
    batch.answers.assign(answers, answers + n_target);
    batch.target_lengths.assign(sizes.batch, sizes.n_target);
    return batch;
}

} // namespace

std::function<void()> translator_step(const TranslatorSizes& sizes, const std::int64_t* source,
                                      const std::int64_t* target_input,
                                      const std::int64_t* answers,
                                      const std::vector<InitialValues>& initial, float* loss)
{
    random::Generator generator(1);
    auto context =
        sizes.attends
            ? bahdanau::alignment_model<float>(bahdanau::Score::additive, seq2seq::QueryState::previous,
                                               sizes.hidden, sizes.hidden, generator)
            : seq2seq::last_state<float>();
    const auto translator = std::make_shared<const seq2seq::Translator<float>>(
        seq2seq::TranslatorOptions{sizes.n_source_words, sizes.n_target_words,
                                   sizes.d_embedding, sizes.hidden},
        std::move(context), generator);
    start_from(translator->parameters(), initial);

    const text::Batch batch = batch_of(sizes, source, target_input, answers);
    return training_step(
        translator->parameters(), [=] { return translator->loss(batch); }, loss);
}

std::function<void()> transformer_step(const TransformerSizes& sizes,
                                       const std::int64_t* source,
                                       const std::int64_t* target_input,
                                       const std::int64_t* answers,
                                       const std::vector<InitialValues>& initial, float* loss)
{
    random::Generator generator(1);
    const auto model = std::make_shared<transformer::Transformer<float>>(
        transformer::TransformerOptions{
            .n_source_words = sizes.n_source_words,
            .n_target_words = sizes.n_target_words,
            .layer = {.d_model = sizes.d, .n_heads = sizes.n_heads, .d_ff = sizes.d_ff},
            .label_smoothing = sizes.label_smoothing},
        generator);
    // As the peer may, compute attention in one pass.
    model->set_computation(simd_transformer::computation_of(
        simd_transformer::model_variants().back(), kernels::execution()));
    start_from(model->parameters(), initial);
    const text::Batch batch = batch_of(sizes, source, target_input, answers);
    return training_step(
        model->parameters(), [=] { return model->loss(batch); }, loss);
}

std::function<void()> add_step(const float* inputs, float* loss)
{
    Variable<float> a = autograd::parameter(copied(inputs, {1, 1}));
    Variable<float> b = autograd::parameter(copied(inputs + 1, {1, 1}));
    auto tape = std::make_shared<autograd::Tape<float>>();
    return [a, b, tape, loss]() mutable {
        const Variable<float> sum = a + b;
        backward(sum);
        a.clear_gradient();
        b.clear_gradient();
        if (loss != nullptr) {
            *loss = sum.item();
        }
    };
}

} // namespace attn::bench::ours
