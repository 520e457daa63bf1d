/// \file
/// \brief Trainings from several seeds side by side: which seeds, and how they are run.
#pragma once

#include "common/program/run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace attn::program {

/// The seeds of the trainings: three, or one if quick.
/// \returns the reader's seed, and the two that follow it
std::vector<std::uint64_t> seeds_of(const Frame& frame);

/// Runs side by side, with a line that shows how far they are.
void side_by_side(const Frame& frame, const char* label, std::size_t n,
                  const std::function<void(std::size_t)>& work);

/// Runs each row of a table with each seed, side by side, the last rows first: they are the
/// longest ones, or no row is.
/// \tparam Run    a function of a row's number and a seed
/// \returns [n_rows][n_seeds], what came of it
template <typename Run>
auto run_rows_with_seeds(const Frame& frame, const char* label, std::size_t n_rows,
                         const std::vector<std::uint64_t>& seeds, const Run& run)
{
    using Result = decltype(run(std::size_t{}, std::uint64_t{}));
    std::vector<std::optional<Result>> found(n_rows * seeds.size());
    side_by_side(frame, label, found.size(), [&](std::size_t index) {
        const std::size_t at = found.size() - 1 - index;
        found[at].emplace(run(at / seeds.size(), seeds[at % seeds.size()]));
    });
    std::vector<std::vector<Result>> results(n_rows);
    for (std::size_t at = 0; at < found.size(); ++at) {
        results[at / seeds.size()].push_back(std::move(*found[at]));
    }
    return results;
}

} // namespace attn::program
