#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"

#include "common/kernels/elementary.hpp"

#include <limits>

namespace attn::nadaraya_watson {

namespace {

/// The weights of attention, and what they say about each query. A key in the window has a
/// finite score, a masked one has not.
Prediction read_off(const lookup::Attention& attention)
{
    Prediction result;
    result.weights = attention.weights;
    result.predictions = column_of(attention.context, 0);
    for (std::size_t i = 0; i < attention.scores.shape(0); ++i) {
        std::size_t n_keys = 0;
        for (std::size_t j = 0; j < attention.scores.shape(1); ++j) {
            n_keys += attention.scores(i, j) > -infinity ? 1 : 0;
        }
        result.keys_in_window.push_back(n_keys);
        if (n_keys == 0) {
            result.predictions(i) = std::numeric_limits<double>::quiet_NaN();
        }
    }
    return result;
}

/// Refuses the bandwidth where a key in the window would be masked.
void expect_no_overflow(double score, const Kernel& kernel, double u, double bandwidth)
{
    expect(score > -infinity || !kernel.in_window(u),
           "score: bandwidth {} is too small for a key {} away: the square of their ratio is "
           "not a finite number",
           bandwidth, u * bandwidth);
}

lookup::Attention attend_softly(const Vector& queries, const Sample& sample,
                                const lookup::Score& score)
{
    return lookup::attend(as_column(queries), as_column(sample.keys), as_column(sample.values),
                          score, [](const Matrix& scores) { return lookup::softmax(scores); });
}

} // namespace

// ---------------------------------------------------------------- prediction

void expect_table(const Sample& sample, std::size_t at_least, std::string_view function)
{
    const auto& [keys, values] = sample;
    expect(keys.size() >= at_least, "{}: keys must hold at least {}, got {}", function,
           at_least, keys.size());
    expect(values.size() == keys.size(), "{}: values must hold {}, one a key, got {}", function,
           keys.size(), values.size());
    expect_finite(as_column(keys), function, "keys");
    expect_finite(as_column(values), function, "values");
}

Matrix distances(const Matrix& queries, const Matrix& keys)
{
    expect_columns(queries, keys.shape(1), "distances", "queries",
                   "as many columns as a key has");
    Matrix result = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            for (std::size_t column = 0; column < keys.shape(1); ++column) {
                result(i, j) =
                    elementary::hypot(result(i, j), queries(i, column) - keys(j, column));
            }
        }
    }
    return result;
}

// [kernel_score]
lookup::Score score(const Kernel& kernel, double bandwidth)
{
    expect_positive(bandwidth, "score", "bandwidth");
    const auto compare = [kernel, bandwidth](const Matrix& queries, const Matrix& keys) {
        const Matrix u = distances(queries, keys) / bandwidth; // [n_queries, n_keys]
        Matrix scores = Matrix::from_shape({u.shape(0), u.shape(1)});
        for (std::size_t i = 0; i < u.shape(0); ++i) {
            for (std::size_t j = 0; j < u.shape(1); ++j) {
                scores(i, j) = kernel.log_value(u(i, j));
                expect_no_overflow(scores(i, j), kernel, u(i, j), bandwidth);
            }
        }
        return scores;
    };
    return {kernel.name, "log K(u)", compare};
}
// [kernel_score]

// [predict]
Prediction predict(const Vector& queries, const Sample& sample, const Kernel& kernel,
                   double bandwidth)
{
    expect_table(sample, 1, "predict");
    expect_finite(as_column(queries), "predict", "queries");
    return read_off(attend_softly(queries, sample, score(kernel, bandwidth)));
}
// [predict]

// ---------------------------------------------------------------- leave one out

// [leave_one_out]
lookup::Score mask_diagonal(const lookup::Score& score)
{
    const auto compare = [score](const Matrix& queries, const Matrix& keys) {
        expect_rows(queries, keys.shape(0), "mask_diagonal", "queries", "the keys themselves");
        Matrix scores = score(queries, keys); // [n_keys, n_keys]
        for (std::size_t i = 0; i < keys.shape(0); ++i) {
            scores(i, i) = -infinity;
        }
        return scores;
    };
    return {score.name, score.idea + ", and -infinity for the key itself", compare};
}

Prediction leave_one_out(const Sample& sample, const Kernel& kernel, double bandwidth)
{
    expect_table(sample, 2, "leave_one_out");
    return read_off(
        attend_softly(sample.keys, sample, mask_diagonal(score(kernel, bandwidth))));
}
// [leave_one_out]

} // namespace attn::nadaraya_watson
