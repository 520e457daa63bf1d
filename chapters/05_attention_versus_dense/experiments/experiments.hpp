/// \file
/// \brief The experiments of chapter 5, in the order of its program: what weights may depend on, layers
/// set by hand, and layers that learn the same tasks from examples.
#pragma once

#include "chapters/05_attention_versus_dense/layers.hpp"
#include "chapters/05_attention_versus_dense/models.hpp"
#include "common/autograd/softmax.hpp"
#include "common/program/run.hpp"
#include "common/random/random.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace attn::attention_versus_dense {

// ---------------- which index the weights carry

/// A layer, followed by a mean over time where it keeps the steps apart.
struct ComparedLayer
{
    std::string name;      ///< as in the table
    std::string weight;    ///< what multiplies x_tk of example n in the result
    std::size_t n_numbers; ///< parameters
    /// From sequences [batch, n_steps, n_features] to one row an example.
    std::function<Variable<double>(const Variable<double>& X)> apply;
    bool on_page = true; ///< whether the table has a row for it; tests take all
};

/// The layers of the question and those beside them, with one unit each and random parameters.
/// \returns poolings, three dense layers, attention, Raffel and Ellis' network
std::vector<ComparedLayer> compared_layers(std::uint64_t seed, std::size_t n_steps,
                                           std::size_t n_features);

/// What was measured of a layer.
struct LayerProperties
{
    bool weight_varies;  ///< with the input: the layer is not linear
    double order_change; ///< largest change of a result when the steps are put in another order
    bool any_length;     ///< whether it takes one step more
};

/// Measures them on random sequences.
LayerProperties properties_of(const ComparedLayer& layer, std::uint64_t seed,
                              std::size_t n_steps, std::size_t n_features);

/// Prints which index each layer's weights carry, how many there are and what they depend on.
void show_layer_properties(program::Frame& frame);

// ---------------- the ceiling of a capped score

/// Prints and writes how much weight a capped score can give, and what that costs.
void show_ceilings(program::Frame& frame);

// ---------------- layers set by hand

/// A layer for the marked step of 4 numbers and a marker, its parameters set by hand.
struct SetByHand
{
    std::string name; ///< as in the table
    /// What it makes of sequences [n, 20, 5]: [n, d].
    std::function<Matrix(const Array<float>& X)> apply;
};

/// Attention without tanh, a gated sum, a dense network of 160 rectifiers; and attention with tanh
/// and one b, scoring the marker alone and scoring the first number, too.
std::vector<SetByHand> layers_by_hand();

/// 160 rectifiers that say exactly what stands at the marked step of sequences [n, 20, 5]: for a
/// number v from -1 to 1 and its marker m, which is 0 or 1,
///
/// \f[ m v = \max(v + m - 1, 0) - \max(-v + m - 1, 0) . \f]
///
/// \returns [n, 4]
Matrix by_rectifiers(const Array<float>& X);

/// R^2 of each of the four numbers on fresh sequences, after a linear readout by least squares.
/// \returns [4]
Vector explained_by(const SetByHand& layer, std::uint64_t seed, std::size_t n_examples);

/// Prints what layers set by hand explain.
void show_by_hand(program::Frame& frame);

// ---------------- examples and fits, for all that is learnt

/// Sequences, and what is to be predicted from each.
struct Examples
{
    Array<float> X;                       ///< [n, n_steps, n_features]
    Array<float> Y;                       ///< [n, n_outputs]
    std::optional<autograd::Mask> mask;   ///< [n, n_steps, 1], false for padding; all if none
    std::vector<std::size_t> marked_step; ///< [n], the marked step, where a task has one
};

/// Some of the examples.
/// \returns in the order of which, without the marked steps
Examples pick(const Examples& all, const std::size_t* which, std::size_t n);

/// The examples of a fit.
struct Split
{
    Examples train;      ///< what the gradients are made of
    Examples validation; ///< what the moment to stop is chosen by
    Examples test;       ///< what nothing was chosen by
};

/// How long and how fast.
struct Training
{
    std::size_t n_steps = 2000; ///< steps of Adam
    std::size_t batch = 64;     ///< examples a step
    /// Of the model's learning rate; none: 1, or the better of 1 and 3 where the model asks.
    std::optional<double> rate_factor = {};
    std::size_t n_evaluations = 20; ///< on the validation set
    std::size_t n_test = 10000;     ///< fresh examples of the last evaluation
    bool falls = false;             ///< whether the rate falls in a straight line to 0
    double weight_decay = 0;        ///< decoupled from the gradient
};

/// What came of it.
struct Fit
{
    double test;                ///< R^2 on the test set, at the best evaluation
    double validation;          ///< R^2 on the validation set, there
    double last_train;          ///< R^2 on the examples learnt from, at the end
    std::vector<double> losses; ///< [n_steps], of each step's batch
};

