/// \file
/// \brief The layer by its properties, and against PyTorch's.
#include "chapters/11_multi_head/multi_head.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "chapters/06_recurrent_attention/memory_attention.hpp"
#include "chapters/11_multi_head/experiments/experiments.hpp"
#include "chapters/11_multi_head/positions.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/gradient_check.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/reductions.hpp"
#include "tests/11_multi_head/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <limits>

using namespace attn;
using namespace attn::multi_head;
using namespace attn::testing;

namespace {

constexpr std::size_t d = 6;

MultiHeadAttention<double> layer_of(std::size_t n_heads, std::uint64_t stream = 1)
{
    random::Generator generator(5, stream);
    return {{.d_model = d, .n_heads = n_heads}, generator};
}

template <typename Condition>
bool all_of_them(const Array<double>& numbers, Condition condition)
{
    return std::all_of(numbers.begin(), numbers.end(), condition);
}

} // namespace

// ---------------------------------------------------------------- heads

TEST_CASE("heads are blocks of columns", "[11]")
{
    const Variable<double> x(
        array_of<double>({1, 2, 4}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
    const Variable<double> split = split_heads(x, 2);
    CHECK(split.shape() == Shape{1, 2, 2, 2});
    CHECK(
        same_bits(split.value(),
                  array_of<double>({1, 2, 2, 2}, std::vector<double>{1, 2, 5, 6, 3, 4, 7, 8})));
    CHECK(same_bits(merge_heads(split).value(), x.value()));
    CHECK_THROWS_WITH(split_heads(x, 3), contains("[1, 2, 4]"));
    CHECK_THROWS_WITH(merge_heads(x), contains("[1, 2, 4]"));
}

// [claim_shapes]
TEST_CASE("every shape inside a layer", "[11][claim]")
{
    random::Generator generator(5);
    const MultiHeadAttention<double> layer(
        {.d_model = 12, .n_heads = 3, .d_key_inputs = 5, .d_value_inputs = 7}, generator);
    const auto of = [](const Shape& shape) { return normal_variable(shape, 1); };
    Inside<double> inside;
    const Variable<double> out =
        layer(of({2, 4, 12}), of({2, 6, 5}), of({2, 6, 7}), {}, &inside);
    CHECK(layer.W_q.weight.shape() == Shape{12, 12});
    CHECK(layer.W_k.weight.shape() == Shape{5, 12});
    CHECK(layer.W_v.weight.shape() == Shape{7, 12});
    CHECK(layer.W_o.weight.shape() == Shape{12, 12});
    CHECK(inside.queries.shape() == Shape{2, 4, 12});
    CHECK(inside.keys.shape() == Shape{2, 6, 12});
    CHECK(inside.values.shape() == Shape{2, 6, 12});
    CHECK(split_heads(Variable<double>(inside.queries), 3).shape() == Shape{2, 3, 4, 4});
    CHECK(split_heads(Variable<double>(inside.keys), 3).shape() == Shape{2, 3, 6, 4});
    CHECK(inside.weights.shape() == Shape{2, 3, 4, 6});
    CHECK(out.shape() == Shape{2, 4, 12});
}
// [claim_shapes]

TEST_CASE("one head without projections is the attention of chapter 1", "[11]")
{
    const Variable<double> q = normal_variable({1, 4, d}, 1);
    const Variable<double> k = normal_variable({1, 5, d}, 2);
    const Variable<double> v = normal_variable({1, 5, 3}, 3);
    const auto scaled = [](const Matrix& queries, const Matrix& keys) {
        Matrix scores = lookup::dot_product(queries, keys);
        scores /= std::sqrt(static_cast<double>(d));
        return scores;
    };
    const auto softmax = [](const Matrix& scores) { return lookup::softmax(scores); };
    const Matrix wanted =
        lookup::attend(matrix_of(q), matrix_of(k), matrix_of(v), scaled, softmax).context;
    for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
        check_close(matrix_of(kernel.attend(q, k, v, 1, {}, nullptr)), wanted, 1e-13);
    }
}

TEST_CASE("scores whose exponentials are too large for a double find their key", "[11]")
{
    const Variable<double> k(array_of<double>({1, 3, 1}, std::vector<double>{1, 2, -3}));
    const Variable<double> q(array_of<double>({1, 2, 1}, std::vector<double>{1e4, -1e4}));
    for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
        const Array<double> c = kernel.attend(q, k, k, 1, {}, nullptr).value();
        CHECK(c.data()[0] == 2);
        CHECK(c.data()[1] == -3);
    }
}

