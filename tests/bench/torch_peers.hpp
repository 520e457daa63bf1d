/// \file
/// \brief PyTorch's side of the benchmarks: whole training steps, to be timed beside ours in
/// one process, on the same numbers. It shows nothing of PyTorch's headers, so that
/// whoever includes this file compiles in no time; and measures nothing itself.
///
/// Each function makes a model, copies the data into the layout that PyTorch likes best and
/// returns one training step: forward, backward, Adam (learning rate 1e-3, the other constants
/// PyTorch's own; from 2.4 on in its fused form, which the class of the C++ library does not
/// use), gradients thrown away. Calling it again trains on. Rows are [batch, n_steps,
/// n_features] or [batch, n_features], words [batch, n]. The report says where the loss and the
/// initial parameters go. Of several ways to write a model the one that took the least time was
/// chosen; where versions differ in which that is, the function offers both.
#pragma once

#include "tests/bench/sizes.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::bench::torch_peer {

/// How many threads PyTorch uses itself, and how many the BLAS below it.
struct Threads
{
    int own;
    int blas;

    std::string text() const; ///< \returns "; BLAS on 1 of 2", nothing for one of one
};

/// PyTorch alone does not reach an OpenBLAS with threads of its own, which is what Debian
/// installs.
/// \param threads  for whatever of PyTorch is called next
void set_threads(Threads threads);

/// The settings under which PyTorch may be at its best on so many threads. A BLAS with threads
/// of its own fights with PyTorch's where these call it, in attention; where one thread calls
/// it, in a linear layer, it is all that computes.
/// \param n_threads  at least 1
/// \returns          BLAS on one thread, and on all if that is more
std::vector<Threads> settings(std::size_t n_threads);

/// Tells the C library, for the whole process and so for both sides, to keep freed memory and
/// to take none by mapping. Without it the system takes larger temporaries back and hands out
/// fresh pages at every call: of the scores of long sentences, of Adam's temporaries. To be
/// called before anything is allocated; does nothing outside glibc.
void keep_freed_memory();

/// What is measured against, and how it is set.
/// \returns PyTorch's version, the instruction set that its kernels chose (the variable
///          ATEN_CPU_CAPABILITY, default, avx2 or avx512, overrides the choice), its BLAS, and
///          the variables that govern its threads, if they are set
std::string version();

/// A gated recurrent unit, a linear head on its last state, the mean squared error.
/// Parameters: `weight_ih` [3 hidden, n_features], `weight_hh` [3 hidden, hidden], `bias_ih`,
/// `bias_hh` [3 hidden] (gates: reset, update, new), `head.weight` [1, hidden],
/// `head.bias` [1].
/// \param written  whether its steps are written out, or `torch::nn::GRU` takes them
std::function<void()> gru_step(const float* x, const float* y, bool written,
                               const Report& report = {});

/// A recurrent network that at each step attends over all its own states so far, the zero
/// state included: weights = softmax_i(h_last · h_i), context = sum_i weights_i h_i,
/// h = tanh(W_i x + W_h [h_last; context] + b). A linear head on the last state, the mean
/// cross-entropy. Parameters: `W_i` [hidden, n_features], `W_h` [hidden, 2 hidden],
/// `b` [hidden], `head.weight` [n_outputs, hidden], `head.bias` [n_outputs].
std::function<void()> attentive_rnn_step(const float* x, const std::int64_t* classes,
                                         const Report& report = {});

/// A perceptron with one hidden layer of rectified linear units, the mean cross-entropy.
/// Parameters: `hidden.weight` [hidden, n_features], `hidden.bias` [hidden], `head.weight`
/// [n_classes, hidden], `head.bias` [n_classes].
std::function<void()> perceptron_step(const float* x, const std::int64_t* classes,
                                      const Report& report = {});

