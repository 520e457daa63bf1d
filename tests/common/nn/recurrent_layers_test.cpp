/// \file
/// \brief Recurrent layers: PyTorch's numbers, steps, directions, and a training whose memory
/// does not grow.
#include "common/nn/recurrent_layers.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/reductions.hpp"
#include "tests/common/nn/golden.hpp"
#include "tests/support/same_bits.hpp"

#include <type_traits>

using namespace attn;
using namespace attn::nn;
using namespace attn::testing;
using autograd::LstmState;

namespace {

using List = std::vector<Variable<double>>;

/// The h and, in the LSTM, the c of states.
struct Parts
{
    List h;
    List c;
};

Parts parts_of(const List& states)
{
    return {states, {}};
}

Parts parts_of(const std::vector<LstmState<double>>& states)
{
    Parts parts;
    for (const LstmState<double>& state : states) {
        parts.h.push_back(state.hidden);
        parts.c.push_back(state.cell);
    }
    return parts;
}

/// States of their parts; c may be anything without cells.
template <typename States>
States states_of(const List& h, const List& c)
{
    if constexpr (std::is_same_v<States, List>) {
        return h;
    } else {
        States states;
        for (std::size_t k = 0; k < h.size(); ++k) {
            states.push_back({h[k], c[k]});
        }
        return states;
    }
}

List slices_of(const Variable<double>& all)
{
    List slices;
    for (std::size_t k = 0; k < all.shape()[0]; ++k) {
        slices.push_back(select(all, 0, k));
    }
    return slices;
}

/// An array of a case, as a parameter.
Variable<double> input(const std::string& name)
{
    return autograd::parameter(golden(name));
}

/// Compares a result with PyTorch's and projects it: sum(result * projection).
Variable<double> projected(const Variable<double>& result, const std::string& wanted,
                           const std::string& projection)
{
    INFO(wanted);
    check_close(result.value(), golden(wanted), 1e-12);
    return autograd::sum(result * Variable<double>(golden(projection)));
}

/// A whole case of the golden values; the LSTM's have names of cells as well.
template <template <typename> class Kind>
void check_case(const std::string& name, const RecurrentSizes& sizes, bool initial_given,
                bool has_cells)
{
    INFO(name);
    autograd::Tape<double> tape;
    random::Generator generator(1);
    const Recurrent<double, Kind> layer(sizes, generator);
    load_golden(layer.parameters(), name + ".");
    const Array<double> stored = golden(name + ".lengths");
    const std::vector<std::size_t> lengths(stored.begin(), stored.end());

    // Start from where PyTorch did.
    using States = typename Recurrent<double, Kind>::States;
    List inputs = {input(name + ".x")};
    States initial;
    if (initial_given) {
        inputs.push_back(input(name + ".h_0"));
        inputs.push_back(has_cells ? input(name + ".c_0") : inputs[1]);
        initial = states_of<States>(slices_of(inputs[1]), slices_of(inputs[2]));
    }

    // Go there and back.
    const auto result = layer(inputs[0], lengths, initial);
    const Parts last = parts_of(result.final_states);
    Variable<double> loss =
        projected(result.outputs, name + ".output", name + ".projection.output") +
        projected(stack(last.h, 0), name + ".h_n", name + ".projection.h_n");
    if (has_cells) {
        loss = loss + projected(stack(last.c, 0), name + ".c_n", name + ".projection.c_n");
    }
    backward(loss);

    // Compare the slopes.
    check_golden_gradients(layer.parameters(), name + ".");
    check_close(inputs[0].gradient(), golden(name + ".gradient.x"), 1e-12);
    if (initial_given) {
        check_close(inputs[1].gradient(), golden(name + ".gradient.h_0"), 1e-12);
    }
    if (initial_given && has_cells) {
        check_close(inputs[2].gradient(), golden(name + ".gradient.c_0"), 1e-12);
    }
}

template <template <typename> class Kind>
void check_cases(const std::string& kind, bool has_cells = false)
{
    check_case<Kind>(kind + "_equal", {3, 4}, false, has_cells);
    check_case<Kind>(kind + "_lengths", {3, 4, 1, true}, true, has_cells);
    check_case<Kind>(kind + "_stacked", {4, 3, 2, true}, true, has_cells);
}

/// PyTorch's cell: a layer whose parameters have no suffix.
Parameters<double> without_suffix(const Parameters<double>& parameters)
{
    Parameters<double> renamed;
    for (const NamedParameter<double>& one : parameters) {
        renamed.add(one.name.substr(0, one.name.rfind("_l0")), one.variable, one.layout);
    }
    return renamed;
}

template <template <typename> class Kind>
void check_cell(const std::string& name, bool has_cells = false)
{
    INFO(name);
    autograd::Tape<double> tape;
    random::Generator generator(1);
    const Recurrent<double, Kind> layer({4, 5}, generator);
    const Parameters<double> parameters = without_suffix(layer.parameters());
    load_golden(parameters, name + ".");

    const Variable<double> x = input(name + ".x");
    const Variable<double> h = input(name + ".h");
    const Variable<double> c = has_cells ? input(name + ".c") : h;
    using States = typename Recurrent<double, Kind>::States;
    const Parts next = parts_of(layer.step(x, states_of<States>({h}, {c})));
    if (has_cells) {
        backward(projected(next.h[0], name + ".h_next", name + ".projection.h_next") +
                 projected(next.c[0], name + ".c_next", name + ".projection.c_next"));
        check_close(c.gradient(), golden(name + ".gradient.c"), 1e-12);
    } else {
        backward(projected(next.h[0], name + ".output", name + ".projection"));
    }
    check_golden_gradients(parameters, name + ".");
    check_close(x.gradient(), golden(name + ".gradient.x"), 1e-12);
    check_close(h.gradient(), golden(name + ".gradient.h"), 1e-12);
}

} // namespace

