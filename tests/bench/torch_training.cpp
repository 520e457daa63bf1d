/// \file
/// \brief The bodies of torch_training.hpp.
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

} // namespace attn::bench::torch_peer
