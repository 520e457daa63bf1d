/// \file
/// \brief The bodies of learnt_scores.hpp.
#include "chapters/04_backpropagation/learnt_scores.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/optimisers.hpp"
#include "common/tensor/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace attn::backpropagation {

using autograd::matmul;
using random::Generator;

// ---------------------------------------------------------------- scores on the tape

template <typename T>
Variable<T> dot_product(const Variable<T>& queries, const Variable<T>& keys)
{
    return matmul(queries, keys, Transpose::no, Transpose::yes);
}

template <typename T>
Variable<T> scaled_dot_product(const Variable<T>& queries, const Variable<T>& keys)
{
    return dot_product(queries, keys) / std::sqrt(static_cast<double>(keys.shape().back()));
}

namespace {

/// Each row divided by its length.
template <typename T>
Variable<T> unit_rows(const Variable<T>& rows)
{
    return rows / square_root(sum(squared(rows), -1, autograd::Axis::kept));
}

} // namespace

template <typename T>
Variable<T> cosine(const Variable<T>& queries, const Variable<T>& keys)
{
    return dot_product(unit_rows(queries), unit_rows(keys));
}

template <typename T>
Variable<T> dot_with_key_bias(const Variable<T>& queries, const Variable<T>& keys)
{
    const Variable<T> lengths = sum(squared(keys), -1, autograd::Axis::kept); // [.., n_keys, 1]
    return dot_product(queries, keys) - 0.5 * transpose(lengths);
}

// [learnt_multiplicative]
template <typename T>
Variable<T> multiplicative(const Variable<T>& queries, const Variable<T>& keys,
                           const Variable<T>& W)
{
    return dot_product(matmul(queries, W), keys); // one small product a query, none a key
}
// [learnt_multiplicative]

// [learnt_additive]
template <typename T>
Variable<T> additive(const Variable<T>& queries, const Variable<T>& keys,
                     const AdditiveParameters<T>& parameters)
{
    const auto& [W_q, W_k, b, w] = parameters;
    const Shape& of_queries = queries.shape(); // [batch, n_queries, d_q]
    const Shape& of_keys = keys.shape();       // [batch, n_keys, d_k]
    expect(of_queries.size() == 3 && of_keys.size() == 3,
           "additive: queries and keys must have three axes, got shapes {} and {}", of_queries,
           of_keys);

    // W_q q_i + b for every query: [batch, n_queries, 1, d_hidden].
    Variable<T> from_queries =
        matmul(reshape(queries, {of_queries[0], of_queries[1], 1, of_queries[2]}), W_q);
    if (b) {
        from_queries = from_queries + *b;
    }
    // W_k k_j for every key: [batch, 1, n_keys, d_hidden].
    const Variable<T> from_keys =
        matmul(reshape(keys, {of_keys[0], 1, of_keys[1], of_keys[2]}), W_k);

    // Every query of a table meets every key of it: [batch, n_queries, n_keys, d_hidden].
    const Variable<T> units = tanh(from_queries + from_keys);
    return reshape(matmul(units, w), {of_keys[0], of_queries[1], of_keys[1]});
}
// [learnt_additive]

// ---------------------------------------------------------------- scores that can be learnt

