/// \file
/// \brief PyTorch's recurrent networks: gru_step() and attentive_rnn_step() of torch_peers.hpp.
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
// attention or from torch::einsum took more. At this size a call costs more than its arithmetic,
// and a product and a sum are cheap calls.
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

} // namespace attn::bench::torch_peer
