/// \file
/// \brief The program of chapter 2: predicts Old Faithful's next eruption by similarity
/// alone, shows what the width and the mask do, and compares the kernels where the truth is
/// known; or predicts from the reader's own table. Data in, tables out, numbers out; the
/// ideas are in nadaraya_watson.hpp.
#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/02_nadaraya_watson/experiments.hpp"
#include "chapters/02_nadaraya_watson/old_faithful.csv.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/program.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace {

using namespace attn;
using namespace attn::nadaraya_watson;
using program::fixed;
using program::Frame;
using program::significant;

constexpr int digits = 5;
constexpr std::size_t n_synthetic = 40;

/// What the reader may choose.
struct Options
{
    std::optional<std::string> data;
    std::optional<std::string> key;
    std::optional<std::string> value;
    std::string kernel = "gaussian";
    std::optional<std::string> bandwidth;
    std::optional<double> cut;
    std::vector<double> queries;
    std::string format = "table";

    /// Whether anything was asked beyond the chapter's own experiments.
    bool asks_for_a_prediction() const
    {
        return data || key || value || bandwidth || cut || !queries.empty() ||
               kernel != "gaussian" || format != "table";
    }
};

/// A table of data with its columns' roles.
struct NamedSample
{
    std::string source;
    std::string key_name;
    std::string value_name;
    Sample rows;
};

/// Numbers as the cells of a column.
std::vector<std::string> cells(const Vector& numbers, int n_digits = digits)
{
    std::vector<std::string> texts;
    for (const double number : numbers) {
        texts.push_back(significant(number, n_digits));
    }
    return texts;
}

/// The table that comes with the chapter.
Sample old_faithful()
{
    const program::NumericTable data =
        program::parse_numeric_csv(old_faithful_csv, "old_faithful.csv");
    return {data.vector("eruption"), data.vector("waiting")};
}

// ---------------------------------------------------------------- the reader's own table

NamedSample read_sample(const Options& options)
{
    const program::NumericTable data =
        options.data ? program::read_numeric_csv(*options.data)
                     : program::parse_numeric_csv(old_faithful_csv, "old_faithful.csv");
    if (data.names.size() < 2) {
        throw program::BadInput(
            fmt::format("{}: the table must have at least two columns, a key and a value, got "
                        "only '{}'",
                        data.source, data.names[0]));
    }
    NamedSample sample;
    sample.source = data.source;
    sample.key_name = options.key.value_or(data.names[0]);
    sample.value_name = options.value.value_or(
        data.names[0] == sample.key_name ? data.names[1] : data.names[0]);
    sample.rows = {data.vector(sample.key_name), data.vector(sample.value_name)};
    return sample;
}

