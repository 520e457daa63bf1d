#include "common/autograd/matrix_product.hpp"

#include "common/autograd/broadcast.hpp"
#include "common/autograd/rule.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace attn::autograd {

namespace {

Transpose other(Transpose transpose)
{
    return transpose == Transpose::no ? Transpose::yes : Transpose::no;
}

/// One pair of matrices of two stacks: their numbers among those of the stack.
struct Pair
{
    std::size_t a;
    std::size_t b;
};

/// A product of two stacks: C[i] = op(A[pair i]) op(B[pair i]), C [n, m], the inner axis k long.
struct Plan
{
    Transpose a_transposed;
    Transpose b_transposed;
    std::size_t n;
    std::size_t k;
    std::size_t m;
    std::vector<Pair> pairs; ///< one for each matrix of the result
};

/// The axes before the last two.
Shape leading(const Shape& shape)
{
    return Shape(shape.begin(), shape.end() - 2);
}

std::size_t rows_of(const Shape& shape, Transpose transposed)
{
    return shape[shape.size() - (transposed == Transpose::no ? 2 : 1)];
}

std::size_t columns_of(const Shape& shape, Transpose transposed)
{
    return rows_of(shape, other(transposed));
}

Plan plan_of(const Shape& a, const Shape& b, Transpose a_transposed, Transpose b_transposed)
{
    expect(a.size() >= 2 && b.size() >= 2,
           "matmul: both must have at least two axes, got shapes {} and {}", a, b);
    Plan plan{a_transposed,
              b_transposed,
              rows_of(a, a_transposed),
              columns_of(a, a_transposed),
              columns_of(b, b_transposed),
              {}};
    const bool one_matrix_b = size_of(leading(b)) == 1 && b.size() <= a.size();
    expect(plan.k == rows_of(b, b_transposed),
           "matmul: shapes {}{} and {}{} do not go together", a,
           a_transposed == Transpose::no ? "" : " transposed", b,
           b_transposed == Transpose::no ? "" : " transposed");

    // All rows of a stack meet the same matrix: one tall product.
    if (one_matrix_b && a_transposed == Transpose::no) {
        plan.n *= size_of(leading(a));
        plan.pairs.push_back({0, 0});
        return plan;
    }
    const Broadcast stacks(leading(a), leading(b), "matmul");
    plan.pairs.reserve(stacks.size());
    stacks.for_each_run([&](const Broadcast::Run& run) {
        for (std::size_t i = 0; i < run.n; ++i) {
            plan.pairs.push_back({run.a + i * stacks.step_a(), run.b + i * stacks.step_b()});
        }
    });
    return plan;
}

/// How many columns the stored matrix has, n_rows by n_columns after transposing.
std::size_t stride_of(std::size_t n_rows, std::size_t n_columns, Transpose transposed)
{
    return transposed == Transpose::no ? n_columns : n_rows;
}

/// C = op(A) op(B) + beta C for one pair, sizes as in the plan.
template <typename T>
void multiply_pair(const Plan& plan, const T* a, const T* b, T beta, T* c)
{
    gemm(plan.a_transposed, plan.b_transposed, plan.n, plan.m, plan.k, T(1), a,
         stride_of(plan.n, plan.k, plan.a_transposed), b,
         stride_of(plan.k, plan.m, plan.b_transposed), beta, c, plan.m);
}

/// dA += dC op(B)^T, or its transpose where A is read transposed.
template <typename T>
void add_to_a(const Plan& plan, const T* dc, const T* b, T beta, T* da)
{
    const std::size_t ldb = stride_of(plan.k, plan.m, plan.b_transposed);
    if (plan.a_transposed == Transpose::no) {
        gemm(Transpose::no, other(plan.b_transposed), plan.n, plan.k, plan.m, T(1), dc, plan.m,
             b, ldb, beta, da, plan.k);
    } else {
        gemm(plan.b_transposed, Transpose::yes, plan.k, plan.n, plan.m, T(1), b, ldb, dc,
             plan.m, beta, da, plan.n);
    }
}

/// dB += op(A)^T dC, or its transpose where B is read transposed.
template <typename T>
void add_to_b(const Plan& plan, const T* dc, const T* a, T beta, T* db)
{
    const std::size_t lda = stride_of(plan.n, plan.k, plan.a_transposed);
    if (plan.b_transposed == Transpose::no) {
        gemm(other(plan.a_transposed), Transpose::no, plan.k, plan.m, plan.n, T(1), a, lda, dc,
             plan.m, beta, db, plan.m);
    } else {
        gemm(Transpose::yes, plan.a_transposed, plan.m, plan.k, plan.n, T(1), dc, plan.m, a,
             lda, beta, db, plan.k);
    }
}

/// Where the gradient of a stack is added to: its first contribution may replace only if no
/// matrix of the stack is repeated.
template <typename T>
GradientSum<T> open_stack(const Variable<T>& x, std::size_t n_products, std::size_t matrix_size)
{
    if (n_products * matrix_size == x.size()) {
        return open_gradient(x);
    }
    return {zeroed_gradient(x), T(1)};
}

template <typename T>
void product_backward(const Plan& plan, const Variable<T>& a, const Variable<T>& b, const T* dc)
{
    const std::size_t size_a = plan.n * plan.k;
    const std::size_t size_b = plan.k * plan.m;
    const std::size_t size_c = plan.n * plan.m;
    if (a.needs_gradient()) {
        const GradientSum<T> sum = open_stack(a, plan.pairs.size(), size_a);
        for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
            add_to_a(plan, dc + i * size_c, b.value().data() + plan.pairs[i].b * size_b,
                     sum.beta, sum.data + plan.pairs[i].a * size_a);
        }
    }
    if (b.needs_gradient()) {
        const GradientSum<T> sum = open_stack(b, plan.pairs.size(), size_b);
        for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
            add_to_b(plan, dc + i * size_c, a.value().data() + plan.pairs[i].a * size_a,
                     sum.beta, sum.data + plan.pairs[i].b * size_b);
        }
    }
}

Shape product_shape(const Shape& a, const Shape& b, Transpose a_transposed,
                    Transpose b_transposed)
{
    Shape shape = broadcast_shape(leading(a), leading(b));
    shape.push_back(rows_of(a, a_transposed));
    shape.push_back(columns_of(b, b_transposed));
    return shape;
}

} // namespace

template <typename T>
Variable<T> matmul(const Variable<T>& a, const Variable<T>& b, Transpose a_transposed,
                   Transpose b_transposed)
{
    Plan plan = plan_of(a.shape(), b.shape(), a_transposed, b_transposed);
    Array<T> c(product_shape(a.shape(), b.shape(), a_transposed, b_transposed));
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        multiply_pair(plan, a.value().data() + plan.pairs[i].a * plan.n * plan.k,
                      b.value().data() + plan.pairs[i].b * plan.k * plan.m, T(0),
                      c.data() + i * plan.n * plan.m);
    }
    return record(std::move(c), a.needs_gradient() || b.needs_gradient(),
                  [a, b, plan = std::move(plan)](const Array<T>& /*c*/, const Array<T>& dc) {
                      product_backward(plan, a, b, dc.data());
                  });
}

template Variable<float> matmul(const Variable<float>&, const Variable<float>&, Transpose,
                                Transpose);
template Variable<double> matmul(const Variable<double>&, const Variable<double>&, Transpose,
                                 Transpose);

} // namespace attn::autograd