/// What a model says, [n, n_outputs], a few hundred examples at a time.
Array<float> predictions(const Model& model, const Examples& examples);

/// The weights of a model that attends, [n, n_steps].
/// \throws ContractError if the model does not attend
Matrix weights_of(const Model& model, const Examples& examples);

/// The share of the variance of each output that predictions explain,
///
/// \f[ R^2 = 1 - \frac{\sum (y - \hat y)^2}{\sum (y - \bar y)^2} , \f]
///
/// for arrays [n, n_outputs]. 0 for predictions of the mean, below 0 for worse ones.
/// \returns [n_outputs]
/// \throws ContractError if the shapes differ
Vector r_squared_of_each(const Array<float>& predicted, const Array<float>& Y);

/// The mean over the outputs of the share that is explained.
/// \throws ContractError if the shapes differ
double r_squared(const Array<float>& predicted, const Array<float>& Y);

/// The share of the predictions [n, n_outputs] that are off by less than a bound.
/// \throws ContractError if the shapes differ
double share_within(const Array<float>& predicted, const Array<float>& Y, double bound);

/// Fits by Adam to the mean squared error. The order of the examples is drawn anew each time
/// all have been seen; the model is left as it was when R^2 on the validation set was highest.
Fit fit(Model& model, const Split& split, const Training& training, double learning_rate,
        std::uint64_t seed);

/// A task: n examples, drawn from a generator.
using Draw = std::function<Examples(random::Generator& generator, std::size_t n)>;

/// The three sets of a task, from three streams, with 500 examples for validation.
Split draw_split(const Draw& draw, std::uint64_t seed, std::size_t n_train, std::size_t n_test);

/// A fit together with the model that came of it.
struct Fitted
{
    Model model;   ///< as it was best in validation
    Examples test; ///< what nothing was chosen by, the same for all models
    Fit fit;       ///< what the model is worth
};

/// Draws the three sets of a task and fits at the model's learning rate, or at several: of two
/// fits the one is returned that explains more of the validation set.
/// \param name      of the model, whose embedding has d_hidden units
Fitted fit_task(const std::string& name, const Draw& draw, std::uint64_t seed,
                std::size_t n_train, const Training& training, std::size_t d_hidden = 16);

/// How the program trains: in full, or with --quick a few steps.
/// \param n_steps  of the full training
Training training_of(const program::Frame& frame, std::size_t n_steps);

// ---------------- least squares

/// A linear map with an intercept, \f$ \hat y = x B + a \f$.
struct LinearMap
{
    Matrix coefficients; ///< B [n_features + 1, n_outputs], the intercept a last

    /// \param x  [n, n_features]
    /// \returns  [n, n_outputs]
    Array<float> operator()(const Matrix& x) const;
};

/// The map with the least squared error, by the normal equations and Cholesky's decomposition. A
/// column of x that is a linear map of those before it (or the intercept, if it is) has the
/// coefficient 0.
/// \param x  [n, n_features]
/// \param y  [n, n_outputs]
/// \throws ContractError if the shapes differ in n
LinearMap least_squares(const Matrix& x, const Array<float>& y);

/// The sequences as a dense layer over both gets them, [n, n_steps * n_features].
Matrix flattened(const Examples& examples);

/// The mean of each feature over the steps, [n, n_features].
Matrix means_of_steps(const Examples& examples);

// ---------------- tables of models

/// Names of rows and columns, and the numbers of all seeds.
class Grid
{
public:
    /// A row for each model, a column for each setting, named as in the tables; all numbers 0.
    Grid(const program::Frame& frame, std::vector<std::string> rows,
         std::vector<std::string> columns);

    /// One of the numbers. Several threads may write to different ones.
    double& at(std::size_t row, std::size_t column, std::uint64_t seed)
    {
        return values_[row][column][static_cast<std::size_t>(seed - seeds_.front())];
    }

    /// Measures every number, several at a time; the last columns, which take longest, first.
    /// \param measure  the number of a row, a column and a seed; nan for none
    void fill(const program::Frame& frame,
              const std::function<double(std::size_t row, std::size_t column,
                                         std::uint64_t seed)>& measure);

    /// Prints the median of each cell, a dash where there is none, and how far seeds differ.
    /// \param more   rows to stand below: a name and a cell a column
    /// \param begin  the first row to print
    /// \param end    the row after the last, or beyond all rows
    void print(program::Frame& frame, const std::string& header,
               const std::vector<std::vector<std::string>>& more, std::size_t begin = 0,
               std::size_t end = std::numeric_limits<std::size_t>::max()) const;

    /// Writes a line for each column: its name, and of each row the lowest, the median and
    /// the highest, as `name_lowest`, `name` and `name_highest`.
    /// \param names  [n_columns], what stands under the key; none: the columns' names
    void write(program::Frame& frame, const char* file, const char* key,
               const std::vector<std::string>& names = {}) const;

private:
    std::vector<std::uint64_t> seeds_;
    std::vector<std::string> rows_;
    std::vector<std::string> columns_;
    std::vector<std::vector<std::vector<double>>> values_; ///< [rows][columns][seeds]
};