Kernel read_kernel(const Options& options)
{
    const Kernel& whole = kernel_named(options.kernel);
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

void print_csv(Frame& frame, const Vector& queries, const Prediction& prediction)
{
    frame.terminal.line("query,prediction,keys_in_window");
    for (std::size_t i = 0; i < queries.size(); ++i) {
        frame.terminal.line(fmt::format("{},{},{}", significant(queries(i), 10),
                                        significant(prediction.predictions(i), 10),
                                        prediction.keys_in_window[i]));
    }
}

/// The weights of some queries, keys across in rising order.
void show_weights(Frame& frame, const Vector& queries, const Sample& sample,
                  const Kernel& kernel, double bandwidth, const std::string& key_name)
{
    const Sample rising = sorted(sample);
    program::HeatMap map;
    map.weights = predict(queries, rising.keys, rising.values, kernel, bandwidth).weights;
    map.row_labels = cells(queries);
    map.row_caption = "query";
    map.column_caption = fmt::format("{} of the key, from {} to {}", key_name,
                                     significant(rising.keys(0), digits),
                                     significant(rising.keys(rising.keys.size() - 1), digits));
    frame.terminal.heat_map(map);
}

/// Predicts the reader's queries from the reader's table.
void show_prediction(Frame& frame, const Options& options)
{
    const NamedSample sample = read_sample(options);
    const Kernel kernel = read_kernel(options);
    const double bandwidth = read_bandwidth(options, sample, kernel);
    const Vector queries = read_queries(options, sample.rows.keys);
    const auto& [keys, values] = sample.rows;
    const Prediction prediction = predict(queries, keys, values, kernel, bandwidth);
    warn_of_empty_windows(frame, queries, prediction);
    if (options.format == "csv") {
        print_csv(frame, queries, prediction);
        return;
    }

    frame.terminal.heading(fmt::format("{}: {} predicted from {}", sample.source,
                                       sample.value_name, sample.key_name));
    frame.terminal.line(fmt::format("{} rows, kernel {}, width {}", keys.size(), kernel.name,
                                    significant(bandwidth, digits)));
    if (keys.size() >= 2) {
        const double range = std::abs(*std::max_element(keys.begin(), keys.end()) -
                                      *std::min_element(keys.begin(), keys.end()));
        frame.terminal.line(fmt::format(
            "leave-one-out error {}, of the mean of the others {}",
            significant(leave_one_out_error(keys, values, kernel, bandwidth), digits),
            significant(leave_one_out_error(keys, values, kernel_named("constant"), range + 1),
                        digits)));
    }
    program::Table table({sample.key_name, sample.value_name, "keys in the window"});
    for (std::size_t i = 0; i < queries.size(); ++i) {
        table.row({significant(queries(i), digits),
                   significant(prediction.predictions(i), digits),
                   std::to_string(prediction.keys_in_window[i])});
    }
    frame.terminal.table(table);
    if (queries.size() <= 24) {
        show_weights(frame, queries, sample.rows, kernel, bandwidth, sample.key_name);
    }
}

// ---------------------------------------------------------------- the chapter's experiments

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

void show_kernels(Frame& frame, const std::vector<Choice>& choices)
{
    frame.terminal.heading("Old Faithful: the waiting time from the length of the eruption");
    frame.terminal.paragraph(
        "272 eruptions, both times in minutes. Each kernel with the width that leave-one-out "
        "chooses. The constant kernel is the baseline: the mean of all other waiting times.");
    program::Table table({"kernel", "K(u)", "width", "error", "its root", "of the mean's"});
    for (std::size_t i = 0; i < kernels().size(); ++i) {
        const bool constant = kernels()[i].name == "constant";
        table.row({kernels()[i].name, kernels()[i].idea,
                   constant ? "any" : fixed(choices[i].bandwidth, 5),
                   fixed(choices[i].error, 5), fixed(std::sqrt(choices[i].error), 3),
                   fixed(100 * choices[i].error / choices.back().error, 1) + " %"});
    }
    frame.terminal.table(table);

    const Vector u = xt::linspace<double>(-3, 3, 121);
    std::vector<std::string> names = {"u"};
    std::vector<std::vector<std::string>> columns = {cells(u)};
    for (const Kernel& kernel : kernels()) {
        names.push_back(kernel.name);
        columns.emplace_back();
        for (const double distance : u) {
            columns.back().push_back(significant(kernel(distance), digits));
        }
    }
    frame.files.write_csv("kernels.csv", names, columns);
}

void show_widths(Frame& frame, const Sample& sample, double chosen)
{
    const Kernel& gaussian = kernel_named("gaussian");
    const std::vector<double> widths = {0.02, chosen, 2};
    frame.terminal.heading("What the width does: the Gaussian kernel");
    program::Table table({"eruption", fmt::format("width {}", significant(widths[0], digits)),
                          fmt::format("width {}", significant(widths[1], digits)),
                          fmt::format("width {}", significant(widths[2], digits))});
    const Vector shown = {1.6, 2, 2.5, 3, 3.2, 3.5, 4, 4.5, 5.1};
    const Vector fine = xt::linspace<double>(1.5, 5.2, 186);
    std::vector<std::vector<std::string>> rows(shown.size());
    std::vector<std::vector<std::string>> columns = {cells(fine)};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        rows[i].push_back(significant(shown(i), digits));
    }
    for (const double width : widths) {
        const Prediction coarse = predict(shown, sample.keys, sample.values, gaussian, width);
        for (std::size_t i = 0; i < shown.size(); ++i) {
            rows[i].push_back(fixed(coarse.predictions(i), 2));
        }
        columns.push_back(
            cells(predict(fine, sample.keys, sample.values, gaussian, width).predictions));
    }
    for (const auto& row : rows) {
        table.row(row);
    }
    frame.terminal.table(table);
    frame.files.write_csv("fit.csv", {"eruption", "narrow", "chosen", "wide"}, columns);
    frame.files.write_csv("old_faithful.csv", {"eruption", "waiting"},
                          {cells(sample.keys), cells(sample.values)});

    frame.terminal.heading("Who is listened to: the weights at the chosen width");
    show_weights(frame, {1.6, 2, 2.5, 3, 3.5, 4, 4.5, 5}, sample, gaussian, chosen, "eruption");
}

