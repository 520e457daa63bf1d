/// \file
/// \brief What torch_peers.hpp says of the process, its perceptron and its smallest graph.
#include "tests/bench/torch_training.hpp"

#include "tests/bench/blas.hpp"

#include <ATen/Version.h>
#include <cstdlib>
#include <limits>
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

std::string Threads::text() const
{
    return own == 1 ? "" : "; BLAS on " + std::to_string(blas) + " of " + std::to_string(own);
}

void set_threads(Threads threads)
{
    at::set_num_threads(threads.own);
    set_blas_threads(threads.blas);
}

std::vector<Threads> settings(std::size_t n_threads)
{
    const int n = static_cast<int>(n_threads);
    return n == 1 ? std::vector<Threads>{{1, 1}} : std::vector<Threads>{{n, 1}, {n, n}};
}

void keep_freed_memory()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0); // a threshold in bytes may be at most 32 MiB
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TOP_PAD, 1 << 26);
#endif
}

std::string version()
{
    const std::string config = at::show_config();
    const std::string key = "CPU capability usage: ";
    const std::size_t at = config.find(key);
    std::string text = std::string("PyTorch ") + TORCH_VERSION + ", eager";
    if (at != std::string::npos) {
        const std::size_t begin = at + key.size();
        text += ", " + config.substr(begin, config.find('\n', at) - begin) + " kernels";
    }
    const std::string blas = blas_version();
    text += "; " + (blas.empty() ? "its BLAS is not OpenBLAS" : blas);
    for (const char* const name : {"OMP_NUM_THREADS", "OMP_WAIT_POLICY", "OMP_PROC_BIND",
                                   "GOMP_SPINCOUNT", "OPENBLAS_NUM_THREADS"}) {
        if (const char* const value = std::getenv(name)) {
            text += std::string("; ") + name + "=" + value;
        }
    }
    return text;
}

std::string name_of(AttentionForm form)
{
    switch (form) {
    case AttentionForm::operators:
        return "operators";
    case AttentionForm::fused:
        return "fused attention";
    default:
        return "in one call";
    }
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
    return [leaf = leaves(inputs, report), target = report.loss] {
        const Tensor sum = leaf.first + leaf.second;
        sum.backward();
        leaf.first.mutable_grad().reset();
        leaf.second.mutable_grad().reset();
        if (target != nullptr) {
            *target = sum.item<float>();
        }
    };
}

std::function<void()> add_step_without_leaves(const float* inputs, const Report& report)
{
    return [leaf = leaves(inputs, report), target = report.loss] {
        const Tensor sum = leaf.first + leaf.second;
        torch::autograd::grad({sum}, {leaf.first, leaf.second});
        if (target != nullptr) {
            *target = sum.item<float>();
        }
    };
}

} // namespace attn::bench::torch_peer
