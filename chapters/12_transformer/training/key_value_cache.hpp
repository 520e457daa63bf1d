/// \file
/// \brief What incremental decoding computes with: saved keys and values, and one word's row on
/// its way through the decoder, on the kernels for single rows. Every number has the bits that
/// the tape's operators give it when all words are computed at once. There is no tape:
/// nobody asks a translation for gradients.
#pragma once

#include "chapters/12_transformer/feed_forward.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/nn/layers.hpp"

#include <cstddef>

namespace attn::transformer {

/// Keys and values of one sentence, which later rows attend to. Keys lie by columns, so that a
/// vector of the processor holds the same number of several keys.
template <typename T>
class KeyValueCache
{
public:
    /// An empty one.
    /// \param d  numbers in a key, and in a value
    explicit KeyValueCache(std::size_t d);

    /// Those of the first n words of a sentence.
    /// \param keys    [batch, n_keys, d]
    /// \param values  as many
    KeyValueCache(const Array<T>& keys, const Array<T>& values, std::size_t sentence,
                  std::size_t n);

    /// Adds a position after the others.
    /// \param key    [d]
    /// \param value  [d]
    void append(const T* key, const T* value);

    /// \returns  positions so far
    std::size_t size() const { return n_; }

    /// \param n_heads  divides d
    /// \returns        keys and values as a kernel reads them, until the next append
    kernels::RowMemory<T> rows(std::size_t n_heads) const;

private:
    std::size_t n_ = 0;
    Array<T> keys_;   // [d, room], 0 after the last key; 64 divides room
    Array<T> values_; // [room, d]
};

/// One word's row, and memory for what is computed from it.
template <typename T>
struct DecodingWorkspace
{
    const kernels::NumberKernels<T>& kernels; ///< what it is computed with
    Array<T> memory;                          ///< of all that follows
    T* x;                                     ///< [d], what the layers add to
    T* normed;                                ///< [d]
    T* query;                                 ///< [d]
    T* key;                                   ///< [d]
    T* value;                                 ///< [d]
    T* context;                               ///< [d]
    T* hidden;                                ///< [d_ff]
    Array<T> weights;                         ///< of the last attention [n_heads, room]

    /// Memory that is not written yet.
    /// \param kernels_  what the row is computed with
    /// \param d         numbers in it
    /// \param d_ff      numbers between the dense layers
    DecodingWorkspace(const kernels::NumberKernels<T>& kernels_, std::size_t d,
                      std::size_t d_ff);

    /// y = norm(x).
    /// \param norm  of d numbers
    /// \param from  x [d]
    /// \param to    y [d], may be x
    void normalise(const nn::LayerNorm<T>& norm, const T* from, T* to) const;

    /// y = x W + b, and the residual added.
    /// \param linear    W [n_in, n_out] and b
    /// \param from      x [n_in]
    /// \param to        y [n_out], not x
    /// \param residual  [n_out], may be y; or null
    void multiply(const nn::Linear<T>& linear, const T* from, T* to,
                  const T* residual = nullptr) const;

    /// y = FFN(x), and the residual added; its hidden numbers go to hidden.
    /// \param network   [d, d_ff, d]
    /// \param from      x [d]
    /// \param to        y [d], not x
    /// \param residual  [d], may be y; or null
    void feed_forward(const FeedForward<T>& network, const T* from, T* to,
                      const T* residual = nullptr) const;

    /// Makes the context and the weights of the query in every head.
    /// \param cache    what it attends to
    /// \param n_heads  divides d
    void attend(const KeyValueCache<T>& cache, std::size_t n_heads);
};

extern template class KeyValueCache<float>;
extern template class KeyValueCache<double>;
extern template struct DecodingWorkspace<float>;
extern template struct DecodingWorkspace<double>;

} // namespace attn::transformer
