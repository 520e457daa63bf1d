/// \file
/// \brief The tasks on which the layers are compared: a marked step, fixed lags, Raffel and
/// Ellis' two tasks, and the order of two symbols.
#pragma once

#include "common/autograd/softmax.hpp"
#include "common/random/random.hpp"
#include "common/tensor/array.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attn::attention_versus_dense {

/// Sequences, and what is to be predicted from each.
struct Examples
{
    Array<float> X;                       ///< [n, n_steps, n_features]
    Array<float> Y;                       ///< [n, n_outputs]
    std::optional<autograd::Mask> mask;   ///< [n, n_steps, 1], false for padding; all if none
    std::vector<std::size_t> marked_step; ///< [n], the marked step, where a task has one
};

/// Some of the examples.
/// \returns in the order of which, without the marked steps
Examples pick(const Examples& all, const std::size_t* which, std::size_t n);

// ---------------------------------------------------------------- the marked step

/// Each step has some numbers, uniform on [-1, 1), and a marker, which is 1 at one step and 0 at
/// all others. The numbers of the marked step are to be predicted. The step differs from example
/// to example.
/// \param n_values  numbers at a step, and outputs
/// \returns         X [n, n_steps, n_values + 1], the marker last; Y [n, n_values]
Examples draw_marked(random::Generator& generator, std::size_t n, std::size_t n_steps,
                     std::size_t n_values = 4);

// ---------------------------------------------------------------- fixed lags

/// How many days the tasks with lags look back.
inline constexpr std::size_t n_days = 31;

/// What is to be predicted from a month of prices and interest rates: a sum with fixed weights.
struct LagTask
{
    std::string name;   ///< "days"
    std::string target; ///< "0.6 price(1) + ..."
    Matrix weights;     ///< [n_days, 2], row 0 the oldest day; columns price, interest rate
};

/// "features": all prices, less of the interest rates. "days": yesterday's and five days ago's
/// price, less of thirty days ago. "signs": a price that counts against another, and a rate.
std::vector<LagTask> lag_tasks();

/// Prices and rates as independent numbers, uniform on [-1, 1).
/// \returns X [n, n_days, 2], Y [n, 1]
Examples draw_lags(const LagTask& task, random::Generator& generator, std::size_t n);

// ---------------------------------------------------------------- Raffel and Ellis

/// What is asked of the two marked numbers.
enum class Arithmetic
{
    addition,      ///< numbers from -1 to 1; .5 + (a + b) / 4
    multiplication ///< numbers from 0 to 1; a b
};

/// Raffel and Ellis' tasks (\cite raffel2015, section 3): a number and a marker at each step. The
/// length is uniform on [T_0, 1.1 T_0]; the marker is -1 at the first and the last step, 1 at
/// one of the steps 1 to 9 and at another before the middle, 0 elsewhere. What follows the end
/// is zero and masked.
/// \param t_0  T_0, at least 20
/// \returns    X [n, 1.1 t_0, 2], Y [n, 1]
/// \throws ContractError if t_0 is below 20
Examples draw_arithmetic(Arithmetic arithmetic, random::Generator& generator, std::size_t n,
                         std::size_t t_0);

// ---------------------------------------------------------------- the order of two symbols

/// Symbols A and B stand at two steps, noise in a channel of its own. Was A first (1) or B (-1)?
/// Examples come in pairs: the second is the first with these two steps exchanged.
/// \returns X [2 n_pairs, n_steps, 3]: A, B, noise; Y [2 n_pairs, 1]
Examples draw_order(random::Generator& generator, std::size_t n_pairs, std::size_t n_steps);

} // namespace attn::attention_versus_dense