void show_empty_window(Frame& frame, const Sample& sample)
{
    const Gap gap = widest_gap(sample.keys);
    const double query = (gap.below + gap.above) / 2;
    frame.terminal.heading("The empty window");
    frame.terminal.paragraph(fmt::format(
        "No eruption lasted between {} and {} minutes, the widest gap between two neighbouring "
        "keys. Its middle, {}, is asked.",
        significant(gap.below, digits), significant(gap.above, digits),
        significant(query, digits)));
    program::Table table({"kernel", "width", "prediction", "keys in the window"});
    const std::vector<Kernel> asked = {kernel_named("boxcar"), kernel_named("epanechnikov"),
                                       cut(kernel_named("gaussian"), 4),
                                       kernel_named("gaussian")};
    for (const double width : {0.02, 0.1, 0.2}) {
        for (const Kernel& kernel : asked) {
            const Prediction found =
                predict({query}, sample.keys, sample.values, kernel, width);
            table.row({kernel.name, significant(width, digits), fixed(found.predictions(0), 2),
                       std::to_string(found.keys_in_window[0])});
        }
    }
    frame.terminal.table(table);
}

/// Errors with and without the mask, on the first synthetic sample and on Old Faithful.
void show_mask(Frame& frame, const Sample& synthetic, const Sample& real)
{
    const Kernel& gaussian = kernel_named("gaussian");
    frame.terminal.heading("What the mask is for: a point that may look at itself");
    frame.terminal.paragraph(fmt::format(
        "Mean squared error of the Gaussian kernel where each point is predicted from the "
        "others (masked) or from all, itself included (seen). Synthetic: {} points of y = 2 "
        "sin "
        "x + x + noise.",
        n_synthetic));
    program::Table table({"width", "synthetic, masked", "synthetic, seen",
                          "Old Faithful, masked", "Old Faithful, seen"});
    for (const double width : {2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.01, 0.001}) {
        std::vector<std::string> row = {significant(width, digits)};
        for (const Sample* sample : {&synthetic, &real}) {
            row.push_back(
                fixed(leave_one_out_error(sample->keys, sample->values, gaussian, width), 4));
            row.push_back(
                fixed(self_seeing_error(sample->keys, sample->values, gaussian, width), 4));
        }
        table.row(row);
    }
    frame.terminal.table(table);

    const Vector widths = width_grid(synthetic.keys, 161);
    std::vector<std::string> names = {"width"};
    std::vector<std::vector<std::string>> columns = {cells(widths)};
    for (const Kernel& kernel : kernels()) {
        names.push_back(kernel.name);
        columns.emplace_back();
        for (const double width : widths) {
            columns.back().push_back(significant(
                leave_one_out_error(synthetic.keys, synthetic.values, kernel, width), digits));
        }
    }
    names.push_back("seen");
    columns.emplace_back();
    for (const double width : widths) {
        columns.back().push_back(fixed(
            self_seeing_error(synthetic.keys, synthetic.values, gaussian, width), digits));
    }
    frame.files.write_csv("width.csv", names, columns);
}

