/// \file
/// \brief PyTorch's recurrent networks: gru_step(), attentive_rnn_step() and translator_step()
/// of torch_peers.hpp.
#include "tests/bench/torch_training.hpp"

namespace attn::bench::torch_peer {

namespace {

/// [batch, n_steps, n_features] as PyTorch's recurrent layers work on it:
/// [n_steps, batch, n_features].
Tensor steps_first(const float* x, const RecurrentSizes& sizes)
{
    return copied(x, {signed_size(sizes.batch), signed_size(sizes.n_steps),
                      signed_size(sizes.n_features)})
        .transpose(0, 1)
        .contiguous();
}

} // namespace

std::function<void()> gru_step(const float* x, const float* y, bool written,
                               const Report& report)
{
    constexpr RecurrentSizes sizes = gru_sizes;
    const auto batch = signed_size(sizes.batch);
    const auto hidden = signed_size(sizes.hidden);
    const auto n_outputs = signed_size(sizes.n_outputs);

    torch::manual_seed(1);
    torch::nn::GRU gru(signed_size(sizes.n_features), hidden);
    torch::nn::Linear head(hidden, n_outputs);
    const std::vector<Tensor> weights = gru->all_weights();
    const Named parameters = {{"weight_ih", weights[0]},     {"weight_hh", weights[1]},
                              {"bias_ih", weights[2]},       {"bias_hh", weights[3]},
                              {"head.weight", head->weight}, {"head.bias", head->bias}};

    const Tensor steps = steps_first(x, sizes);                 // [n_steps, batch, n_features]
    const Tensor targets = copied(y, {batch, n_outputs});       // [batch, 1]
    const Tensor zero_state = torch::zeros({1, batch, hidden}); // [1, batch, hidden]
    return training_step(
        parameters,
        [=]() mutable {
            const Tensor last = written
                                    ? gru_states(torch::linear(steps, weights[0], weights[2]),
                                                 zero_state[0], weights[1], weights[3])
                                          .back()
                                    : std::get<1>(gru->forward(steps, zero_state))[0];
            return torch::mse_loss(head->forward(last), targets);
        },
        report);
}

// Of nine ways to write it none took less time: scores and context from torch::bmm, from fused
// attention or from torch::einsum took more. At this size a call costs more than its
// arithmetic, and a product and a sum are cheap calls.
std::function<void()> attentive_rnn_step(const float* x, const std::int64_t* classes,
                                         const Report& report)
{
    constexpr RecurrentSizes sizes = attentive_rnn_sizes;
    const auto batch = signed_size(sizes.batch);
    const auto n_steps = signed_size(sizes.n_steps);
    const auto n_features = signed_size(sizes.n_features);
    const auto hidden = signed_size(sizes.hidden);
    const auto n_classes = signed_size(sizes.n_outputs);

    torch::manual_seed(1);
    const Tensor w_i = uniform({hidden, n_features}, sizes.hidden);
    const Tensor w_h = uniform({hidden, 2 * hidden}, sizes.hidden);
    const Tensor b = uniform({hidden}, sizes.hidden);
    const Tensor head_weight = uniform({n_classes, hidden}, sizes.hidden);
    const Tensor head_bias = uniform({n_classes}, sizes.hidden);

    const Tensor flat =
        steps_first(x, sizes).view({-1, n_features});        // [n_steps batch, n_features]
    const Tensor targets = copied(classes, sizes.batch);     // [batch]
    const Tensor zero_state = torch::zeros({batch, hidden}); // [batch, hidden]
    return training_step(
        {{"W_i", w_i},
         {"W_h", w_h},
         {"b", b},
         {"head.weight", head_weight},
         {"head.bias", head_bias}},
        [=] {
            // The inputs' share of all steps in one product.
            const std::vector<Tensor> inputs =
                torch::addmm(b, flat, w_i.t()).view({n_steps, batch, hidden}).unbind(0);
            const Tensor w_h_t = w_h.t();

            Tensor h = zero_state;          // [batch, hidden]
            Tensor states = h.unsqueeze(0); // [steps so far, batch, hidden]
            for (std::size_t t = 0; t < inputs.size(); ++t) {
                const Tensor scores = (states * h).sum(2, true);  // [steps so far, batch, 1]
                const Tensor weights = torch::softmax(scores, 0); // [steps so far, batch, 1]
                const Tensor context = (weights * states).sum(0); // [batch, hidden]
                h = torch::addmm(inputs[t], torch::cat({h, context}, 1), w_h_t).tanh_();
                if (t + 1 < inputs.size()) {
                    states = torch::cat({states, h.unsqueeze(0)}, 0);
                }
            }
            return torch::cross_entropy_loss(torch::linear(h, head_weight, head_bias), targets);
        },
        report);
}

// ---------------------------------------------------------------- the translator

namespace {

/// The translator's decoder: its step is written out, so that the words' share of the gates is
/// one product for all steps, and so is the readout.
struct TranslatorDecoder
{
    Tensor embedding;
    Tensor first_weight, first_bias, word_weight, word_bias, context_weight, weight_hh, bias_hh;
    Tensor readout_weight, readout_bias, output_weight, output_bias;
    Tensor keys_weight, keys_bias, query_weight, score_weight;
    bool attends;

