#include "chapters/02_nadaraya_watson/experiments/report.hpp"

#include "common/program/number.hpp"

#include <fmt/format.h>
#include <vector>

namespace attn::nadaraya_watson::report {

using program::Frame;
using program::significant;

void warn_of_empty_windows(Frame& frame, const Answer& answer)
{
    const auto& [queries, kernel, bandwidth, prediction] = answer;
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

void answer_as_csv(Frame& frame, const Answer& answer)
{
    const auto& [queries, kernel, bandwidth, prediction] = answer;
    frame.terminal.line("query,prediction,keys_in_window");
    for (std::size_t i = 0; i < queries.size(); ++i) {
        frame.terminal.line(fmt::format("{},{},{}", significant(queries(i), 10),
                                        significant(prediction.predictions(i), 10),
                                        prediction.keys_in_window[i]));
    }
}

void answer_as_table(Frame& frame, const NamedSample& sample, const Answer& answer)
{
    const auto& [keys, values] = sample.rows;
    const auto& [queries, kernel, bandwidth, prediction] = answer;
    frame.terminal.heading(fmt::format("{}: {} predicted from {}", sample.source,
                                       sample.value_name, sample.key_name));
    frame.terminal.line(fmt::format("{} rows, kernel {}, width {}", keys.size(), kernel.name,
                                    significant(bandwidth, digits)));
    if (keys.size() >= 2) {
        frame.terminal.line(fmt::format(
            "leave-one-out error {}, of the mean of the others {}",
            significant(leave_one_out_error(keys, values, kernel, bandwidth), digits),
            significant(leave_one_out_error(keys, values, kernel_named("constant"), 1),
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

void show_weights(Frame& frame, const Vector& queries, const Sample& sample,
                  const Kernel& kernel, double bandwidth, const std::string& key_name)
{
    const Sample rising = sorted(sample);
    program::HeatMap map;
    map.weights = predict(queries, rising.keys, rising.values, kernel, bandwidth).weights;
    map.row_labels = program::texts_of(queries, significant, digits);
    map.row_caption = "query";
    map.column_caption = fmt::format("{} of the key, from {} to {}", key_name,
                                     significant(rising.keys(0), digits),
                                     significant(rising.keys(rising.keys.size() - 1), digits));
    frame.terminal.heat_map(map);
}

} // namespace attn::nadaraya_watson::report