void show_comparison(Frame& frame)
{
    const std::size_t n_draws = frame.options.quick ? 20 : 100;
    frame.terminal.heading("Is the choice of the kernel important?");
    frame.terminal.paragraph(fmt::format(
        "Mean squared error against the truth 2 sin x + x, over {} draws of {} points, with "
        "the "
        "width that leave-one-out chooses, and with the best width in hindsight, which only "
        "those who know the truth can choose.",
        n_draws, n_synthetic));
    program::Table table({"kernel", "width, mean", "error", "+-", "error in hindsight"});
    for (const KernelResult& result :
         compare_kernels(frame.options.seed, n_draws, frame.options.threads)) {
        table.row({result.name, fixed(xt::mean(result.bandwidth)(), 3),
                   fixed(result.mean_error(), 3), fixed(result.standard_error(), 3),
                   fixed(xt::mean(result.smallest_error)(), 3)});
    }
    frame.terminal.table(table);
}

/// Keeps the weights of the first synthetic sample for the figure.
void keep_weights(Frame& frame, const Sample& sample)
{
    const Kernel& gaussian = kernel_named("gaussian");
    const double chosen = choose_bandwidth(sample.keys, sample.values, gaussian).bandwidth;
    const Vector queries = xt::linspace<double>(0, 5, 26);
    const std::vector<Matrix> weights = {
        predict(queries, sample.keys, sample.values, gaussian, 0.1).weights,
        predict(queries, sample.keys, sample.values, gaussian, chosen).weights,
        predict(queries, sample.keys, sample.values, gaussian, 2).weights,
        predict(queries, sample.keys, sample.values, kernel_named("boxcar"), 0.1).weights};
    std::vector<std::vector<std::string>> columns(2 + weights.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
        for (std::size_t j = 0; j < sample.keys.size(); ++j) {
            columns[0].push_back(significant(queries(i), digits));
            columns[1].push_back(std::to_string(j + 1));
            for (std::size_t panel = 0; panel < weights.size(); ++panel) {
                columns[2 + panel].push_back(fixed(weights[panel](i, j), 4));
            }
        }
    }
    frame.files.write_csv("weights.csv", {"query", "key", "narrow", "chosen", "wide", "boxcar"},
                          columns);
}

/// Keeps what the bandwidth slider of the page shows.
void keep_slider(Frame& frame, const Sample& sample, const std::vector<Choice>& choices)
{
    const Vector grid = xt::linspace<double>(1.5, 5.2, 75);
    const Vector widths = width_grid(sample.keys, 31);
    program::WidgetData data;
    data.set("x", sample.keys, digits).set("y", sample.values, digits);
    data.set("x_name", "eruption, minutes").set("y_name", "waiting time, minutes");
    data.set("grid", grid, digits).set("widths", widths, digits);
    std::vector<std::string> names;
    for (std::size_t which = 0; which + 1 < kernels().size(); ++which) {
        const Kernel& kernel = kernels()[which];
        names.push_back(kernel.name);
        Matrix predictions = Matrix::from_shape({widths.size(), grid.size()});
        Vector errors = Vector::from_shape({widths.size()});
        for (std::size_t i = 0; i < widths.size(); ++i) {
            xt::row(predictions, static_cast<std::ptrdiff_t>(i)) =
                predict(grid, sample.keys, sample.values, kernel, widths(i)).predictions;
            errors(i) = leave_one_out_error(sample.keys, sample.values, kernel, widths(i));
        }
        data.set("predictions_" + kernel.name, predictions, 4)
            .set("loo_error_" + kernel.name, errors, digits)
            .set("best_width_" + kernel.name, choices[which].bandwidth, digits);
    }
    data.set("kernels", names);
    frame.files.write_widget_data("02_nadaraya_watson_bandwidth.data.js", data);
}

