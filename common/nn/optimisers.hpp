/// \file
/// \brief How parameters follow their gradients: stochastic gradient descent with momentum,
/// Adam and AdamW, with the arithmetic of PyTorch, the clipping of gradients, and how the learning
/// rate changes over the steps.
#pragma once

#include "common/nn/parameters.hpp"
#include "common/nn/state.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace attn::nn {

/// What all optimisers have in common.
template <typename T>
class Optimiser
{
public:
    /// \param parameters      what is to be learnt; shared with the model
    /// \param learning_rate_  above 0
    /// \throws ContractError if the learning rate is not positive
    Optimiser(Parameters<T> parameters, double learning_rate_);
    virtual ~Optimiser() = default;
    Optimiser(const Optimiser&) = delete;            ///< one model, one optimiser
    Optimiser& operator=(const Optimiser&) = delete; ///< one model, one optimiser

    /// Moves every parameter that a gradient has reached, and forgets the gradients.
    /// \throws ContractError if one was given another shape since the optimiser was made
    void step();

    /// Lists what changes from step to step, for checkpoints.
    /// \param state   where it goes; refers to this optimiser afterwards
    /// \param prefix  "optimiser": what stands before the names
    virtual void list_state(State<T>& state, const std::string& prefix);

    /// \returns what is learnt
    Parameters<T>& parameters() { return parameters_; }

    double learning_rate; ///< of the next step

protected:
    /// Moves one parameter.
    virtual void move(std::size_t index, std::span<T> values, std::span<const T> gradient) = 0;

private:
    Parameters<T> parameters_;
    std::vector<Shape> shapes_;
};

/// Stochastic gradient descent with momentum,
/// \f$ b \leftarrow \mu b + g,\; \theta \leftarrow \theta - \eta b \f$. The first step has
/// \f$ b = g \f$.
template <typename T>
class Sgd final : public Optimiser<T>
{
public:
    /// What may be chosen.
    struct Options
    {
        double learning_rate = 0.1; ///< eta
        double momentum = 0.0;      ///< mu, from 0 to below 1
        double weight_decay = 0.0;  ///< times the parameter, added to the gradient
    };

    /// \throws ContractError if an option is out of range
    Sgd(Parameters<T> parameters, Options options);

    void list_state(State<T>& state, const std::string& prefix) override;

    std::vector<Array<T>> momenta; ///< b of each parameter, of its shape; zeros at first

private:
    void move(std::size_t index, std::span<T> values, std::span<const T> gradient) override;

    Options options_;
};

/// Where weight decay enters Adam.
enum class Decay
{
    in_gradient, ///< added to the gradient, and so divided by its size: Adam with an L2 penalty
    decoupled    ///< taken off the parameter itself: AdamW
};

/// Adam (\cite kingma2015, algorithm 1) and AdamW (\cite loshchilov2019, algorithm 2).
///
/// \f[ m \leftarrow \beta_1 m + (1 - \beta_1) g , \quad
///     v \leftarrow \beta_2 v + (1 - \beta_2) g^2 , \f]
/// \f[ \hat m = m / (1 - \beta_1^t) , \quad \hat v = v / (1 - \beta_2^t) , \quad
///     \theta \leftarrow \theta - \eta \hat m / (\sqrt{\hat v} + \epsilon) \f]
///
template <typename T>
class Adam final : public Optimiser<T>
{
public:
    /// What may be chosen.
    struct Options
    {
        double learning_rate = 1e-3;      ///< eta
        double beta_1 = 0.9;              ///< memory of the mean
        double beta_2 = 0.999;            ///< memory of the mean square
        double epsilon = 1e-8;            ///< keeps the quotient finite
        double weight_decay = 0.0;        ///< times the parameter
        Decay decay = Decay::in_gradient; ///< where that enters
    };

    /// \throws ContractError if an option is out of range
    Adam(Parameters<T> parameters, Options options);

    void list_state(State<T>& state, const std::string& prefix) override;

    std::vector<Array<T>> means;        ///< m of each parameter, of its shape; zeros at first
    std::vector<Array<T>> mean_squares; ///< v of each parameter, of its shape; zeros at first
    std::vector<std::int64_t> n_steps;  ///< t of each parameter: the steps it was moved in

private:
    void move(std::size_t index, std::span<T> values, std::span<const T> gradient) override;

    Options options_;
};

/// Scales all gradients by one number so that their joint norm is at most a bound
/// (\cite pascanu2013, algorithm 1): by \f$ \min(1, c / (\lVert g \rVert + 10^{-6})) \f$, as
/// PyTorch does.
/// \param parameters  those without a gradient count as zero
/// \param largest     c, above 0
/// \returns           the norm before
/// \throws ContractError if the bound is not positive
template <typename T>
double clip_by_global_norm(Parameters<T>& parameters, double largest);

extern template class Optimiser<float>;
extern template class Optimiser<double>;
extern template class Sgd<float>;
extern template class Sgd<double>;
extern template class Adam<float>;
extern template class Adam<double>;

/// The factor for a step, counted from 0.
using Schedule = std::function<double(std::size_t step)>;

/// Rises in a straight line, then does what another schedule says.
/// \param n_warm_up   steps of the rise; step 0 has the factor 1 / n_warm_up
/// \param afterwards  asked for the steps after the rise, counted from 0 again
/// \throws ContractError if n_warm_up is 0
Schedule warm_up(std::size_t n_warm_up, Schedule afterwards);

/// Falls in a straight line from 1, and stays where it ends.
/// \param n_steps  steps of the fall, at least 1
/// \param last     the factor from step n_steps on, from 0 to 1
/// \returns        max(last, 1 - (1 - last) step / n_steps)
/// \throws ContractError if n_steps is 0 or last is not a share
Schedule linear_decay(std::size_t n_steps, double last = 0.0);

/// Falls from 1 along half a period of a cosine, and stays where it ends
/// (\cite loshchilov2017, equation 5).
/// \param n_steps  steps of the fall, at least 1
/// \param last     the factor from step n_steps on, from 0 to 1
/// \returns        last + (1 - last) (1 + cos(pi min(step, n_steps) / n_steps)) / 2
/// \throws ContractError if n_steps is 0 or last is not a share
Schedule cosine_decay(std::size_t n_steps, double last = 0.0);

} // namespace attn::nn
