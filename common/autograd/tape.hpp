/// \file
/// \brief Reverse-mode differentiation: variables, the tape on which the steps of a computation
/// are written down, and the walk back along it. This is all there is to it; what a step
/// computes, and how its gradient goes back, is in the operators beside this file. Deliberately
/// without second derivatives: the walk back is not itself recorded.
#pragma once

#include "common/tensor/array.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// Differentiation along a tape.
namespace attn::autograd {

// [tape]
/// A value of the computation.
/// \tparam T  float or double
template <typename T>
struct Node : Pooled
{
    Array<T> value;                   ///< what a step computed, or what was given
    bool needs_gradient;              ///< whether a parameter stands behind it
    bool has_gradient = false;        ///< whether something has flowed in
    bool spent = false;               ///< whether its step is gone, and no gradient goes on
    std::uint32_t depth = 0;          ///< of the tape that holds its step; 0 if none does
    std::optional<Array<T>> gradient; ///< d loss / d value; before, memory for it, if any

    /// A value that nothing was computed for: a parameter if it needs a gradient, or a constant.
    Node(Array<T>&& value_, bool needs_gradient_)
        : value(std::move(value_)), needs_gradient(needs_gradient_)
    {
    }
    virtual ~Node() = default;
    virtual void backward() {} ///< Passes the gradient on to what the value was computed from.
    virtual void forget() noexcept {} ///< Lets go of what the value was computed from.
};

/// A value that a step of the tape computed.
/// \tparam T     float or double
/// \tparam Rule  callable as rule(value, gradient): adds to the gradients of the step's inputs
template <typename T, typename Rule>
struct Step final : Node<T>
{
    std::optional<Rule> rule; ///< holds the inputs, until it has been used

    /// The step has been taken, this is for the backward pass.
    Step(Array<T>&& value_, Rule&& rule_)
        : Node<T>(std::move(value_), true), rule(std::move(rule_))
    {
    }
    void backward() override
    {
        if (this->has_gradient) {
            (*rule)(this->value, *this->gradient);
        }
        forget();
    }
    void forget() noexcept override
    {
        rule.reset();
        this->spent = true;
    }
};

/// The steps of a computation in the order in which they were taken.
template <typename T>
class Tape
{
public:
    /// From now on this thread's steps go here.
    Tape() : depth_(++n_alive), outer_(current) { current = this; }
    /// The steps go to the tape again that was current before, if any.
    ~Tape()
    {
        forget();
        current = outer_;
        --n_alive;
    }
    Tape(const Tape&) = delete;            ///< one computation, one tape
    Tape& operator=(const Tape&) = delete; ///< one computation, one tape

    /// Writes a step down.
    /// \param step  the value that was computed, with its rule
    void append(std::shared_ptr<Node<T>> step)
    {
        step->depth = depth_;
        steps_.push_back(std::move(step));
    }

    /// Walks back from a loss: d loss / d parameter is added to each parameter's gradient. The
    /// tape is empty afterwards, and of the values in between those are left that somebody holds.
    /// \param loss  one number, computed on this tape
    /// \throws ContractError if it is not one number, no parameter stands behind it, it or a value
    ///         that it depends on was computed on another tape, or backward was called before, for
    ///         this loss or another one
    void backward(Node<T>& loss)
    {
        expect(loss.value.size() == 1, "backward: the loss must be one number, got shape {}",
               loss.value.shape());
        expect(loss.needs_gradient, "backward: no parameter stands behind the loss");
        expect(!loss.spent,
               "backward: the steps to this loss are gone, with an earlier backward or "
               "their tape; several losses of one tape are added up first");
        expect(std::any_of(steps_.rbegin(), steps_.rend(),
                           [&](const auto& step) { return step.get() == &loss; }),
               "backward: the loss was not computed on this tape");
        loss.gradient.emplace(loss.value.shape(), T(1));
        loss.has_gradient = true;
        while (!steps_.empty()) {
            const std::shared_ptr<Node<T>> step = std::move(steps_.back());
            steps_.pop_back();
            step->backward();
        }
    }

    /// Drops the steps without walking back, the last one first, so that none is destroyed from
    /// within another: a value that somebody holds does not hold its inputs afterwards.
    void forget() noexcept
    {
        while (!steps_.empty()) {
            steps_.back()->forget();
            steps_.pop_back();
        }
    }

    /// \returns how many tapes of this thread were alive when it was made, itself included
    std::uint32_t depth() const { return depth_; }

    static inline thread_local Tape* current = nullptr; ///< where this thread's steps go

private:
    static inline thread_local std::uint32_t n_alive = 0;

