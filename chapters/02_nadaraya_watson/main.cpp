/// \file
/// \brief The program of chapter 2: predicts Old Faithful's next eruption by similarity
/// alone, shows what the width and the mask do, and compares the kernels where the truth is
/// known; or predicts from the reader's own table. Data in, tables out, numbers out; the
/// ideas are in kernels.hpp, nadaraya_watson.hpp and bandwidth.hpp, the tables in
/// experiments/report.cpp and report_prediction.cpp.
#include "chapters/02_nadaraya_watson/experiments/report.hpp"
#include "chapters/02_nadaraya_watson/old_faithful.csv.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace {

using namespace attn;
using namespace attn::nadaraya_watson;
using program::Frame;
using program::significant;
using report::NamedSample;

constexpr int digits = 5;

/// What the reader may choose.
struct Options
{
    std::optional<std::string> data;
    std::optional<std::string> key;
    std::optional<std::string> value;
    std::optional<std::string> kernel;
    std::optional<std::string> bandwidth;
    std::optional<double> cut;
    std::vector<double> queries;
    std::optional<std::string> format;

    /// Whether anything was asked beyond the chapter's own experiments.
    bool asks_for_a_prediction() const
    {
        return data || key || value || kernel || bandwidth || cut || !queries.empty() || format;
    }
};

std::vector<std::string> kernel_names()
{
    std::vector<std::string> names;
    for (const Kernel& kernel : kernels()) {
        names.push_back(kernel.name);
    }
    return names;
}

/// The first of some names that is not the one taken.
std::string first_but(const std::vector<std::string>& names,
                      const std::optional<std::string>& taken)
{
    return taken && names[0] == *taken ? names[1] : names[0];
}

NamedSample read_sample(const Options& options)
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

Kernel read_kernel(const Options& options)
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

/// The width behind --bandwidth: the number, or the choice of leave-one-out.
double read_bandwidth(const Options& options, const NamedSample& sample, const Kernel& kernel)
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
            "the width with --bandwidth NUMBER",
            sample.source, sample.rows.keys.size(), sample.key_name,
            significant(*lowest, digits)));
    }
    return choose_bandwidth(sample.rows.keys, sample.rows.values, kernel).bandwidth;
}

Vector read_queries(const Options& options, const Vector& keys)
{
    if (options.queries.empty()) { // eleven, spread over the keys
        const auto [lowest, highest] = std::minmax_element(keys.begin(), keys.end());
        return xt::linspace<double>(*lowest, *highest, 11);
    }
    Vector queries = Vector::from_shape({options.queries.size()});
    std::copy(options.queries.begin(), options.queries.end(), queries.begin());
    return queries;
}

/// Predicts the reader's queries from the reader's table.
void show_prediction(Frame& frame, const Options& options)
{
    const std::string format =
        program::parse_choice(options.format.value_or("table"), "--format", {"table", "csv"});
    const Kernel kernel = read_kernel(options);
    const NamedSample sample = read_sample(options);
    const double bandwidth = read_bandwidth(options, sample, kernel);
    const Vector queries = read_queries(options, sample.rows.keys);
    const report::Answer answer = {
        queries, kernel, bandwidth,
        predict(queries, sample.rows.keys, sample.rows.values, kernel, bandwidth)};
    report::warn_of_empty_windows(frame, answer);
    if (format == "csv") {
        report::answer_as_csv(frame, answer);
    } else {
        report::answer_as_table(frame, sample, answer);
    }
}

/// The width and error that leave-one-out finds for each kernel; the constant one has no
/// width, so any will do.
std::vector<Choice> choose_for_every_kernel(const Sample& sample, std::size_t n_threads)
{
    std::vector<Choice> choices(kernels().size());
    parallel::for_each_index(kernels().size(), n_threads, [&](std::size_t i) {
        const Kernel& kernel = kernels()[i];
        choices[i] = kernel.name == "constant"
                         ? Choice{1, leave_one_out_error(sample.keys, sample.values, kernel, 1)}
                         : choose_bandwidth(sample.keys, sample.values, kernel);
    });
    return choices;
}

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame)
{
    frame.files.require_writable();
    const Sample real = read_sample({}).rows;
    const Sample synthetic = synthetic_sample(frame.options.seed, 0, n_synthetic);
    const std::vector<Choice> choices = choose_for_every_kernel(real, frame.options.threads);
    report::kernel_table(frame, choices);
    report::width_table(frame, real, choices[0].bandwidth);
    report::empty_window(frame, real);
    report::weights(frame, synthetic);
    report::mask(frame, synthetic, real);
    report::comparison(frame);
    report::slider(frame, real, choices);
    frame.files.draw_figures("02_nadaraya_watson", {"kernels", "fit", "weights", "width"});
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    program::CommandLine command_line(
        {"02_nadaraya_watson", "Can similarity alone predict?",
         "build/bin/02_nadaraya_watson\n"
         "build/bin/02_nadaraya_watson --query 1.8,3.2,4.5\n"
         "build/bin/02_nadaraya_watson --data cars.csv --kernel epanechnikov --bandwidth loo "
         "--query 10,21 --format csv"});
    command_line.add_text("--data", options.data, "FILE.csv",
                          "your own table of numbers; without it Old Faithful is asked. "
                          "With this or any of the options below the program predicts, "
                          "and leaves the chapter's experiments out");
    command_line.add_text("--key", options.key, "NAME",
                          "the key's column: else the first that is not the value");
    command_line.add_text("--value", options.value, "NAME",
                          "the value's column: else the first that is not the key");
    command_line.add_text("--kernel", options.kernel, "WORD",
                          fmt::format("how much a key counts at a distance: {}; else the first",
                                      fmt::join(kernel_names(), ", ")));
    command_line.add_text("--bandwidth", options.bandwidth, "NUMBER|loo",
                          "the width, in the key's units, or chosen by leave-one-out, as it "
                          "is without this option");
    command_line.add_number("--cut", options.cut, "R",
                            "no key beyond R widths counts; R's ksmooth has 4");
    command_line.add_numbers("--query", options.queries, "X,Y",
                             "where to predict: else eleven points over the keys");
    command_line.add_text("--format", options.format, "WORD",
                          "table, or csv: the lines query,prediction,keys_in_window and "
                          "nothing else; else table");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        program::keep_trace_apart(frame.options, options.asks_for_a_prediction(),
                                  "none of the options that ask for a prediction");
        if (frame.options.trace) {
            report::pencil_steps(frame);
        } else if (options.asks_for_a_prediction()) {
            show_prediction(frame, options);
        } else {
            show_chapter(frame);
        }
    });
}
