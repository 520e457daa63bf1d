#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "chapters/02_nadaraya_watson/bandwidth.hpp"
#include "chapters/02_nadaraya_watson/old_faithful.csv.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace attn::nadaraya_watson {

using program::Frame;
using program::significant;

std::vector<std::string> kernel_names()
{
    std::vector<std::string> names;
    for (const Kernel& kernel : kernels()) {
        names.push_back(kernel.name);
    }
    return names;
}

namespace {

/// A table of data with the roles of its columns.
struct NamedSample
{
    std::string source;
    std::string key_name;
    std::string value_name;
    Sample rows;
};

/// The first of some names that is not the one taken.
std::string first_but(const std::vector<std::string>& names,
                      const std::optional<std::string>& taken)
{
    return taken && names[0] == *taken ? names[1] : names[0];
}

NamedSample read_sample(const PredictionOptions& options)
{
    const program::NumericTable columns =
        options.data ? program::read_numeric_csv(*options.data)
                     : program::parse_numeric_csv(old_faithful_csv, "old_faithful.csv");
    if (columns.names.size() < 2) {
        throw program::BadInput(
            fmt::format("{}: the table must have at least two columns, a key and a value, got "
                        "only '{}'",
                        columns.source, columns.names[0]));
    }
    NamedSample sample;
    sample.source = columns.source;
    sample.key_name = options.key.value_or(first_but(columns.names, options.value));
    sample.value_name = options.value.value_or(first_but(columns.names, sample.key_name));
    if (sample.key_name == sample.value_name) {
        throw program::BadInput(
            fmt::format("--key and --value: both name the column '{}', which would be "
                        "predicted from itself",
                        sample.key_name));
    }
    sample.rows = {columns.vector(sample.key_name), columns.vector(sample.value_name)};
    return sample;
}

Kernel read_kernel(const PredictionOptions& options)
{
    const std::vector<std::string> names = kernel_names();
    const Kernel& whole = kernel_named(
        program::parse_choice(options.kernel.value_or(names[0]), "--kernel", names));
    if (options.cut && *options.cut <= 0) {
        throw program::BadInput(
            fmt::format("--cut: must be above 0, got {}", significant(*options.cut, digits)));
    }
    return options.cut ? cut(whole, *options.cut) : whole;
}

/// The bandwidth behind --bandwidth: the number, or the choice of leave-one-out. If it lies at an
/// end of what can be chosen, a warning says so.
double read_bandwidth(Frame& frame, const PredictionOptions& options, const NamedSample& sample,
                      const Kernel& kernel)
{
    if (options.bandwidth && *options.bandwidth != "loo") {
        const double bandwidth =
            program::parse_number(*options.bandwidth, "--bandwidth, a number or loo");
        if (bandwidth <= 0) {
            throw program::BadInput(fmt::format("--bandwidth: must be above 0, got {}",
                                                significant(bandwidth, digits)));
        }
        return bandwidth;
    }
    const auto [lowest, highest] =
        std::minmax_element(sample.rows.keys.begin(), sample.rows.keys.end());
    if (*lowest == *highest) {
        throw program::BadInput(fmt::format(
            "{}: leave-one-out needs at least two different keys, got {} times {} = {}; give "
            "the bandwidth with --bandwidth NUMBER",
            sample.source, sample.rows.keys.size(), sample.key_name,
            significant(*lowest, digits)));
    }
    const Choice choice = choose_bandwidth(sample.rows, kernel);
    if (choice.at_narrow_end != choice.at_wide_end) {
        frame.terminal.warn(fmt::format(
            "the leave-one-out error does not rise {} the bandwidth {}: {} predicts as well",
            choice.at_narrow_end ? "below" : "above", significant(choice.bandwidth, digits),
            choice.at_narrow_end && kernel.half_width < infinity
                ? "the mean of the others, which counts for an empty window,"
            : choice.at_narrow_end ? "the nearest key alone"
                                   : "the mean of all other values"));
    }
    return choice.bandwidth;
}

Vector read_queries(const PredictionOptions& options, const Vector& keys)
{
    if (options.queries.empty()) { // eleven, spread over the keys
        const auto [lowest, highest] = std::minmax_element(keys.begin(), keys.end());
        return xt::linspace<double>(*lowest, *highest, 11);
    }
    Vector queries = Vector::from_shape({options.queries.size()});
    std::copy(options.queries.begin(), options.queries.end(), queries.begin());
    return queries;
}

/// Says on standard error for which queries there is no answer.
void warn_of_empty_windows(Frame& frame, const Vector& queries, const Prediction& prediction)
{
    std::vector<std::string> unanswered;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        if (prediction.keys_in_window[i] == 0) {
            unanswered.push_back(significant(queries(i), digits));
        }
    }
    if (!unanswered.empty()) {
        frame.terminal.warn(
            fmt::format("{} of {} queries without a key in the window, predicted as nan: {}",
                        unanswered.size(), queries.size(), fmt::join(unanswered, ", ")));
    }
}

