/// \file
/// \brief The steps as the page writes them, how far a gradient comes through them, a state that
/// attends to a memory, and the cell that does so at every step.
#include "chapters/06_recurrent_attention/attention_cell.hpp"

#include "chapters/06_recurrent_attention/experiments/experiments.hpp"
#include "common/autograd/gradient_check.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/recurrent.hpp"
#include "common/autograd/recurrent_steps.hpp"
#include "common/nn/initialise.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::recurrent_attention;
using attn::testing::contains;
using autograd::gru_update;
using autograd::lstm_update;
using autograd::LstmState;
using autograd::rnn_update;
using Catch::Matchers::WithinAbs;
using Numbers = Variable<double>;

namespace {

Numbers drawn(const Shape& shape, std::uint64_t stream)
{
    random::Generator generator(61, stream);
    return Numbers(nn::initialise::normal<double>(shape, 0.0, 1.0, generator));
}

double at(const Numbers& x, std::size_t i)
{
    return x.value().data()[i];
}

bool same_numbers(const Numbers& a, const Numbers& b, double tolerance = 0)
{
    bool same = a.shape() == b.shape();
    for (std::size_t i = 0; same && i < a.size(); ++i) {
        same = std::abs(at(a, i) - at(b, i)) <= tolerance;
    }
    return same;
}

AttentionCell<double> cell_of(const CellOptions& options, std::size_t n_in = 3,
                              std::size_t hidden = 4)
{
    random::Generator generator(5);
    return {options, n_in, hidden, generator};
}

double sigma(double x)
{
    return 1 / (1 + std::exp(-x));
}

} // namespace

TEST_CASE("the pencil example of the trace", "[06][oracle]")
{
    const Numbers u(array_of<double>({1, 2}, {1, 0}));
    const Numbers v(array_of<double>({1, 3, 2}, {1, 0, 0, 1, 2, 2}));
    const Numbers scores = memory_scores(Score::sum, u, v);
    CHECK(at(scores, 0) == 1);
    CHECK(at(scores, 1) == 0);
    CHECK(at(scores, 2) == 2);
    CHECK_THAT(at(memory_scores(Score::mean, u, v), 2), WithinAbs(1, 1e-12));
    CHECK_THAT(at(memory_scores(Score::root, u, v), 2), WithinAbs(std::sqrt(2.0), 1e-12));
    const Attended<double> asked = read_memory(scores, v);
    const double all = std::exp(1.0) + 1 + std::exp(2.0);
    CHECK_THAT(at(asked.weights, 0), WithinAbs(std::exp(1.0) / all, 1e-12));
    CHECK_THAT(at(asked.context, 0),
               WithinAbs((std::exp(1.0) + 2 * std::exp(2.0)) / all, 1e-12));
    CHECK_THAT(at(asked.context, 1), WithinAbs((1 + 2 * std::exp(2.0)) / all, 1e-12));
}

TEST_CASE("the additive score with a pencil", "[06][oracle]")
{
    const AdditiveParameters<double> parameters{
        Numbers(array_of<double>({2, 1}, {1, -1})), Numbers(array_of<double>({1, 1}, {2})),
        Numbers(array_of<double>({1}, {0.5})), Numbers(array_of<double>({1, 1}, {3}))};
    const Numbers u(array_of<double>({1, 1}, {0.25}));
    const Numbers v(array_of<double>({1, 2, 2}, {1, 0, 0.5, 2}));
    const Numbers scores = additive_scores(parameters, u, v);
    REQUIRE(scores.shape() == Shape{1, 2});
    CHECK_THAT(at(scores, 0), WithinAbs(3 * std::tanh(1.0 + 0.5 + 0.5), 1e-12));
    CHECK_THAT(at(scores, 1), WithinAbs(3 * std::tanh(-1.5 + 0.5 + 0.5), 1e-12));
}

TEST_CASE("weights sum to 1, and permuted memories permute them", "[06]")
{
    for (const Score score : {Score::mean, Score::root, Score::sum, Score::additive}) {
        random::Generator generator(3);
        const MemoryAttention<double> attention(score, 4, 4, generator, Lookup::itself);
        const Numbers u = drawn({1, 4}, 1);
        const Numbers v = drawn({1, 3, 4}, 2);
        Array<double> permuted = v.value();
        std::copy_n(v.value().data(), 4, permuted.data() + 8);
        std::copy_n(v.value().data() + 8, 4, permuted.data());
        const Attended<double> asked = attention(u, v);
        const Attended<double> again = attention(u, Numbers(permuted));
        CAPTURE(static_cast<int>(score));
        CHECK_THAT(at(asked.weights, 0) + at(asked.weights, 1) + at(asked.weights, 2),
                   WithinAbs(1, 1e-12));
        CHECK_THAT(at(asked.weights, 0), WithinAbs(at(again.weights, 2), 1e-12));
        CHECK(same_numbers(asked.context, again.context, 1e-12));
    }
}

