#include "chapters/09_pointer_network/experiments/experiments.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/results.hpp"
#include "common/program/seeds.hpp"
#include "common/program/text.hpp"
#include "common/program/widget_data.hpp"
#include "common/random/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace attn::pointer_network {

using program::BadInput;
using program::Cell;
using program::fixed;
using program::Frame;

namespace {

constexpr std::size_t quick_steps = 10;

/// Points of the tested lists; those that are learnt from have 5 to 8.
constexpr std::array<std::size_t, 5> hull_sizes = {5, 8, 10, 15, 20};

} // namespace

std::vector<Order> drawn_hulls(const std::vector<std::vector<Point>>& lists,
                               HullTargets targets, random::Generator& generator)
{
    std::vector<Order> hulls;
    for (const std::vector<Point>& points : lists) {
        Order hull = convex_hull(points);
        if (targets != HullTargets::leftmost) {
            std::rotate(hull.begin(),
                        hull.begin() +
                            static_cast<std::ptrdiff_t>(generator.below(hull.size())),
                        hull.end());
        }
        if (targets == HullTargets::any_direction && generator.below(2) == 1) {
            std::reverse(hull.begin(), hull.end());
        }
        hulls.push_back(std::move(hull));
    }
    return hulls;
}

PointerNetwork<float> train_hulls(std::size_t n_steps, std::uint64_t seed, HullTargets targets)
{
    return train({.n_features = 2, .hidden = 64, .stops = true},
                 [targets](random::Generator& generator) {
                     const std::size_t n = 5 + generator.below(4);
                     const auto lists = draw_points(batch_size, n, generator);
                     return hull_batch(lists, drawn_hulls(lists, targets, generator));
                 },
                 {.n_steps = n_steps, .peak_rate = 0.005, .seed = seed});
}

std::vector<Order> pointed_hulls(const PointerNetwork<float>& network,
                                 const std::vector<std::vector<Point>>& lists)
{
    std::vector<Order> answers = network.point(elements_of(lists, true)).positions;
    for (Order& answer : answers) {
        for (std::size_t& position : answer) {
            --position; // the stop symbol is position 0
        }
    }
    return answers;
}

namespace {

bool is_polygon(const std::vector<Point>& points, const Order& answer)
{
    return answer.size() >= 3 && is_simple(points, answer);
}

/// The share of the hull's area that an answer covers; 0 of a failure.
double covered(const std::vector<Point>& points, const Order& answer, const Order& hull)
{
    return is_polygon(points, answer)
               ? std::max(0.0, signed_area(points, answer)) / signed_area(points, hull)
               : 0;
}

/// How many of the points that an answer points at are corners.
std::size_t n_common(const Order& answer, const Order& hull)
{
    return static_cast<std::size_t>(
        std::count_if(answer.begin(), answer.end(), [&](std::size_t position) {
            return std::find(hull.begin(), hull.end(), position) != hull.end();
        }));
}

} // namespace

HullResult judge_hulls(const std::vector<std::vector<Point>>& lists,
                       const std::vector<Order>& answers)
{
    HullResult result;
    double n_inexact = 0;
    const double share = 1 / static_cast<double>(lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const Order hull = convex_hull(lists[i]);
        result.exact += answers[i] == hull ? share : 0;
        const std::size_t n_found = n_common(answers[i], hull);
        n_inexact += answers[i] == hull ? 0 : 1;
        result.missed += static_cast<double>(hull.size() - n_found);
        result.inner += static_cast<double>(answers[i].size() - n_found);
        result.failures += is_polygon(lists[i], answers[i]) ? 0 : share;
        result.area += share * covered(lists[i], answers[i], hull);
    }
    result.missed /= std::max(n_inexact, 1.0);
    result.inner /= std::max(n_inexact, 1.0);
    return result;
}

