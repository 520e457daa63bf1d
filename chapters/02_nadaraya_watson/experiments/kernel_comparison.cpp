#include "chapters/02_nadaraya_watson/experiments/experiments.hpp"

#include "chapters/01_lookup/pencil_example.hpp"
#include "chapters/02_nadaraya_watson/old_faithful.csv.hpp"
#include "common/kernels/elementary.hpp"
#include "common/kernels/geometric_steps.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/number.hpp"
#include "common/program/spread.hpp"
#include "common/program/trace.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace attn::nadaraya_watson {

using program::fixed;
using program::Frame;
using program::significant;

double standard_error_of(const Vector& numbers)
{
    return program::mean_with_error({numbers.begin(), numbers.end()}).standard_error;
}

Sample sorted(const Sample& sample)
{
    std::vector<std::size_t> order(sample.keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return sample.keys(a) < sample.keys(b);
    });
    return {xt::view(sample.keys, xt::keep(order)), xt::view(sample.values, xt::keep(order))};
}

double truth(double x)
{
    return 2 * elementary::sin(x) + x;
}

Sample synthetic_sample(std::uint64_t seed, std::uint64_t draw, std::size_t n)
{
    random::Generator generator(seed, random::Stream::samples, draw);
    Sample sample{Vector::from_shape({n}), Vector::from_shape({n})};
    for (double& key : sample.keys) {
        key = generator.uniform(0, 5);
    }
    std::sort(sample.keys.begin(), sample.keys.end());
    for (std::size_t i = 0; i < n; ++i) {
        sample.values(i) = truth(sample.keys(i)) + generator.normal();
    }
    return sample;
}

TruthError error_against_truth(const Sample& sample, const Kernel& kernel, double bandwidth,
                               EmptyWindow empty)
{
    expect_positive(bandwidth, "error_against_truth", "bandwidth");
    constexpr std::size_t n_queries = 51;
    const double mean = xt::mean(sample.values)();
    double squared_error = 0;
    double n_empty = 0;
    for (std::size_t i = 0; i < n_queries; ++i) {
        const double query = 5.0 * static_cast<double>(i) / (n_queries - 1);
        double weight_sum = 0;
        double value_sum = 0;
        for (std::size_t j = 0; j < sample.keys.size(); ++j) {
            const double weight = kernel((query - sample.keys(j)) / bandwidth);
            weight_sum += weight;
            value_sum += weight * sample.values(j);
        }
        const bool counted = weight_sum > 0;
        const double otherwise =
            empty == EmptyWindow::mean ? mean : nearest_value(query, sample);
        const double answer = counted ? value_sum / weight_sum : otherwise;
        squared_error += (answer - truth(query)) * (answer - truth(query));
        n_empty += counted ? 0 : 1;
    }
    return {squared_error / n_queries, n_empty / n_queries};
}

std::vector<KernelResult> compare_kernels(std::uint64_t seed, std::size_t n_draws,
                                          EmptyWindow empty, std::size_t n_threads)
{
    expect(n_draws >= 2, "compare_kernels: n_draws must be at least 2, got {}", n_draws);
    std::vector<Kernel> compared;
    std::vector<KernelResult> results;
    for (const Kernel& kernel : kernels()) {
        if (kernel.name != "constant") {
            const Vector of_draws = Vector::from_shape({n_draws});
            compared.push_back(kernel);
            results.push_back({kernel.name, of_draws, of_draws, of_draws, of_draws});
        }
    }
    parallel::for_each_index(n_draws, n_threads, [&](std::size_t draw) {
        const Sample sample = synthetic_sample(seed, draw, n_synthetic);
        for (std::size_t i = 0; i < compared.size(); ++i) {
            const auto error_at = [&](double bandwidth) {
                return error_against_truth(sample, compared[i], bandwidth, empty);
            };
            const Choice choice = choose_bandwidth(sample, compared[i], empty);
            const TruthError found = error_at(choice.bandwidth);
            double smallest = found.error;
            for (const double bandwidth : width_grid(sample.keys, 41)) {
                smallest = std::min(smallest, error_at(bandwidth).error);
            }
            results[i].bandwidth(draw) = choice.bandwidth;
            results[i].error(draw) = found.error;
            results[i].share_empty(draw) = found.share_empty;
            results[i].smallest_error(draw) = smallest;
        }
    });
    return results;
}

