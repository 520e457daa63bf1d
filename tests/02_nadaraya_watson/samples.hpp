/// \file
/// \brief What the tests of chapter 2 share: the data sets, and the estimator in plain loops.
#pragma once

#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"
#include "common/program/csv_columns.hpp"
#include "tests/support/catch.hpp"

#include <cstddef>
#include <limits>
#include <string>

namespace attn::testing {

/// The kernel that most tests ask.
inline const nadaraya_watson::Kernel& gaussian = nadaraya_watson::kernel_named("gaussian");

/// A data set of the golden values by its name: "toy40", "faithful" or "cars".
inline nadaraya_watson::Sample golden_sample(const std::string& name)
{
    const std::string folder =
        name == "faithful" ? "/tests/golden/" : "/chapters/"; // the chapter carries the others
    const program::NumericTable table = program::read_numeric_csv(
        ATTN_SOURCE_DIR + folder + "02_nadaraya_watson/" + name + ".csv");
    return {table.vector("x"), table.vector("y")};
}

/// The estimate as the formula has it; nan where no key has a value above zero.
inline double oracle(double query, const nadaraya_watson::Sample& sample,
                     const nadaraya_watson::Kernel& kernel, double bandwidth)
{
    double numerator = 0;
    double denominator = 0;
    for (std::size_t j = 0; j < sample.keys.size(); ++j) {
        const double weight = kernel((query - sample.keys(j)) / bandwidth);
        numerator += weight * sample.values(j);
        denominator += weight;
    }
    return denominator > 0 ? numerator / denominator : std::numeric_limits<double>::quiet_NaN();
}

/// Nine keys with duplicates, a gap and an outlier, and values without a pattern.
inline nadaraya_watson::Sample awkward_sample()
{
    return {{0.0, 0.3, 0.3, 0.4, 1.0, 3.0, 3.1, 3.1, 40.0},
            {1.0, -2.0, 4.0, 0.5, 7.0, -1.0, 2.0, 2.5, 100.0}};
}

} // namespace attn::testing
