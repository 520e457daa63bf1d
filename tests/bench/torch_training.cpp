#include "tests/bench/torch_training.hpp"

#include <cmath>
#include <memory>

namespace attn::bench::torch_peer {

namespace {

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

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
/// Adam in one operator for all parameters; the class of the C++ library takes a dozen for each.
class Adam
{
public:
    explicit Adam(const std::vector<Tensor>& parameters)
        : parameters_(parameters), steps_(parameters.size(), torch::zeros({}))
    {
        for (const Tensor& parameter : parameters_) {
            means_.push_back(torch::zeros_like(parameter));
            squares_.push_back(torch::zeros_like(parameter));
        }
    }
    void step()
    {
        const torch::NoGradGuard no_gradient;
        std::vector<Tensor> gradients;
        for (const Tensor& parameter : parameters_) {
            gradients.push_back(parameter.grad());
        }
        steps_.front().add_(1); // all are the same one
        at::_fused_adam_(parameters_, gradients, means_, squares_, {}, steps_, learning_rate,
                         0.9, 0.999, 0.0, 1e-8, false, false);
    }

private:
    std::vector<Tensor> parameters_;
    std::vector<Tensor> means_;
    std::vector<Tensor> squares_;
    std::vector<Tensor> steps_;
};
#else
/// Adam, as the C++ library offers it.
class Adam : public torch::optim::Adam
{
public:
    explicit Adam(const std::vector<Tensor>& parameters)
        : torch::optim::Adam(parameters, torch::optim::AdamOptions(learning_rate))
    {
    }
};
#endif

} // namespace

// from_blob wants to be able to write; clone only reads.
Tensor copied(const float* values, at::IntArrayRef shape)
{
    return torch::from_blob(const_cast<float*>(values), shape, torch::kFloat).clone();
}

Tensor copied(const std::int64_t* values, std::size_t n)
{
    return torch::from_blob(const_cast<std::int64_t*>(values), {signed_size(n)}, torch::kLong)
        .clone();
}

Tensor words_by_step(const std::int64_t* words, std::size_t batch, std::size_t n)
{
    return copied(words, batch * n).view({signed_size(batch), signed_size(n)}).t().contiguous();
}

Tensor uniform(at::IntArrayRef shape, std::size_t fan)
{
    const double bound = 1 / std::sqrt(static_cast<double>(fan));
    return torch::empty(shape).uniform_(-bound, bound).requires_grad_();
}

Tensor step_of_gru(const Tensor& gates, const Tensor& state, const Tensor& weight,
                   const Tensor& bias)
{
    const std::int64_t n = state.size(1);
    const auto of_input = gates.unsafe_split_with_sizes({2 * n, n}, 1);
    const auto of_state =
        torch::linear(state, weight, bias).unsafe_split_with_sizes({2 * n, n}, 1);
    // Reset and update gate, and the candidate.
    const auto both = of_state[0].add_(of_input[0]).sigmoid_().unsafe_chunk(2, 1);
    const Tensor candidate = torch::addcmul(of_input[1], both[0], of_state[1]).tanh_();
    return torch::lerp(candidate, state, both[1]);
}

std::vector<Tensor> gru_states(const Tensor& gates, const Tensor& state, const Tensor& weight,
                               const Tensor& bias, bool backward)
{
    const std::vector<Tensor> steps = gates.unbind(0);
    std::vector<Tensor> states(steps.size());
    Tensor last = state;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::size_t t = backward ? steps.size() - 1 - i : i;
        last = states[t] = step_of_gru(steps[t], last, weight, bias);
    }
    return states;
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

std::function<void()> training_step(const Named& parameters, std::function<Tensor()> loss_of,
                                    const Report& report)
{
    if (report.initial != nullptr) {
        *report.initial = exported(parameters);
    }
    const std::vector<Tensor> tensors = tensors_of(parameters);
    const auto adam = std::make_shared<Adam>(tensors);
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

} // namespace attn::bench::torch_peer
