/// \file
/// \brief PyTorch's side of the benchmarks: whole training steps, to be timed beside ours in
/// one process, on the same numbers. Deliberately shows nothing of PyTorch's headers, so that
/// whoever includes this file compiles in no time; and measures nothing itself.
///
/// Each function makes a model, copies the data into the layout that PyTorch likes best and
/// returns one training step: forward, backward, Adam (learning rate 1e-3, the other
/// constants PyTorch's own), gradients thrown away. Calling it again trains on.
#pragma once

#include "tests/bench/sizes.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace attn::bench::torch_peer {

/// How many threads PyTorch and the BLAS below it may use. PyTorch alone does not reach an
/// OpenBLAS with threads of its own, which is what Debian installs.
/// \param n  the number of threads, at least 1
void set_threads(int n);

/// Tells the C library, for the whole process and so for both sides, to keep freed memory.
/// Without it the system takes the larger temporaries back and hands out fresh pages at every
/// step, which Adam's temporaries on the perceptron feel most. To be called before anything is
/// timed; does nothing outside glibc.
void keep_freed_memory();

/// What is measured against.
/// \returns PyTorch's version and the instruction set that its kernels chose; the variable
///          ATEN_CPU_CAPABILITY (default, avx2, avx512) overrides the choice
std::string version();

/// A gated recurrent unit, a linear head on its last state, the mean squared error.
/// Parameters: `weight_ih` [3 hidden, n_features], `weight_hh` [3 hidden, hidden], `bias_ih`,
/// `bias_hh` [3 hidden] (gates: reset, update, new), `head.weight` [1, hidden],
/// `head.bias` [1].
/// \param x       [batch, n_steps, n_features], of `gru_sizes`, copied
/// \param y       [batch], copied
/// \param report  where the loss and the initial parameters go
/// \returns one training step
std::function<void()> gru_step(const float* x, const float* y, const Report& report = {});

/// A recurrent network that at each step attends over all its own states so far, the zero
/// state included: weights = softmax_i(h_last · h_i), context = sum_i weights_i h_i,
/// h = tanh(W_i x + W_h [h_last; context] + b). A linear head on the last state, the mean
/// cross-entropy. Parameters: `W_i` [hidden, n_features], `W_h` [hidden, 2 hidden],
/// `b` [hidden], `head.weight` [n_outputs, hidden], `head.bias` [n_outputs].
/// \param x        [batch, n_steps, n_features], of `attentive_rnn_sizes`, copied
/// \param classes  [batch], each below n_outputs, copied
/// \param report   where the loss and the initial parameters go
/// \returns one training step
std::function<void()> attentive_rnn_step(const float* x, const std::int64_t* classes,
                                         const Report& report = {});

/// A perceptron with one hidden layer of rectified linear units, the mean cross-entropy.
/// Parameters: `hidden.weight` [hidden, n_features], `hidden.bias` [hidden], `head.weight`
/// [n_classes, hidden], `head.bias` [n_classes].
/// \param x        [batch, n_features], of `perceptron_sizes`, copied
/// \param classes  [batch], each below n_classes, copied
/// \param report   where the loss and the initial parameters go
/// \returns one training step
std::function<void()> perceptron_step(const float* x, const std::int64_t* classes,
                                      const Report& report = {});

/// A translator: both directions of a gated recurrent unit read, another one writes with teacher
/// forcing, the mean cross-entropy. Its context is the last state of each direction, or the
/// sum of all states weighted by additive scores of the state before the step. Parameters, in
/// this order: `encoder.embedding`, `encoder.*` (weights and biases of one direction, then of
/// the other), `decoder.embedding`, `first.weight`, `first.bias`, `word.weight`, `word.bias`,
/// `context.weight`, `weight_hh`, `bias_hh`, `readout.weight`, `readout.bias`, `output.weight`,
/// `output.bias`, and if it attends `keys.weight`, `keys.bias`, `query.weight`, `score.weight`.
/// \param sizes         of the model and the batch
/// \param source        [batch, n_source], copied
/// \param target_input  [batch, n_target], copied
/// \param answers       [batch, n_target], copied
/// \param report        where the loss and the initial parameters go
/// \returns one training step
std::function<void()> translator_step(const TranslatorSizes& sizes, const std::int64_t* source,
                                      const std::int64_t* target_input,
                                      const std::int64_t* answers, const Report& report = {});

/// A transformer with one pre-norm layer on either side, written in the operators that PyTorch's
/// own layers are written in: queries, keys and values of self-attention from one product, steps
/// before sentences so that heads are views, `torch::bmm` over all heads of all sentences.
/// Parameters, in this order: `source`, `target` (embeddings), `encoder.*`, `decoder.*` (query,
/// key, value and output projections of each attention, the dense layers, the norms),
/// the last norms, `output`.
/// \param sizes         of the model and the batch
/// \param source        [batch, n_source], copied
/// \param target_input  [batch, n_target], copied
/// \param answers       [batch, n_target], copied
/// \param report        where the loss and the initial parameters go
/// \returns one training step
std::function<void()> transformer_step(const TransformerSizes& sizes,
                                       const std::int64_t* source,
                                       const std::int64_t* target_input,
                                       const std::int64_t* answers, const Report& report = {});

/// One pre-norm layer of an encoder with ReLU, forward, for rows that want no gradient: written in
/// the operators of `transformer_step`, or as the one call that PyTorch's own layer makes where
/// nothing is learnt.
/// \param sizes    of the layer and the batch
/// \param initial  its parameters, as `EncoderLayer::parameters` lists them, matrices [n_in, n_out]
/// \param x        [batch, n_tokens, d], copied
/// \param in_one   whether by the one call
/// \param y        receives [batch, n_tokens, d] at each call, unless it is null
/// \returns one forward pass
std::function<void()> layer_forward(const LayerSizes& sizes,
                                    const std::vector<InitialValues>& initial, const float* x,
                                    bool in_one, float* y = nullptr);

/// The same layer trained: the mean squared error against targets, back, Adam.
/// \param sizes    of the layer and the batch
/// \param initial  as in layer_forward
/// \param x        [batch, n_tokens, d], copied
/// \param target   [batch, n_tokens, d], copied
/// \param loss     every step writes its loss here, unless it is null
/// \returns one training step
std::function<void()> layer_step(const LayerSizes& sizes,
                                 const std::vector<InitialValues>& initial, const float* x,
                                 const float* target, float* loss = nullptr);

/// The smallest graph there is: a + b of two [1, 1] tensors that want gradients, then
/// `backward()` into them, then the gradients thrown away. What it costs is bookkeeping.
/// \param inputs  [2]: a and b, copied
/// \param report  where a + b and the initial a and b go
/// \returns one forward and one backward pass
std::function<void()> add_step(const float* inputs, const Report& report = {});

/// The same by `torch::autograd::grad`, which returns the gradients and stores none: the
/// fewest microseconds in which PyTorch differentiates anything.
/// \param inputs  [2]: a and b, copied
/// \param report  where a + b and the initial a and b go
/// \returns one forward and one backward pass
std::function<void()> add_step_without_leaves(const float* inputs, const Report& report = {});

} // namespace attn::bench::torch_peer
