/// \file
/// \brief The scores on the tape: equal to those of chapter 3, and with the right slopes; and
/// the tasks that they learn.
#include "chapters/04_backpropagation/experiments/experiments.hpp"

#include "chapters/03_scoring_functions/scoring_functions.hpp"
#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/gradient_check.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/reductions.hpp"
#include "common/random/streams.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::backpropagation;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

constexpr std::size_t n_batch = 3;
constexpr std::size_t n_queries = 2;
constexpr std::size_t n_keys = 5;

Matrix transposed(const Matrix& matrix)
{
    return xt::transpose(matrix);
}

/// The largest difference of a score on the tape from the plain one, table by table, as a share
/// of 1 or of the plain score if that is larger.
template <typename T, typename Plain>
double largest_difference(const Variable<T>& scores, const Array<double>& queries,
                          const Array<double>& keys, const Plain& plain)
{
    REQUIRE(scores.shape() == Shape{n_batch, n_queries, n_keys});
    double largest = 0;
    for (std::size_t table = 0; table < n_batch; ++table) {
        const Matrix expected = plain(xt::view(queries, table), xt::view(keys, table));
        for (std::size_t i = 0; i < n_queries * n_keys; ++i) {
            const double got =
                static_cast<double>(scores.value().data()[table * n_queries * n_keys + i]);
            largest = std::max(largest, std::abs(got - expected.data()[i]) /
                                            std::max(1.0, std::abs(expected.data()[i])));
        }
    }
    return largest;
}

using Inputs = std::vector<Variable<double>>;
using InputsInFloat = std::vector<Variable<float>>;

/// A score on the tape, the plain one, and what they need besides queries and keys.
struct Pair
{
    std::string name;
    std::size_t d_q; // and keys of 4 numbers
    std::vector<Array<double>> parameters;
    std::function<Variable<double>(const Inputs&)> in_double;
    std::function<Variable<float>(const InputsInFloat&)> in_float;
    std::function<Matrix(const Matrix&, const Matrix&)> plain;
};

template <typename OnTape, typename Plain>
Pair pair(const char* name, std::size_t d_q, const std::vector<Array<double>>& parameters,
          OnTape on_tape, Plain plain)
{
    return {name, d_q, parameters, on_tape, on_tape, plain};
}

/// The additive score of inputs: queries, keys, W_q, W_k, w and, if there is one, b.
template <typename T>
Variable<T> additive_of(const std::vector<Variable<T>>& x)
{
    AdditiveParameters<T> parameters{x[2], x[3], {}, x[4]};
    if (x.size() > 5) {
        parameters.b = x[5];
    }
    return additive(x[0], x[1], parameters);
}

std::vector<Pair> pairs()
{
    namespace plain = scoring_functions;
    const Array<double> W = random_array({6, 4}, 3);
    const std::vector<Array<double>> additive_parameters = {
        random_array({6, 7}, 4), random_array({4, 7}, 5), random_array({7, 1}, 6),
        random_array({7}, 7)};
    const auto plain_additive = [=](bool bias) {
        plain::Additive parameters{transposed(additive_parameters[0]),
                                   transposed(additive_parameters[1]), xt::zeros<double>({7}),
                                   xt::zeros<double>({7})};
        std::copy_n(additive_parameters[2].data(), 7, parameters.w.data());
        if (bias) {
            std::copy_n(additive_parameters[3].data(), 7, parameters.b.data());
        }
        return [parameters](const Matrix& q, const Matrix& k) {
            return plain::additive(q, k, parameters);
        };
    };
    const std::vector<Array<double>> without_bias(additive_parameters.begin(),
                                                  additive_parameters.end() - 1);
    return {
        pair(
            "dot", 4, {}, [](const auto& x) { return dot_product(x[0], x[1]); },
            lookup::dot_product),
        pair(
            "scaled dot", 4, {}, [](const auto& x) { return scaled_dot_product(x[0], x[1]); },
            plain::scaled_dot_product),
        pair(
            "cosine", 4, {}, [](const auto& x) { return cosine(x[0], x[1]); }, plain::cosine),
        pair(
            "dot + key bias", 4, {},
            [](const auto& x) { return dot_with_key_bias(x[0], x[1]); },
            plain::dot_with_key_bias),
        pair(
            "multiplicative", 6, {W},
            [](const auto& x) { return multiplicative(x[0], x[1], x[2]); },
            [=](const Matrix& q, const Matrix& k) { return plain::multiplicative(q, k, W); }),
        pair(
            "additive, no bias", 6, without_bias, [](const auto& x) { return additive_of(x); },
            plain_additive(false)),
        pair(
            "additive, bias", 6, additive_parameters,
            [](const auto& x) { return additive_of(x); }, plain_additive(true)),
    };
}

} // namespace