/// The pencil-size example, every intermediate by its name and shape.
void trace_pencil_example(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const Matrix queries = pencil::queries();
    const Matrix keys = pencil::keys();
    const Matrix values = pencil::values();
    constexpr double bandwidth = 2;
    const auto softmax = [](const Matrix& scores) { return lookup::softmax(scores); };
    const Matrix distance = distances(queries, keys);
    const Matrix u = distance / bandwidth;
    program::trace(frame.terminal, "Q", "the queries", "n_queries, d", queries);
    program::trace(frame.terminal, "K", "the keys", "n_keys, d", keys);
    program::trace(frame.terminal, "V", "the values", "n_keys, d_v", values);
    program::trace(frame.terminal, "D", "the distances", "n_queries, n_keys", distance);
    program::trace(frame.terminal, "U", "the distances in widths of h = 2", "n_queries, n_keys",
                   u);
    for (const Kernel& kernel : kernels()) {
        const lookup::Attention found =
            lookup::attend(queries, keys, values, score(kernel, bandwidth), softmax);
        frame.terminal.heading(fmt::format("{}: {}", kernel.name, kernel.idea));
        program::trace(frame.terminal, "S", "log K(U)", "n_queries, n_keys", found.scores);
        program::trace(frame.terminal, "A", "softmax of S", "n_queries, n_keys", found.weights);
        program::trace(frame.terminal, "C", "the predictions A V", "n_queries, d_v",
                       found.context);
    }

    const lookup::Attention left_out =
        lookup::attend(keys, keys, values,
                       without_itself(score(kernel_named("gaussian"), bandwidth)), softmax);
    frame.terminal.heading("leave-one-out: the keys are the queries, the diagonal is masked");
    program::trace(frame.terminal, "S", "log K(U), gaussian", "n_keys, n_keys",
                   left_out.scores);
    program::trace(frame.terminal, "A", "softmax of S", "n_keys, n_keys", left_out.weights);
    program::trace(frame.terminal, "C", "each value from the others", "n_keys, d_v",
                   left_out.context);
}

/// The chapter's experiments, in the order of its page.
void show_chapter(Frame& frame)
{
    frame.files.require_writable();
    const Sample real = old_faithful();
    const Sample synthetic = synthetic_sample(frame.options.seed, 0, n_synthetic);
    const std::vector<Choice> choices = choose_for_every_kernel(real, frame.options.threads);
    show_kernels(frame, choices);
    show_widths(frame, real, choices[0].bandwidth);
    show_empty_window(frame, real);
    show_mask(frame, synthetic, real);
    show_comparison(frame);
    keep_weights(frame, synthetic);
    keep_slider(frame, real, choices);
    for (const char* figure : {"kernels", "fit", "weights", "width"}) {
        frame.files.draw_figure(fmt::format("02_nadaraya_watson_{}", figure));
    }
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    std::vector<std::string> kernel_names;
    for (const Kernel& kernel : kernels()) {
        kernel_names.push_back(kernel.name);
    }
    program::CommandLine command_line(
        {"02_nadaraya_watson", "Can similarity alone predict?",
         "build/bin/02_nadaraya_watson\n"
         "build/bin/02_nadaraya_watson --query 1.8,3.2,4.5\n"
         "build/bin/02_nadaraya_watson --data cars.csv --kernel epanechnikov --bandwidth loo "
         "--query 10,21 --format csv"});
    command_line.add_text("--data", options.data, "FILE.csv",
                          "your own table of numbers; without it Old Faithful is asked");
    command_line.add_text("--key", options.key, "NAME", "the key's column: else the first");
    command_line.add_text("--value", options.value, "NAME",
                          "the value's column: else the second");
    command_line.add_choice("--kernel", options.kernel, kernel_names,
                            "how much a key counts at a distance");
    command_line.add_text("--bandwidth", options.bandwidth, "NUMBER|loo",
                          "the width, in the key's units, or chosen by leave-one-out, as it "
                          "is without this option");
    command_line.add_number("--cut", options.cut, "R",
                            "no key beyond R widths counts; R's ksmooth has 4");
    command_line.add_numbers("--query", options.queries, "X,Y",
                             "where to predict: else eleven points over the keys");
    command_line.add_choice("--format", options.format, {"table", "csv"},
                            "csv: the lines query,prediction,keys_in_window and nothing else");
    return program::run(argc, argv, command_line, [&](Frame& frame) {
        if (frame.options.trace) {
            trace_pencil_example(frame);
        } else if (options.asks_for_a_prediction()) {
            show_prediction(frame, options);
        } else {
            show_chapter(frame);
        }
    });
}
