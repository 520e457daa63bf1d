/// \file
/// \brief The experiments of chapter 14, in the order of its program: what each measures and prints.
#pragma once

#include "chapters/14_simd_transformer/decoding/decoder.hpp"
#include "chapters/14_simd_transformer/fused_attention/fused_attention.hpp"
#include "chapters/14_simd_transformer/kernels.hpp"
#include "chapters/14_simd_transformer/whole_model/whole_model.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/program/run.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attn::simd_transformer {

// ---------------- what the machine can do

/// How long a measurement goes on.
struct Repetitions
{
    double seconds = 0.05;  ///< in all, at least
    std::size_t n_runs = 3; ///< at least 1
};

/// The shortest of several runs: what disturbs a measurement makes it longer, never shorter.
/// The first run, which finds caches and threads cold, is not counted if it takes less than the time.
/// \returns  seconds
/// \throws ContractError if there is to be no run
double best_seconds(const std::function<void()>& run, Repetitions repetitions = {});

/// The most floating point operations a second: fused multiplications and additions in
/// registers alone, in enough independent chains that none waits, on all threads at once.
/// \returns  GFLOP/s of all threads together, two operations a multiplication and addition
/// \throws ContractError if there is no thread
double fma_peak(const Execution& how, Repetitions repetitions = {});

/// What a copy moves between processor and memory if its stores go through the cache. Bytes
/// read and bytes written are counted; that a store first fetches the line it writes to is not.
/// The parts of the arrays are first written by as many threads as copy them; which thread
/// takes which part is decided anew each time, so where each processor has a memory of its own,
/// less may come out than with threads that stay with their part.
/// \returns  GB/s of all threads together, over arrays of 128 MiB each
/// \throws ContractError if there is no thread
double copy_bandwidth(const Execution& how, Repetitions repetitions = {});

/// The same with stores that go around the cache.
double stream_bandwidth(const Execution& how, Repetitions repetitions = {});

/// What the machine can do at most.
struct Machine
{
    double peak = 0;   ///< GFLOP/s of all threads together
    double copy = 0;   ///< GB/s of all threads together, with stores through the cache
    double stream = 0; ///< GB/s of all threads together, with stores around it

    /// \returns the faster of the two copies
    double bandwidth() const { return copy < stream ? stream : copy; }
};

/// What the machine can do at most, on one thread and on several.
struct Limits
{
    Machine one; ///< on one thread
    Machine all; ///< on all that are used
};

/// Measures them.
Limits measure_limits(const Execution& how, Repetitions repetitions = {});

// ---------------- variants of the matrix product

/// One way to compute C = A B.
struct MatrixProductVariant
{
    std::string name; ///< as programs and legends print it
    std::string idea; ///< what is new in it, in a line
    /// C [m, n] = A [m, k] B [k, n], all of them row by row without gaps. Only the last variant
    /// uses more than one thread.
    void (*multiply)(const Execution& how, std::size_t m, std::size_t n, std::size_t k,
                     const float* a, const float* b, float* c);
};

/// All of them, the way up: "left to the compiler" is "loop order" once more, with vectors, the
/// others go on from the one before. The first adds up in double and is what the others are
/// compared with. The variants in plain loops are the same for every instruction set.
const std::vector<MatrixProductVariant>& matrix_product_variants();

// ---------------- variants of softmax

/// One way to compute the softmax of rows.
struct SoftmaxVariant
{
    const char* name; ///< short, for a table
    const char* idea; ///< in one line, what is new beside the variant before
    /// y_ij = e^x_ij / sum_l e^x_il. A row of which every number is -inf becomes zeros.
    /// \param how   kernels; threads are used by the last variant alone
    /// \param size  of the matrix
    /// \param x     [n_rows, n]
    /// \param y     [n_rows, n], receives the result, overlapping no number of x
    void (*run)(const Execution& how, MatrixSize size, const float* x, float* y);
    /// How often each number of a matrix that fits no cache goes between processor and memory:
    /// read once, written once, or more.
    double n_passes;
};

/// The variants, from plain loops in double precision upwards. Not each is faster than the one
/// before it.
const std::vector<SoftmaxVariant>& softmax_variants();

/// Softmax of rows as the last variant does it: blocks of rows for the threads, three rows at a
/// time if the matrix has at most 8 MiB, otherwise row by row, in chunks where a row has more
/// than softmax_chunk numbers. Measured were matrices of 128 KiB and of 64 MiB; the border
/// between them is a guess. A row with a nan or with +inf becomes nan. Arguments are those of a
/// variant.
void softmax(const Execution& how, MatrixSize size, const float* x, float* y);

// ---------------- variants of attention