TEST_CASE("recurrent layers give PyTorch's numbers", "[common][nn][golden]")
{
    check_cases<RnnKind>("rnn");
    check_cases<GruKind>("gru");
    check_cases<LstmKind>("lstm", true);
}

TEST_CASE("single recurrent steps give PyTorch's numbers", "[common][nn][golden]")
{
    check_cell<RnnKind>("rnn_cell");
    check_cell<GruKind>("gru_cell");
    check_cell<LstmKind>("lstm_cell", true);
}

TEST_CASE("stacked steps are the layers along the sentence", "[common][nn]")
{
    random::Generator generator(2);
    const Lstm<double> layer({3, 4, 2}, generator);
    const Variable<double> x(random_array({2, 5, 3}));
    const Lstm<double>::Result whole = layer(x);
    Lstm<double>::States states = layer.zero_states(2);
    for (std::size_t t = 0; t < 5; ++t) {
        states = layer.step(select(x, 1, t), states);
        check_close(states.back().hidden.value(), select(whole.outputs, 1, t).value(), 1e-14);
    }
    for (std::size_t k = 0; k < 2; ++k) {
        check_close(states[k].hidden.value(), whole.final_states[k].hidden.value(), 1e-14);
        check_close(states[k].cell.value(), whole.final_states[k].cell.value(), 1e-14);
    }
}

TEST_CASE("recurrent layers refuse sizes and counts that do not fit", "[common][nn]")
{
    random::Generator generator(4);
    using Layer = Gru<double>;
    CHECK_THROWS_AS(Layer({0, 4}, generator), ContractError);
    CHECK_THROWS_AS(Layer({3, 0}, generator), ContractError);
    CHECK_THROWS_AS(Layer({3, 4, 0}, generator), ContractError);
    const Layer layer({3, 4, 2}, generator);
    const Variable<double> x(random_array({2, 5, 3}));
    const std::vector<std::size_t> too_long = {5, 6};
    CHECK_THROWS_AS(layer(select(x, 1, 0)), ContractError);
    CHECK_THROWS_WITH(layer(x, {}, {layer.zero_states(2)[0]}),
                      contains("2 initial states or none, got 1"));
    CHECK_THROWS_AS(layer(x, too_long), ContractError);
    CHECK_THROWS_WITH(layer(Variable<double>(random_array({2, 5, 4}))),
                      contains("[4, 12], got [3, 12]"));
    CHECK_THROWS_AS(layer.step(select(x, 1, 0), {}), ContractError);
    const Layer both({3, 4, 1, true}, generator);
    CHECK_THROWS_WITH(both.step(select(x, 1, 0), both.zero_states(2)),
                      contains("one direction"));
}

TEST_CASE("training a recurrent layer takes no more memory as it goes on", "[common][nn]")
{
    random::Generator generator(5);
    const Gru<float> layer({3, 8, 1, true}, generator);
    const Variable<float> x(converted<float>(random_array({4, 6, 3})));
    const std::vector<std::size_t> lengths = {6, 2, 0, 5};
    const auto step = [&] {
        autograd::Tape<float> tape;
        const Variable<float> outputs = layer(x, lengths).outputs;
        backward(autograd::mean(outputs * outputs));
        Parameters<float> parameters = layer.parameters();
        for (const NamedParameter<float>& one : parameters) {
            Array<float>& value = one.variable.node().value;
            for (std::size_t i = 0; i < value.size(); ++i) {
                value.data()[i] -= .1F * one.variable.gradient().data()[i];
            }
        }
        parameters.clear_gradients();
    };
    std::ptrdiff_t live_after_10 = 0;
    std::size_t pooled_after_10 = 0;
    for (int i = 1; i <= 1000; ++i) {
        step();
        if (i == 10) {
            live_after_10 = live_bytes();
            pooled_after_10 = pooled_bytes();
        }
    }
    CHECK(live_bytes() == live_after_10);
    CHECK(pooled_bytes() == pooled_after_10);
}