/// Prints the lines query,prediction,keys_in_window: queries as they were asked, predictions with
/// ten digits of what the values differ by.
void print_csv(Frame& frame, const Vector& values, const Vector& queries,
               const Prediction& prediction)
{
    const int of_values = program::digits_apart(values, 10);
    frame.terminal.line("query,prediction,keys_in_window");
    for (std::size_t i = 0; i < queries.size(); ++i) {
        frame.terminal.line(fmt::format("{},{},{}", program::shortest(queries(i)),
                                        significant(prediction.predictions(i), of_values),
                                        prediction.keys_in_window[i]));
    }
}

/// Prints predictions with the bandwidth, its error and the weights.
void print_table(Frame& frame, const NamedSample& sample, const Vector& queries,
                 const Kernel& kernel, double bandwidth, const Prediction& prediction)
{
    frame.terminal.heading(fmt::format("{}: {} predicted from {}", sample.source,
                                       sample.value_name, sample.key_name));
    frame.terminal.line(fmt::format("{} rows, kernel {}, bandwidth {}", sample.rows.keys.size(),
                                    kernel.name, significant(bandwidth, digits)));
    if (sample.rows.keys.size() >= 2) {
        frame.terminal.line(fmt::format(
            "leave-one-out error {}, of the mean of the others {}",
            significant(leave_one_out_error(sample.rows, kernel, bandwidth), digits),
            significant(leave_one_out_error(sample.rows, kernel_named("constant"), 1),
                        digits)));
    }
    program::Table table({sample.key_name, sample.value_name, "keys in the window"});
    const int of_keys = program::digits_apart(sample.rows.keys, digits);
    const int of_values = program::digits_apart(sample.rows.values, digits);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        table.row({significant(queries(i), of_keys),
                   significant(prediction.predictions(i), of_values),
                   std::to_string(prediction.keys_in_window[i])});
    }
    frame.terminal.table(table);
    if (queries.size() <= 24) {
        show_weights(frame, queries, sample.rows, kernel, bandwidth, sample.key_name);
    }
}

} // namespace

void show_prediction(Frame& frame, const PredictionOptions& options)
{
    const std::string format =
        program::parse_choice(options.format.value_or("table"), "--format", {"table", "csv"});
    const Kernel kernel = read_kernel(options);
    const NamedSample sample = read_sample(options);
    const double bandwidth = read_bandwidth(frame, options, sample, kernel);
    const Vector queries = read_queries(options, sample.rows.keys);
    const Prediction prediction = predict(queries, sample.rows, kernel, bandwidth);
    warn_of_empty_windows(frame, queries, prediction);
    if (format == "csv") {
        print_csv(frame, sample.rows.values, queries, prediction);
    } else {
        print_table(frame, sample, queries, kernel, bandwidth, prediction);
    }
}

} // namespace attn::nadaraya_watson