TEST_CASE("queries that do not fit are refused with both shapes", "[06]")
{
    random::Generator generator(3);
    CHECK_THROWS_AS(MemoryAttention<double>(Score::sum, 4, 3, generator, Lookup::itself),
                    ContractError);
    const MemoryAttention<double> attention(Score::sum, 4, 3, generator, Lookup::learnt);
    CHECK(attention.parameters().n_numbers() == 12);
    CHECK_THROWS_WITH(attention(drawn({2, 4}, 1), drawn({2, 5, 4}, 2)),
                      contains("[2, 4]") && contains("[2, 5, 4]"));
    CHECK_THROWS_AS(memory_scores(Score::sum, drawn({2, 4}, 1), drawn({3, 5, 4}, 2)),
                    ContractError);
    CHECK_THROWS_AS(memory_scores(Score::additive, drawn({2, 4}, 1), drawn({2, 5, 4}, 2)),
                    ContractError);
    CHECK_THROWS_AS(read_memory(drawn({2, 4}, 1), drawn({2, 5, 4}, 2)), ContractError);
    CHECK_THROWS_AS(cell_of({})(drawn({2, 5, 2}, 1)), ContractError);
    CHECK_THROWS_AS(cell_of({}, 0), ContractError);
}

// [claim_own]
TEST_CASE("the last state asks all states before it, the zero state among them", "[06][claim]")
{
    // tanh(W x + U h + V c), with c over h_0 ... h_{t-2}, in plain loops.
    const AttentionCell<double> cell =
        cell_of({Unit::rnn, Memory::own_states, ContextTo::state, Score::sum}, 2, 3);
    const Numbers x = drawn({1, 4, 2}, 3);
    const CellOutputs<double> outputs = cell(x);
    const auto& list = cell.parameters();
    const auto entry = [&](const char* name, std::size_t row, std::size_t column) {
        return at(list.at(name).variable, row * 3 + column);
    };
    std::vector<std::vector<double>> states = {{0, 0, 0}};
    for (std::size_t t = 0; t < 4; ++t) {
        const std::vector<double> last = states.back();
        std::vector<double> context(3, 0.0);
        std::vector<double> weights;
        double all = 0;
        for (std::size_t i = 0; i + 1 < states.size(); ++i) {
            double score = 0;
            for (std::size_t m = 0; m < 3; ++m) {
                score += last[m] * states[i][m];
            }
            weights.push_back(std::exp(score));
            all += weights.back();
        }
        for (std::size_t i = 0; i < weights.size(); ++i) {
            for (std::size_t m = 0; m < 3; ++m) {
                context[m] += weights[i] / all * states[i][m];
            }
            CHECK_THAT(at(outputs.weights.at(t - 1), i), WithinAbs(weights[i] / all, 1e-12));
        }
        std::vector<double> next(3, 0.0);
        for (std::size_t m = 0; m < 3; ++m) {
            double sum = 0;
            for (std::size_t k = 0; k < 2; ++k) {
                sum += at(x, t * 2 + k) * entry("weight_ih", k, m);
            }
            for (std::size_t k = 0; k < 3; ++k) {
                sum += last[k] * entry("weight_hh", k, m) +
                       context[k] * entry("context_weight", k, m);
            }
            next[m] = std::tanh(sum);
            CHECK_THAT(at(outputs.outputs, t * 3 + m), WithinAbs(next[m], 1e-12));
        }
        states.push_back(next);
    }
    CHECK(outputs.weights.size() == 3); // nothing was there to be asked at the first step
    CHECK(outputs.weights.back().shape() == Shape{1, 3}); // h_0, h_1, h_2; h_3 asks
}
// [claim_own]

// [claim_place]
TEST_CASE("joined to the input or to the state is the same for RNN and LSTM, not for the GRU",
          "[06][claim]")
{
    const Numbers x = drawn({2, 5, 3}, 4);
    for (const Unit unit : {Unit::rnn, Unit::gru, Unit::lstm}) {
        const auto outputs = [&](ContextTo place) {
            return cell_of({unit, Memory::own_states, place, Score::sum})(x).outputs;
        };
        CAPTURE(static_cast<int>(unit));
        CHECK(same_numbers(outputs(ContextTo::input), outputs(ContextTo::state)) ==
              (unit != Unit::gru));
    }
}
// [claim_place]