// [claim_past]
TEST_CASE("causal self-attention is chapter 6's attention to the past, at every position",
          "[11][claim]")
{
    const Variable<double> q = normal_variable({1, 6, d}, 1);
    const Variable<double> x = normal_variable({1, 6, d}, 2); // keys and values, as there
    for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
        const Array<double> at_once = kernel.attend(q, x, x, 1, {{}, true}, nullptr).value();
        for (std::size_t t = 0; t < 6; ++t) {
            const Variable<double> past = slice(x, 1, 0, t + 1);
            const Variable<double> scores = recurrent_attention::memory_scores(
                recurrent_attention::Score::root, select(q, 1, t), past);
            const Variable<double> context =
                recurrent_attention::read_memory(scores, past).context;
            for (std::size_t m = 0; m < d; ++m) {
                CHECK_THAT(at_once.data()[t * d + m],
                           Catch::Matchers::WithinAbs(context.value().data()[m], 1e-12));
            }
        }
    }
}
// [claim_past]

// [claim_heads_order]
TEST_CASE("heads may change places, with the rows of the output projection", "[11][claim]")
{
    const MultiHeadAttention<double> layer = layer_of(3);
    const Variable<double> x = normal_variable({2, 5, d}, 1);
    const auto difference_in_order = [&](bool with_output) {
        const auto other = heads_in_order(layer, {2, 0, 1}, with_output);
        return largest_difference(other(x).value(), layer(x).value());
    };
    CHECK(difference_in_order(true) <= 1e-12);
    CHECK(difference_in_order(false) >= 1e-2);
}
// [claim_heads_order]

// ---------------------------------------------------------------- order and masks

// [claim_equivariance]
TEST_CASE("without positions a layer does not know the order", "[11][claim]")
{
    const MultiHeadAttention<double> layer = layer_of(3);
    const std::vector<std::size_t> order = {3, 0, 4, 1, 2};
    const Variable<double> x = normal_variable({1, 5, d}, 1);
    const Array<double> then = layer(rows_in_order(x, order)).value();
    const Array<double> first = rows_in_order(layer(x), order).value();
    CHECK(largest_difference(then, first) <= 1e-12);

    const Variable<double> p(reshape(Variable<double>(sinusoids<double>(5, d)), {1, 5, d}));
    CHECK(largest_difference(layer(rows_in_order(x, order) + p).value(),
                             rows_in_order(layer(x + p), order).value()) >= 1e-2);
    MultiHeadAttention<double> rotary = layer;
    rotary.rotate = rotated_by_position<double>;
    CHECK(largest_difference(rotary(rows_in_order(x, order)).value(),
                             rows_in_order(rotary(x), order).value()) >= 1e-2);
}
// [claim_equivariance]

// [claim_causal]
TEST_CASE("what comes later leaves what came before bit-identical", "[11][claim]")
{
    MultiHeadAttention<double> layer = layer_of(2);
    for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
        layer.attend = kernel.attend;
        const Variable<double> x = normal_variable({2, 7, d}, 1);
        const Array<double> before = layer(x, {{}, true}).value();
        for (std::size_t changed = 0; changed < 7; ++changed) {
            Variable<double> other(x.value());
            for (std::size_t m = 0; m < d; ++m) {
                other.value().data()[changed * d + m] += 1; // of the first sentence
            }
            const Array<double> after = layer(other, {{}, true}).value();
            CAPTURE(kernel.name, changed);
            for (std::size_t t = 0; t < 7; ++t) {
                CHECK(same_numbers(before, after, t * d, d) == (t < changed));
            }
            CHECK(same_numbers(before, after, 7 * d, 7 * d)); // the second sentence
        }
    }
}
// [claim_causal]

