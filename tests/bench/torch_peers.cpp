/// \file
/// \brief What torch_peers.hpp says of the process, its perceptron and its smallest graph.
#include "tests/bench/torch_training.hpp"

#include <ATen/Version.h>
#include <dlfcn.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attn::bench::torch_peer {

namespace {

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