/// One way to compute attention.
struct AttentionVariant
{
    std::string name; ///< as programs and legends print it
    std::string idea; ///< what it adds to the one before, in a line
    /// Contexts [batch, n_queries, H d_v] of queries [batch, n_queries, H d_k], keys [batch,
    /// n_keys, H d_k] and values [batch, n_keys, H d_v]; a query without keys gets 0. Only
    /// the last variant uses more than one thread.
    void (*attend)(const Execution& how, const AttentionSizes& sizes, const AttentionMask& mask,
                   const float* queries, const float* keys, const float* values,
                   float* context);
    /// Whether all scores of a head exist at a time: then they go to memory and back if no
    /// cache holds them, whatever the sentence's length.
    bool keeps_all_scores;
};

/// All of them, each a step up from the one before; the first adds up in double and is what
/// the others are compared with.
const std::vector<AttentionVariant>& attention_variants();

/// Multiplications and additions of attention, counted as two operations each, and nothing
/// else: \f$ 2 H n_q n_k (d_k + d_v) \f$ a sentence forwards, half of it if causal; the
/// backward pass has two and a half times as many.
double attention_operations(const AttentionSizes& sizes, bool causal);

// ---------------- the three ladders, counted and measured

/// A variant, ready to run.
struct Variant
{
    std::string name; ///< in a table: "register tile"
    std::string idea; ///< what is new beside the variant before, in one line
    double bytes;     ///< moved between processor and memory, counted, if no array fits a cache
    bool threaded; ///< whether it uses more than one thread: the last variant of a ladder does
    std::function<void(const Execution&)> run; ///< computes Ladder::result
};

/// Rungs that compute the same, on the same numbers.
struct Ladder
{
    std::string name;              ///< "matrix product"
    std::string size;              ///< "512 x 512 x 512"
    double flops;                  ///< of every variant, counted
    std::vector<Variant> variants; ///< the first is the one that the others are compared with
    std::shared_ptr<std::vector<float>> result; ///< what the variant that ran last has computed
};

/// The sizes of a product of matrices.
struct ProductSize
{
    std::size_t m; ///< rows of the first factor, and of the product
    std::size_t n; ///< columns of the second factor, and of the product
    std::size_t k; ///< columns of the first factor, rows of the second
};

/// Of the problems that the ladders solve.
struct LadderSizes
{
    ProductSize product = {512, 512, 512}; ///< of the matrix product
    std::size_t softmax_rows = 8192;       ///< rows of the softmax
    std::size_t softmax_columns = 2048;    ///< numbers in each
    std::size_t n_heads = 8;               ///< of attention
    std::size_t n_tokens = 1024;           ///< queries, and keys, of attention
    std::size_t d_head = 64;               ///< numbers in a query, key and value of one head
};

/// The product of two matrices of normal random numbers: 2 m n k operations, 4 (m k + k n + m
/// n) bytes.
/// \throws ContractError if a size is 0
Ladder product_ladder(const ProductSize& size);

/// Softmax over the rows of a matrix of normal random numbers: 5 operations a number
/// (comparing, subtracting, the exponential, counted as one, adding, dividing), 8 bytes a
/// number, more if the variant goes over the matrix several times.
/// \throws ContractError if a size is 0
Ladder softmax_ladder(std::size_t n_rows, std::size_t n_columns);

/// Attention of one sentence in H heads of d numbers, n queries and keys, without a mask: 4 n^2
/// d H operations, 16 n d H bytes, and 16 n^2 H more if the variant keeps all scores. Copies in
/// tiles, which a variant lays out for itself, are not counted.
/// \throws ContractError if a size is 0
Ladder attention_ladder(std::size_t n_heads, std::size_t n_tokens, std::size_t d_head);

/// Matrix product, softmax, attention.
std::vector<Ladder> all_ladders(const LadderSizes& sizes);

/// How far a variant is from the first one: the largest difference, as a share of the largest
/// number of the first variant's result; inf if a number is none.
/// \throws ContractError if there is no such variant
double largest_difference(const Ladder& ladder, std::size_t variant, const Execution& how);

/// How fast a variant is.
struct Measured
{
    double seconds;     ///< the shortest run
    double gflops;      ///< GFLOP/s
    double gigabytes;   ///< GB/s, of the counted bytes
    Machine machine;    ///< on as many threads as the variant uses, measured beside it
    double limit;       ///< GFLOP/s that the roofline allows
    double times_first; ///< how many times as fast as the first variant
};

/// Measures the variants, and the peak before and after each.
/// \param how       kernels and threads; a variant without threads runs on one
/// \param limits    of the machine; the peak is measured again
std::vector<Measured> measure_variants(const Ladder& ladder, const Execution& how,
                                       const Limits& limits, Repetitions repetitions);