namespace {

/// Points and both hulls as rows that a plot reads; polygons are closed.
void save_shown(Frame& frame, const PointerNetwork<float>& network)
{
    program::Results results({"points", "kind"}, {{"x", fixed, 4}, {"y", fixed, 4}});
    for (const std::size_t n : {std::size_t{8}, std::size_t{15}}) {
        random::Generator generator(frame.options.seed, random::Stream::shown_hulls, n);
        const std::vector<std::vector<Point>> lists = draw_points(1, n, generator);
        const Order hull = convex_hull(lists[0]);
        const Order answer = pointed_hulls(network, lists)[0];
        const auto add = [&](const char* kind, const Point& point) {
            results.add({std::to_string(n), kind}, {point.x, point.y});
        };
        for (const Point& point : lists[0]) {
            add("point", point);
        }
        for (std::size_t i = 0; i <= hull.size(); ++i) {
            add("hull", lists[0][hull[i % hull.size()]]);
        }
        for (std::size_t i = 0; i <= answer.size() && !answer.empty(); ++i) {
            add("answer", lists[0][answer[i % answer.size()]]);
        }
    }
    frame.files.write_csv("trained_hull_examples.csv", results.columns());
}

/// All parameters, and answers to some lists that the page must give as well.
void save_network(Frame& frame, const PointerNetwork<float>& network)
{
    program::WidgetData data;
    for (const nn::NamedParameter<float>& one : network.parameters()) {
        const Array<float>& value = one.variable.value();
        const std::size_t n_columns = value.shape().back();
        Matrix rows = xt::zeros<double>({value.size() / n_columns, n_columns});
        std::copy(value.begin(), value.end(), rows.begin());
        data.set(one.name, rows, 6);
    }
    random::Generator generator(frame.options.seed, random::Stream::shown_hulls);
    const std::size_t n_cases = 20;
    Matrix points = xt::zeros<double>({n_cases, std::size_t{20}});
    std::vector<std::string> answers;
    for (std::size_t i = 0; i < n_cases; ++i) {
        std::vector<std::vector<Point>> lists = draw_points(1, 10, generator);
        std::string answer;
        for (std::size_t j = 0; j < 10; ++j) {
            Point& point = lists[0][j];
            point = {std::round(point.x * 1e4) / 1e4, std::round(point.y * 1e4) / 1e4};
            points(i, 2 * j) = point.x;
            points(i, 2 * j + 1) = point.y;
        }
        const Order pointed = pointed_hulls(network, lists)[0];
        for (const std::size_t position : pointed) {
            answer += (answer.empty() ? "" : " ") + std::to_string(position);
        }
        answers.push_back(answer);
    }
    data.set("tested_points", points, 4);
    data.set("tested_answers", answers);
    frame.files.write_widget_data("trained_09_pointer_network_hull.data.js", data);
}

} // namespace

std::vector<PointerNetwork<float>> show_hulls(Frame& frame, std::size_t n_steps)
{
    const bool quick = frame.options.quick;
    const std::size_t n_lists = quick ? 50 : 1000;
    const std::vector<std::uint64_t> seeds = program::seeds_of(frame);
    std::vector<PointerNetwork<float>> networks = program::run_rows_with_seeds(
        frame, "hulls", 1, seeds, [&](std::size_t, std::uint64_t seed) {
            return train_hulls(quick ? quick_steps : n_steps, seed);
        })[0];
    frame.terminal.introduce(
        "Convex hulls",
        "Networks learn the hulls of 5 to 8 points, in {} steps of {} lists. {} other lists of "
        "each size: share of exact hulls, and mean share of the hull's area that is covered. "
        "Medians of {} seeds.",
        quick ? quick_steps : n_steps, batch_size, n_lists, seeds.size());
    program::Results results({"points"}, {{"seed", fixed, 0},
                                          {"exact", fixed, 4},
                                          {"area", fixed, 5},
                                          {"failures", fixed, 4},
                                          {"missed", fixed, 3},
                                          {"inner", fixed, 3}});
    for (std::size_t k = 0; k < hull_sizes.size(); ++k) {
        for (std::size_t i = 0; i < networks.size(); ++i) {
            random::Generator generator(seeds[i], random::Stream::hulls_test, k);
            const auto lists = draw_points(n_lists, hull_sizes[k], generator);
            const HullResult one = judge_hulls(lists, pointed_hulls(networks[i], lists));
            results.add({std::to_string(hull_sizes[k])},
                        {static_cast<double>(seeds[i]), one.exact, one.area, one.failures,
                         one.missed, one.inner});
        }
    }
    frame.terminal.table(
        results.table({"points", {{"exact", "exact", 3}, {"area covered", "area", 3}}}));
    frame.terminal.introduce(
        "Convex hulls, every seed",
        "The same, and the share of failures, with fewer than three corners or crossing edges, "
        "whose area counts as 0. Of the answers that are not exact: corners left out, and "
        "points "
        "too many, a list. Lowest, median and highest of the seeds; of the last two the "
        "median.");
    frame.terminal.table(results.table({"points",
                                        {{"exact", "exact", 3, Cell::spread},
                                         {"area covered", "area", 4, Cell::spread},
                                         {"failures", "failures", 3, Cell::spread},
                                         {"left out", "missed", 2},
                                         {"too many", "inner", 2}}}));
    frame.files.write_csv("trained_hulls.csv", results.columns());
    save_shown(frame, networks[0]);
    save_network(frame, networks[0]);
    return networks;
}

