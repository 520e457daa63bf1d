/// \file
/// \brief What the reports of trainings have in common, here and in chapter 5: several seeds side
/// by side, and what came of them. Deliberately without any table.
#pragma once

#include "common/parallel/for_each_index.hpp"
#include "common/program/number.hpp"
#include "common/program/progress.hpp"
#include "common/program/run.hpp"
#include "common/program/trained.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace attn::backpropagation::report {

/// The seeds of the trainings: three, or one if quick.
/// \param frame  of the program
/// \returns      the reader's seed, and the two that follow it
inline std::vector<std::uint64_t> seeds_of(const program::Frame& frame)
{
    const std::uint64_t seed = frame.options.seed;
    return frame.options.quick ? std::vector<std::uint64_t>{seed}
                               : std::vector<std::uint64_t>{seed, seed + 1, seed + 2};
}

/// What begins every section here.
/// \param frame    of the program
/// \param heading  of the section
/// \param text     what its numbers are, below the note on their digits
inline void begin(program::Frame& frame, const char* heading, const std::string& text)
{
    frame.terminal.heading(heading);
    frame.terminal.paragraph(program::trained_note());
    frame.terminal.line();
    frame.terminal.paragraph(text);
    frame.terminal.line();
}

/// Runs side by side, with a line that shows how far they are.
/// \param frame  of the program
/// \param label  what that line says
/// \param n      how many runs
/// \param work   what to do for a run, given its index
inline void side_by_side(const program::Frame& frame, const char* label, std::size_t n,
                         const std::function<void(std::size_t)>& work)
{
    program::Progress progress(label, n);
    std::mutex one_at_a_time;
    parallel::for_each_index(n, frame.options.threads, [&](std::size_t index) {
        work(index);
        const std::lock_guard lock(one_at_a_time);
        progress.advance();
    });
}

/// What some seeds gave, the lowest first.
class Spread
{
public:
    /// \param numbers  one a seed, at least one, in any order
    explicit Spread(std::vector<double> numbers) : sorted_(std::move(numbers))
    {
        std::sort(sorted_.begin(), sorted_.end());
    }
    /// \returns the lowest
    double lowest() const { return sorted_.front(); }
    /// \returns the middle one
    double median() const { return sorted_[sorted_.size() / 2]; }
    /// \returns the highest
    double highest() const { return sorted_.back(); }

    /// Lowest, median and highest.
    /// \param decimals  digits behind the point
    /// \returns         "0.93/1.00/1.09"
    std::string text(int decimals) const
    {
        return fmt::format("{}/{}/{}", program::fixed(lowest(), decimals),
                           program::fixed(median(), decimals),
                           program::fixed(highest(), decimals));
    }

private:
    std::vector<double> sorted_;
};

/// One number of each of some things.
/// \param range   the things
/// \param number  what to take of one
/// \returns       their spread
template <typename Range, typename Number>
Spread spread(const Range& range, Number number)
{
    std::vector<double> numbers;
    for (const auto& one : range) {
        numbers.push_back(static_cast<double>(number(one)));
    }
    return Spread(std::move(numbers));
}

} // namespace attn::backpropagation::report