TEST_CASE("each score on the tape is the one of chapter 3", "[04][identity]")
{
    for (const Pair& pair : pairs()) {
        CAPTURE(pair.name);
        const Array<double> queries = random_array({n_batch, n_queries, pair.d_q}, 1);
        const Array<double> keys = random_array({n_batch, n_keys, 4}, 2);
        Inputs inputs = {queries, keys};
        InputsInFloat floats = {converted<float>(queries), converted<float>(keys)};
        for (const Array<double>& parameter : pair.parameters) {
            inputs.emplace_back(parameter);
            floats.emplace_back(converted<float>(parameter));
        }
        CHECK(largest_difference(pair.in_double(inputs), queries, keys, pair.plain) < 1e-12);
        CHECK(largest_difference(pair.in_float(floats), queries, keys, pair.plain) < 1e-6);
    }
}

TEST_CASE("the slopes of each score are those of differences", "[04][gradient]")
{
    for (const Pair& pair : pairs()) {
        CAPTURE(pair.name);
        std::vector<Array<double>> inputs = {random_array({n_batch, n_queries, pair.d_q}, 1),
                                             random_array({n_batch, n_keys, 4}, 2)};
        inputs.insert(inputs.end(), pair.parameters.begin(), pair.parameters.end());
        const autograd::GradientCheck check = autograd::check_gradient(pair.in_double, inputs);
        INFO(check.first_mismatch);
        CHECK(check.passed);
    }
}

namespace {

/// batch, n_queries, n_keys, d_hidden.
struct PairedSizes
{
    std::size_t batch;
    std::size_t n_queries;
    std::size_t n_keys;
    std::size_t d_hidden;
};

/// The scores by the operators that they are made of.
template <typename T>
Variable<T> additive_by_parts(const Variable<T>& queries, const Variable<T>& keys,
                              const Variable<T>& w)
{
    const Shape& q = queries.shape();
    const Shape& k = keys.shape();
    const Variable<T> hidden =
        tanh(reshape(queries, {q[0], q[1], 1, q[2]}) + reshape(keys, {k[0], 1, k[1], k[2]}));
    return reshape(linear(hidden, reshape(w, {w.size(), 1})), {q[0], q[1], k[1]});
}

} // namespace

TEST_CASE("additive scores are those of the operators they are made of, slopes and all", "[04]")
{
    for (const PairedSizes& at : std::vector<PairedSizes>{{1, 1, 1, 1},
                                                          {2, 1, 3, 5},
                                                          {3, 2, 4, 7},
                                                          {2, 3, 1, 9},
                                                          {2, 0, 3, 2},
                                                          {2, 2, 0, 3},
                                                          {0, 1, 3, 2},
                                                          {1, 1, 17, 16}}) {
        for (const Shape& of_w : {Shape{at.d_hidden}, Shape{at.d_hidden, 1}}) {
            CAPTURE(at.batch, at.n_queries, at.n_keys, at.d_hidden, of_w.size());
            check_parts([](const auto& x) { return additive_scores(x[0], x[1], x[2]); },
                        [](const auto& x) { return additive_by_parts(x[0], x[1], x[2]); },
                        {random_array({at.batch, at.n_queries, at.d_hidden}, 1),
                         random_array({at.batch, at.n_keys, at.d_hidden}, 2),
                         random_array(of_w, 3)});
        }
    }
}