// [claim_padding]
TEST_CASE("what stands in the padding cannot matter", "[11][claim]")
{
    MultiHeadAttention<double> layer = layer_of(2);
    const Variable<double> x = normal_variable({2, 4, d}, 1);
    const Variable<double> memory = normal_variable({2, 6, d}, 2);
    const AttentionMask mask{{6, 3}, false};
    for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
        CAPTURE(kernel.name);
        layer.attend = kernel.attend;
        const Array<double> before = layer(x, memory, memory, mask).value();
        Variable<double> other(memory.value());
        std::fill_n(other.value().data() + (6 + 3) * d, 3 * d, 1e6);
        CHECK(same_bits(layer(x, other, other, mask).value(), before));
        // The short sentence alone, without its padding.
        const Variable<double> alone = slice(slice(memory, 0, 1, 2), 1, 0, 3);
        const Array<double> unpadded = layer(slice(x, 0, 1, 2), alone, alone).value();
        const Array<double> second = slice(Variable<double>(before), 0, 1, 2).value();
        CHECK(largest_difference(unpadded, second) <= 1e-12);
    }
}
// [claim_padding]

// [claim_empty]
TEST_CASE("a row that sees nothing does no harm, forwards and backwards", "[11][claim]")
{
    MultiHeadAttention<double> layer = layer_of(2);
    const auto is_zero = [](double number) { return number == 0; };
    for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
        layer.attend = kernel.attend;
        const Variable<double> x = autograd::parameter(normal_variable({1, 3, d}, 1).value());
        const Variable<double> memory = autograd::parameter(filled<double>({1, 4, d}, 1e300));
        const autograd::Tape<double> tape;
        Inside<double> inside;
        const Variable<double> out = layer(x, memory, memory, {{0}, false}, &inside);
        autograd::backward(sum(out * out));
        CHECK(all_of_them(inside.weights, is_zero));
        CHECK(all_of_them(out.value(), is_zero)); // the output's bias, here 0
        CHECK(all_of_them(x.gradient(), is_zero));
        CHECK(all_of_them(memory.gradient(), is_zero));
        CHECK(all_of_them(layer.W_q.weight.gradient(), is_zero));
        CHECK(
            all_of_them(layer.W_v.weight.gradient(), [](double g) { return !std::isnan(g); }));
        layer.W_q.weight.clear_gradient();
        layer.W_v.weight.clear_gradient();
    }
}
// [claim_empty]

TEST_CASE("masks of lengths and of time", "[11]")
{
    const Mask mask = mask_of({{3, 1}, true}, 2, 2, 3);
    CHECK(mask.shape() == Shape{2, 1, 2, 3});
    const std::vector<bool> wanted = {true, true,  false, true, true,  true,
                                      true, false, false, true, false, false};
    CHECK(std::equal(mask.begin(), mask.end(), wanted.begin(), wanted.end()));
    CHECK_THROWS_AS(mask_of({{3}, false}, 2, 2, 3), ContractError);
    CHECK_THROWS_AS(mask_of({{3, 4}, false}, 2, 2, 3), ContractError);
    CHECK_THROWS_WITH(mask_of({{}, true}, 1, 4, 3), contains("4 queries and 3 keys"));
    CHECK((AttentionMask{{2}, true}.n_attended(0, 0, 3, 3) == 1));
    CHECK((AttentionMask{{2}, true}.n_attended(0, 2, 3, 3) == 2));
}

// ---------------------------------------------------------------- gradients and errors

TEST_CASE("gradients of queries, keys and values, with both masks and without a key", "[11]")
{
    for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
        for (const AttentionMask& mask : {AttentionMask{{4, 2}, true}, AttentionMask{{0, 3}}}) {
            const autograd::GradientCheck check = autograd::check_gradient(
                [&](const std::vector<Variable<double>>& in) {
                    return kernel.attend(in[0], in[1], in[2], 2, mask, nullptr);
                },
                {normal_variable({2, 4, 4}, 1).value(), normal_variable({2, 4, 4}, 2).value(),
                 normal_variable({2, 4, 6}, 3).value()});
            INFO(kernel.name << " " << check.first_mismatch);
            CHECK(check.passed);
        }
    }
}

