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

/// The lengths of a batch of tables.
struct ReadSizes
{
    std::size_t batch;
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
    return {table[0], table[1], table[2]};
}

} // namespace

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
    template Variable<T> dot_scores(const Variable<T>&, const Variable<T>&);                   \
    template Variable<T> weighted_sum(const Variable<T>&, const Variable<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::autograd