TEST_CASE("a temperature, a matrix and a key bias can be learnt together", "[04][gradient]")
{
    for (const ScoreMaker<double>& maker : score_makers<double>()) {
        CAPTURE(maker.name);
        random::Generator generator(5);
        const LearntScore<double> score = maker.make({4, 4, 6}, generator);
        const autograd::GradientCheck check =
            autograd::check_gradient([&](const Inputs& x) { return score.score(x[0], x[1]); },
                                     {random_array({2, 1, 4}, 1), random_array({2, 3, 4}, 2)});
        INFO(check.first_mismatch);
        CHECK(check.passed);

        // Every parameter is reached by the gradient.
        autograd::Tape<double> tape;
        const Variable<double> scores =
            score.score(random_array({2, 1, 4}, 1), random_array({2, 3, 4}, 2));
        if (score.parameters.size() > 0) {
            autograd::backward(
                sum(multiply(scores, Variable<double>(random_array({2, 1, 3}, 3)))));
        }
        for (const nn::NamedParameter<double>& parameter : score.parameters) {
            CAPTURE(parameter.name);
            CHECK(parameter.variable.has_gradient());
        }
    }
}

TEST_CASE("how many numbers each score learns", "[04][claim]")
{
    const std::vector<std::size_t> expected = {0, 0, 1, 1, 256, 257, 1024, 1056, 1088};
    const std::vector<ScoreMaker<float>>& makers = score_makers<float>();
    REQUIRE(makers.size() == expected.size());
    for (std::size_t i = 0; i < makers.size(); ++i) {
        CAPTURE(makers[i].name);
        random::Generator generator(1);
        CHECK(makers[i].make({16, 16, 32}, generator).parameters.n_numbers() == expected[i]);
    }
    CHECK_THROWS_AS(score_named("no such score"), ContractError);
}

TEST_CASE("scores refuse queries and keys that do not go together", "[04][bad_input]")
{
    const Variable<double> queries(random_array({2, 1, 6}, 1));
    const Variable<double> keys(random_array({2, 3, 4}, 2));
    CHECK_THROWS_AS(dot_product(queries, keys), ContractError);
    CHECK_THROWS_AS(scaled_dot_product(queries, keys), ContractError);
    CHECK_THROWS_AS(cosine(queries, keys), ContractError);
    CHECK_THROWS_AS(dot_with_key_bias(queries, keys), ContractError);
    CHECK_THROWS_AS(multiplicative(queries, keys, Variable<double>(random_array({4, 6}, 3))),
                    ContractError);
    const AdditiveParameters<double> parameters{
        random_array({5, 7}, 3), random_array({4, 7}, 4), {}, random_array({7, 1}, 5)};
    CHECK_THROWS_AS(additive(queries, keys, parameters), ContractError);
    CHECK_THROWS_AS(additive(Variable<double>(random_array({2, 6}, 1)), keys, parameters),
                    ContractError);
}

TEST_CASE("projected queries and keys that do not go together are named", "[04][bad_input]")
{
    const Variable<double> keys(random_array({2, 3, 4}));
    const Variable<double> w(random_array({4}));
    const Variable<double> fits(random_array({2, 1, 4}));
    CHECK_THROWS_WITH(additive_scores<double>(random_array({2, 1, 5}), keys, w),
                      contains("[2, 1, 5]") && contains("[2, 3, 4]"));
    CHECK_THROWS_WITH(additive_scores<double>(random_array({3, 1, 4}), keys, w),
                      contains("[3, 1, 4]"));
    CHECK_THROWS_WITH(additive_scores<double>(fits, keys, random_array({5})), contains("[5]"));
    CHECK_THROWS_WITH(additive_scores<double>(fits, keys, random_array({4, 2})),
                      contains("[4, 2]"));
}

TEST_CASE("a query without noise is its key, mapped", "[04][property]")
{
    for (RetrievalTask& task : learnt_tasks(3)) {
        task.of.noise *= 0.0;
        const std::size_t d_q = task.of.M.shape(0);
        const std::size_t d_k = task.of.M.shape(1);
        random::Generator generator(4);
        const Batch batch = draw_batch(task, generator, 20);
        REQUIRE(batch.queries.shape() == Shape{20, 1, d_q});
        REQUIRE(batch.keys.shape() == Shape{20, task.n_keys, d_k});
        for (std::size_t i = 0; i < 20; ++i) {
            const float* const key =
                batch.keys.data() +
                (i * task.n_keys + static_cast<std::size_t>(batch.chosen[i])) * d_k;
            const float* const query = batch.queries.data() + i * d_q;
            // A stretched key has another length than the one that the query was made from.
            double factor = 1;
            if (task.keys == Keys::stretched) {
                factor = static_cast<double>(query[0] / key[0]);
                CHECK(factor > 0);
            }
            for (std::size_t m = 0; m < d_q; ++m) {
                CAPTURE(task.of.name, i, m);
                CHECK_THAT(query[m],
                           WithinAbs(factor * std::inner_product(key, key + d_k,
                                                                 &task.of.M(m, 0), 0.0),
                                     2e-6));
            }
        }
    }
}