namespace {

/// A matrix to be learnt, that begins with normal numbers over the root of its rows: a vector
/// of unit variance is mapped to one of unit variance.
template <typename T>
Variable<T> matrix_parameter(Generator& generator, std::size_t n_rows, std::size_t n_columns)
{
    const double deviation = 1 / std::sqrt(static_cast<double>(n_rows));
    Array<T> matrix(Shape{n_rows, n_columns});
    for (T& entry : numbers_of(matrix)) {
        entry = static_cast<T>(generator.normal(0, deviation));
    }
    return autograd::parameter(std::move(matrix));
}

/// exp(theta) times scores, theta to be learnt and 0 at first: a temperature that stays positive.
template <typename T>
LearntScore<T> with_temperature(
    const std::string& name,
    Variable<T> (*score)(const Variable<T>& queries, const Variable<T>& keys))
{
    const Variable<T> theta = autograd::parameter(filled<T>({1}, T(0)));
    LearntScore<T> result{name, {}, [score, theta](const auto& queries, const auto& keys) {
                              return exp(theta) * score(queries, keys);
                          }};
    result.parameters.add("theta", theta);
    return result;
}

template <typename T>
LearntScore<T> learnt_multiplicative(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> W = matrix_parameter<T>(generator, sizes.d_q, sizes.d_k);
    LearntScore<T> result{"multiplicative", {}, [W](const auto& queries, const auto& keys) {
                              return multiplicative(queries, keys, W);
                          }};
    result.parameters.add("W", W);
    return result;
}

template <typename T>
LearntScore<T> learnt_distance(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> W = matrix_parameter<T>(generator, sizes.d_k, sizes.d_q);
    const Variable<T> theta = autograd::parameter(filled<T>({1}, T(0)));
    LearntScore<T> result{
        "multiplicative + key bias", {}, [W, theta](const auto& queries, const auto& keys) {
            return exp(theta) * dot_with_key_bias(queries, matmul(keys, W));
        }};
    result.parameters.add("W", W);
    result.parameters.add("theta", theta);
    return result;
}

template <typename T>
LearntScore<T> learnt_projected(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> U = matrix_parameter<T>(generator, sizes.d_q, sizes.d_hidden);
    const Variable<T> V = matrix_parameter<T>(generator, sizes.d_k, sizes.d_hidden);
    LearntScore<T> result{"projected", {}, [U, V](const auto& queries, const auto& keys) {
                              return scaled_dot_product(matmul(queries, U), matmul(keys, V));
                          }};
    result.parameters.add("U", U);
    result.parameters.add("V", V);
    return result;
}

template <typename T>
LearntScore<T> learnt_additive(const ScoreSizes& sizes, Generator& generator, bool bias)
{
    const Variable<T> W_q = matrix_parameter<T>(generator, sizes.d_q, sizes.d_hidden);
    const Variable<T> W_k = matrix_parameter<T>(generator, sizes.d_k, sizes.d_hidden);
    const Variable<T> w = matrix_parameter<T>(generator, sizes.d_hidden, 1);
    AdditiveParameters<T> parameters{W_q, W_k, {}, w};
    LearntScore<T> result;
    result.parameters.add("W_q", W_q);
    result.parameters.add("W_k", W_k);
    result.parameters.add("w", w);
    if (bias) {
        parameters.b = autograd::parameter(filled<T>({sizes.d_hidden}, T(0)));
        result.parameters.add("b", *parameters.b);
    }
    result.name = bias ? "additive, bias" : "additive, no bias";
    result.score = [parameters](const auto& queries, const auto& keys) {
        return additive(queries, keys, parameters);
    };
    return result;
}

/// A score without parameters.
template <typename T>
LearntScore<T> fixed_score(
    const std::string& name,
    Variable<T> (*score)(const Variable<T>& queries, const Variable<T>& keys))
{
    return {name, {}, score};
}

} // namespace

template <typename T>
const std::vector<ScoreMaker<T>>& score_makers()
{
    using Sizes = ScoreSizes;
    static const std::vector<ScoreMaker<T>> table = {
        {"dot", true,
         [](const Sizes&, Generator&) { return fixed_score<T>("dot", dot_product<T>); }},
        {"scaled dot", true,
         [](const Sizes&, Generator&) {
             return fixed_score<T>("scaled dot", scaled_dot_product<T>);
         }},
        {"cosine", true,
         [](const Sizes&, Generator&) { return with_temperature<T>("cosine", cosine<T>); }},
        {"dot + key bias", true,
         [](const Sizes&, Generator&) {
             return with_temperature<T>("dot + key bias", dot_with_key_bias<T>);
         }},
        {"multiplicative", false, learnt_multiplicative<T>},
        {"multiplicative + key bias", false, learnt_distance<T>},
        {"projected", false, learnt_projected<T>},
        {"additive, no bias", false,
         [](const Sizes& sizes, Generator& generator) {
             return learnt_additive<T>(sizes, generator, false);
         }},
        {"additive, bias", false,
         [](const Sizes& sizes, Generator& generator) {
             return learnt_additive<T>(sizes, generator, true);
         }},
    };
    return table;
}

