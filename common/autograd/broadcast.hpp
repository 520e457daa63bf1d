/// \file
/// \brief How two arrays meet whose shapes differ: an axis of length 1, or one that is not there,
/// is repeated as often as the other array needs it. Deliberately only the walk over the pairs,
/// without anything being copied; what is done with a pair is the operators' business.
#pragma once

#include "common/tensor/array.hpp"

#include <array>
#include <cstddef>

namespace attn::autograd {

/// The shape that two arrays are repeated to, which go together.
Shape broadcast_shape(const Shape& a, const Shape& b);

/// The walk over all pairs of entries of two arrays, as runs along which each array either stays
/// where it is or moves on by one.
class Broadcast
{
public:
    static constexpr std::size_t max_rank = 8; ///< more axes than anybody has asked for

    /// One run: entries of the result that follow each other.
    struct Run
    {
        std::size_t a;      ///< where it begins in the first array
        std::size_t b;      ///< where it begins in the second
        std::size_t result; ///< where it begins in the result
        std::size_t n;      ///< how many entries it has
    };

    /// \throws ContractError naming both shapes if an axis has two lengths, neither of them 1, or
    ///         there are more than max_rank axes
    Broadcast(const Shape& a, const Shape& b, const char* function);

    /// \returns whether the two shapes are equal
    bool equal_shapes() const { return equal_shapes_; }
    /// \returns how many entries the result has
    std::size_t size() const { return size_; }
    /// \returns 1 if the first array moves on along a run, 0 if it stays
    std::size_t step_a() const { return axes_[0].step_a; }
    /// \returns 1 if the second array moves on along a run, 0 if it stays
    std::size_t step_b() const { return axes_[0].step_b; }

    /// Calls visit(run) for each run, in the order of the result.
    template <typename Visit>
    void for_each_run(Visit visit) const
    {
        Run run{0, 0, 0, axes_[0].length};
        if (size_ == 0) {
            return;
        }
        if (n_axes_ == 1) {
            visit(run);
            return;
        }
        std::array<std::size_t, max_rank> index = {};
        for (std::size_t axis = 1; axis < n_axes_;) {
            visit(run);
            run.result += run.n;
            for (axis = 1; axis < n_axes_; ++axis) { // go on to the next run
                run.a += axes_[axis].step_a;
                run.b += axes_[axis].step_b;
                if (++index[axis] < axes_[axis].length) {
                    break;
                }
                run.a -= axes_[axis].step_a * axes_[axis].length;
                run.b -= axes_[axis].step_b * axes_[axis].length;
                index[axis] = 0;
            }
        }
    }

private:
    /// An axis of the result; neighbours that both arrays cross alike are one.
    struct Axis
    {
        std::size_t length;
        std::size_t step_a;
        std::size_t step_b;
    };

    void add_axis(const Axis& axis);

    std::size_t size_ = 1;
    std::array<Axis, max_rank> axes_; // the fastest first, those beyond n_axes_ not initialised
    std::size_t n_axes_ = 0;
    bool equal_shapes_ = false;
};

} // namespace attn::autograd
