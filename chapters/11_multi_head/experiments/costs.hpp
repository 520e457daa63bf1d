/// \file
/// \brief What a layer costs that lets n places of d numbers hear of each other: counted in
/// multiplications, in steps that wait for each other, and in numbers that are kept; and timed.
/// Deliberately one layer forwards on one thread; what a training step costs is measured in
/// chapter 12.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn::multi_head {

/// How wide the convolution is, in places.
inline constexpr std::size_t convolution_width = 3;

/// Counted costs of a layer. Sums, softmax and tanh are not counted.
struct LayerCost
{
    std::string name;            ///< "self-attention"
    std::string formula;         ///< of the multiplications
    std::size_t multiplications; ///< for all n places
    std::size_t waiting_steps;   ///< one after the other, however many processors there are
    std::size_t longest_path;    ///< layers or steps between the two most distant places
};

/// Counts.
/// \param n  places, at least 1
/// \param d  numbers at each, at least 1
/// \returns  self-attention, recurrent (GRU), convolution, linear attention; each with the
///           matrices that a layer of its kind has
/// \throws ContractError if a number is 0
std::vector<LayerCost> layer_costs(std::size_t n, std::size_t d);

/// What one more place costs where n have been read already: for whoever writes word by word.
struct StepCost
{
    std::string name;            ///< "self-attention"
    std::string formula;         ///< of the multiplications
    std::size_t multiplications; ///< for one place
    std::size_t kept;            ///< numbers that must be at hand
};

/// Counts.
/// \param n  places that have been read, at least 1
/// \param d  numbers at each, at least 1
/// \returns  self-attention with its keys and values kept, GRU, linear attention
/// \throws ContractError if a number is 0
std::vector<StepCost> step_costs(std::size_t n, std::size_t d);

/// How long something took.
struct Timing
{
    std::string name;    ///< of the layer
    std::size_t n;       ///< places
    std::size_t d;       ///< numbers at each
    double microseconds; ///< the shortest of several runs
};

/// Times the layers forwards, one sentence in float.
/// \param lengths  n of each sentence
/// \param widths   d of each layer, multiples of 4: self-attention has 4 heads
/// \returns        self-attention, GRU and convolution at each n and d
std::vector<Timing> time_layers(const std::vector<std::size_t>& lengths,
                                const std::vector<std::size_t>& widths);

/// Times one more place, where n have been read.
/// \param lengths  n
/// \param d        numbers at a place
/// \returns        self-attention with keys and values kept, GRU, and linear attention at each
///                 n
std::vector<Timing> time_steps(const std::vector<std::size_t>& lengths, std::size_t d);

/// All of it as the program prints it, for lengths from 64 to 4096.
/// \returns  two tables, each line ended
std::string timed_report();

} // namespace attn::multi_head
