#include "chapters/01_lookup/experiments/experiments.hpp"

namespace attn::lookup {

Attention along_temperatures(const Question& question, const Score& score,
                             const Vector& temperatures)
{
    const std::size_t n_temperatures = temperatures.size();
    const std::size_t n_keys = question.keys.shape(0);
    Attention path;
    path.scores = Matrix::from_shape({n_temperatures, n_keys});
    path.weights = Matrix::from_shape({n_temperatures, n_keys});
    path.context = Matrix::from_shape({n_temperatures, question.values.shape(1)});

    const Matrix query = single_row(question.queries, 0); // [1, d_k]
    for (std::size_t step = 0; step < n_temperatures; ++step) {
        const Attention soft =
            attend(query, question.keys, question.values, score,
                   [&](const Matrix& scores) { return softmax(scores, temperatures(step)); });
        xt::row(path.scores, static_cast<std::ptrdiff_t>(step)) = xt::row(soft.scores, 0);
        xt::row(path.weights, static_cast<std::ptrdiff_t>(step)) = xt::row(soft.weights, 0);
        xt::row(path.context, static_cast<std::ptrdiff_t>(step)) = xt::row(soft.context, 0);
    }
    return path;
}

namespace {

/// The column of each row's highest score; of several within rounding, the first, so that
/// every machine draws the same map.
std::vector<std::size_t> winners(const Matrix& scores)
{
    constexpr double rounding = 1e-9;
    std::vector<std::size_t> best(scores.shape(0), 0);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        for (std::size_t j = 1; j < scores.shape(1); ++j) {
            if (scores(i, j) > scores(i, best[i]) + rounding) {
                best[i] = j;
            }
        }
    }
    return best;
}

} // namespace

WinnerMap winner_map(const Matrix& keys, double low, double high, std::size_t n_side)
{
    expect_columns(keys, 2, "winner_map", "keys", "points of the plane");
    expect(n_side >= 2, "winner_map: n_side must be at least 2, got {}", n_side);
    WinnerMap map;
    map.queries = Matrix::from_shape({n_side * n_side, 2});
    // Weigh the two ends, so that a point in the middle of -1 and 1 is 0 on every processor.
    const auto place = [&](std::size_t i) {
        const auto last = static_cast<double>(n_side - 1);
        const auto along = static_cast<double>(i);
        return (low * (last - along) + high * along) / last;
    };
    for (std::size_t point = 0; point < n_side * n_side; ++point) {
        map.queries(point, 0) = place(point % n_side);
        map.queries(point, 1) = place(point / n_side);
    }
    map.nearest = winners(minus_half_squared_distance(map.queries, keys));
    map.dot = winners(dot_product(map.queries, keys));
    return map;
}

double disagreement(const WinnerMap& map)
{
    std::size_t n_different = 0;
    for (std::size_t point = 0; point < map.nearest.size(); ++point) {
        n_different += map.nearest[point] != map.dot[point] ? 1 : 0;
    }
    return static_cast<double>(n_different) / static_cast<double>(map.nearest.size());
}

} // namespace attn::lookup
