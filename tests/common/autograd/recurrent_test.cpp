/// \file
/// \brief The recurrent operators: gradients, whole sentences against single steps, lengths and
/// directions. PyTorch's numbers are compared with in nn, through the layers.
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/recurrent.hpp"
#include "common/autograd/reductions.hpp"
#include "tests/common/autograd/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::autograd;
using namespace attn::testing;

namespace {

enum class Kind
{
    rnn,
    gru,
    lstm
};

std::size_t n_gates(Kind kind)
{
    return kind == Kind::rnn ? 1 : kind == Kind::gru ? 3 : 4;
}

std::size_t n_states(Kind kind)
{
    return kind == Kind::lstm ? 2 : 1;
}

/// What goes in, in this order: weight_ih, weight_hh, bias_ih, bias_hh, x, h and perhaps c.
template <typename T>
using Inputs = std::vector<Variable<T>>;

template <typename T>
RecurrentWeights<T> weights_of(const Inputs<T>& inputs)
{
    return {inputs[0], inputs[1], inputs[2], inputs[3]};
}

/// outputs, h and perhaps c.
template <typename T>
std::vector<Variable<T>> sequence(Kind kind, const Inputs<T>& inputs,
                                  const std::vector<std::size_t>& lengths = {},
                                  Direction direction = Direction::forward)
{
    const RecurrentWeights<T> weights = weights_of(inputs);
    if (kind == Kind::lstm) {
        const auto [outputs, state] =
            lstm_sequence<T>(inputs[4], {inputs[5], inputs[6]}, weights, lengths, direction);
        return {outputs, state.hidden, state.cell};
    }
    const auto [outputs, state] =
        (kind == Kind::rnn ? rnn_sequence<T> : gru_sequence<T>)(inputs[4], inputs[5], weights,
                                                                lengths, direction);
    return {outputs, state};
}

/// h and perhaps c, after one step.
template <typename T>
std::vector<Variable<T>> step(Kind kind, const Variable<T>& projected,
                              const std::vector<Variable<T>>& states, const Variable<T>& u,
                              const Variable<T>& c)
{
    if (kind == Kind::lstm) {
        const auto [hidden, cell] = lstm_step<T>(projected, {states[0], states[1]}, u, c);
        return {hidden, cell};
    }
    return {(kind == Kind::rnn ? rnn_step<T> : gru_step<T>)(projected, states[0], u, c)};
}

/// All results in one row, so that all of them count in a check.
template <typename T>
Variable<T> in_one_row(const std::vector<Variable<T>>& results)
{
    std::vector<Variable<T>> rows;
    for (const Variable<T>& result : results) {
        rows.push_back(reshape(result, {result.size()}));
    }
    return concatenate(rows, 0);
}

struct Sizes
{
    std::size_t batch;
    std::size_t n_steps;
    std::size_t n_in;
    std::size_t hidden;
};

std::vector<Array<double>> random_inputs(Kind kind, const Sizes& sizes)
{
    const std::size_t columns = n_gates(kind) * sizes.hidden;
    std::vector<Array<double>> inputs;
    inputs.push_back(random_array({sizes.n_in, columns}, 1));
    inputs.push_back(random_array({sizes.hidden, columns}, 2));
    inputs.push_back(random_array({columns}, 3));
    inputs.push_back(random_array({columns}, 4));
    inputs.push_back(random_array({sizes.batch, sizes.n_steps, sizes.n_in}, 5));
    for (std::size_t k = 0; k < n_states(kind); ++k) {
        inputs.push_back(random_array({sizes.batch, sizes.hidden}, 6 + k));
    }
    return inputs;
}

template <typename T>
Inputs<T> as_parameters(const std::vector<Array<double>>& inputs)
{
    Inputs<T> parameters;
    for (const Array<double>& input : inputs) {
        parameters.push_back(parameter(converted<T>(input)));
    }
    return parameters;
}

/// Swaps two steps' contents from either end of each sentence's own length.
Array<double> reversed(const Array<double>& x, const std::vector<std::size_t>& lengths)
{
    Array<double> result = x;
    const std::size_t n_steps = x.shape()[1];
    const std::size_t n = x.shape()[2];
    for (std::size_t b = 0; b < x.shape()[0]; ++b) {
        for (std::size_t t = 0; t < lengths[b]; ++t) {
            std::copy_n(x.data() + (b * n_steps + lengths[b] - 1 - t) * n, n,
                        result.data() + (b * n_steps + t) * n);
        }
    }
    return result;
}

const std::vector<Kind> all_kinds = {Kind::rnn, Kind::gru, Kind::lstm};

} // namespace