/// What the options ask for.
struct Settings
{
    Execution how;              ///< kernels and threads
    LadderSizes sizes;          ///< of what is measured
    std::size_t n_steps = 20;   ///< of each training of the whole model
    std::size_t n_words = 8192; ///< of the long text
};

Repetitions repetitions_of(const program::Frame& frame); ///< few if quick
std::string percent(double share);                       ///< "87 %"
std::string threads_text(std::size_t n);                 ///< "one thread", "2 threads"
std::string four_digits(double number);                  ///< for a figure

/// Saves rows of a figure's numbers, the names of the columns first.
void save_rows(program::Frame& frame, const std::string& file,
               const std::vector<std::vector<std::string>>& rows);

/// Prints every variant's idea, its operations and bytes, counted, and how far its numbers are
/// from those of the first variant. No number here depends on the machine.
void show_counted_ladders(program::Frame& frame, const Settings& settings);

/// Prints what this machine can do at most, and the ladders, and keeps them.
void show_measured_ladders(program::Frame& frame, const Settings& settings);

// ---------------- memory, longer sentences, instruction sets, threads

/// The heads of an attention whose cost is asked for.
struct HeadCount
{
    std::size_t n_heads = 8; ///< H
    std::size_t d_head = 64; ///< d, numbers of a query, key and value in one head
};

/// Bytes that attention takes beside queries, keys and values.
struct AttentionMemory
{
    std::size_t n_tokens; ///< queries, and keys
    std::size_t plain;    ///< bytes
    std::size_t fused;    ///< bytes
};

/// Counts memory, forwards, on one thread.
/// \param kernels  of the fused attention: the wider, the more queries make a block
/// \param lengths  tokens, each at least 1
std::vector<AttentionMemory> attention_memory(const kernels::Kernels& kernels,
                                              const HeadCount& heads,
                                              const std::vector<std::size_t>& lengths);

void show_attention_memory(program::Frame& frame); ///< plain and fused, counted

/// Seconds that attention takes; 0 where it was not measured.
struct AttentionTime
{
    std::size_t n_tokens; ///< queries, and keys
    double plain;         ///< forwards, chapter 11's operators, on one thread
    double fused;         ///< forwards
    double causal;        ///< forwards, with a causal mask
    double backward;      ///< the backward pass, without a mask
    double peak;          ///< GFLOP/s of the machine, measured beside it
};

/// Measures time.
/// \param how      kernels and threads of the fused attention
/// \param lengths  tokens, each at least 1; plain attention is left out where its scores would
///                 take more than 256 MiB
std::vector<AttentionTime> attention_times(const Execution& how, const HeadCount& heads,
                                           const std::vector<std::size_t>& lengths,
                                           Repetitions repetitions);

/// Prints and keeps what attention takes for sentences of several lengths, measured.
void show_attention_lengths(program::Frame& frame, const Settings& settings);

void show_instruction_sets(program::Frame& frame, const Settings& settings); ///< on one thread
void show_threads(program::Frame& frame, const Settings& settings); ///< by their number

// ---------------- the whole model

/// The sentences that every variant learns from, in batches, and the model.
struct ModelTraining
{
    transformer::TransformerOptions options; ///< of chapter 12's whole transformer
    std::vector<text::Batch> batches;        ///< [n_steps], of 32 sentences each
};

/// Some of chapter 12's sentences.
/// \param n_steps  how many batches, at least 1
ModelTraining model_training(std::uint64_t seed, std::size_t n_steps);

/// Operations of the matrix products of a training step, a multiplication and an addition being
/// two: those of each linear map and of each attention forwards, and twice as many backwards.
/// The batch's padding counts.
double step_operations(const transformer::TransformerOptions& options,
                       const text::Batch& batch);

/// What came of a short training.
struct ModelRun
{
    std::vector<float> losses; ///< [n_steps]
    double seconds; ///< of all steps but the first, which finds memory and caches cold
};

/// Trains a transformer for a step a batch, with Adam and shortened gradients as chapter 12
/// does. The losses of a training are the same each time.
/// \param how  kernels, and threads for a variant that uses them
ModelRun train_model(const ModelVariant& variant, const kernels::Execution& how,
                     const ModelTraining& training);

/// What a pass over a long text took.
struct LongText
{
    double seconds;     ///< of the pass
    std::size_t bytes;  ///< of all that was computed, by the pool's counter
    std::size_t scores; ///< bytes that one attention's scores would take, if they were kept
};

/// Reads a long text of random words and writes as long a one with teacher forcing, with
/// attention in one pass, on one thread.
/// \param n_tokens  words of either text, at least 1
LongText read_long_text(const kernels::Kernels& kernels, std::size_t n_tokens);

/// Trains the whole model variant by variant, and prints whether the losses are those of the
/// first, and what was measured, if it was; then a long text, and the memory that it took.
void show_whole_model(program::Frame& frame, const Settings& settings, bool timed);

