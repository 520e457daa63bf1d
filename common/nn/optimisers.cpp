#include "common/nn/optimisers.hpp"

#include "common/kernels/elementary.hpp"
#include "common/kernels/row_blocks.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace attn::nn {

namespace {

/// One array of zeros a parameter.
template <typename T>
std::vector<Array<T>> zeros_like(const Parameters<T>& parameters)
{
    std::vector<Array<T>> zeros;
    for (const NamedParameter<T>& one : parameters) {
        zeros.push_back(filled(one.variable.shape(), T(0)));
    }
    return zeros;
}

/// Lists one array a parameter: "optimiser.means.encoder.weight".
template <typename T>
void list_arrays(State<T>& state, const std::string& prefix, const Parameters<T>& parameters,
                 std::vector<Array<T>>& arrays)
{
    std::size_t index = 0;
    for (const NamedParameter<T>& one : parameters) {
        state.add(prefix + "." + one.name, arrays[index++]);
    }
}

/// What decays by a factor a step, 0 once nothing else can tell: a number below the smallest
/// normal one would slow every later step down and never become 0, because rounding keeps it.
template <typename T>
T faded(T x)
{
    constexpr T negligible = T(0x1p-100);
    return x < negligible && x > -negligible ? T(0) : x;
}

void expect_share(double value, const char* optimiser, const char* option)
{
    expect(value >= 0 && value < 1, "{}: {} must be from 0 to below 1, got {}", optimiser,
           option, value);
}

} // namespace

// ---------------------------------------------------------------- what they have in common

template <typename T>
Optimiser<T>::Optimiser(Parameters<T> parameters, double learning_rate_)
    : learning_rate(learning_rate_), parameters_(std::move(parameters))
{
    expect_positive(learning_rate, "Optimiser", "learning_rate");
    for (const NamedParameter<T>& one : parameters_) {
        shapes_.push_back(one.variable.shape());
    }
}

template <typename T>
void Optimiser<T>::step()
{
    std::size_t index = 0;
    for (const NamedParameter<T>& one : parameters_) {
        autograd::Variable<T> variable = one.variable;
        if (variable.has_gradient()) {
            const Array<T>& gradient = variable.gradient();
            expect(variable.shape() == shapes_[index] && gradient.shape() == shapes_[index],
                   "Optimiser: '{}' had shape {}, and now has {} with a gradient of {}",
                   one.name, shapes_[index], variable.shape(), gradient.shape());
            move(index, numbers_of(variable.value()), numbers_of(gradient));
            variable.clear_gradient();
        }
        ++index;
    }
}

template <typename T>
void Optimiser<T>::list_state(State<T>& state, const std::string& prefix)
{
    state.add(prefix + ".learning_rate", learning_rate);
}

// ---------------------------------------------------------------- gradient descent

template <typename T>
Sgd<T>::Sgd(Parameters<T> parameters, Options options)
    : Optimiser<T>(std::move(parameters), options.learning_rate),
      momenta(zeros_like(this->parameters())), options_(options)
{
    expect_share(options.momentum, "Sgd", "momentum");
    expect(options.weight_decay >= 0, "Sgd: weight_decay must not be negative, got {}",
           options.weight_decay);
}

template <typename T>
void Sgd<T>::list_state(State<T>& state, const std::string& prefix)
{
    Optimiser<T>::list_state(state, prefix);
    list_arrays(state, prefix + ".momenta", this->parameters(), momenta);
}

template <typename T>
void Sgd<T>::move(std::size_t index, std::span<T> values, std::span<const T> gradient)
{
    const T eta = static_cast<T>(this->learning_rate);
    const T mu = static_cast<T>(options_.momentum);
    const T decay = static_cast<T>(options_.weight_decay);
    T* const theta = values.data();
    const T* const g = gradient.data();
    T* const b = momenta[index].data();
    const std::size_t n = values.size();
    for (std::size_t i = 0; i < n; ++i) {
        b[i] = faded(mu * b[i] + (g[i] + decay * theta[i]));
        theta[i] -= eta * b[i];
    }
}

// ---------------------------------------------------------------- Adam

template <typename T>
Adam<T>::Adam(Parameters<T> parameters, Options options)
    : Optimiser<T>(std::move(parameters), options.learning_rate),
      means(zeros_like(this->parameters())), mean_squares(zeros_like(this->parameters())),
      n_steps(this->parameters().size(), 0), options_(options)
{
    expect_share(options.beta_1, "Adam", "beta_1");
    expect_share(options.beta_2, "Adam", "beta_2");
    expect_positive(options.epsilon, "Adam", "epsilon");
    expect(options.weight_decay >= 0, "Adam: weight_decay must not be negative, got {}",
           options.weight_decay);
}