    explicit TranslatorDecoder(const TranslatorSizes& sizes) : attends(sizes.attends)
    {
        const auto e = signed_size(sizes.d_embedding);
        const auto h = signed_size(sizes.hidden);
        const auto n_words = signed_size(sizes.n_target_words);
        embedding = torch::randn({n_words, e}).requires_grad_();
        first_weight = uniform({h, h}, sizes.hidden);
        first_bias = uniform({h}, sizes.hidden);
        word_weight = uniform({3 * h, e}, sizes.hidden);
        word_bias = uniform({3 * h}, sizes.hidden);
        context_weight = uniform({3 * h, h}, sizes.hidden);
        weight_hh = uniform({3 * h, h}, sizes.hidden);
        bias_hh = uniform({3 * h}, sizes.hidden);
        readout_weight = uniform({h, 2 * h + e}, sizes.hidden);
        readout_bias = uniform({h}, sizes.hidden);
        output_weight = uniform({n_words, h}, sizes.hidden);
        output_bias = uniform({n_words}, sizes.hidden);
        keys_weight = uniform({h, h}, sizes.hidden);
        keys_bias = uniform({h}, sizes.hidden);
        query_weight = uniform({h, h}, sizes.hidden);
        score_weight = uniform({1, h}, sizes.hidden);
    }

    Named parameters() const
    {
        Named all = {{"decoder.embedding", embedding},   {"first.weight", first_weight},
                     {"first.bias", first_bias},         {"word.weight", word_weight},
                     {"word.bias", word_bias},           {"context.weight", context_weight},
                     {"weight_hh", weight_hh},           {"bias_hh", bias_hh},
                     {"readout.weight", readout_weight}, {"readout.bias", readout_bias},
                     {"output.weight", output_weight},   {"output.bias", output_bias}};
        if (attends) {
            all.insert(all.end(), {{"keys.weight", keys_weight},
                                   {"keys.bias", keys_bias},
                                   {"query.weight", query_weight},
                                   {"score.weight", score_weight}});
        }
        return all;
    }

