/// \file
/// \brief Attention with a kernel that factors, in both of its forms.
#include "chapters/11_multi_head/linear_attention.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "common/autograd/gradient_check.hpp"
#include "tests/11_multi_head/samples.hpp"

using namespace attn;
using namespace attn::multi_head;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

Vector row_of(const Variable<double>& x, std::size_t row, std::size_t from, std::size_t n)
{
    Vector result = Vector::from_shape({n});
    std::copy_n(x.value().data() + row * x.shape()[2] + from, n, result.begin());
    return result;
}

} // namespace

// [claim_recurrent]
TEST_CASE("linear attention at once and step by step", "[11][claim]")
{
    const Variable<double> q = normal_variable({1, 50, 12}, 1);
    const Variable<double> k = normal_variable({1, 50, 12}, 2);
    const Variable<double> v = normal_variable({1, 50, 6}, 3);
    const Variable<double> at_once = attend_linearly(q, k, v, 2, {{}, true});
    for (const std::size_t head : {0U, 1U}) {
        LinearState state(6, 3);
        for (std::size_t t = 0; t < 50; ++t) {
            const Vector c = state.step(row_of(q, t, 6 * head, 6), row_of(k, t, 6 * head, 6),
                                        row_of(v, t, 3 * head, 3));
            for (std::size_t m = 0; m < 3; ++m) {
                CHECK_THAT(c(m), WithinAbs(row_of(at_once, t, 3 * head, 3)(m), 1e-12));
            }
        }
        CHECK(state.s.size() + state.z.size() == 6 * 3 + 6); // whatever the length
    }
}
// [claim_recurrent]

TEST_CASE("linear attention is chapter 1's attention with shares of a factored kernel", "[11]")
{
    const auto matrix_of = [](const Variable<double>& x) {
        Matrix matrix = Matrix::from_shape({x.shape()[1], x.shape()[2]});
        std::copy(x.value().begin(), x.value().end(), matrix.begin());
        return matrix;
    };
    const Variable<double> q = normal_variable({1, 5, 4}, 1);
    const Variable<double> k = normal_variable({1, 5, 4}, 2);
    const Variable<double> v = normal_variable({1, 5, 3}, 3);
    const Matrix all = lookup::attend(matrix_of(feature_map(q)), matrix_of(feature_map(k)),
                                      matrix_of(v), lookup::dot_product, lookup::share)
                           .context;
    const Matrix causal = matrix_of(attend_linearly(q, k, v, 1, {{}, true}));
    check_close(single_row(causal, 4), single_row(all, 4), 1e-13); // the last sees everything
}

TEST_CASE("linear attention is chapter 2's weighted mean", "[11]")
{
    const Variable<double> q = normal_variable({1, 4, 3}, 1);
    const Variable<double> k = normal_variable({1, 4, 3}, 2);
    const Variable<double> v = normal_variable({1, 4, 2}, 3);
    Array<double> weights;
    const Variable<double> c = attend_linearly(q, k, v, 1, {{}, true}, &weights);
    const auto phi = [](double x) { return x > 0 ? x + 1 : std::exp(x); };
    for (std::size_t i = 0; i < 4; ++i) {
        double all = 0;
        std::vector<double> kernel(4, 0.0);
        for (std::size_t j = 0; j <= i; ++j) {
            for (std::size_t m = 0; m < 3; ++m) {
                kernel[j] += phi(row_of(q, i, 0, 3)(m)) * phi(row_of(k, j, 0, 3)(m));
            }
            all += kernel[j];
        }
        double first = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            CHECK_THAT(weights.data()[i * 4 + j], WithinAbs(kernel[j] / all, 1e-14));
            first += kernel[j] / all * row_of(v, j, 0, 2)(0);
        }
        CHECK_THAT(row_of(c, i, 0, 2)(0), WithinAbs(first, 1e-13));
    }
}

TEST_CASE("gradients of linear attention", "[11]")
{
    const autograd::GradientCheck check = autograd::check_gradient(
        [](const std::vector<Variable<double>>& in) {
            return attend_linearly(in[0], in[1], in[2], 2, {{}, true});
        },
        {normal_variable({2, 4, 4}, 1).value(), normal_variable({2, 4, 4}, 2).value(),
         normal_variable({2, 4, 6}, 3).value()});
    INFO(check.first_mismatch);
    CHECK(check.passed);
    const Variable<double> x(array_of<double>({3}, {-1.0, 0.0, 2.0}));
    CHECK_THAT(feature_map(x).value().data()[0], WithinAbs(std::exp(-1.0), 1e-15));
    CHECK(feature_map(x).value().data()[1] == 1);
    CHECK(feature_map(x).value().data()[2] == 3);
}

TEST_CASE("linear attention refuses what it cannot do", "[11]")
{
    const Variable<double> x = normal_variable({1, 3, 4}, 1);
    CHECK_THROWS_WITH(attend_linearly(x, x, x, 2, {}), contains("causal"));
    CHECK_THROWS_WITH(attend_linearly(x, x, x, 2, {{3}, true}), contains("padding"));
    CHECK_THROWS_WITH(attend_linearly(x, normal_variable({1, 2, 4}, 1), x, 2, {{}, true}),
                      contains("[1, 2, 4]"));
    CHECK_THROWS_WITH(attend_linearly(x, x, normal_variable({2, 3, 4}, 1), 2, {{}, true}),
                      contains("values [2, 3, 4]"));
    LinearState state(2, 3);
    CHECK_THROWS_WITH(state.step({1, 2}, {1, 2}, {1, 2}), contains("[2, 3]"));
    CHECK_THROWS_WITH(state.step({1, 2}, {-800, -800}, {1, 2, 3}), contains("are 0"));

    // Third of three keys: the sum of its row, and of no other, is rounded to 0.
    Array<float> low = filled<float>({1, 3, 4}, 1.0F);
    std::fill_n(low.data() + 8, 4, -110.0F);
    const Variable<float> q(low);
    const Variable<float> ones(filled<float>({1, 3, 4}, 1.0F));
    CHECK_THROWS_WITH(attend_linearly(q, ones, ones, 2, {{}, true}),
                      contains("row 2 of [1, 2, 3, 1]"));
    const Array<float> mean = attend_linearly(ones, q, ones, 2, {{}, true}).value();
    CHECK_THAT(static_cast<double>(mean.data()[8]), WithinAbs(1, 1e-6));
}
