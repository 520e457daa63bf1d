/// \file
/// \brief Predicts how long one waits for the next eruption of Old Faithful from similar
/// eruptions, with a bandwidth that leave-one-out chooses. A place to start one's own.
#include "chapters/02_nadaraya_watson/bandwidth.hpp"
#include "chapters/02_nadaraya_watson/kernels.hpp"
#include "chapters/02_nadaraya_watson/nadaraya_watson.hpp"
#include "chapters/02_nadaraya_watson/old_faithful.csv.hpp"
#include "common/program/csv_columns.hpp"
#include "common/tensor/tensor.hpp"

#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <vector>

int main()
{
    using namespace attn;
    using namespace attn::nadaraya_watson;

    // What may be changed.
    const Kernel& kernel = kernel_named("gaussian"); // how much a key counts at a distance
    const std::string key = "eruption";              // column of what is known, in minutes
    const std::string value = "waiting";             // column of what is predicted, in minutes
    const Vector queries = {1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5}; // new eruptions, in minutes

    // The data: two columns of a CSV file, which the build has put into the program.
    const program::NumericTable columns =
        program::parse_numeric_csv(old_faithful_csv, "old_faithful.csv");
    const Sample sample{columns.vector(key), columns.vector(value)}; // [n_keys], [n_keys]

    // Choose the bandwidth by which each row is predicted best from all the others.
    const double chosen = choose_bandwidth(sample, kernel).bandwidth;
    const std::vector<double> bandwidths = {chosen / 10, chosen, 10 * chosen, 1000 * chosen};

    // Predict with bandwidths that are too narrow, well chosen, and too wide.
    std::vector<Prediction> predicted;
    for (const double bandwidth : bandwidths) {
        predicted.push_back(predict(queries, sample, kernel, bandwidth));
    }

    // Show what each predicts: the narrow one follows single rows, the widest says the mean.
    fmt::print("{} rows of {}, kernel {}: {} from {}\n\n", sample.keys.size(), columns.source,
               kernel.name, value, key);
    fmt::print("{:>26}{:>10}{:>10}{:>10}\n", "too narrow", "chosen", "too wide", "all alike");
    fmt::print("{:>16}", "bandwidth");
    for (const double bandwidth : bandwidths) {
        fmt::print("{:>10.3f}", bandwidth);
    }
    fmt::print("\n{:>16}\n", key);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        fmt::print("{:>16.2f}", queries(i));
        for (const Prediction& prediction : predicted) {
            fmt::print("{:>10.1f}", prediction.predictions(i));
        }
        fmt::print("\n");
    }

    // Show by how much rows are missed: left out of their own prediction, as new eruptions are,
    // and taking part in it, by which the narrowest bandwidth would win.
    fmt::print("\nmissed by (root mean square)\n{:>16}", "left out");
    for (const double bandwidth : bandwidths) {
        fmt::print("{:>10.2f}", std::sqrt(leave_one_out_error(sample, kernel, bandwidth)));
    }
    fmt::print("\n{:>16}", "taking part");
    for (const double bandwidth : bandwidths) {
        fmt::print("{:>10.2f}", std::sqrt(unmasked_error(sample, kernel, bandwidth)));
    }
    fmt::print("\n");

    // Try: kernel_named("boxcar"), which has no answer where its window is empty; the columns
    // the other way round, for queries from 45 to 90; in place of parse_numeric_csv(...)
    // read_numeric_csv("chapters/02_nadaraya_watson/cars.csv"), with columns "x" and "y".
}