Gap widest_gap(const Vector& keys)
{
    expect(keys.size() >= 2, "widest_gap: keys must hold at least 2, got {}", keys.size());
    Vector rising = keys;
    std::sort(rising.begin(), rising.end());
    Gap widest{rising(0), rising(1)};
    for (std::size_t i = 1; i + 1 < rising.size(); ++i) {
        if (rising(i + 1) - rising(i) > widest.above - widest.below) {
            widest = {rising(i), rising(i + 1)};
        }
    }
    return widest;
}

Sample old_faithful()
{
    const program::NumericTable table =
        program::parse_numeric_csv(old_faithful_csv, "old_faithful.csv");
    return {table.vector("eruption"), table.vector("waiting")};
}

std::vector<Choice> choose_for_every_kernel(const Sample& sample, std::size_t n_threads)
{
    std::vector<Choice> choices(kernels().size());
    parallel::for_each_index(kernels().size(), n_threads, [&](std::size_t i) {
        const Kernel& kernel = kernels()[i];
        choices[i] = kernel.name == "constant"
                         ? Choice{1, leave_one_out_error(sample, kernel, 1)}
                         : choose_bandwidth(sample, kernel);
    });
    return choices;
}

void show_weights(Frame& frame, const Vector& queries, const Sample& sample,
                  const Kernel& kernel, double bandwidth, const std::string& key_name)
{
    const Sample rising = sorted(sample);
    program::HeatMap map;
    map.weights = predict(queries, rising, kernel, bandwidth).weights;
    const int of_keys = program::digits_apart(rising.keys, digits);
    map.row_labels = program::texts_of(queries, significant, of_keys);
    map.row_caption = "query";
    map.column_caption = fmt::format("{} of the key, from {} to {}", key_name,
                                     significant(rising.keys(0), of_keys),
                                     significant(rising.keys(rising.keys.size() - 1), of_keys));
    frame.terminal.heat_map(map);
}

namespace {

/// A function's value at each of several points.
Vector at_each(const Vector& points, const std::function<double(double)>& value)
{
    Vector values = xt::zeros_like(points);
    std::transform(points.begin(), points.end(), values.begin(), value);
    return values;
}

} // namespace

void show_kernels(Frame& frame, const Sample& real, const std::vector<Choice>& choices)
{
    frame.terminal.introduce(
        "Old Faithful: the waiting time from the length of the eruption",
        "272 eruptions, both times in minutes. Each kernel with the bandwidth that "
        "leave-one-out chooses. The constant kernel predicts the mean of all other waiting "
        "times, the straight line is fitted to all other rows.");
    program::Table table(
        {"kernel", "bandwidth", "error", "its root", "% of the mean's", "after 4.5 minutes"});
    const auto add_row = [&](const std::string& name, const std::string& bandwidth,
                             double error, double next) {
        table.row({name, bandwidth, fixed(error, 5), fixed(std::sqrt(error), 3),
                   fixed(100 * error / choices.back().error, 1), fixed(next, 2)});
    };
    for (std::size_t i = 0; i < kernels().size(); ++i) {
        const bool constant = kernels()[i].name == "constant";
        const Prediction next = predict({4.5}, real, kernels()[i], choices[i].bandwidth);
        add_row(kernels()[i].name, constant ? "any" : fixed(choices[i].bandwidth, 5),
                choices[i].error, next.predictions(0));
    }
    const Line line = fit_line(real);
    add_row("straight line", "-", leave_one_out_error_of_line(real),
            line.intercept + line.slope * 4.5);
    frame.terminal.table(table);

    const Vector u = xt::arange<double>(-150, 151) / 50;
    program::CsvColumns columns;
    columns.add("u", u, significant, digits);
    for (const Kernel& kernel : kernels()) {
        columns.add(kernel.name, at_each(u, kernel), significant, digits);
    }
    frame.files.write_csv("kernels.csv", columns);
}

