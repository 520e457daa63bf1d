/// \file
/// \brief A batch in parts, whose gradients are computed by one process or by several. The parts
/// decide the bits of the sum, and not who has computed them.
#pragma once

#include "common/autograd/tape.hpp"
#include "common/nn/parameters.hpp"
#include "common/parallel/processes.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::program {
class CommandLine;
}

namespace attn::nn {

/// How many parts a batch has under mpirun, unless --parts says otherwise.
inline constexpr std::size_t usual_n_parts = 8;

/// Who computes the gradient of a batch, and in how many parts.
struct Sharing
{
    std::size_t n_parts = 1; ///< at least as many as there are processes
    const parallel::Processes* processes = &parallel::alone(); ///< that share them
};

/// Declares --parts N.
/// \param n_parts  takes what the reader gives
void add_parts_option(program::CommandLine& command_line, std::optional<std::size_t>& n_parts);

/// How a training is shared.
/// \param n_parts    what the reader gives; otherwise 8 under mpirun, else one
/// \param processes  must outlive the result
/// \throws program::BadInput if there are more processes than parts
Sharing sharing_of(const std::optional<std::size_t>& n_parts,
                   const parallel::Processes& processes);

/// Refuses what several processes would only do several times.
/// \param shared  the options of what they can share
/// \throws program::BadInput if there are several
void expect_unshared(const parallel::Processes& processes, std::string_view shared);

/// Adds what decides the bits of a training to its settings: the parts, if there are several.
void add_settings(const Sharing& sharing, std::map<std::string, std::string>& settings);

/// The loss of some examples of a batch: their part of the batch's mean, of rank 0.
using LossOfExamples =
    std::function<autograd::Variable<float>(const parallel::Range& examples)>;

/// Computes gradients of batches. With one part, a batch is computed at once; with several, each is
/// computed by itself, and the sums have the same bits for any number of processes.
class BatchGradient
{
public:
    /// \param parameters  of the model
    BatchGradient(Parameters<float> parameters, const Sharing& sharing);

    /// Adds a batch to the gradients, which must be cleared, as an optimiser leaves them. With
    /// several parts, a parameter that no example reaches has a gradient of zeros.
    /// \param n_examples  of the batch, at least 1
    /// \returns           the batch's loss
    double operator()(std::size_t n_examples, const LossOfExamples& loss);

private:
    void compute_part(const parallel::Range& examples, const LossOfExamples& loss,
                      std::vector<float>& numbers);

    Parameters<float> parameters_;
    Sharing sharing_;
    std::vector<std::vector<float>>
        own_; // [own parts]: gradients one after the other, and the loss
    std::vector<float> sum_;
};

} // namespace attn::nn