    std::uint32_t depth_;
    std::vector<std::shared_ptr<Node<T>>> steps_;
    Tape* outer_;
};
// [tape]

/// Nothing is recorded while it lives: for predictions, where nobody will walk back.
template <typename T>
class NoGradient
{
public:
    NoGradient() : outer_(std::exchange(Tape<T>::current, nullptr)) {} ///< Takes the tape away.
    ~NoGradient() { Tape<T>::current = outer_; }                       ///< Puts it back.
    NoGradient(const NoGradient&) = delete;                            ///< one scope, one guard
    NoGradient& operator=(const NoGradient&) = delete;                 ///< one scope, one guard

private:
    Tape<T>* outer_;
};

/// A handle on a value of the computation: what formulas are written with. Copies refer to the
/// same value. Made from an array it is a constant.
template <typename T>
class Variable
{
public:
    /// A constant.
    Variable(Array<T> value) // NOLINT(google-explicit-constructor): arrays enter formulas
        : node_(owned(std::make_unique<Node<T>>(std::move(value), false)))
    {
    }

    /// The result of a step, or a parameter.
    /// \param node  not null
    explicit Variable(std::shared_ptr<Node<T>> node) : node_(std::move(node)) {}

    /// \returns the value
    const Array<T>& value() const { return node_->value; }
    /// \returns the value, to be changed between two walks, as optimisers do
    Array<T>& value() { return node_->value; }
    /// \returns the lengths of the value's axes
    const Shape& shape() const { return node_->value.shape(); }
    /// \returns how many numbers the value holds
    std::size_t size() const { return node_->value.size(); }
    /// \returns how many axes the value has
    std::size_t rank() const { return node_->value.dimension(); }
    /// \returns whether a parameter stands behind the value
    bool needs_gradient() const { return node_->needs_gradient; }
    /// \returns whether a walk back has reached the value since clear_gradient()
    bool has_gradient() const { return node_->has_gradient; }
    /// \returns d loss / d value, of the value's shape
    /// \throws ContractError if no walk back has reached the value
    const Array<T>& gradient() const
    {
        expect(has_gradient(), "gradient: no walk back has reached this value, of shape {}",
               shape());
        return *node_->gradient;
    }
    /// \returns d loss / d value, to be scaled, as clipping does
    /// \throws ContractError if no walk back has reached the value
    Array<T>& gradient() { return const_cast<Array<T>&>(std::as_const(*this).gradient()); }
    /// Forgets the gradient; the next walk back starts from zero, in the same memory.
    void clear_gradient() { node_->has_gradient = false; }
    /// \returns the node, for operators
    Node<T>& node() const { return *node_; }
    /// \returns the value, if it is one number
    /// \throws ContractError if it is not
    T item() const
    {
        expect(size() == 1, "item: the value must be one number, got shape {}", shape());
        return node_->value.data()[0];
    }

private:
    std::shared_ptr<Node<T>> node_;
};

/// A value to be learnt.
/// \param value  where learning starts
/// \returns      a variable whose gradient walks back collect
template <typename T>
Variable<T> parameter(Array<T> value)
{
    return Variable<T>(owned(std::make_unique<Node<T>>(std::move(value), true)));
}

/// A copy of the value as a constant: no gradient goes back through it.
template <typename T>
Variable<T> detach(const Variable<T>& x)
{
    return Variable<T>(x.value());
}

// [record]
/// Writes a step down, if there is a tape and anything to learn. Otherwise the result is a
/// constant, and the rule is dropped.
/// \param value           what the step computed
/// \param needs_gradient  whether one of its inputs does
/// \param rule            called on the way back as rule(value, gradient)
/// \returns               the step's result
template <typename T, typename Rule>
Variable<T> record(Array<T>&& value, bool needs_gradient, Rule&& rule)
{
    Tape<T>* const tape = Tape<T>::current;
    if (tape == nullptr || !needs_gradient) {
        return Variable<T>(std::move(value));
    }
    std::shared_ptr<Node<T>> step = owned(std::unique_ptr<Node<T>>(
        new Step<T, std::remove_cvref_t<Rule>>(std::move(value), std::forward<Rule>(rule))));
    tape->append(step);
    return Variable<T>(std::move(step));
}
// [record]

/// Walks back from a loss along the current tape.
/// \param loss  one number, computed on the current tape
/// \throws ContractError if there is no tape, or as Tape::backward
template <typename T>
void backward(const Variable<T>& loss)
{
    expect(Tape<T>::current != nullptr, "backward: there is no tape, for a loss of shape {}",
           loss.shape());
    Tape<T>::current->backward(loss.node());
}

} // namespace attn::autograd