template <typename T>
const ScoreMaker<T>& score_named(const std::string& name)
{
    const std::vector<ScoreMaker<T>>& table = score_makers<T>();
    const auto found = std::find_if(table.begin(), table.end(), [&](const ScoreMaker<T>& maker) {
        return maker.name == name;
    });
    expect(found != table.end(), "score_named: there is no score '{}'", name);
    return *found;
}

// ---------------------------------------------------------------- tasks

namespace {

/// The random streams of one seed, far enough apart for a score's number to be added.
enum Stream : std::uint64_t
{
    maps = 21ULL << 40U,
    first_parameters = 22ULL << 40U,
    training_data = 23ULL << 40U,
    test_data = 24ULL << 40U,
    root_data = 25ULL << 40U,
    root_parameters = 26ULL << 40U,
};

/// The tasks of chapter 3 by their names.
scoring_functions::Retrieval task_of_chapter_3(std::uint64_t seed, const std::string& name)
{
    for (const scoring_functions::Retrieval& task : scoring_functions::retrieval_tasks(seed)) {
        if (task.name == name) {
            return task;
        }
    }
    throw ContractError("task_of_chapter_3: there is no task '" + name + "'");
}

} // namespace

std::vector<RetrievalTask> learnt_tasks(std::uint64_t seed)
{
    std::vector<RetrievalTask> tasks;
    for (const scoring_functions::Retrieval& of : scoring_functions::retrieval_tasks(seed)) {
        tasks.push_back({of});
        if (of.name == "lengths") {
            tasks.push_back(tasks.back());
            tasks.back().of.name = "scale";
            tasks.back().keys = Keys::stretched;
        }
    }
    return tasks;
}

std::vector<RetrievalTask> small_tasks(std::uint64_t seed)
{
    Generator generator(seed, Stream::maps);
    std::vector<RetrievalTask> tasks;
    for (const std::size_t d_k : {2U, 4U, 8U, 16U}) {
        const std::size_t d_q = d_k + d_k / 2;
        const bool symbols = d_k == 16;
        Matrix M = scoring_functions::orthonormal_columns(generator, d_q, d_k);
        tasks.push_back({{symbols ? "16 symbols" : fmt::format("{} to {}", d_q, d_k),
                          std::move(M), (symbols ? 0.3 : 0.1) * xt::ones<double>({d_q})},
                         8,
                         symbols ? Keys::symbols : Keys::normal});
    }
    return tasks;
}