// ---------------------------------------------------------------- a reader's points

namespace {

constexpr std::size_t most_points = 50;

/// Different points of a file, each with its row there.
struct ReadersPoints
{
    std::vector<Point> points;
    std::vector<std::size_t> rows; ///< [n_points], from 1
    std::size_t n_repeated = 0;    ///< rows that are left out
};

/// The columns x and y, or the two that there are.
ReadersPoints read_points(const std::string& file)
{
    const program::NumericTable table = program::read_numeric_csv(file);
    const bool named =
        std::find(table.names.begin(), table.names.end(), "x") != table.names.end();
    const bool by_place = !named && table.names.size() == 2;
    const std::vector<double>& x = by_place ? table.columns[0] : table.column("x");
    const std::vector<double>& y = by_place ? table.columns[1] : table.column("y");
    ReadersPoints read;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Point point{x[i], y[i]};
        if (std::find(read.points.begin(), read.points.end(), point) == read.points.end()) {
            read.points.push_back(point);
            read.rows.push_back(i + 1);
        } else {
            ++read.n_repeated;
        }
    }
    if (read.points.size() < 3 || read.points.size() > most_points) {
        throw BadInput(fmt::format("{}: from 3 to {} different points, got {}", table.source,
                                   most_points, read.points.size()));
    }
    return read;
}

/// The points moved and scaled, both axes alike, into the unit square that is learnt from.
std::vector<Point> in_unit_square(std::vector<Point> points)
{
    // First by a power of two, so that no difference overflows or vanishes.
    double largest = 0;
    for (const Point& point : points) {
        largest = std::max({largest, std::abs(point.x), std::abs(point.y)});
    }
    const int exponent = std::ilogb(largest);
    for (Point& point : points) {
        point = {std::ldexp(point.x, -exponent), std::ldexp(point.y, -exponent)};
    }
    const auto [left, right] = std::minmax_element(
        points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    const auto [low, high] = std::minmax_element(
        points.begin(), points.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
    const double size = std::max(right->x - left->x, high->y - low->y);
    std::vector<Point> scaled;
    for (const Point& point : points) {
        scaled.push_back({(point.x - left->x) / size, (point.y - low->y) / size});
    }
    return scaled;
}

/// \throws BadInput if there is none
Order hull_or_refused(const std::vector<Point>& points, const std::string& file)
{
    try {
        return convex_hull(points);
    } catch (const ContractError&) {
        throw BadInput(program::in_quotes(file, program::longest_path) +
                       ": all points are on one line");
    }
}

/// Corners by their rows, with all digits that their numbers have.
std::string corners(const ReadersPoints& read, const Order& order)
{
    std::string text;
    for (const std::size_t i : order) {
        text += fmt::format("{}{} ({}, {})", text.empty() ? "" : ", ", read.rows[i],
                            read.points[i].x, read.points[i].y);
    }
    return text.empty() ? "none" : text;
}

} // namespace

void show_readers_hull(Frame& frame, const std::string& file, std::size_t n_steps)
{
    const ReadersPoints read = read_points(file);
    const Order hull = hull_or_refused(read.points, file);
    const std::vector<Point> scaled = in_unit_square(read.points);
    const PointerNetwork<float> network =
        train_hulls(frame.options.quick ? quick_steps : n_steps, frame.options.seed);
    const Order answer = pointed_hulls(network, {scaled})[0];
    frame.terminal.introduce(
        "Your points",
        "{} points{}. The network has learnt from 5 to 8 points of the unit square, so that "
        "yours are moved and scaled into it. The corners by their rows in the file, "
        "counter-clockwise from the leftmost.",
        read.points.size(),
        read.n_repeated > 0 ? fmt::format(", without {} that the file repeats", read.n_repeated)
                            : "");
    frame.terminal.paragraph("The network points at: " + corners(read, answer));
    frame.terminal.paragraph("The hull is: " + corners(read, hull));
    frame.terminal.line(answer == hull ? std::string("They are the same.")
                        : signed_area(scaled, hull) > 0
                            ? fmt::format("The answer covers {} of the hull's area.",
                                          fixed(covered(scaled, answer, hull), 3))
                            : std::string("The hull is too thin for its area to be compared."));
}

} // namespace attn::pointer_network