TEST_CASE("a GRU asks the inputs up to its own step, and its context stands beside the state",
          "[06][oracle]")
{
    const AttentionCell<double> cell =
        cell_of({Unit::gru, Memory::inputs, ContextTo::state, Score::sum}, 2, 3);
    const Numbers W = cell.parameters().at("weight_ih").variable;      // [2, 9]
    const Numbers V = cell.parameters().at("context_weight").variable; // [2, 9]
    const Numbers x = drawn({1, 3, 2}, 9);
    const CellOutputs<double> outputs = cell(x);
    REQUIRE(outputs.weights.size() == 3);
    for (std::size_t t = 0; t < 3; ++t) {
        CHECK(outputs.weights[t].shape() == Shape{1, t + 1});
    }
    // In the first step the state is 0 and the context the only input; biases begin with 0.
    const auto product = [&](const Numbers& matrix, std::size_t column) {
        return at(x, 0) * at(matrix, column) + at(x, 1) * at(matrix, 9 + column);
    };
    for (std::size_t j = 0; j < 3; ++j) {
        const double reset = sigma(product(W, j) + product(V, j));
        const double update = sigma(product(W, 3 + j) + product(V, 3 + j));
        const double proposal = std::tanh(product(W, 6 + j) + reset * product(V, 6 + j));
        CHECK_THAT(at(outputs.outputs, j), WithinAbs((1 - update) * proposal, 1e-12));
    }
}

TEST_CASE("without a memory the cell is an ordinary layer", "[06]")
{
    const AttentionCell<double> cell = cell_of({Unit::gru, Memory::none});
    const auto& list = cell.parameters();
    CHECK(list.size() == 4);
    const autograd::RecurrentWeights<double> weights{
        list.at("weight_ih").variable, list.at("weight_hh").variable,
        list.at("bias_ih").variable, list.at("bias_hh").variable};
    const Numbers x = drawn({2, 5, 3}, 5);
    const Numbers zeros(nn::initialise::zeros<double>({2, 4}));
    CHECK(same_numbers(cell(x).outputs, gru_sequence(x, zeros, weights).outputs));
    CHECK(cell(x).weights.empty());
}

TEST_CASE("the future does not move the past", "[06]")
{
    const Numbers x = drawn({2, 6, 3}, 6);
    Array<double> altered = x.value();
    for (std::size_t i = 0; i < 2; ++i) {
        altered.data()[(i * 6 + 4) * 3] += 10; // step 5 of 6
    }
    for (const Unit unit : {Unit::rnn, Unit::gru, Unit::lstm}) {
        for (const Memory memory :
             {Memory::none, Memory::inputs, Memory::own_states, Memory::states_below}) {
            CAPTURE(static_cast<int>(unit), static_cast<int>(memory));
            const AttentionCell<double> cell =
                cell_of({unit, memory, ContextTo::input, Score::root});
            const Numbers before = cell(x).outputs;
            const Numbers after = cell(Numbers(altered)).outputs;
            for (std::size_t t = 0; t < 6; ++t) {
                const std::size_t first = t * 4; // of the first sequence
                CHECK((at(before, first) == at(after, first)) == (t < 4));
            }
        }
    }
}

TEST_CASE("the cell's gradients, for every memory", "[06][gradient]")
{
    for (const Memory memory : {Memory::inputs, Memory::own_states, Memory::states_below}) {
        for (const Score score : {Score::sum, Score::additive}) {
            const AttentionCell<double> cell =
                cell_of({Unit::gru, memory, ContextTo::state, score}, 2, 3);
            const auto check = autograd::check_gradient(
                [&](const std::vector<Numbers>& in) { return cell(in[0]).outputs; },
                {drawn({2, 3, 2}, 9).value()});
            CAPTURE(static_cast<int>(memory), static_cast<int>(score), check.first_mismatch);
            CHECK(check.passed);
        }
    }
}

// ---------------------------------------------------------------- the steps

TEST_CASE("the plain steps with a pencil", "[06][oracle]")
{
    const auto row = [](std::initializer_list<double> numbers) {
        return Numbers(array_of<double>({1, numbers.size()}, numbers));
    };
    CHECK_THAT(rnn_update(row({0.5}), row({0.25})).item(), WithinAbs(std::tanh(0.75), 1e-12));

    const double proposal = std::tanh(0.3 + sigma(0.6) * 0.7);
    CHECK_THAT(gru_update(row({0.1, -0.2, 0.3}), row({0.5, 0.4, 0.7}), row({2})).item(),
               WithinAbs((1 - sigma(0.2)) * proposal + sigma(0.2) * 2, 1e-12));

    const LstmState<double> next =
        lstm_update(row({0.1, 0.2, 0.3, 0.4}), row({1, 1, 1, 1}), row({-1}));
    const double cell = sigma(1.2) * -1 + sigma(1.1) * std::tanh(1.3);
    CHECK_THAT(next.cell.item(), WithinAbs(cell, 1e-12));
    CHECK_THAT(next.hidden.item(), WithinAbs(sigma(1.4) * std::tanh(cell), 1e-12));
}

