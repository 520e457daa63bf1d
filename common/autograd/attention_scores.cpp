#include "common/autograd/attention_scores.hpp"

#include "common/autograd/rule.hpp"
#include "common/kernels/vector_math.hpp"
#include "common/tensor/check.hpp"

#include <utility>

namespace attn::autograd {

namespace {

/// y += factor x.
template <typename T>
void add_multiple(std::size_t n, T factor, const T* __restrict x, T* __restrict y)
{
    for (std::size_t i = 0; i < n; ++i) {
        y[i] += factor * x[i];
    }
}

/// The lengths of a batch of queries and keys.
struct ReadSizes
{
    std::size_t batch;
    std::size_t n_queries;
    std::size_t n_keys;
    std::size_t d;
};

/// s_j = r_j . x for each row of a sentence's table.
template <typename T>
void products_with_rows(const ReadSizes& sizes, const T* rows, const T* x, T* s)
{
    for (std::size_t j = 0; j < sizes.n_keys; ++j) {
        s[j] = vector_math::dot<T>({rows + j * sizes.d, sizes.d}, {x, sizes.d});
    }
}

/// y += sum over j of p_j r_j.
template <typename T>
void add_sum_of_rows(const ReadSizes& sizes, const T* p, const T* rows, T* y)
{
    for (std::size_t j = 0; j < sizes.n_keys; ++j) {
        add_multiple(sizes.d, p[j], rows + j * sizes.d, y);
    }
}

/// r_j += p_j x for each row.
template <typename T>
void add_outer_product(const ReadSizes& sizes, const T* p, const T* x, T* rows)
{
    for (std::size_t j = 0; j < sizes.n_keys; ++j) {
        add_multiple(sizes.d, p[j], x, rows + j * sizes.d);
    }
}

ReadSizes sizes_of_table(const Shape& per_sentence, const Shape& table, const char* function)
{
    expect(per_sentence.size() == 2 && table.size() == 3 && per_sentence[0] == table[0],
           "{}: shapes {} and {} must be [batch, n] and [batch, n_keys, d]", function,
           per_sentence, table);
    return {table[0], 1, table[1], table[2]};
}

// ---------------------------------------------------------------- additive scores

ReadSizes sizes_of_additive(const Shape& queries, const Shape& keys, const Shape& w)
{
    expect(queries.size() == 3 && keys.size() == 3 && w.size() == 1 && queries[0] == keys[0] &&
               queries[2] == keys[2] && keys[2] == w[0],
           "additive_scores: queries {}, keys {} and w {} must be [batch, n_queries, d], "
           "[batch, n_keys, d] and [d]",
           queries, keys, w);
    return {keys[0], queries[1], keys[1], keys[2]};
}

/// h[b, i, j] = tanh(q[b, i] + k[b, j]), and s[b, i, j] = w . h[b, i, j].
template <typename T>
void compare_additively(const ReadSizes& sizes, const T* q, const T* k, const T* w, T* h, T* s)
{
    const std::size_t d = sizes.d;
    const std::size_t table = sizes.n_keys * d;
    for (std::size_t row = 0; row < sizes.batch * sizes.n_queries; ++row) {
        const T* const q_row = q + row * d;
        const T* const k_table = k + row / sizes.n_queries * table;
        T* const h_table = h + row * table;
        for (std::size_t j = 0; j < sizes.n_keys; ++j) {
            for (std::size_t c = 0; c < d; ++c) {
                h_table[j * d + c] = q_row[c] + k_table[j * d + c];
            }
        }
        vector_math::tanh<T>({h_table, table}, {h_table, table});
        products_with_rows(sizes, h_table, w, s + row * sizes.n_keys);
    }
}

/// What the gradient of the scores gives to queries, keys and w; any may be null.
template <typename T>
struct AdditiveGradients
{
    T* dq;
    T* dk;
    T* dw;
};

/// da = ds w (1 - h h) goes to query and key, ds h to w.
template <typename T>
void add_additive_gradient(std::size_t d, T ds, const T* __restrict h, const T* __restrict w,
                           const AdditiveGradients<T>& to)
{
    T* __restrict const dq = to.dq;
    T* __restrict const dk = to.dk;
    T* __restrict const dw = to.dw;
    for (std::size_t c = 0; c < d; ++c) {
        const T da = ds * w[c] * (T(1) - h[c] * h[c]);
        dq[c] += da;
        dk[c] += da;
        dw[c] += ds * h[c];
    }
}

/// A gradient's numbers to add to; memory of its own where nobody asks for them.
template <typename T>
T* gradient_or_scratch(const Variable<T>& x, Array<T>& scratch)
{
    if (x.needs_gradient()) {
        return zeroed_gradient(x);
    }
    scratch = filled(x.shape(), T(0));
    return scratch.data();
}

} // namespace

template <typename T>
Variable<T> additive_scores(const Variable<T>& queries, const Variable<T>& keys,
                            const Variable<T>& w)
{
    const ReadSizes sizes = sizes_of_additive(queries.shape(), keys.shape(), w.shape());
    Array<T> s = uninitialised<T>({sizes.batch, sizes.n_queries, sizes.n_keys});
    Array<T> h = uninitialised<T>({sizes.batch, sizes.n_queries, sizes.n_keys, sizes.d});
    compare_additively(sizes, queries.value().data(), keys.value().data(), w.value().data(),
                       h.data(), s.data());

    const bool needs_gradient =
        queries.needs_gradient() || keys.needs_gradient() || w.needs_gradient();
    return record(
        std::move(s), needs_gradient,
        [queries, keys, w, sizes, h = std::move(h)](const Array<T>& /*s*/, const Array<T>& ds) {
            Array<T> unasked[3];
            T* const dq = gradient_or_scratch(queries, unasked[0]);
            T* const dk = gradient_or_scratch(keys, unasked[1]);
            T* const dw = gradient_or_scratch(w, unasked[2]);
            for (std::size_t at = 0; at < ds.size(); ++at) {
                const std::size_t row = at / sizes.n_keys; // of b and i
                const std::size_t key =
                    row / sizes.n_queries * sizes.n_keys + at % sizes.n_keys;
                add_additive_gradient<T>(sizes.d, ds.data()[at], h.data() + at * sizes.d,
                                         w.value().data(),
                                         {dq + row * sizes.d, dk + key * sizes.d, dw});
            }
        });
}

template <typename T>
Variable<T> dot_scores(const Variable<T>& queries, const Variable<T>& keys)
{
    const ReadSizes sizes = sizes_of_table(queries.shape(), keys.shape(), "dot_scores");
    expect(queries.shape()[1] == sizes.d,
           "dot_scores: queries {} and keys {} must have equal last axes", queries.shape(),
           keys.shape());
    const std::size_t table = sizes.n_keys * sizes.d;
    Array<T> s = uninitialised<T>({sizes.batch, sizes.n_keys});
    for (std::size_t b = 0; b < sizes.batch; ++b) {
        products_with_rows(sizes, keys.value().data() + b * table,
                           queries.value().data() + b * sizes.d, s.data() + b * sizes.n_keys);
    }
    return record(std::move(s), queries.needs_gradient() || keys.needs_gradient(),
                  [queries, keys, sizes, table](const Array<T>& /*s*/, const Array<T>& ds) {
                      Array<T> unasked[2];
                      T* const dq = gradient_or_scratch(queries, unasked[0]);
                      T* const dk = gradient_or_scratch(keys, unasked[1]);
                      for (std::size_t b = 0; b < sizes.batch; ++b) {
                          const T* const ds_row = ds.data() + b * sizes.n_keys;
                          add_sum_of_rows(sizes, ds_row, keys.value().data() + b * table,
                                          dq + b * sizes.d);
                          add_outer_product(sizes, ds_row, queries.value().data() + b * sizes.d,
                                            dk + b * table);
                      }
                  });
}

template <typename T>
Variable<T> weighted_sum(const Variable<T>& weights, const Variable<T>& values)
{
    const ReadSizes sizes = sizes_of_table(weights.shape(), values.shape(), "weighted_sum");
    expect(weights.shape()[1] == sizes.n_keys,
           "weighted_sum: there must be a weight for each of the values {}, got {}",
           values.shape(), weights.shape());
    const std::size_t table = sizes.n_keys * sizes.d;
    Array<T> c = filled<T>({sizes.batch, sizes.d}, T(0));
    for (std::size_t b = 0; b < sizes.batch; ++b) {
        add_sum_of_rows(sizes, weights.value().data() + b * sizes.n_keys,
                        values.value().data() + b * table, c.data() + b * sizes.d);
    }
    return record(std::move(c), weights.needs_gradient() || values.needs_gradient(),
                  [weights, values, sizes, table](const Array<T>& /*c*/, const Array<T>& dc) {
                      Array<T> unasked[2];
                      T* const dp = gradient_or_scratch(weights, unasked[0]);
                      T* const dv = gradient_or_scratch(values, unasked[1]);
                      for (std::size_t b = 0; b < sizes.batch; ++b) {
                          const T* const dc_row = dc.data() + b * sizes.d;
                          const T* const v = values.value().data() + b * table;
                          for (std::size_t j = 0; j < sizes.n_keys; ++j) {
                              dp[b * sizes.n_keys + j] += vector_math::dot<T>(
                                  {v + j * sizes.d, sizes.d}, {dc_row, sizes.d});
                          }
                          add_outer_product(sizes, weights.value().data() + b * sizes.n_keys,
                                            dc_row, dv + b * table);
                      }
                  });
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> additive_scores(const Variable<T>&, const Variable<T>&,               \
                                         const Variable<T>&);                                  \
    template Variable<T> dot_scores(const Variable<T>&, const Variable<T>&);                   \
    template Variable<T> weighted_sum(const Variable<T>&, const Variable<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
