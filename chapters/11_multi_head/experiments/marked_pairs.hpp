/// \file
/// \brief What one head cannot do: of a row of vectors two are marked, a and b, and the answer
/// is v_a - v_b. The task, the layer that is trained on it, and the bound for one head.
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "common/program/run.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn::multi_head {

// ---------------------------------------------------------------- the task

/// How large the task is.
struct PairTask
{
    std::size_t n = 10; ///< vectors in a row, at least 2
    std::size_t m = 4;  ///< numbers in a vector
};

/// Rows with their answers.
struct PairBatch
{
    Array<float> marks;   ///< [batch, n, 2]: (1, 0) at a, (0, 1) at b, zeros elsewhere
    Array<float> vectors; ///< v [batch, n, m], uniform between -1 and 1
    Array<float> targets; ///< v_a - v_b [batch, 1, m]
};

/// \throws ContractError if two vectors cannot be marked
PairBatch draw_pairs(const PairTask& task, std::size_t n_rows, random::Generator& generator);

/// The share of variance that an answer made linearly of one weighted mean can have at most, if
/// the weights do not depend on the vectors:
/// \f$ (\alpha_a - \alpha_b)^2 / (2 \sum_i \alpha_i^2) \f$.
/// \param weights  alpha [n], not all 0
/// \returns        between 0 and 1/2 if no weight is negative
/// \throws ContractError if a or b is no position, or the weights are all 0
double share_of_one_mean(const Vector& weights, std::size_t a, std::size_t b);

// ---------------------------------------------------------------- a training

/// What keys and values are made from.
enum class PairInputs
{
    marks_are_keys, ///< keys from marks, values from vectors: the weights see no vector
    everything      ///< both from marks and vectors side by side
};

/// What is trained.
struct PairTraining
{
    std::size_t n_heads = 1;                        ///< H, divides 32
    PairInputs inputs = PairInputs::marks_are_keys; ///< of keys and values
    std::size_t n_steps = 700;                      ///< each on 64 new rows
};

/// What came of it, on 5000 new rows.
struct PairResult
{
    double r_squared = 0;        ///< share of the answers' variance that is explained
    Matrix weights;              ///< [H, 3]: mean weight on a, on b, on all others together
    std::size_t n_preferred = 0; ///< 1 if all heads prefer the same marked vector, 2 if not
    double ceiling = 0;          ///< of one head: what its weights allow, see share_of_one_mean
    std::size_t n_parameters = 0; ///< numbers that are learnt
    std::vector<double> losses;   ///< [n_steps]
};

/// Trains a layer of 32 numbers whose query is learnt, with a linear readout, by Adam.
/// \throws ContractError if sizes do not fit
PairResult train_pairs(const PairTraining& training, std::uint64_t seed);

void show_marked_pairs(program::Frame& frame); ///< by the number of heads

} // namespace attn::multi_head
