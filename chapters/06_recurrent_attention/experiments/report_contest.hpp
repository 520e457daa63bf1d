/// \file
/// \brief What the reports of chapter 6's contests have in common. Deliberately without numbers
/// of their own.
#pragma once

#include "chapters/06_recurrent_attention/experiments/contest.hpp"
#include "common/program/progress.hpp"
#include "common/program/run.hpp"
#include "common/program/seeds.hpp"
#include "common/program/spread.hpp"

#include <string>
#include <vector>

namespace attn::recurrent_attention::report {

/// Errors as a cell: one number of a rule or a regression, three of a network.
/// \param errors  of one seed or several
/// \param model   whose
/// \returns       "0.741" or, lowest, median and highest, "0.305/0.307/0.312"
inline std::string error_cell(const std::vector<double>& errors, const std::string& model)
{
    const program::Spread spread(errors);
    const bool network = model.find("LSTM") == 0 || model.find("attention") == 0;
    return network ? spread.text(3) : program::fixed(spread.median(), 3);
}

/// Holds contests, with a line that shows how far they are.
/// \param frame     of the program
/// \param label     what that line says
/// \param contests  which; with --quick they are shortened to 50 steps
/// \returns         [n_contests][n_entries]
inline std::vector<std::vector<Entry>> hold(const program::Frame& frame, const char* label,
                                            std::vector<Contest> contests)
{
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    for (Contest& contest : contests) {
        contest.n_steps = frame.options.quick ? 50 : contest.n_steps;
    }
    program::Progress progress(label, contests.size() * n_networks * seeds.size());
    std::mutex one_at_a_time;
    return hold_contests(contests, seeds, frame.options.threads, [&] {
        const std::lock_guard lock(one_at_a_time);
        progress.advance();
    });
}

/// The median of the seeds' numbers.
/// \param matrices  one a seed, of equal shapes
/// \param i         the row
/// \param j         the column
/// \returns         of that entry
inline double median_of(const std::vector<Matrix>& matrices, std::size_t i, std::size_t j)
{
    return program::spread(matrices, [&](const Matrix& matrix) { return matrix(i, j); })
        .median();
}

} // namespace attn::recurrent_attention::report