TEST_CASE("heads that threads share have the same bits, by the kernels that were chosen",
          "[11]")
{
    const Array<double> x = normal_variable({3, 64, 64}, 1).value();
    const auto passage = [&](const kernels::Kernels* kernels, std::size_t n_threads) {
        const kernels::ComputeWith guard({kernels, n_threads});
        const autograd::Tape<double> tape;
        const Variable<double> v = autograd::parameter(x);
        const Variable<double> y =
            attend_in_one_step(v, v, v, 4, {.key_lengths = {64, 40, 0}, .causal = true});
        autograd::backward(sum(y * y));
        return std::pair(y.value(), v.gradient());
    };
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        const auto [y, dx] = passage(kernels, 1);
        for (const std::size_t n_threads : {2U, 5U}) {
            CAPTURE(kernels->name, n_threads);
            const auto [shared_y, shared_dx] = passage(kernels, n_threads);
            CHECK(same_bits(shared_y, y));
            CHECK(same_bits(shared_dx, dx));
        }
    }
}

TEST_CASE("gradients of the layer, with both masks and rotary positions", "[11]")
{
    for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
        for (const bool rotates : {false, true}) {
            MultiHeadAttention<double> layer = layer_of(3);
            layer.attend = kernel.attend;
            if (rotates) {
                layer.rotate = rotated_by_position<double>;
            }
            const auto computation = [&](const std::vector<Variable<double>>& in) {
                MultiHeadAttention<double> here = layer;
                here.W_q.weight = in[1];
                here.W_k.weight = in[2];
                here.W_v.weight = in[3];
                here.W_o.weight = in[4];
                return here(in[0], {{4, 2}, true});
            };
            const autograd::GradientCheck check = autograd::check_gradient(
                computation,
                {normal_variable({2, 4, d}, 1).value(), layer.W_q.weight.value(),
                 layer.W_k.weight.value(), layer.W_v.weight.value(), layer.W_o.weight.value()});
            INFO(kernel.name << " " << check.first_mismatch);
            CHECK(check.passed);
        }
    }
}

TEST_CASE("a memory projected once is the same memory", "[11]")
{
    MultiHeadAttention<double> layer = layer_of(3);
    const Variable<double> x = normal_variable({1, 3, d}, 1);
    const Variable<double> memory = normal_variable({1, 5, d}, 2);
    for (const bool rotates : {false, true}) {
        if (rotates) {
            layer.rotate = rotated_by_position<double>;
        }
        Inside<double> inside;
        Array<double> weights;
        const Array<double> at_once = layer(x, memory, memory, {}, &inside).value();
        CHECK(same_bits(layer.attend_to(x, layer.project(memory, memory), {}, &weights).value(),
                        at_once));
        CHECK(same_bits(weights, inside.weights));
        CHECK(same_bits(layer.queries_of(x).value(), inside.queries));
        CHECK(same_bits(layer(x, memory, memory).value(), at_once));
    }
}

TEST_CASE("incremental decoding with a memory that grows is the same as at once", "[11]")
{
    MultiHeadAttention<double> layer = layer_of(3);
    layer.rotate = rotated_by_position<double>; // so that it matters where the rows stand
    const Variable<double> x = normal_variable({2, 5, d}, 1);
    const Array<double> at_once = layer(x, {{}, true}).value();
    ProjectedMemory<double> memory = layer.project(slice(x, 1, 0, 2), slice(x, 1, 0, 2));
    for (std::size_t t = 2; t < 5; ++t) {
        const Variable<double> row = slice(x, 1, t, t + 1);
        const ProjectedMemory<double> own = layer.project(row, row, t);
        memory = {autograd::concatenate<double>({memory.keys, own.keys}, 1),
                  autograd::concatenate<double>({memory.values, own.values}, 1)};
        const Array<double> now = layer.attend_to(row, memory, {{}, true}).value();
        CHECK(largest_difference(now, slice(Variable<double>(at_once), 1, t, t + 1).value()) <=
              1e-12);
    }
    // Two queries at the end of five keys, with what happened inside.
    Inside<double> inside;
    const Variable<double> last = slice(x, 1, 3, 5);
    const Array<double> two = layer(last, x, x, {{}, true}, &inside).value();
    CHECK(largest_difference(two, slice(Variable<double>(at_once), 1, 3, 5).value()) <= 1e-12);
    CHECK(same_bits(inside.queries, layer.queries_of(last, 3).value()));
    // Who is not causal is counted from the first position.
    layer(last, x, x, {}, &inside);
    CHECK(same_bits(inside.queries, layer.queries_of(last).value()));
}