TEST_CASE("recurrent sequences pass the gradient check", "[common][autograd]")
{
    struct Case
    {
        Sizes sizes;
        std::vector<std::size_t> lengths;
    };
    const Case one = GENERATE(values<Case>({
        {{1, 1, 1, 1}, {}},
        {{1, 4, 2, 1}, {}},
        {{3, 1, 2, 3}, {}},
        {{2, 3, 1, 2}, {3, 3}},
        {{4, 4, 3, 2}, {2, 4, 0, 1}},
        {{2, 3, 2, 2}, {0, 0}},
        {{2, 3, 2, 2}, {1, 2}}, // the last step is nobody's
    }));
    const Kind kind = GENERATE(from_range(all_kinds));
    const Direction direction = GENERATE(Direction::forward, Direction::backward);
    CAPTURE(int(kind), int(direction), one.sizes.batch, one.sizes.n_steps, one.lengths);
    check_slopes(
        [&](const Inputs<double>& inputs) {
            return in_one_row(sequence(kind, inputs, one.lengths, direction));
        },
        random_inputs(kind, one.sizes));
}

TEST_CASE("one result of a recurrent sequence alone passes the gradient check",
          "[common][autograd]")
{
    const Kind kind = GENERATE(from_range(all_kinds));
    for (std::size_t result = 0; result <= n_states(kind); ++result) {
        CAPTURE(int(kind), result);
        check_slopes(
            [&](const Inputs<double>& inputs) {
                return sequence(kind, inputs, {2, 3}, Direction::backward)[result];
            },
            random_inputs(kind, {2, 3, 2, 3}));
    }
}

TEST_CASE("recurrent steps pass the gradient check", "[common][autograd]")
{
    const Kind kind = GENERATE(from_range(all_kinds));
    const Sizes sizes = GENERATE(values<Sizes>({{1, 1, 1, 1}, {3, 1, 1, 2}, {2, 1, 1, 5}}));
    const std::size_t columns = n_gates(kind) * sizes.hidden;
    std::vector<Array<double>> inputs = {random_array({sizes.batch, columns}, 7),
                                         random_array({sizes.hidden, columns}, 8),
                                         random_array({columns}, 9)};
    for (std::size_t k = 0; k < n_states(kind); ++k) {
        inputs.push_back(random_array({sizes.batch, sizes.hidden}, 10 + k));
    }
    // Twice, with the same parameters: gradients add up.
    check_slopes(
        [&](const Inputs<double>& in) {
            const Inputs<double> once =
                step(kind, in[0], {in.begin() + 3, in.end()}, in[1], in[2]);
            return in_one_row(step(kind, in[0], once, in[1], in[2]));
        },
        inputs);
}

TEST_CASE("a recurrent sequence is its steps one after the other", "[common][autograd]")
{
    const Kind kind = GENERATE(from_range(all_kinds));
    const std::vector<std::size_t> lengths = {5, 2, 0};
    const Inputs<double> inputs = as_parameters<double>(random_inputs(kind, {3, 5, 2, 7}));
    const std::vector<Variable<double>> whole = sequence(kind, inputs, lengths);

    const auto& [w, u, b, c] = weights_of(inputs);
    std::vector<Variable<double>> states(inputs.begin() + 5, inputs.end());
    const std::vector<Variable<double>> initial = states;
    for (std::size_t t = 0; t < 5; ++t) {
        const Variable<double> projected = matmul(select(inputs[4], 1, t), w) + b;
        states = step(kind, projected, states, u, c);
        for (std::size_t sentence = 0; sentence < 3; ++sentence) {
            CAPTURE(int(kind), t, sentence);
            const Array<double> output = select(select(whole[0], 1, t), 0, sentence).value();
            const Array<double> wanted = select(states[0], 0, sentence).value();
            if (t < lengths[sentence]) {
                check_close(output, wanted, 1e-14);
            } else {
                CHECK(same_bits(output, filled(output.shape(), 0.0)));
            }
            if (t + 1 == lengths[sentence]) {
                for (std::size_t k = 0; k < n_states(kind); ++k) {
                    check_close(select(whole[1 + k], 0, sentence).value(),
                                select(states[k], 0, sentence).value(), 1e-14);
                }
            }
        }
    }
    // The sentence without a word has stayed where it was.
    for (std::size_t k = 0; k < n_states(kind); ++k) {
        CHECK(same_bits(select(whole[1 + k], 0, 2).value(), select(initial[k], 0, 2).value()));
    }
}