/// A translator: both directions of a gated recurrent unit read, another one writes with
/// teacher forcing, the mean cross-entropy. The units' steps are written out in operators. Its
/// context is the last state of each direction, or the sum of all states weighted by additive
/// scores of the state before the step. Parameters, in this order: `encoder.embedding`,
/// `encoder.*` (weights and biases of one direction, then of the other), `decoder.embedding`,
/// `first.weight`, `first.bias`, `word.weight`, `word.bias`, `context.weight`, `weight_hh`,
/// `bias_hh`, `readout.weight`, `readout.bias`, `output.weight`, `output.bias`, and if it
/// attends `keys.weight`, `keys.bias`, `query.weight`, `score.weight`.
std::function<void()> translator_step(const TranslatorSizes& sizes, const std::int64_t* source,
                                      const std::int64_t* target_input,
                                      const std::int64_t* answers, const Report& report = {});

/// How PyTorch computes attention inside a model.
enum class AttentionForm
{
    operators, ///< two `torch::bmm` over all heads of all sentences, and a softmax between them
    fused,     ///< `scaled_dot_product_attention`; before 2.0 it was the same three operators
    whole_layer ///< one call for the layer, as PyTorch's own makes where nothing is learnt
};

std::string name_of(AttentionForm form); ///< "operators" and the like

/// A transformer with one pre-norm layer on either side: queries, keys and values of
/// self-attention from one product, steps before sentences so that heads are views.
/// Parameters, in this order: `source`, `target` (embeddings), `encoder.*`, `decoder.*` (query,
/// key, value and output projections of each attention, the dense layers, the norms),
/// the last norms, `output`.
/// \param form          of attention, not the whole layer
std::function<void()> transformer_step(const TransformerSizes& sizes, AttentionForm form,
                                       const std::int64_t* source,
                                       const std::int64_t* target_input,
                                       const std::int64_t* answers, const Report& report = {});

/// One pre-norm layer of an encoder with ReLU, forward, for rows that want no gradient.
/// \param initial  as `EncoderLayer::parameters` lists them, matrices [n_in, n_out]
/// \param y        receives [batch, n_tokens, d] at each call, unless it is null
std::function<void()> layer_forward(const LayerSizes& sizes,
                                    const std::vector<InitialValues>& initial, const float* x,
                                    AttentionForm form, float* y = nullptr);

/// The same layer trained: the mean squared error against targets, back, Adam.
/// \param target   [batch, n_tokens, d], copied
/// \param form     of attention, not the whole layer
std::function<void()> layer_step(const LayerSizes& sizes,
                                 const std::vector<InitialValues>& initial, const float* x,
                                 const float* target, AttentionForm form,
                                 float* loss = nullptr);

/// The smallest graph there is: a + b of two [1, 1] tensors that want gradients, then
/// `backward()` into them, then the gradients thrown away. What it costs is bookkeeping.
std::function<void()> add_step(const float* inputs, const Report& report = {});

/// The same by `torch::autograd::grad`, which returns the gradients and stores none: the
/// fewest microseconds in which PyTorch differentiates anything.
std::function<void()> add_step_without_leaves(const float* inputs, const Report& report = {});

/// One way in which PyTorch computes attention.
struct WayOfAttention
{
    std::string name;                   ///< as the table prints it
    std::function<void()> forward;      ///< without a tape
    std::function<void()> training;     ///< forwards, and backwards from a given gradient
    std::function<void(float*)> result; ///< writes the contexts [n_tokens, H, 64]
};

/// The ways that PyTorch offers, over heads of 64 numbers, each on copies of the same numbers
/// in the layout that it likes best: [heads, tokens, 64].
/// \param queries   [n_tokens, H, 64], copied, like the next three
/// \param gradient  of the contexts
/// \returns         its own function for attention; the same in three operations
std::vector<WayOfAttention> ways_of_attention(std::size_t n_heads, std::size_t n_tokens,
                                              bool causal, const float* queries,
                                              const float* keys, const float* values,
                                              const float* gradient);

} // namespace attn::bench::torch_peer