void show_widths(Frame& frame, const Sample& real, double chosen)
{
    const Kernel& gaussian = kernel_named("gaussian");
    const std::vector<double> widths = {0.02, chosen, 2};
    const std::vector<std::string> names = {"narrow", "chosen", "wide"};
    frame.terminal.heading("What the bandwidth does: the Gaussian kernel");
    const Vector shown = {1.6, 2, 2.5, 3, 3.2, 3.5, 4, 4.5, 5.1};
    const Vector fine = xt::linspace<double>(1.5, 5.2, 186);
    std::vector<std::string> header = {"eruption"};
    std::vector<Vector> predicted;
    program::CsvColumns columns;
    columns.add("eruption", fine, significant, digits);
    for (std::size_t which = 0; which < widths.size(); ++which) {
        header.push_back(fmt::format("bandwidth {}", significant(widths[which], digits)));
        predicted.push_back(predict(shown, real, gaussian, widths[which]).predictions);
        columns.add(names[which], predict(fine, real, gaussian, widths[which]).predictions,
                    significant, digits);
    }
    program::Table table(header);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        table.row({significant(shown(i), digits), fixed(predicted[0](i), 2),
                   fixed(predicted[1](i), 2), fixed(predicted[2](i), 2)});
    }
    frame.terminal.table(table);
    frame.files.write_csv("fit.csv", columns);

    program::CsvColumns eruptions;
    eruptions.add("eruption", real.keys, significant, digits)
        .add("waiting", real.values, significant, digits);
    frame.files.write_csv("old_faithful.csv", eruptions);
}

void show_empty_window(Frame& frame, const Sample& real)
{
    const Gap gap = widest_gap(real.keys);
    const double query = (gap.below + gap.above) / 2;
    frame.terminal.introduce("The empty window",
                             "No eruption lasted between {} and {} minutes, the widest gap "
                             "between two neighbouring keys. Its middle, {}, is asked.",
                             significant(gap.below, digits), significant(gap.above, digits),
                             significant(query, digits));
    program::Table table({"kernel", "bandwidth", "prediction", "keys in the window"});
    const std::vector<Kernel> tried = {kernel_named("boxcar"), kernel_named("epanechnikov"),
                                       cut(kernel_named("gaussian"), 4),
                                       kernel_named("gaussian")};
    for (const double width : {0.02, 0.1, 0.2}) {
        for (const Kernel& kernel : tried) {
            const Prediction found = predict({query}, real, kernel, width);
            table.row({kernel.name, significant(width, digits), fixed(found.predictions(0), 2),
                       std::to_string(found.keys_in_window[0])});
        }
    }
    frame.terminal.table(table);
}

void show_synthetic_weights(Frame& frame, const Sample& synthetic)
{
    const Kernel& gaussian = kernel_named("gaussian");
    const double chosen = choose_bandwidth(synthetic, gaussian).bandwidth;
    frame.terminal.introduce(
        "Which keys count: the weights",
        "The first synthetic sample: {} points of y = 2 sin x + x + "
        "noise, Gaussian kernel, bandwidth {} as leave-one-out chooses it.",
        synthetic.keys.size(), significant(chosen, digits));
    show_weights(frame, xt::linspace<double>(0, 5, 11), synthetic, gaussian, chosen, "x");

    const Vector queries = xt::linspace<double>(0, 5, 21);
    std::vector<double> query_cells;
    std::vector<std::size_t> key_cells;
    for (const double query : queries) {
        for (std::size_t j = 0; j < synthetic.keys.size(); ++j) {
            query_cells.push_back(query);
            key_cells.push_back(j + 1);
        }
    }
    program::CsvColumns columns;
    columns.add("query", query_cells, significant, digits).add("key", key_cells, fixed, 0);
    const auto add_panel = [&](const char* name, const Kernel& kernel, double bandwidth) {
        // The figure's palette has sixteen shades up to 0.2; what has none is not drawn.
        constexpr double palest = 0.2 / 16;
        Matrix drawn = predict(queries, synthetic, kernel, bandwidth).weights;
        for (double& weight : drawn) {
            weight = weight >= palest ? weight : std::nan("");
        }
        columns.add(name, drawn, fixed, 4);
    };
    add_panel("narrow", gaussian, 0.1);
    add_panel("chosen", gaussian, chosen);
    add_panel("wide", gaussian, 2);
    add_panel("boxcar", kernel_named("boxcar"), 0.1);
    frame.files.write_csv("weights_drawn.csv", columns);
}