    /// With additive scores before each step. The context is a product and a sum over the
    /// steps, which takes less time than `torch::bmm` on these sizes.
    void write_attending(const Tensor& states, const Tensor& first, const Tensor& projected,
                         std::vector<Tensor>& written, std::vector<Tensor>& contexts) const
    {
        const Tensor values = states.transpose(0, 1).contiguous(); // [batch, n_source, hidden]
        const Tensor keys = torch::linear(values, keys_weight, keys_bias);
        Tensor state = first;
        for (const Tensor& word : projected.unbind(0)) {
            const Tensor query = torch::linear(state, query_weight).unsqueeze(1);
            const Tensor scores = torch::linear((keys + query).tanh_(), score_weight);
            const Tensor weights = torch::softmax(scores, 1); // [batch, n_source, 1]
            contexts.push_back((weights * values).sum(1));
            const Tensor gates = torch::addmm(word, contexts.back(), context_weight.t());
            state = step_of_gru(gates, state, weight_hh, bias_hh);
            written.push_back(state);
        }
    }

    /// states [n_source, batch, hidden], last [batch, hidden], words [n_target, batch]
    /// -> logits [n_target * batch, n_words]
    Tensor write(const Tensor& states, const Tensor& last, const Tensor& words) const
    {
        const Tensor embedded = torch::embedding(embedding, words);
        const Tensor projected = torch::linear(embedded, word_weight, word_bias);
        const Tensor first = torch::tanh(torch::linear(last, first_weight, first_bias));
        std::vector<Tensor> written;
        std::vector<Tensor> contexts;
        if (attends) {
            write_attending(states, first, projected, written, contexts);
        } else {
            written = gru_states(projected + torch::linear(last, context_weight), first,
                                 weight_hh, bias_hh);
            contexts.assign(written.size(), last);
        }
        const Tensor seen = torch::cat(
            {torch::cat(written, 0), torch::cat(contexts, 0), embedded.flatten(0, 1)}, 1);
        return torch::linear(torch::tanh(torch::linear(seen, readout_weight, readout_bias)),
                             output_weight, output_bias);
    }
};

} // namespace

std::function<void()> translator_step(const TranslatorSizes& sizes, const std::int64_t* source,
                                      const std::int64_t* target_input,
                                      const std::int64_t* answers, const Report& report)
{
    torch::manual_seed(1);
    const auto e = signed_size(sizes.d_embedding);
    const Tensor embedding =
        torch::randn({signed_size(sizes.n_source_words), e}).requires_grad_();
    const auto half = signed_size(sizes.hidden / 2);
    // Of each direction: the weights to the gates from words and state, and their biases.
    const std::vector<Tensor> of_encoder =
        torch::nn::GRU(torch::nn::GRUOptions(e, half).bidirectional(true))->all_weights();
    const Tensor zero = torch::zeros({signed_size(sizes.batch), half});
    const TranslatorDecoder decoder(sizes);

    Named parameters = {{"encoder.embedding", embedding}};
    for (const Tensor& weight : of_encoder) {
        parameters.emplace_back("encoder." + std::to_string(parameters.size()), weight);
    }
    const Named of_decoder = decoder.parameters();
    parameters.insert(parameters.end(), of_decoder.begin(), of_decoder.end());

    const Tensor source_words = words_by_step(source, sizes.batch, sizes.n_source);
    const Tensor target_words = words_by_step(target_input, sizes.batch, sizes.n_target);
    const Tensor targets = words_by_step(answers, sizes.batch, sizes.n_target).flatten();
    return training_step(
        parameters,
        [=] {
            const Tensor words = torch::embedding(embedding, source_words);
            const auto read = [&](const Tensor* weights, bool backward) {
                return gru_states(torch::linear(words, weights[0], weights[2]), zero,
                                  weights[1], weights[3], backward);
            };
            const std::vector<Tensor> there = read(&of_encoder[0], false);
            const std::vector<Tensor> back = read(&of_encoder[4], true);
            const Tensor states = torch::cat({torch::stack(there), torch::stack(back)}, 2);
            const Tensor last = torch::cat({there.back(), back.front()}, 1); // [batch, hidden]
            return torch::cross_entropy_loss(decoder.write(states, last, target_words),
                                             targets);
        },
        report);
}

} // namespace attn::bench::torch_peer