TEST_CASE("the plain steps are the fused ones", "[06][oracle]")
{
    const std::size_t batch = 3;
    const std::size_t hidden = 5;
    const Numbers h = drawn({batch, hidden}, 1);
    const Numbers cell = drawn({batch, hidden}, 2);
    const auto of_blocks = [&](std::size_t g, auto compare) {
        const Numbers a = drawn({batch, g * hidden}, 3);
        const Numbers U = drawn({hidden, g * hidden}, 4);
        const Numbers b = drawn({g * hidden}, 5);
        compare(a, U, b, linear(h, U, b));
    };
    of_blocks(1, [&](const auto& a, const auto& U, const auto& b, const auto& r) {
        CHECK(same_numbers(rnn_update(a, r), rnn_step(a, h, U, b), 1e-12));
    });
    of_blocks(3, [&](const auto& a, const auto& U, const auto& b, const auto& r) {
        CHECK(same_numbers(gru_update(a, r, h), gru_step(a, h, U, b), 1e-12));
    });
    of_blocks(4, [&](const auto& a, const auto& U, const auto& b, const auto& r) {
        const LstmState<double> plain = lstm_update(a, r, cell);
        const LstmState<double> fused = lstm_step(a, LstmState<double>{h, cell}, U, b);
        CHECK(same_numbers(plain.hidden, fused.hidden, 1e-12));
        CHECK(same_numbers(plain.cell, fused.cell, 1e-12));
    });
}

TEST_CASE("the gradients of the plain steps", "[06][gradient]")
{
    using Inputs = std::vector<Numbers>;
    const auto arrays = [](std::size_t g) {
        return std::vector<Array<double>>{drawn({2, g * 3}, 11).value(),
                                          drawn({2, g * 3}, 12).value(),
                                          drawn({2, 3}, 13).value()};
    };
    const auto gru = autograd::check_gradient(
        [](const Inputs& in) { return gru_update(in[0], in[1], in[2]); }, arrays(3));
    INFO(gru.first_mismatch);
    CHECK(gru.passed);
    const auto lstm = autograd::check_gradient(
        [](const Inputs& in) {
            const LstmState<double> next = lstm_update(in[0], in[1], in[2]);
            return concatenate(Inputs{next.hidden, next.cell}, 1);
        },
        arrays(4));
    INFO(lstm.first_mismatch);
    CHECK(lstm.passed);
}

TEST_CASE("blocks that do not fit name both shapes", "[06]")
{
    const Numbers h = drawn({2, 3}, 1);
    const Numbers a = drawn({2, 8}, 2);
    CHECK_THROWS_WITH(gru_update(a, a, h), contains("[2, 3]") && contains("[2, 8]"));
    CHECK_THROWS_AS(lstm_update(a, a, h), ContractError);
}

// [claim_distance]
TEST_CASE("a gradient shrinks or grows as a power of the steps, a context divides it once",
          "[06][claim]")
{
    for (const std::size_t n : {1U, 10U, 100U}) {
        const auto T = static_cast<double>(n);
        CHECK_THAT(gradient_through_steps(Unit::rnn, 0.9, n) / std::pow(0.9, T),
                   WithinAbs(1, 1e-9));
        CHECK_THAT(gradient_through_steps(Unit::rnn, 1.1, n) / std::pow(1.1, T),
                   WithinAbs(1, 1e-9));
        CHECK_THAT(gradient_through_steps(Unit::gru, 0.0, n) / std::pow(0.5, T),
                   WithinAbs(1, 1e-9));
        CHECK_THAT(gradient_through_steps(Unit::lstm, 5.0, n) / std::pow(sigma(5), T),
                   WithinAbs(1, 1e-9));
        CHECK_THAT(gradient_through_context(n), WithinAbs(1 / T, 1e-15));
    }
    CHECK(gradient_through_steps(Unit::rnn, 0.9, 100) < 1e-4);
    CHECK(gradient_through_steps(Unit::rnn, 1.1, 100) > 1e4);
    CHECK(gradient_through_steps(Unit::lstm, 5.0, 100) > 0.5);
    CHECK_THROWS_AS(gradient_through_steps(Unit::rnn, 1.0, 0), ContractError);
    CHECK_THROWS_AS(gradient_through_context(0), ContractError);
}
// [claim_distance]
