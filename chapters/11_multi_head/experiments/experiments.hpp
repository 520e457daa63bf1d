/// \file
/// \brief The experiments of chapter 11, in the order of its program: what each measures and prints.
#pragma once

#include "chapters/11_multi_head/multi_head.hpp"
#include "chapters/11_multi_head/positions.hpp"
#include "common/nn/recurrent_layers.hpp"
#include "common/program/run.hpp"
#include "common/program/spread.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn::multi_head {

// ---------------- the shapes inside a layer

void show_shapes(program::Frame& frame); ///< every shape inside a layer

// ---------------- what is exact: order, shifts, heads that change places

/// The heads of a layer in another order: columns of W_q, W_k and W_v with their biases.
/// \param order        [H], head h of the result is head order[h]
/// \param with_output  whether the rows of W_o go with them
/// \returns            another layer, with parameters of its own
/// \throws ContractError if the order does not name each head once
MultiHeadAttention<double> heads_in_order(const MultiHeadAttention<double>& layer,
                                          const std::vector<std::size_t>& order,
                                          bool with_output);

/// Order, shifts, heads that change places, two forms: how far from exact each comes out in
/// double.
void show_exact_properties(program::Frame& frame);

// ---------------- dot products of sinusoids

void show_distances(program::Frame& frame); ///< dot products of sinusoids by their distance

// ---------------- what a layer costs, counted and timed

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

// ---------------- several heads: a difference of two marked vectors

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

// ---------------- tasks on sequences, for the questions that follow

/// How many kinds of symbols the trainings have.
inline constexpr std::size_t n_kinds = 8;

/// What a target is where there is none.
inline constexpr std::int64_t no_target = -100;

/// Sequences of one length.
struct SequenceBatch
{
    Array<float> inputs;               ///< [batch, n, n_inputs], one-hot
    std::vector<std::int64_t> targets; ///< [batch, n, n_targets], or no_target
};

/// A task.
struct SequenceTask
{
    std::size_t n_inputs;  ///< numbers at a position
    std::size_t n_classes; ///< of a target
    std::size_t n_targets; ///< at a position
    bool causal;           ///< whether a target depends only on what came so far

    /// Draws sequences, given how many, their length, and a generator that is advanced.
    std::function<SequenceBatch(std::size_t n_rows, std::size_t length, random::Generator&)>
        draw;
};

/// Name the symbol before, at every position but the first.
/// \param causal  whether later symbols are masked
SequenceTask previous_symbol(std::size_t n_symbols, bool causal = true);

/// The same on a ring: the first symbol's predecessor is the last one. It is not causal.
SequenceTask previous_on_ring(std::size_t n_symbols);

/// Name the letter before, the one three positions back, and the first one, where they exist.
SequenceTask three_earlier(std::size_t n_symbols);

/// Whether the count of ones so far is odd.
SequenceTask parity();

/// Chapter 6's recall, the key shown once at the end, with as many pairs as the length says,
/// less one. Only the last position has a target.
/// \param n_symbols  of keys and of values
SequenceTask recall(std::size_t n_symbols);

/// Symbols [n] as one-hot rows [1, n, n_symbols].
/// \throws ContractError if a symbol is too large
Array<float> one_hot_row(const std::vector<std::size_t>& symbols, std::size_t n_symbols);

// ---------------- the model that learns them

/// What carries information from position to position.
enum class Mixer
{
    softmax, ///< attention
    linear,  ///< attention with a kernel that factors, causal
    gru      ///< a recurrent network, causal
};

/// What may be chosen.
struct SequenceOptions
{
    Mixer mixer = Mixer::softmax;          ///< between the positions
    Positions positions = Positions::none; ///< of attention; a GRU needs none
    Tied tied = Tied::none;                ///< of attention
    std::size_t n_heads = 1;               ///< of attention, divides d
    std::size_t d = 32;                    ///< numbers at a position inside the mixer
    std::size_t d_embedding = 0;           ///< numbers of an embedding; 0: d
    std::size_t longest = 64;              ///< learnt positions have rows for so many
    bool network_readout = false;          ///< whether the readout has a hidden layer
};

/// The model.
class SequenceModel
{
public:
    /// Draws its first parameters.
    /// \throws ContractError if sizes do not fit
    SequenceModel(const SequenceTask& task, const SequenceOptions& options,
                  random::Generator& generator);

    /// Reads sequences.
    /// \param inputs  [batch, n, n_inputs]
    /// \param inside  if not null, receives what happened inside attention
    /// \returns       [batch, n, n_targets n_classes]
    /// \throws ContractError if a sequence is too long for learnt positions, or of other shape
    Variable<float> logits(const Array<float>& inputs, Inside<float>* inside = nullptr) const;

    nn::Parameters<float> parameters; ///< all of them, each once

private:
    Variable<float> mixed(const Variable<float>& x, Inside<float>* inside) const;

    SequenceOptions options_;
    AttentionMask mask_;
    nn::Linear<float> embedding_;
    std::optional<Variable<float>> positions_; // [longest, d_embedding], learnt or constant
    std::optional<MultiHeadAttention<float>> attention_;
    std::optional<nn::Linear<float>> to_mixer_; // [d_embedding, d]
    std::optional<nn::Gru<float>> gru_;
    nn::Mlp<float> readout_;
};

/// What is trained.
struct SequenceTraining
{
    SequenceTask task;         ///< what is to be learnt
    SequenceOptions options;   ///< the model
    std::size_t shortest = 16; ///< each batch has one length, from here
    std::size_t longest = 16;  ///< to here
    std::size_t n_steps = 600; ///< each on new sequences
    std::size_t batch = 32;    ///< so many
    double learning_rate =
        5e-3; ///< Adam's at first; it falls in a straight line to a twentieth
};