TEST_CASE("sizes and shapes that do not fit are named", "[11]")
{
    random::Generator generator(1);
    CHECK_THROWS_WITH(MultiHeadAttention<double>({.d_model = 6, .n_heads = 4}, generator),
                      contains("4 heads cannot share 6 numbers"));
    const MultiHeadAttention<double> layer = layer_of(2);
    CHECK_THROWS_WITH(layer(normal_variable({1, 3, 5}, 1)), contains("[1, 3, 5]"));
    CHECK_THROWS_WITH(layer(normal_variable({3, d}, 1)), contains("[3, 6]"));

    struct Case
    {
        Shape queries;
        Shape keys;
        Shape values;
        std::size_t n_heads;
        const char* message;
    };
    for (const Case& wrong :
         std::vector<Case>{{{1, 3, 6}, {1, 3, 4}, {1, 3, 6}, 2, "keys [1, 3, 4]"},
                           {{1, 3, 6}, {1, 3, 6}, {1, 2, 6}, 2, "values [1, 2, 6]"},
                           {{2, 3, 6}, {1, 3, 6}, {1, 3, 6}, 2, "[2, 3, 6], keys [1, 3, 6]"},
                           {{1, 3, 6}, {2, 3, 6}, {2, 3, 6}, 2, "[1, 3, 6], keys [2, 3, 6]"},
                           {{2, 3, 6},
                            {2, 3, 6},
                            {1, 3, 6},
                            2,
                            "values [1, 3, 6]"}, // no sentence is repeated
                           {{2, 3, 6}, {2, 3, 6}, {2, 3, 6}, 4, "4 heads"}}) {
        for (const AttentionKernel<double>& kernel : attention_kernels<double>()) {
            CHECK_THROWS_WITH(
                kernel.attend(normal_variable(wrong.queries, 1), normal_variable(wrong.keys, 1),
                              normal_variable(wrong.values, 1), wrong.n_heads, {}, nullptr),
                contains(wrong.message));
        }
    }
}

// ---------------------------------------------------------------- against PyTorch

namespace {

template <typename T>
void check_against_pytorch(double tolerance)
{
    const std::vector<std::pair<const char*, AttentionMask>> cases = {
        {"plain", {}}, {"both_masks", {{4, 1, 3}, true}}, {"sizes_differ", {{5, 2, 4}, false}}};
    for (const AttentionKernel<T>& kernel : attention_kernels<T>()) {
        for (const auto& [name, mask] : cases) {
            CAPTURE(kernel.name);
            const GoldenLayer wanted{"11_multi_head", name, tolerance};
            const Variable<T> x = wanted.input<T>("x");
            const Variable<T> y = wanted.input<T>("y");
            const Variable<T> z = wanted.input<T>("z");
            random::Generator generator(1);
            MultiHeadAttention<T> layer({.d_model = 6,
                                         .n_heads = 3,
                                         .d_key_inputs = y.shape()[2],
                                         .d_value_inputs = z.shape()[2]},
                                        generator);
            layer.attend = kernel.attend;
            wanted.load_into(layer.parameters());

            const autograd::Tape<T> tape;
            Inside<T> inside;
            const Variable<T> output = layer(x, y, z, mask, &inside);
            wanted.check(output.value(), "output");
            wanted.check(inside.weights, "weights");
            wanted.check_backward(output, layer.parameters());
            wanted.check(x.gradient(), "gradient.x");
            wanted.check(y.gradient(), "gradient.y");
            wanted.check(z.gradient(), "gradient.z");
        }
    }
}

} // namespace

// [claim_pytorch]
TEST_CASE("the layer is PyTorch's, forward and back", "[11][claim]")
{
    check_against_pytorch<double>(1e-11);
    check_against_pytorch<float>(1e-5);
}
// [claim_pytorch]