// ---------------- the marked step, by the number of examples and of steps

/// How many steps there are where nothing else is said.
inline constexpr std::size_t n_marked_steps = 20;

/// Each step has some numbers, uniform on [-1, 1), and a marker, which is 1 at one step and 0 at
/// all others. The numbers of the marked step are to be predicted. The step differs from example
/// to example.
/// \param n_values  numbers at a step, and outputs
/// \returns         X [n, n_steps, n_values + 1], the marker last; Y [n, n_values]
Examples draw_marked(random::Generator& generator, std::size_t n, std::size_t n_steps,
                     std::size_t n_values = 4);

/// Learns to say what stands at the marked step.
Fitted fit_marked(const std::string& name, std::uint64_t seed, std::size_t n_train,
                  std::size_t n_steps, const Training& training, std::size_t n_values = 4);

/// How long a model learns the marked step from n examples, in full or with --quick.
Training marked_training(const program::Frame& frame, const std::string& name,
                         std::size_t n_train);

/// So many examples, or with --quick at most 500.
std::size_t marked_examples(const program::Frame& frame, std::size_t n_train);

/// R^2 of a linear map that least squares finds on the same examples, over all numbers of a
/// sequence or over the means of its features.
double least_squares_marked(const std::string& name, std::uint64_t seed, std::size_t n_train,
                            std::size_t n_test);

/// Prints and writes R^2 against the number of examples, and on longer sequences.
void show_marked_by_size(program::Frame& frame);

/// Prints and writes R^2 against the number of steps, with the ceiling.
void show_marked_by_length(program::Frame& frame);

// ---------------- one number a step

/// Prints and writes where a tanh hides one number a step.
void show_scalar_trap(program::Frame& frame);

// ---------------- fixed lags: prices and interest rates

/// What is to be predicted from a month of prices and interest rates: a sum with fixed weights.
struct LagTask
{
    std::string name;   ///< "days"
    std::string target; ///< "0.6 price(1) + ..."
    Matrix weights;     ///< [31, 2], row 0 the oldest day; columns price, interest rate
};

/// "features": all prices, less of the interest rates. "days": yesterday's and five days ago's
/// price, less of thirty days ago. "signs": a price that counts against another, and a rate.
std::vector<LagTask> lag_tasks();

/// Prices and rates as independent numbers, uniform on [-1, 1).
/// \returns X [n, 31, 2], Y [n, 1]
Examples draw_lags(const LagTask& task, random::Generator& generator, std::size_t n);

/// Prints and writes the sums of prices and interest rates.
void show_lags(program::Frame& frame);

// ---------------- Raffel and Ellis: add or multiply

/// What is asked of the two marked numbers.
enum class Arithmetic
{
    addition,      ///< numbers from -1 to 1; .5 + (a + b) / 4
    multiplication ///< numbers from 0 to 1; a b
};

/// Raffel and Ellis' tasks (\cite raffel2015, section 3): a number and a marker at each step. The
/// length is uniform on [T_0, 1.1 T_0]; the marker is -1 at the first and the last step, 1 at
/// one of the steps 1 to 9 and at another before the middle, 0 elsewhere. What follows the end
/// is zero and masked.
/// \param t_0  T_0, at least 20
/// \returns    X [n, 1.1 t_0, 2], Y [n, 1]
/// \throws ContractError if t_0 is below 20
Examples draw_arithmetic(Arithmetic arithmetic, random::Generator& generator, std::size_t n,
                         std::size_t t_0);

/// Prints and writes Raffel and Ellis' tasks.
void show_arithmetic(program::Frame& frame);

// ---------------- which of two symbols came first?

/// Symbols A and B stand at two steps, noise in a channel of its own. Was A first (1) or B (-1)?
/// Examples come in pairs: the second is the first with these two steps exchanged.
/// \returns X [2 n_pairs, n_steps, 3]: A, B, noise; Y [2 n_pairs, 1]
Examples draw_order(random::Generator& generator, std::size_t n_pairs, std::size_t n_steps);

/// Prints and writes who can tell which of two symbols came first.
void show_order(program::Frame& frame);

// ---------------- learning rates

/// Prints and writes each model's learning rate, and R^2 in validation around it.
void show_learning_rates(program::Frame& frame);

/// Prints and writes what a falling rate and weight decay make of the gated network.
void show_falling_rate(program::Frame& frame);

// ---------------- the weights of the marked step

/// Writes the weights of chosen samples, for a figure and for the interactive one.
void show_weights(program::Frame& frame);

// ---------------- step by step with a pencil

/// Prints the pencil example through the layer of the question, every intermediate by its name
/// and shape.
void show_pencil_steps(program::Frame& frame);
} // namespace attn::attention_versus_dense