/// A model that has learnt.
struct TrainedSequence
{
    SequenceModel model;        ///< its parameters
    std::vector<double> losses; ///< [n_steps]
};

/// Trains a model, with Adam and gradients no longer than 1.
TrainedSequence train_sequence(const SequenceTraining& training, std::uint64_t seed);

// ---------------- how often it is right, and what it looks at

/// New sequences, which no training of the seed has learnt from.
SequenceBatch test_sequences(const SequenceTask& task, std::size_t n_rows, std::size_t length,
                             std::uint64_t seed);

/// How often a model is right on test sequences, position by position.
/// \returns [n, n_targets], shares; nan where there is no target
Matrix accuracy_by_position(const SequenceModel& model, const SequenceTask& task,
                            std::size_t length, std::size_t n_rows, std::uint64_t seed);

/// The mean of what is not nan; nan if there is nothing.
double mean_of(const Matrix& table);

/// The weights of a model's attention on inputs, [batch, H, n, n].
Array<float> weights_on(const SequenceModel& model, const Array<float>& inputs);

/// Saves square tables of weights [n, n], a named column each, for heat maps: query and key
/// count from 1.
void save_weights(program::Frame& frame, const char* file,
                  const std::vector<std::string>& names, const std::vector<Matrix>& tables);

/// A training with the name of its row.
struct NamedTraining
{
    std::string name;          ///< as the program prints it
    SequenceTraining training; ///< what is trained
};

/// The longest sequence that is trained on where positions are compared.
inline constexpr std::size_t trained_length = 16;

/// The longest sequence that is tested.
inline constexpr std::size_t tested_length = 64;

/// What a training gave, and how often it is right at each position of test sequences.
struct ByPosition
{
    TrainedSequence trained;      ///< with its losses
    std::vector<double> accuracy; ///< [length]
};

using AllByPosition = std::vector<std::vector<ByPosition>>; ///< [row][seed]

/// Each training from each seed, evaluated on 1000 test sequences.
AllByPosition train_by_position(const program::Frame& frame, const char* label,
                                const std::vector<NamedTraining>& trainings, std::size_t length,
                                std::size_t quick_steps);

/// The accuracy of several seeds at one position.
program::Spread at_position(const std::vector<ByPosition>& of, std::size_t position);

/// Saves medians and lowest accuracies from a position on, a column a row of the table.
void save_by_position(program::Frame& frame, const char* file,
                      const std::vector<std::string>& names, const AllByPosition& results,
                      std::size_t first);

// ---------------- several heads: three earlier letters

/// The weights of every head of a model that has learnt three_earlier, on a word.
/// \returns [n_heads] tables [n, n], a row a query
/// \throws ContractError if there is another character than a to z
std::vector<Matrix> weights_on_word(const SequenceModel& model, const std::string& word);

void show_earlier_letters(program::Frame& frame); ///< by the number of heads

// ---------------- three projections

/// The weights that the positions of a ring give to the position so many steps on, as a
/// geometric mean. With one matrix for queries and keys
///
/// \f[ \prod_i \alpha_{i,i-1} = \prod_i \alpha_{i,i+1} \le \prod_i \alpha_{ii} , \f]
///
/// so that the mean weight of the predecessor is at most 1/3.
/// \param weights  alpha [n, n], n at least 3, none negative
/// \param steps    -1 for the predecessor, 0 for the position itself, 1 for the successor
/// \returns        the geometric mean over the ring, 0 if one of these weights is 0
/// \throws ContractError if it is no such matrix
double mean_weight_on_ring(const Matrix& weights, int steps);

/// How long the sequences of the symbol before are.
inline constexpr std::size_t projection_length = 12;

/// Where the symbol before is learnt, with what tells the positions apart.
enum class Setting
{
    line,   ///< a line, rotary positions, nothing is masked
    causal, ///< a line, rotary positions, what comes later is masked
    ring,   ///< a ring, learnt positions
    narrow  ///< the same with few numbers at a position
};

/// The symbol before, with projections tied or not.
SequenceTraining projection_training(Setting setting, Tied tied);

void show_projections(program::Frame& frame); ///< each setting with each tie

// ---------------- longer sequences than were learnt from

/// How like the angles of a rotated key so many positions back are to those of the key one
/// position back: the cosine of their difference, \f$ \cos \omega_j (D - 1) \f$, averaged over
/// the pairs that turn fastest.
/// \param d         numbers in a query and a key, even
/// \param n_pairs   how many of the fastest pairs, 1 to d / 2
/// \param distance  D, positions back, at least 1
/// \returns         1 for D = 1, less for others
/// \throws ContractError if a number is not as stated
double likeness_to_the_one_before(std::size_t d, std::size_t n_pairs, std::size_t distance);

/// The symbol before on sequences of at most trained_length, for each kind of positions.
/// \returns none, sinusoidal, learnt, rotary
std::vector<NamedTraining> position_trainings();

/// What the last position of sequences attends to, by distance, for a model with attention of
/// one head.
/// \returns [length], the mean weight on the position so many back over 200 sequences; number 0
///          is the position itself
/// \throws ContractError if the model has no weights of one head
Vector weights_by_distance(const SequenceModel& model, const SequenceTask& task,
                           std::size_t length, std::uint64_t seed);

void show_longer_sequences(program::Frame& frame); ///< by the kind of positions

// ---------------- beside recurrence

/// Chapter 6's recall against the numbers that are kept, the parity of all bits so far, and all
/// that speaks for and against recurrence, side by side.
void show_recurrence(program::Frame& frame);

// ---------------- step by step with a pencil

void show_pencil_steps(program::Frame& frame); ///< every intermediate of the pencil example

} // namespace attn::multi_head