namespace {

/// Standard normal numbers, many at once (the polar method of Marsaglia and Bray): a training
/// here takes ten thousand times as many as chapter 3's experiments did.
template <typename T>
Array<T> normal_numbers(Generator& generator, const Shape& shape)
{
    // Points in the unit disc, and their squared distances from its centre.
    const std::size_t n_pairs = (size_of(shape) + 1) / 2;
    std::vector<float> points(2 * n_pairs);
    std::vector<float> squares(n_pairs);
    for (std::size_t i = 0; i < n_pairs;) {
        const std::uint64_t bits = generator.bits();
        const float x = static_cast<float>(bits >> 40U) * 0x1p-23F - 1;
        const float y = static_cast<float>((bits >> 16U) & 0xffffffU) * 0x1p-23F - 1;
        const float square = x * x + y * y;
        points[2 * i] = x;
        points[2 * i + 1] = y;
        squares[i] = square;
        i += square < 1 && square > 0 ? 1 : 0;
    }

    // Each point is moved along its ray.
    std::vector<float> logarithms(n_pairs);
    vector_math::log<float>(squares, logarithms);
    for (std::size_t i = 0; i < n_pairs; ++i) {
        const float factor = std::sqrt(-2 * logarithms[i] / squares[i]);
        points[2 * i] *= factor;
        points[2 * i + 1] *= factor;
    }
    Array<T> numbers(shape);
    std::copy_n(points.begin(), numbers.size(), numbers.data());
    return numbers;
}

/// The keys of n tables, before they are stretched.
template <typename T>
Array<T> draw_keys(const RetrievalTask& task, Generator& generator, std::size_t n)
{
    const std::size_t d = task.of.M.shape(1);
    const Shape shape{n, task.n_keys, d};
    if (task.keys != Keys::symbols) {
        return normal_numbers<T>(generator, shape);
    }
    Array<T> keys = filled(shape, T(0));
    for (std::size_t i = 0; i < n; ++i) {
        const std::vector<std::size_t> symbols = generator.choice(d, task.n_keys);
        for (std::size_t j = 0; j < task.n_keys; ++j) {
            keys.data()[(i * task.n_keys + j) * d + symbols[j]] = 1;
        }
    }
    return keys;
}

/// Multiplies each key by a factor of its own.
template <typename T>
void stretch(Array<T>& keys, double spread, Generator& generator)
{
    const std::size_t d = keys.shape()[2];
    const Array<T> normals = normal_numbers<T>(generator, {keys.shape()[0], keys.shape()[1]});
    for (std::size_t row = 0; row < normals.size(); ++row) {
        const T factor = std::exp(static_cast<T>(spread) * normals.data()[row]);
        std::for_each_n(keys.data() + row * d, d, [factor](T& number) { number *= factor; });
    }
}

} // namespace

template <typename T>
Batch<T> draw_batch(const RetrievalTask& task, Generator& generator, std::size_t n)
{
    const Array<T> M = Array<T>(task.of.M);
    const std::size_t d_q = M.shape()[0];
    const std::size_t d_k = M.shape()[1];
    const double spread = task.of.key_spread;
    Batch<T> batch{normal_numbers<T>(generator, {n, 1, d_q}), draw_keys<T>(task, generator, n),
                   {}};
    if (spread > 0 && task.keys != Keys::stretched) {
        stretch(batch.keys, spread, generator);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t chosen = generator.below(task.n_keys);
        const T* const key = batch.keys.data() + (i * task.n_keys + chosen) * d_k;
        T* const query = batch.queries.data() + i * d_q;
        for (std::size_t m = 0; m < d_q; ++m) {
            query[m] = std::inner_product(key, key + d_k, M.data() + m * d_k,
                                          static_cast<T>(task.of.noise(m)) * query[m]);
        }
        batch.chosen.push_back(static_cast<std::int64_t>(chosen));
    }
    if (task.keys == Keys::stretched) {
        stretch(batch.keys, spread, generator);
    }
    return batch;
}

template <typename T>
double accuracy_of(const Variable<T>& scores, const std::vector<std::int64_t>& chosen)
{
    expect(scores.rank() == 3 && scores.shape()[0] == chosen.size() && scores.shape()[1] == 1,
           "accuracy_of: scores must have shape [{}, 1, n_keys], got {}", chosen.size(),
           scores.shape());
    const std::size_t n_keys = scores.shape()[2];
    std::size_t n_right = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const T* const row = scores.value().data() + i * n_keys;
        n_right += std::max_element(row, row + n_keys) - row == chosen[i] ? 1 : 0;
    }
    return static_cast<double>(n_right) / static_cast<double>(chosen.size());
}

// ---------------------------------------------------------------- learning