void show_mask(Frame& frame, const Sample& synthetic, const Sample& real)
{
    const Kernel& gaussian = kernel_named("gaussian");
    frame.terminal.introduce(
        "What the mask is for: a point that predicts itself",
        "Mean squared error of the Gaussian kernel where each point is predicted from the "
        "others (masked) or from all, itself included (seen).");
    program::Table table({"bandwidth", "synthetic, masked", "synthetic, seen",
                          "Old Faithful, masked", "Old Faithful, seen"});
    for (const double width : {2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.01, 0.001, 0.0001}) {
        std::vector<std::string> row = {significant(width, digits)};
        for (const Sample* sample : {&synthetic, &real}) {
            row.push_back(fixed(leave_one_out_error(*sample, gaussian, width), 4));
            row.push_back(fixed(unmasked_error(*sample, gaussian, width), 4));
        }
        table.row(row);
    }
    frame.terminal.table(table);

    const Vector widths = geometric_steps(0.002, 10, 186);
    program::CsvColumns columns;
    columns.add("width", widths, significant, digits);
    for (const Kernel& kernel : kernels()) {
        const Vector masked = at_each(widths, [&](double width) {
            return leave_one_out_error(synthetic, kernel, width);
        });
        columns.add(kernel.name, masked, significant, digits);
    }
    const Vector unmasked = at_each(
        widths, [&](double width) { return unmasked_error(synthetic, gaussian, width); });
    columns.add("seen", unmasked, fixed, digits);
    frame.files.write_csv("width.csv", columns);
}

void show_comparison(Frame& frame)
{
    const std::size_t n_draws = frame.options.quick ? 20 : 100;
    frame.terminal.introduce(
        "Is the choice of the kernel important?",
        "Mean squared error against the truth 2 sin x + x, over {} draws of {} points. Where "
        "the window is empty, the mean of all values is predicted, or the nearest key's; so "
        "it is in leave-one-out, which chooses the bandwidth. In hindsight: at the bandwidth "
        "that is "
        "best against the truth.",
        n_draws, n_synthetic);
    program::Table table({"kernel", "empty means", "empty, %", "bandwidth", "error",
                          "over gaussian", "+-", "in hindsight"});
    const auto compare = [&](EmptyWindow empty) {
        return compare_kernels(frame.options.seed, n_draws, empty, frame.options.threads);
    };
    const std::vector<KernelResult> by_mean = compare(EmptyWindow::mean);
    const std::vector<KernelResult> by_nearest = compare(EmptyWindow::nearest);
    const auto add_row = [&](const KernelResult& result, const std::string& empty) {
        const Vector excess = result.error - by_mean[0].error; // draw by draw
        const bool itself = &result == &by_mean[0];
        table.row({result.name, empty, fixed(100 * xt::mean(result.share_empty)(), 1),
                   fixed(xt::mean(result.bandwidth)(), 3), fixed(xt::mean(result.error)(), 3),
                   itself ? "" : fixed(xt::mean(excess)(), 3),
                   itself ? "" : fixed(standard_error_of(excess), 3),
                   fixed(xt::mean(result.smallest_error)(), 3)});
    };
    add_row(by_mean[0], "");
    for (std::size_t i = 1; i < by_mean.size(); ++i) {
        add_row(by_mean[i], "mean");
        add_row(by_nearest[i], "nearest");
    }
    frame.terminal.table(table);
}