TEST_CASE("steps with known inputs are steps one after the other", "[common][autograd]")
{
    const std::size_t n_gates_here = GENERATE(as<std::size_t>(), 3, 4); // GRU, LSTM
    const std::size_t columns = n_gates_here * 2;
    const auto along = [&](const Inputs<double>& in) {
        return n_gates_here == 3 ? gru_steps(in[0], in[1], in[2], in[3])
                                 : lstm_steps(in[0], {in[1], in[4]}, in[2], in[3]);
    };
    std::vector<Array<double>> inputs = {
        random_array({4, 3, columns}, 21), random_array({3, 2}, 22),
        random_array({2, columns}, 23), random_array({columns}, 24)};
    if (n_gates_here == 4) {
        inputs.push_back(random_array({3, 2}, 25));
    }
    check_slopes(along, inputs);

    const Inputs<double> in = as_parameters<double>(inputs);
    const Variable<double> whole = along(in);
    REQUIRE(lengths_of(whole.shape()) == std::vector<std::size_t>{4, 3, 2});
    LstmState<double> state{in[1], in.back()};
    for (std::size_t t = 0; t < 4; ++t) {
        const Variable<double> a = select(in[0], 0, t);
        state = n_gates_here == 3
                    ? LstmState<double>{gru_step(a, state.hidden, in[2], in[3]), state.cell}
                    : lstm_step(a, state, in[2], in[3]);
        check_close(select(whole, 0, t).value(), state.hidden.value(), 1e-14);
    }
    Inputs<double> flat = in;
    flat[0] = select(in[0], 0, 0);
    CHECK_THROWS_WITH(along(flat), contains("[n_steps, batch, columns], got [3, " +
                                            std::to_string(columns) + "]"));
    Inputs<double> narrow = in;
    narrow[0] = Variable<double>(filled({4, 3, columns - 1}, 0.0));
    CHECK_THROWS_AS(along(narrow), ContractError);
}

TEST_CASE("what stands beyond a sentence's length changes no bit", "[common][autograd]")
{
    const Kind kind = GENERATE(from_range(all_kinds));
    const Direction direction = GENERATE(Direction::forward, Direction::backward);
    const double filling = GENERATE(0.0, 1e300, not_a_number, infinity);
    CAPTURE(int(kind), int(direction), filling);
    const std::vector<std::size_t> lengths = {4, 1, 3};
    std::vector<Array<double>> arrays = random_inputs(kind, {3, 4, 2, 5});
    std::vector<Array<double>> padded = arrays;
    for (std::size_t sentence = 0; sentence < 3; ++sentence) {
        std::fill(padded[4].data() + (sentence * 4 + lengths[sentence]) * 2,
                  padded[4].data() + (sentence + 1) * 4 * 2, filling);
    }

    const auto row = [&](const Inputs<double>& in) {
        return in_one_row(sequence(kind, in, lengths, direction));
    };
    const Array<double> dy = random_gradient(row, arrays);
    const Passage<double> wanted = walk<double>(row, arrays, dy);
    const Passage<double> found = walk<double>(row, padded, dy);
    CHECK(same_bits(found.value, wanted.value));
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        CAPTURE(i);
        CHECK(same_bits(found.gradients[i], wanted.gradients[i]));
    }
}

TEST_CASE("backwards is forwards along the reversed sentence", "[common][autograd]")
{
    const Kind kind = GENERATE(from_range(all_kinds));
    const std::vector<std::size_t> lengths = {4, 1, 3};
    std::vector<Array<double>> arrays = random_inputs(kind, {3, 4, 2, 5});
    const std::vector<Variable<double>> backwards =
        sequence(kind, as_parameters<double>(arrays), lengths, Direction::backward);
    arrays[4] = reversed(arrays[4], lengths);
    const std::vector<Variable<double>> forwards =
        sequence(kind, as_parameters<double>(arrays), lengths, Direction::forward);
    CAPTURE(int(kind));
    check_close(backwards[0].value(), reversed(forwards[0].value(), lengths), 1e-14);
    for (std::size_t k = 1; k < backwards.size(); ++k) {
        check_close(backwards[k].value(), forwards[k].value(), 1e-14);
    }
}

