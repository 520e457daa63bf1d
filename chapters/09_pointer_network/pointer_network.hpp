/// \file
/// \brief The pointer network (\cite vinyals2015): a decoder whose output is not a word but a
/// position in its input. The weights of attention are the answer.
#pragma once

#include "chapters/04_backpropagation/learnt_scores.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/recurrent_layers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Attention as the output.
namespace attn::pointer_network {

using autograd::Variable;

/// What an answer is that is not asked for: the loss does not count it.
inline constexpr std::int64_t not_asked = -100;

/// Lists of elements, and the positions that the answer points at, one after the other.
struct PointingBatch
{
    std::size_t n_lists = 0;                ///< rows
    std::size_t n_elements = 0;             ///< in each list
    std::size_t n_steps = 0;                ///< of the longest answer
    Array<float> elements = {};             ///< [n_lists, n_elements, n_features]
    std::vector<std::int64_t> targets = {}; ///< [n_lists, n_steps]; not_asked behind an end
};

/// How the elements of a list become vectors.
enum class ListEncoder
{
    set, ///< two dense layers on each element by itself; the decoder starts from their mean
    lstm ///< an LSTM along the list, as in the paper; the decoder starts from its last state
};

/// How a decoder's state is compared with an element's vector.
enum class Score
{
    additive,  ///< \f$ v \cdot \tanh(W_1 e_j + W_2 d_i) \f$, the paper's
    scaled_dot ///< \f$ e_j \cdot d_i / \sqrt H \f$
};

/// What is masked.
enum class Mask
{
    none,  ///< nothing: an element may be pointed at again
    chosen ///< the elements that have been pointed at
};

/// How a pointer network is made.
struct PointerOptions
{
    std::size_t n_features;           ///< numbers in an element
    std::size_t hidden = 32;          ///< H: numbers in an element's vector, and in a state
    ListEncoder encoder = ListEncoder::set;   ///< of the list
    Score score = Score::additive;    ///< between state and element
    Mask mask = Mask::chosen;       ///< of each step
    bool stops = false; ///< whether element 0 is the stop symbol: it is never masked, and an
                        ///< answer ends where it is pointed at
};

/// What a list is to the decoder.
template <typename T>
struct Encoded
{
    Variable<T> elements;                  ///< e [n_lists, n_elements, H]
    typename nn::Lstm<T>::States states = {}; ///< the decoder's first, each [n_lists, H]
};

/// What a network has pointed at.
struct Pointed
{
    std::vector<std::vector<std::size_t>> positions; ///< [n_lists], without the stop symbol
    std::vector<Array<float>> weights; ///< one a step [n_lists, n_elements], where asked for
};

/// A pointer network.
///
/// \f[ u_{ij} = v \cdot \tanh(W_1 e_j + W_2 d_i) , \quad
///     p(y_i = j \mid y_1 \dots y_{i-1}, X) = \softmax_j(u_{ij}) \f]
///
/// with the elements' vectors \f$ e_j \f$ and the decoder's states \f$ d_i \f$. The decoder reads
/// the element that was pointed at last; before the first one, a vector that is learnt.
template <typename T>
class PointerNetwork
{
public:
    /// Starts as PyTorch does.
    /// \throws ContractError if a size is 0
    PointerNetwork(const PointerOptions& options, random::Generator& generator);

    /// \param elements  [n_lists, n_elements, n_features]
    Encoded<T> encode(const Variable<T>& elements) const;

    /// The scores of all steps, with the right answer at every earlier one. What is masked has the
    /// score \f$ -\infty \f$.
    /// \returns  u [n_lists, n_steps, n_elements]
    Variable<T> scores(const PointingBatch& batch) const;

    /// The mean of \f$ -\ln p \f$ of the right positions, of rank 0.
    Variable<T> loss(const PointingBatch& batch) const;

    /// Points at the most probable element, step by step, until the stop symbol, or until
    /// everything is masked.
    /// \param elements  [n_lists, n_elements, n_features], at least one in each list
    /// \param n_steps   at most; none: as many as there are elements
    /// \param weights   whether those of each step are to be kept
    Pointed point(const Array<T>& elements, std::optional<std::size_t> n_steps = {},
                  bool weights = false) const;

    nn::Parameters<T> parameters() const;                       ///< all that is learnt
    const PointerOptions& options() const { return options_; } ///< as given

private:
    PointerOptions options_;
    nn::Mlp<T> each_;                            // of the set encoder
    std::optional<nn::Lstm<T>> reader_;          // of the LSTM encoder
    nn::Lstm<T> decoder_;
    Variable<T> first_;                          // what the decoder reads first [1, 1, n_features]
    backpropagation::LearntScore<T> score_;
};

extern template class PointerNetwork<float>;
extern template class PointerNetwork<double>;

/// What is added to the scores: \f$ -\infty \f$ for the elements that earlier steps have chosen, 0
/// for the others.
/// \param targets  [n_lists, n_steps]
/// \param stops    whether element 0 is never masked
/// \returns        [n_lists, n_steps, n_elements]
template <typename T>
Array<T> mask_of_chosen(const std::vector<std::int64_t>& targets, std::size_t n_lists,
                        std::size_t n_elements, bool stops);

} // namespace attn::pointer_network