void show_slider(Frame& frame, const Sample& real, const std::vector<Choice>& choices)
{
    const Vector grid = xt::linspace<double>(1.5, 5.2, 75);
    // Off the table: no bandwidth is the difference of two keys, on a window's very edge.
    const Vector steps = geometric_steps(0.0171, 6.8993, 31);
    program::WidgetData data;
    data.set("x", real.keys, digits).set("y", real.values, digits);
    data.set("x_name", "eruption, minutes").set("y_name", "waiting time, minutes");
    data.set("grid", grid, digits);
    std::vector<std::string> names;
    for (std::size_t which = 0; which + 1 < kernels().size(); ++which) {
        const Kernel& kernel = kernels()[which];
        names.push_back(kernel.name);
        Vector widths = Vector::from_shape({steps.size() + 1}); // the chosen one among them
        std::copy(steps.begin(), steps.end(), widths.begin());
        widths(steps.size()) = choices[which].bandwidth;
        std::sort(widths.begin(), widths.end());
        Matrix predictions = Matrix::from_shape({widths.size(), grid.size()});
        for (std::size_t i = 0; i < widths.size(); ++i) {
            xt::row(predictions, static_cast<std::ptrdiff_t>(i)) =
                predict(grid, real, kernel, widths(i)).predictions;
        }
        const Vector errors = at_each(
            widths, [&](double width) { return leave_one_out_error(real, kernel, width); });
        data.set("widths_" + kernel.name, widths, digits)
            .set("predictions_" + kernel.name, predictions, 4)
            .set("loo_error_" + kernel.name, errors, digits)
            .set("best_width_" + kernel.name, choices[which].bandwidth, digits);
    }
    data.set("kernels", names);
    frame.files.write_widget_data("02_nadaraya_watson_bandwidth.data.js", data);
}

void show_pencil_steps(Frame& frame)
{
    namespace pencil = lookup::pencil_example;
    const Matrix queries = pencil::queries();
    const Matrix keys = pencil::keys();
    const Matrix values = pencil::values();
    constexpr double bandwidth = 2;
    const auto softmax = [](const Matrix& scores) { return lookup::softmax(scores); };
    const Matrix distance = distances(queries, keys);
    const Matrix u = distance / bandwidth;
    program::trace_inputs(frame.terminal, queries, keys, values);
    program::trace(frame.terminal, "D", "the distances", "n_queries, n_keys", distance);
    program::trace(frame.terminal, "U", "the distances in bandwidths of h = 2",
                   "n_queries, n_keys", u);
    for (const Kernel& kernel : kernels()) {
        const lookup::Attention found =
            lookup::attend(queries, keys, values, score(kernel, bandwidth), softmax);
        frame.terminal.heading(fmt::format("{}: {}", kernel.name, kernel.idea));
        program::trace(frame.terminal, "S", "log K(U)", "n_queries, n_keys", found.scores);
        program::trace(frame.terminal, "A", "softmax of S", "n_queries, n_keys", found.weights);
        program::trace(frame.terminal, "C", "the predictions A V", "n_queries, d_v",
                       found.context);
    }

    const lookup::Attention left_out = lookup::attend(
        keys, keys, values, mask_diagonal(score(kernel_named("gaussian"), bandwidth)), softmax);
    frame.terminal.heading("leave-one-out: the keys are the queries, the diagonal is masked");
    program::trace(frame.terminal, "S", "log K(U), gaussian", "n_keys, n_keys",
                   left_out.scores);
    program::trace(frame.terminal, "A", "softmax of S", "n_keys, n_keys", left_out.weights);
    program::trace(frame.terminal, "C", "each value from the others", "n_keys, d_v",
                   left_out.context);
}

} // namespace attn::nadaraya_watson