template <typename T>
void Adam<T>::list_state(State<T>& state, const std::string& prefix)
{
    Optimiser<T>::list_state(state, prefix);
    list_arrays(state, prefix + ".means", this->parameters(), means);
    list_arrays(state, prefix + ".mean_squares", this->parameters(), mean_squares);
    std::size_t index = 0;
    for (const NamedParameter<T>& one : this->parameters()) {
        state.add(prefix + ".n_steps." + one.name, n_steps[index++]);
    }
}

template <typename T>
void Adam<T>::move(std::size_t index, std::span<T> values, std::span<const T> gradient)
{
    const std::int64_t t = ++n_steps[index];
    const T beta_1 = static_cast<T>(options_.beta_1);
    const T beta_2 = static_cast<T>(options_.beta_2);
    const T epsilon = static_cast<T>(options_.epsilon);
    const double decay = options_.weight_decay;
    const bool decoupled = options_.decay == Decay::decoupled;
    const T shrink = static_cast<T>(decoupled ? 1 - this->learning_rate * decay : 1.0);
    const T penalty = static_cast<T>(decoupled ? 0.0 : decay);

    // The corrections of m and v, taken out of the loop.
    const T eta =
        static_cast<T>(this->learning_rate / (1 - elementary::power(options_.beta_1, t)));
    const T root = static_cast<T>(1 / std::sqrt(1 - elementary::power(options_.beta_2, t)));

    T* const theta = values.data();
    const T* const g = gradient.data();
    T* const m = means[index].data();
    T* const v = mean_squares[index].data();
    const auto move_one = [=](std::size_t i) {
        const T g_i = g[i] + penalty * theta[i];
        m[i] = faded(beta_1 * m[i] + (1 - beta_1) * g_i);
        v[i] = faded(beta_2 * v[i] + (1 - beta_2) * g_i * g_i);
        theta[i] = shrink * theta[i] - eta * m[i] / (std::sqrt(v[i]) * root + epsilon);
    };
    kernels::for_each_run_of_numbers(values.size(), [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
            move_one(i);
        }
    });
}

// ---------------------------------------------------------------- clipping

template <typename T>
double clip_by_global_norm(Parameters<T>& parameters, double largest)
{
    expect_positive(largest, "clip_by_global_norm", "largest");
    double squares = 0.0;
    for (const NamedParameter<T>& one : parameters) {
        if (one.variable.has_gradient()) {
            for (const T g : numbers_of(one.variable.gradient())) {
                squares += static_cast<double>(g) * static_cast<double>(g);
            }
        }
    }
    const double norm = std::sqrt(squares);
    const double factor = largest / (norm + 1e-6);
    if (factor < 1) {
        for (const NamedParameter<T>& one : parameters) {
            autograd::Variable<T> variable = one.variable;
            if (variable.has_gradient()) {
                for (T& g : numbers_of(variable.gradient())) {
                    g *= static_cast<T>(factor);
                }
            }
        }
    }
    return norm;
}

template class Optimiser<float>;
template class Optimiser<double>;
template class Sgd<float>;
template class Sgd<double>;
template class Adam<float>;
template class Adam<double>;
template double clip_by_global_norm(Parameters<float>&, double);
template double clip_by_global_norm(Parameters<double>&, double);

Schedule warm_up(std::size_t n_warm_up, Schedule afterwards)
{
    expect(n_warm_up > 0, "warm_up: n_warm_up must be at least 1, got 0");
    return [n_warm_up, afterwards = std::move(afterwards)](std::size_t step) {
        return step < n_warm_up ? static_cast<double>(step + 1) / static_cast<double>(n_warm_up)
                                : afterwards(step - n_warm_up);
    };
}

Schedule linear_decay(std::size_t n_steps, double last)
{
    expect(n_steps > 0, "linear_decay: n_steps must be at least 1, got 0");
    expect(last >= 0 && last <= 1, "linear_decay: last must be from 0 to 1, got {}", last);
    return [n_steps, last](std::size_t step) {
        const double gone =
            static_cast<double>(std::min(step, n_steps)) / static_cast<double>(n_steps);
        return 1 - (1 - last) * gone;
    };
}

Schedule cosine_decay(std::size_t n_steps, double last)
{
    expect(n_steps > 0, "cosine_decay: n_steps must be at least 1, got 0");
    expect(last >= 0 && last <= 1, "cosine_decay: last must be from 0 to 1, got {}", last);
    return [n_steps, last](std::size_t step) {
        const double gone =
            static_cast<double>(std::min(step, n_steps)) / static_cast<double>(n_steps);
        return last + (1 - last) * (1 + elementary::cos(std::numbers::pi * gone)) / 2;
    };
}

} // namespace attn::nn