namespace {

/// The cross-entropy of the softmax of scores [batch, 1, n_keys].
template <typename T>
Variable<T> cross_entropy_of(const Variable<T>& scores, const std::vector<std::int64_t>& chosen)
{
    return cross_entropy(reshape(scores, {scores.shape()[0], scores.shape()[2]}),
                         std::span<const std::int64_t>(chosen));
}

/// A score in training.
struct Learner
{
    LearntScore<float> score;
    std::unique_ptr<nn::Adam<float>> adam; ///< none if there is nothing to learn
    LearntResult result;
};

std::vector<Learner> make_learners(const RetrievalTask& task,
                                   const std::vector<std::string>& names, std::uint64_t seed,
                                   const Training& training, std::size_t d_hidden)
{
    const ScoreSizes sizes{task.of.M.shape(0), task.of.M.shape(1), d_hidden};
    std::vector<Learner> learners;
    for (std::size_t which = 0; which < names.size(); ++which) {
        const ScoreMaker<float>& maker = score_named<float>(names[which]);
        if (maker.equal_sizes && sizes.d_q != sizes.d_k) {
            continue;
        }
        Generator generator(seed, Stream::first_parameters + which);
        Learner learner{maker.make(sizes, generator), nullptr, {}};
        learner.result.score = maker.name;
        learner.result.n_parameters = learner.score.parameters.n_numbers();
        if (learner.result.n_parameters > 0) {
            learner.adam = std::make_unique<nn::Adam<float>>(
                learner.score.parameters,
                nn::Adam<float>::Options{.learning_rate = training.learning_rate});
        }
        learners.push_back(std::move(learner));
    }
    return learners;
}

} // namespace

// [learn]
std::vector<LearntResult> learn(const RetrievalTask& task,
                                const std::vector<std::string>& names, std::uint64_t seed,
                                const Training& training, std::size_t d_hidden)
{
    std::vector<Learner> learners = make_learners(task, names, seed, training, d_hidden);

    // At each step every score meets the same new tables, and moves.
    Generator data(seed, Stream::training_data);
    for (std::size_t step = 0; step < training.n_steps; ++step) {
        const Batch<float> batch = draw_batch<float>(task, data, training.batch);
        const Variable<float> queries(batch.queries);
        const Variable<float> keys(batch.keys);
        for (Learner& learner : learners) {
            autograd::Tape<float> tape;
            const Variable<float> loss =
                cross_entropy_of(learner.score.score(queries, keys), batch.chosen);
            learner.result.losses.push_back(static_cast<double>(loss.item()));
            if (learner.adam) {
                autograd::backward(loss);
                learner.adam->step();
            }
        }
    }

    // The test: new tables, and nothing moves.
    constexpr std::size_t at_a_time = 250;
    Generator test(seed, Stream::test_data);
    for (std::size_t n_seen = 0; n_seen < training.n_test; n_seen += at_a_time) {
        const std::size_t n = std::min(at_a_time, training.n_test - n_seen);
        const double share = static_cast<double>(n) / static_cast<double>(training.n_test);
        const Batch<float> batch = draw_batch<float>(task, test, n);
        for (Learner& learner : learners) {
            const Variable<float> scores = learner.score.score(batch.queries, batch.keys);
            const double loss =
                static_cast<double>(cross_entropy_of(scores, batch.chosen).item());
            learner.result.accuracy += share * accuracy_of(scores, batch.chosen);
            learner.result.cross_entropy += share * loss;
        }
    }

    std::vector<LearntResult> results;
    for (Learner& learner : learners) {
        results.push_back(std::move(learner.result));
    }
    return results;
}
// [learn]

// ---------------------------------------------------------------- what the root of d does

namespace {

/// Two projections, each number of whose results has unit variance, and their score.
struct Projections
{
    Variable<float> U; ///< [d_q, d]
    Variable<float> V; ///< [d_k, d]
    double factor;     ///< 1, or 1 over the root of d