TEST_CASE("keys are normal numbers, queries have the noise that the task says",
          "[04][property]")
{
    const RetrievalTask task = learnt_tasks(1).front();
    random::Generator generator(6);
    const Batch batch = draw_batch(task, generator, 4000);
    double moments[5] = {};
    for (const float x : numbers_of(batch.keys)) {
        for (int power = 1; power <= 4; ++power) {
            moments[power] += std::pow(static_cast<double>(x), power) /
                              static_cast<double>(batch.keys.size());
        }
    }
    CHECK_THAT(moments[1], WithinAbs(0, 0.01));
    CHECK_THAT(moments[2], WithinAbs(1, 0.01));
    CHECK_THAT(moments[3], WithinAbs(0, 0.02));
    CHECK_THAT(moments[4], WithinAbs(3, 0.03));

    double squares = 0;
    std::vector<std::size_t> counts(task.n_keys);
    for (std::size_t i = 0; i < 4000; ++i) {
        const auto chosen = static_cast<std::size_t>(batch.chosen[i]);
        ++counts.at(chosen);
        for (std::size_t m = 0; m < 16; ++m) {
            const float noise = batch.queries.data()[i * 16 + m] -
                                batch.keys.data()[(i * task.n_keys + chosen) * 16 + m];
            squares += static_cast<double>(noise * noise) / (4000 * 16);
        }
    }
    CHECK_THAT(squares, WithinAbs(0.25, 0.005));
    CHECK(*std::min_element(counts.begin(), counts.end()) > 180); // 250 expected
}

TEST_CASE("symbols are one-hot and all different", "[04][property]")
{
    const RetrievalTask task = small_tasks(1).back();
    random::Generator generator(8);
    const Batch batch = draw_batch(task, generator, 30);
    for (std::size_t i = 0; i < 30; ++i) {
        std::set<std::ptrdiff_t> positions;
        for (std::size_t j = 0; j < 8; ++j) {
            const float* const key = batch.keys.data() + (i * 8 + j) * 16;
            CHECK(std::count(key, key + 16, 1.0F) == 1);
            CHECK(std::count(key, key + 16, 0.0F) == 15);
            positions.insert(std::find(key, key + 16, 1.0F) - key);
        }
        CHECK(positions.size() == 8);
    }
}

TEST_CASE("accuracy and cross-entropy of known scores", "[04][oracle]")
{
    const Variable<float> scores(array_of<float>({2, 1, 3}, {1, 3, 2, 0, 0, 0}));
    CHECK(accuracy_of(scores, {1, 2}) == 0.5);
    CHECK(accuracy_of(scores, {0, 0}) == 0.5);
    const double e = std::exp(1.0);
    const double first = std::log(e + e * e * e + e * e) - 3;
    CHECK_THAT(cross_entropy_of(scores, {1, 2}).item(),
               WithinAbs((first + std::log(3.0)) / 2, 1e-6));
    CHECK_THROWS_AS(accuracy_of(scores, {1}), ContractError);
}

TEST_CASE("the test asks about other tables than training showed", "[04][property]")
{
    const RetrievalTask task = learnt_tasks(1).front();
    const auto loss_on = [&](random::Stream stream) {
        random::Generator generator(1, stream);
        const Batch batch = draw_batch(task, generator, 250);
        return static_cast<double>(
            cross_entropy_of(dot_product<float>(batch.queries, batch.keys), batch.chosen)
                .item());
    };
    const double loss = train_scores(task, {"dot"}, 1, {1, 64, 0.01, 250})[0].cross_entropy;
    CHECK(loss == loss_on(random::Stream::retrieval_test));
    CHECK(loss != loss_on(random::Stream::retrieval_training));

    // Another seed, other bits.
    const auto first_loss = [&](std::uint64_t seed) {
        return train_scores(task, {"multiplicative"}, seed, {1, 64, 0.01, 1})[0].losses[0];
    };
    CHECK(first_loss(2) == first_loss(2));
    CHECK(first_loss(2) != first_loss(3));
}
