/// \file
/// \brief What a layer costs that lets n positions of d numbers hear of each other: counted in
/// multiplications, in steps that wait for each other, and in numbers that are kept; and timed,
/// one layer forwards on one thread.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::multi_head {

/// How wide the convolution is, in positions.
inline constexpr std::size_t convolution_width = 3;

/// Counted costs of a layer. Sums, softmax and tanh are not counted.
struct LayerCost
{
    std::string name;            ///< "self-attention"
    std::string formula;         ///< of the multiplications
    std::size_t multiplications; ///< for all n positions
    std::size_t waiting_steps;   ///< one after the other, however many processors there are
    std::size_t longest_path;    ///< layers or steps between the two most distant positions
};

/// Self-attention, recurrent (GRU), convolution, linear attention on n positions of d numbers;
/// each with the matrices that a layer of its kind has.
/// \throws ContractError if a number is 0
std::vector<LayerCost> layer_costs(std::size_t n, std::size_t d);

/// What one more position costs in incremental decoding, where n have been read already.
struct StepCost
{
    std::string name;            ///< "self-attention"
    std::string formula;         ///< of the multiplications
    std::size_t multiplications; ///< for one position
    std::size_t kept;            ///< numbers that must be at hand
};

/// Self-attention with its keys and values kept, GRU, linear attention.
/// \throws ContractError if a number is 0
std::vector<StepCost> step_costs(std::size_t n, std::size_t d);

/// The layers and one more position timed now, for lengths from 64 to 4096.
/// \returns two tables as the program prints them, each line ended
std::string timed_report();

void show_layer_costs(program::Frame& frame);  ///< counted
void show_timed_layers(program::Frame& frame); ///< timed now

} // namespace attn::multi_head