    /// (q U) (k V)^T with the brackets where they cost least: q (U V^T) k^T.
    Variable<float> score(const Batch<float>& batch) const
    {
        const Variable<float> W = matmul(U, V, Transpose::no, Transpose::yes);
        return factor * multiplicative<float>(batch.queries, batch.keys, W);
    }
};

/// The loss of a batch, and the values that the contexts are asked for.
Variable<float> loss_of(const RootTraining& training, const Batch<float>& batch,
                        const Variable<float>& scores, Generator& generator)
{
    if (training.objective == Objective::weights) {
        return cross_entropy_of(scores, batch.chosen);
    }
    constexpr std::size_t d_v = 16;
    const std::size_t n = batch.chosen.size();
    const std::size_t n_keys = scores.shape()[2];
    Array<float> values(Shape{n, n_keys, d_v});
    for (float& number : numbers_of(values)) {
        number = static_cast<float>(generator.normal());
    }
    Array<float> wanted(Shape{n, 1, d_v});
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = i * n_keys + static_cast<std::size_t>(batch.chosen[i]);
        std::copy_n(values.data() + row * d_v, d_v, wanted.data() + i * d_v);
    }
    const Variable<float> contexts =
        matmul(autograd::softmax(scores), Variable<float>(std::move(values)));
    return mean_squared_error(contexts, Variable<float>(std::move(wanted)));
}

} // namespace

RootResult train_projections(const RootTraining& training, std::uint64_t seed)
{
    const RetrievalTask task{task_of_chapter_3(seed, "rotated")};
    Generator parameters(seed, Stream::root_parameters);
    const Projections model{
        matrix_parameter<float>(parameters, task.of.M.shape(0), training.d),
        matrix_parameter<float>(parameters, task.of.M.shape(1), training.d),
        training.scaled ? 1 / std::sqrt(static_cast<double>(training.d)) : 1.0};
    nn::Parameters<float> list;
    list.add("U", model.U);
    list.add("V", model.V);
    std::unique_ptr<nn::Optimiser<float>> optimiser;
    if (training.adam) {
        optimiser = std::make_unique<nn::Adam<float>>(
            list, nn::Adam<float>::Options{.learning_rate = training.learning_rate});
    } else {
        optimiser = std::make_unique<nn::Sgd<float>>(
            list, nn::Sgd<float>::Options{.learning_rate = training.learning_rate});
    }

    Generator data(seed, Stream::root_data);
    const Batch<float> test = draw_batch<float>(task, data, 1000);
    RootResult result{0, training.most_steps, false};
    for (std::size_t step = 0; step < training.most_steps; ++step) {
        if (accuracy_of(model.score(test), test.chosen) >= 0.9) {
            return {result.first_loss, step, true};
        }
        const Batch<float> batch = draw_batch<float>(task, data, 128);
        autograd::Tape<float> tape;
        const Variable<float> loss = loss_of(training, batch, model.score(batch), data);
        if (step == 0) {
            result.first_loss = static_cast<double>(loss.item());
        }
        autograd::backward(loss);
        optimiser->step();
    }
    return result;
}

// ---------------------------------------------------------------- for both types

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> dot_product(const Variable<T>&, const Variable<T>&);                  \
    template Variable<T> scaled_dot_product(const Variable<T>&, const Variable<T>&);           \
    template Variable<T> cosine(const Variable<T>&, const Variable<T>&);                       \
    template Variable<T> dot_with_key_bias(const Variable<T>&, const Variable<T>&);            \
    template Variable<T> multiplicative(const Variable<T>&, const Variable<T>&,                \
                                        const Variable<T>&);                                   \
    template Variable<T> additive(const Variable<T>&, const Variable<T>&,                      \
                                  const AdditiveParameters<T>&);                               \
    template const std::vector<ScoreMaker<T>>& score_makers<T>();                              \
    template const ScoreMaker<T>& score_named<T>(const std::string&);                          \
    template Batch<T> draw_batch(const RetrievalTask&, Generator&, std::size_t);               \
    template double accuracy_of(const Variable<T>&, const std::vector<std::int64_t>&);

ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::backpropagation