TEST_CASE("recurrent sequences in float are near those in double", "[common][autograd]")
{
    const Kind kind = GENERATE(from_range(all_kinds));
    const auto arrays = random_inputs(kind, {5, 9, 3, 17});
    const std::vector<std::size_t> lengths = {9, 4, 1, 9, 6};
    const auto run = [&](auto zero) {
        using T = decltype(zero);
        Tape<T> tape;
        const Inputs<T> inputs = as_parameters<T>(arrays);
        const Variable<T> row = in_one_row(sequence(kind, inputs, lengths));
        backward(mean(row * row));
        return std::pair(row.value(), inputs[1].gradient());
    };
    const auto [row, gradient] = run(0.0);
    const auto [float_row, float_gradient] = run(0.0F);
    CAPTURE(int(kind));
    check_close(float_row, row, 2e-5);
    check_close(float_gradient, gradient, 2e-5);
}

TEST_CASE("saturated gates stay finite, and so do their gradients", "[common][autograd]")
{
    const Kind kind = GENERATE(from_range(all_kinds));
    auto arrays = random_inputs(kind, {2, 6, 3, 4});
    for (double& number : numbers_of(arrays[4])) {
        number *= 1e4;
    }
    Tape<float> tape;
    const Inputs<float> inputs = as_parameters<float>(arrays);
    const Variable<float> row = in_one_row(sequence(kind, inputs));
    backward(sum(row * row));
    for (const Variable<float>& input : inputs) {
        CHECK(std::all_of(input.gradient().begin(), input.gradient().end(),
                          [](float number) { return std::isfinite(number); }));
    }
}

TEST_CASE("recurrent operators name the shapes that do not fit", "[common][autograd]")
{
    const Kind kind = GENERATE(from_range(all_kinds));
    const Inputs<double> good = as_parameters<double>(random_inputs(kind, {2, 3, 4, 5}));
    const auto complaint = [&](std::size_t input, const Shape& shape) {
        Inputs<double> inputs = good;
        inputs[input] = Variable<double>(filled(shape, 0.0));
        return complaint_of<ContractError>([&] { sequence(kind, inputs); });
    };
    const std::size_t columns = n_gates(kind) * 5;
    const auto both = [](const Shape& wanted, const Shape& got) {
        return contains(to_text(wanted) + ", got " + to_text(got));
    };
    CHECK_THAT(complaint(0, {3, columns}), both({4, columns}, {3, columns}));
    CHECK_THAT(complaint(0, {4, columns + 1}), both({4, columns}, {4, columns + 1}));
    CHECK_THAT(complaint(1, {5, columns + 1}), both({5, columns}, {5, columns + 1}));
    CHECK_THAT(complaint(2, {columns + 1}), both({columns}, {columns + 1}));
    CHECK_THAT(complaint(3, {columns, 1}), both({columns}, {columns, 1}));
    CHECK_THAT(complaint(4, {2, 3}), contains("[batch, n_steps, n_in], got [2, 3]"));
    CHECK_THAT(complaint(4, {2, 0, 4}), contains("at least one step, got [2, 0, 4]"));
    CHECK_THAT(complaint(5, {3, 5}), both({2, 5}, {3, 5}));
    CHECK_THAT(complaint(5, {5}), contains("[batch, hidden], got [5]"));
    if (kind == Kind::lstm) {
        CHECK_THAT(complaint(6, {2, 4}), both({2, 5}, {2, 4}));
    }
    CHECK_THROWS_AS(sequence(kind, good, {3}), ContractError);
    CHECK_THROWS_AS(sequence(kind, good, {3, 4}), ContractError);

    const std::vector<Variable<double>> states(good.begin() + 5, good.end());
    const Variable<double> narrow(filled({2, columns - 1}, 0.0));
    const Variable<double> deep(filled({2, 1, columns}, 0.0));
    CHECK_THROWS_AS(step(kind, narrow, states, good[1], good[3]), ContractError);
    CHECK_THROWS_AS(step(kind, deep, states, good[1], good[3]), ContractError);
}
