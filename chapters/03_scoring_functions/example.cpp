/// \file
/// \brief Compares scores, one of them written here, by how often they find the key that a
/// query was made from. A place to start one's own.
#include "chapters/01_lookup/lookup.hpp"
#include "chapters/03_scoring_functions/retrieval.hpp"
#include "chapters/03_scoring_functions/scoring_functions.hpp"
#include "common/kernels/elementary.hpp"
#include "common/random/random.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

namespace {

using namespace attn;

/// A score of one's own, minus the sum of the absolute differences: [n_queries, n_keys].
Matrix minus_absolute_distance(const Matrix& queries, const Matrix& keys)
{
    const Tensor3 differences = // [n_queries, n_keys, d]
        xt::view(queries, xt::all(), xt::newaxis(), xt::all()) -
        xt::view(keys, xt::newaxis(), xt::all(), xt::all());
    const Tensor3 sizes = xt::abs(differences);
    return -xt::sum(sizes, {2});
}

} // namespace

int main()
{
    using namespace attn::scoring_functions;

    // What may be changed.
    const std::size_t d = 16;     // numbers in a query and in a key
    const double deviation = 0.5; // of the noise in a query
    const double spread = 0.8;    // of the keys' lengths, where they differ
    const std::uint64_t seed = 1; // of keys, queries and noise

    // The tasks: a query is q = M k + noise, and the key k is to be found again among 16.
    random::Generator rng(seed);
    const Matrix identity = xt::eye<double>(d);             // [d_q, d_k]
    const Matrix rotation = orthonormal_columns(rng, d, d); // [d_q, d_k]
    const Vector noise = deviation * xt::ones<double>({d}); // [d_q]
    const std::vector<Retrieval> tasks = {
        {"same", identity, noise},            // a noisy copy
        {"lengths", identity, noise, spread}, // of keys that are stretched, each differently
        {"rotated", rotation, noise},         // of a key seen through a matrix
    };

    // The scores: those without parameters, the one from above, and three that are given M.
    const auto scores_for = [](const Matrix& M) {
        std::vector<lookup::Score> scores = parameterless_scores();
        const auto add = [&](const char* name, auto compare) {
            scores.push_back({name, "", compare}); // compares queries Q with keys K
        };
        add("absolute distance", minus_absolute_distance);
        add("multiplicative",
            [M](const auto& Q, const auto& K) { return multiplicative(Q, K, M); });
        add("mult. + key bias", [M](const auto& Q, const auto& K) {
            return dot_with_key_bias(Q, lookup::dot_product(K, M)); // M k for each key
        });
        const Additive parameters = distance_by_additive(M, 0.005);
        add("additive",
            [parameters](const auto& Q, const auto& K) { return additive(Q, K, parameters); });
        return scores;
    };

    // Ask 4000 queries of each task.
    std::vector<std::vector<RetrievalResult>> results; // [n_tasks][n_scores]
    for (const Retrieval& task : tasks) {
        results.push_back(retrieve(task, scores_for(task.M), seed));
    }

    // Show how often the right key has the highest score, and the cross-entropy: the mean of
    // -ln of the weight that the softmax gives to it.
    fmt::print("{:<18}", "task");
    for (const Retrieval& task : tasks) {
        fmt::print("{:>15}", task.name);
    }
    fmt::print("\n{:<18}", "score");
    for (std::size_t task = 0; task < tasks.size(); ++task) {
        fmt::print("{:>8}{:>7}", "found", "loss");
    }
    for (std::size_t score = 0; score < results[0].size(); ++score) {
        fmt::print("\n{:<18}", results[0][score].score);
        for (std::size_t task = 0; task < tasks.size(); ++task) {
            const auto& [name, found, loss] = results[task][score];
            fmt::print("{:>8.3f}{:>7.2f}", found, loss);
        }
    }
    fmt::print("\n{:<18}{:>8.3f}{:>7.2f}\n", "equal weights", 1.0 / n_retrieval_keys,
               elementary::log(double{n_retrieval_keys}));

    // Try: deviation = 1.5, with which no score finds all keys; spread = 0, with which lengths
    // mislead no more; xt::amax in place of xt::sum(sizes, {2}), the largest difference alone.
}
