#include "tests/bench/torch_peers.hpp"

#include <ATen/Version.h>
#include <cmath>
#include <dlfcn.h>
#include <memory>
#include <torch/torch.h>
#include <utility>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attn::bench::torch_peer {

namespace {

using torch::Tensor;
using Named = std::vector<std::pair<std::string, Tensor>>;

constexpr std::int64_t signed_size(std::size_t n)
{
    return static_cast<std::int64_t>(n);
}

/// PyTorch's own copy of floats. (from_blob wants to be able to write, clone only reads.)
Tensor copied(const float* values, at::IntArrayRef shape)
{
    return torch::from_blob(const_cast<float*>(values), shape, torch::kFloat).clone();
}

/// PyTorch's own copy of class numbers.
Tensor copied(const std::int64_t* values, std::size_t n)
{
    return torch::from_blob(const_cast<std::int64_t*>(values), {signed_size(n)}, torch::kLong)
        .clone();
}

/// [batch, n_steps, n_features] as PyTorch's recurrent layers work on it:
/// [n_steps, batch, n_features].
Tensor steps_first(const float* x, const RecurrentSizes& sizes)
{
    return copied(x, {signed_size(sizes.batch), signed_size(sizes.n_steps),
                      signed_size(sizes.n_features)})
        .transpose(0, 1)
        .contiguous();
}

/// A parameter, uniform in ±1/sqrt(fan), as PyTorch's recurrent layers begin.
Tensor uniform(at::IntArrayRef shape, std::size_t fan)
{
    const double bound = 1 / std::sqrt(static_cast<double>(fan));
    return torch::empty(shape).uniform_(-bound, bound).requires_grad_();
}

std::vector<InitialValues> exported(const Named& parameters)
{
    std::vector<InitialValues> all;
    for (const auto& [name, tensor] : parameters) {
        const Tensor values = tensor.detach().contiguous();
        const float* data = values.data_ptr<float>();
        all.push_back({name,
                       {values.sizes().begin(), values.sizes().end()},
                       {data, data + values.numel()}});
    }
    return all;
}

std::vector<Tensor> tensors_of(const Named& parameters)
{
    std::vector<Tensor> tensors;
    for (const auto& [name, tensor] : parameters) {
        tensors.push_back(tensor);
    }
    return tensors;
}

/// Gradients become undefined, as zero_grad(set_to_none) makes them: the next backward pass
/// hands its own over instead of adding to zeros. (PyTorch 1.13's C++ optimisers can only
/// fill with zeros.)
void forget_gradients(const std::vector<Tensor>& parameters)
{
    for (const Tensor& parameter : parameters) {
        parameter.mutable_grad().reset();
    }
}

/// The training step that all models share.
/// \param parameters  whatever wants a gradient
/// \param loss_of     the forward pass
std::function<void()> training_step(const Named& parameters, std::function<Tensor()> loss_of,
                                    const Report& report)
{
    if (report.initial != nullptr) {
        *report.initial = exported(parameters);
    }
    const std::vector<Tensor> tensors = tensors_of(parameters);
    auto adam =
        std::make_shared<torch::optim::Adam>(tensors, torch::optim::AdamOptions(learning_rate));
    return [tensors, adam, loss_of = std::move(loss_of), target = report.loss] {
        const Tensor loss = loss_of();
        loss.backward();
        adam->step();
        forget_gradients(tensors);
        if (target != nullptr) {
            *target = loss.item<float>();
        }
    };
}

/// The two leaves of the smallest graph.
std::pair<Tensor, Tensor> leaves(const float* inputs, const Report& report)
{
    const Tensor a = copied(inputs, {1, 1}).requires_grad_();
    const Tensor b = copied(inputs + 1, {1, 1}).requires_grad_();
    if (report.initial != nullptr) {
        *report.initial = exported({{"a", a}, {"b", b}});
    }
    return {a, b};
}

} // namespace

void set_threads(int n)
{
    at::set_num_threads(n);
    // OpenBLAS's own function, if an OpenBLAS is what was loaded as BLAS.
    using Setter = void (*)(int);
    if (auto set = reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
        set(n);
    }
}

void keep_freed_memory()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25); // the most that every glibc accepts
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 1 << 26);
#endif
}

std::string version()
{
    const std::string config = at::show_config();
    const std::string key = "CPU capability usage: ";
    const std::size_t at = config.find(key);
    const std::string capability =
        at == std::string::npos
            ? "unknown kernels"
            : config.substr(at + key.size(), config.find('\n', at) - at - key.size());
    return std::string("PyTorch ") + TORCH_VERSION + ", " + capability;
}

std::function<void()> gru_step(const float* x, const float* y, const Report& report)
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
            const Tensor last = std::get<1>(gru->forward(steps, zero_state))[0];
            return torch::mse_loss(head->forward(last), targets);
        },
        report);
}

// Of a dozen ways to write it this one took the least time among those that read like the
// formula; scores and context from torch::bmm, on stacked or on growing states, took more. At
// this size a call costs more than its arithmetic, and a product and a sum are cheap calls.
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
                h = torch::tanh(torch::addmm(inputs[t], torch::cat({h, context}, 1), w_h_t));
                if (t + 1 < inputs.size()) {
                    states = torch::cat({states, h.unsqueeze(0)}, 0);
                }
            }
            return torch::cross_entropy_loss(torch::linear(h, head_weight, head_bias), targets);
        },
        report);
}

std::function<void()> perceptron_step(const float* x, const std::int64_t* classes,
                                      const Report& report)
{
    constexpr PerceptronSizes sizes = perceptron_sizes;
    const auto n_features = signed_size(sizes.n_features);
    const auto n_hidden = signed_size(sizes.hidden);

    torch::manual_seed(1);
    torch::nn::Linear hidden(n_features, n_hidden);
    torch::nn::Linear head(n_hidden, signed_size(sizes.n_classes));

    const Tensor inputs =
        copied(x, {signed_size(sizes.batch), n_features}); // [batch, n_features]
    const Tensor targets = copied(classes, sizes.batch);   // [batch]
    return training_step(
        {{"hidden.weight", hidden->weight},
         {"hidden.bias", hidden->bias},
         {"head.weight", head->weight},
         {"head.bias", head->bias}},
        [=]() mutable {
            const Tensor logits = head->forward(torch::relu(hidden->forward(inputs)));
            return torch::cross_entropy_loss(logits, targets);
        },
        report);
}

std::function<void()> add_step(const float* inputs, const Report& report)
{
    const auto [a, b] = leaves(inputs, report);
    return [a = a, b = b, target = report.loss] {
        const Tensor sum = a + b;
        sum.backward();
        a.mutable_grad().reset();
        b.mutable_grad().reset();
        if (target != nullptr) {
            *target = sum.item<float>();
        }
    };
}

std::function<void()> add_step_without_leaves(const float* inputs, const Report& report)
{
    const auto [a, b] = leaves(inputs, report);
    return [a = a, b = b, target = report.loss] {
        const Tensor sum = a + b;
        torch::autograd::grad({sum}, {a, b});
        if (target != nullptr) {
            *target = sum.item<float>();
        }
    };
}

} // namespace attn::bench::torch_peer