// ---------------- what a token reads, and what smaller formats cost

/// All of them, the one of most bytes first.
inline constexpr std::array weight_formats = {WeightFormat::float32, WeightFormat::bf16,
                                              WeightFormat::int8};

/// A number of bytes in millions, with one decimal.
std::string megabytes(double bytes);

/// The options of the smallest GPT-2 (\cite radford2019, table 2): 768 wide, 12 layers and heads.
language_models::LanguageModelOptions gpt2_options();

/// What a token reads from memory, counted from sizes alone.
struct BytesOfAToken
{
    double weights; ///< of all matrices, whatever the length of the text
    double cache;   ///< of keys and values of the tokens before it
};

/// Counts it.
/// \param n_before  tokens before this one
BytesOfAToken bytes_of_a_token(const language_models::LanguageModelOptions& options,
                               const DecoderOptions& kept, std::size_t n_before);

/// How far a decoder's scores are from those of another.
struct ScoreError
{
    double relative;    ///< root mean square of the difference, over that of the other's scores
                        ///< about the mean of their row
    double other_token; ///< share of rows whose largest score belongs to another token
};

/// Compares scores [n, n_tokens].
/// \throws ContractError if the shapes differ
ScoreError score_error(const Array<float>& scores, const Array<float>& wanted);

/// The scores of each next token of a text, which is read in windows.
/// \param text  more than n tokens; what is left after the last whole window, and the token after
///              that, is not read
/// \param n     tokens of a window
/// \returns     [n_windows n, n_tokens]
Array<float> scores_in_windows(const Decoder& decoder, std::span<const TokenId> text,
                               std::size_t n);

/// A model of the grammar's sentences, and sentences that it has not learnt from.
struct LearntModel
{
    language_models::LanguageModel<float> model; ///< 64 wide, 2 layers of 4 heads
    std::size_t n_steps;                         ///< that it was trained for
    std::vector<TokenId> tested;                 ///< the sentences, one after the other
};

/// Trains it.
LearntModel learnt_model(const program::CommonOptions& asked);

/// Prints what a token reads, counted, and what formats cost a trained model. No number depends on
/// the machine.
void show_decoding_formats(program::Frame& frame, const LearntModel& learnt);

// ---------------- what 16 bits lose

/// Attention in 16 bits, as the layers of chapters 11 and 12 take it: queries, keys and values are
/// rounded to 16 bits. Forwards only: nothing of it is recorded on the tape.
multi_head::Attend<float> bf16_attention_kernel(const Execution& how);

/// The kernels of an instruction set, with products of floats that round their factors to 16 bits.
kernels::Kernels with_bf16_products(const Execution& how);

/// While it lives, this thread's products of floats round their factors to 16 bits.
class ProductsInBf16
{
public:
    /// \param how  kernels and threads
    explicit ProductsInBf16(const Execution& how);

private:
    kernels::Kernels kernels_;
    kernels::ComputeWith guard_;
};

/// The sum of a_p b_p, one product after the other; products of numbers of 16 bits are exact.
/// \param a  [n]
/// \param b  [n]
float sum_in_order(std::span<const float> a, std::span<const float> b);

/// The same as the instruction `vdpbf16ps` adds up (\cite intel2024): of each pair of neighbouring
/// products the second, then the first. Numbers below the normal ones, which it takes for zeros, are
/// not.
/// \param a  [n], n even
/// \param b  [n]
float sum_pair_after_pair(std::span<const float> a, std::span<const float> b);

/// Prints how often sums of exact products depend on their order, what it loses to round weights,
/// factors of products and attention to 16 bits, and how a training goes whose products do. No
/// number depends on the machine.
/// \param learnt  receives weights of 16 bits
void show_fewer_bits(program::Frame& frame, const Settings& settings, LearntModel learnt);

// ---------------- how fast it writes, measured

/// The shortest run of each of several, in turns, so that a slow while of the machine meets all
/// alike. On one thread the processor's time is taken, so that what other programs take does not
/// count; on several the time that passes.
/// \param runs       each is run once before it counts
/// \param n_threads  that they compute on
/// \param n_turns    at least 1
/// \returns          seconds
std::vector<double> shortest_in_turns(const std::vector<std::function<void()>>& runs,
                                      std::size_t n_threads, std::size_t n_turns);

/// Prints how fast a model of GPT-2's size writes and reads, measured: by format, by the number of
/// texts, by heads of keys, and in one pass.
void show_decoding_speed(program::Frame& frame, const Settings& settings);

// ---------------- step by step with a pencil

/// Prints the pencil example through the online softmax, tile by tile, every intermediate by
/// its name and shape.
void show_pencil_steps(program::Frame& frame);

} // namespace attn::simd_transformer
