#include "chapters/04_backpropagation/backpropagation.hpp"

#include "common/tensor/check.hpp"

namespace attn::backpropagation {

using lookup::dot_product;
using lookup::weighted_sum;
using scoring_functions::Additive;

namespace {

void expect_shape_of(const Matrix& wanted, const Matrix& got, const char* function,
                     const char* names)
{
    expect(wanted.shape() == got.shape(), "{}: {} must have one shape, got {} and {}", function,
           names, shape_of(wanted), shape_of(got));
}

} // namespace

// [softmax_backward]
Matrix softmax_backward(const Matrix& weights, const Matrix& dweights)
{
    expect_shape_of(weights, dweights, "softmax_backward", "weights and dweights");
    const Matrix arrived =
        xt::where(weights > 0.0, dweights, 0.0); // nothing where no weight is
    const Matrix products = weights * arrived;
    const Matrix mean = xt::sum(products, {1}, xt::keep_dims); // [n_queries, 1]
    return weights * (arrived - mean);
}
// [softmax_backward]

// [attention_backward]
WeightedSumGradients weighted_sum_backward(const Matrix& weights, const Matrix& values,
                                           const Matrix& dcontext)
{
    expect_rows(values, weights.shape(1), "weighted_sum_backward", "values", "one row a key");
    return {dot_product(dcontext, values),                   // dC V^T, [n_queries, n_keys]
            weighted_sum(xt::transpose(weights), dcontext)}; // A^T dC, [n_keys, d_v]
}

ScoreGradients dot_product_backward(const Matrix& queries, const Matrix& keys,
                                    const Matrix& dscores)
{
    expect_columns(queries, keys.shape(1), "dot_product_backward", "queries", "those of a key");
    return {weighted_sum(dscores, keys),                    // dS K, [n_queries, d]
            weighted_sum(xt::transpose(dscores), queries)}; // dS^T Q, [n_keys, d]
}

AttentionGradients attention_backward(const Matrix& queries, const Matrix& keys,
                                      const Matrix& values, const Matrix& weights,
                                      const Matrix& dcontext)
{
    const auto [dweights, dvalues] = weighted_sum_backward(weights, values, dcontext);
    const Matrix dscores = softmax_backward(weights, dweights);
    const auto [dqueries, dkeys] = dot_product_backward(queries, keys, dscores);
    return {dweights, dscores, dqueries, dkeys, dvalues};
}
// [attention_backward]

AdditiveGradients additive_backward(const Matrix& queries, const Matrix& keys,
                                    const Additive& parameters, const Matrix& dscores)
{
    const auto& [W_q, W_k, b, w] = parameters;
    const Tensor3 hidden = scoring_functions::hidden_units(queries, keys, parameters);
    expect(dscores.shape(0) == queries.shape(0) && dscores.shape(1) == keys.shape(0),
           "additive_backward: dscores must have a row a query and a column a key, [{}, {}], "
           "got {}",
           queries.shape(0), keys.shape(0), shape_of(dscores));

    // Pass through the weighing by w and the tanh, to the sums under the tanh.
    const Tensor3 dscores_of_units =
        xt::view(dscores, xt::all(), xt::all(), xt::newaxis()); // [n_queries, n_keys, 1]
    const Tensor3 into_w = dscores_of_units * hidden;
    const Tensor3 dsums = dscores_of_units * w * (1.0 - xt::square(hidden));

    // What was repeated along an axis receives the sum along it.
    const Matrix dper_query = xt::sum(dsums, {1}); // [n_queries, d_hidden]
    const Matrix dper_key = xt::sum(dsums, {0});   // [n_keys, d_hidden]
    const Matrix W_q_columns = xt::transpose(W_q); // [d_q, d_hidden]
    const Matrix W_k_columns = xt::transpose(W_k); // [d_k, d_hidden]

    AdditiveGradients gradients;
    gradients.dqueries = dot_product(dper_query, W_q_columns); // [n_queries, d_q]
    gradients.dkeys = dot_product(dper_key, W_k_columns);      // [n_keys, d_k]
    gradients.dparameters.W_q = weighted_sum(xt::transpose(dper_query), queries);
    gradients.dparameters.W_k = weighted_sum(xt::transpose(dper_key), keys);
    gradients.dparameters.b = xt::sum(dper_query, {0});
    gradients.dparameters.w = xt::sum(into_w, {0, 1});
    return gradients;
}

// [covariance]
Matrix covariance_of_values(const Vector& weights, const Matrix& values,
                            const Matrix& score_gradients)
{
    expect_rows(values, weights.size(), "covariance_of_values", "values", "one row a key");
    expect_rows(score_gradients, weights.size(), "covariance_of_values", "score_gradients",
                "one row a key");
    const Matrix row = as_row(weights);                              // [1, n_keys]
    const Matrix context = weighted_sum(row, values);                // [1, d_v]
    const Matrix mean_gradient = weighted_sum(row, score_gradients); // [1, d_q]
    Matrix covariance = xt::zeros<double>({values.shape(1), score_gradients.shape(1)});
    for (std::size_t j = 0; j < weights.size(); ++j) {
        if (weights(j) == 0) {
            continue; // whatever its value is
        }
        for (std::size_t a = 0; a < values.shape(1); ++a) {
            for (std::size_t m = 0; m < score_gradients.shape(1); ++m) {
                covariance(a, m) += weights(j) * (values(j, a) - context(0, a)) *
                                    (score_gradients(j, m) - mean_gradient(0, m));
            }
        }
    }
    return covariance;
}
// [covariance]

} // namespace attn::backpropagation
