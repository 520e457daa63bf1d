/// \file
/// \brief The network against its formula, its mask, its gradient, and what it does not depend on.
#include "chapters/09_pointer_network/pointer_network.hpp"

#include "chapters/09_pointer_network/experiments/experiments.hpp"
#include "chapters/09_pointer_network/tasks.hpp"
#include "common/autograd/tape.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/loss_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attn;
using attn::testing::check_all_gradients;
using namespace attn::pointer_network;
using Catch::Matchers::WithinAbs;

namespace {

template <typename T>
PointerNetwork<T> small_network(PointerOptions options, std::uint64_t seed = 1)
{
    random::Generator generator(seed);
    options.hidden = 6;
    PointerNetwork<T> network(options, generator);
    Variable<T> first = network.parameters().at("first").variable;
    std::fill(first.value().begin(), first.value().end(), T(0.3));
    return network;
}

PointingBatch three_hulls()
{
    random::Generator generator(5);
    return hull_batch(draw_points(3, 6, generator));
}

std::vector<PointerOptions> all_kinds()
{
    return {{.n_features = 2},
            {.n_features = 2, .score = Score::scaled_dot},
            {.n_features = 2, .encoder = ListEncoder::lstm},
            {.n_features = 2, .mask = Mask::none},
            {.n_features = 2, .stops = true}};
}

} // namespace

TEST_CASE("what has been chosen has the score minus infinity, the stop symbol never", "[09]")
{
    constexpr double hidden = -std::numeric_limits<double>::infinity();
    const std::vector<std::int64_t> targets = {2, 1, 0, not_asked, 1, 2, 0, 1};
    const Array<double> mask = mask_of_chosen<double>(targets, 2, 3, true);
    REQUIRE(mask.shape() == Shape{2, 4, 3});
    const std::vector<double> wanted = {0, 0,      0,      0, 0,      hidden, 0, hidden, hidden,
                                        0, hidden, hidden, 0, 0,      0,      0, hidden, 0,
                                        0, hidden, hidden, 0, hidden, hidden};
    CHECK(std::equal(wanted.begin(), wanted.end(), mask.begin()));
    CHECK(mask_of_chosen<double>({0, 1}, 1, 3, false)(0, 1, 0) == hidden);
}

TEST_CASE("elements that change places take their scores along", "[09]")
{
    for (const Score score : {Score::additive, Score::scaled_dot}) {
        const PointerNetwork<double> network =
            small_network<double>({.n_features = 2, .score = score, .stops = true});
        const PointingBatch batch = three_hulls();
        PointingBatch exchanged = batch;
        for (std::size_t f = 0; f < 2; ++f) {
            std::swap(exchanged.elements(0, 1, f), exchanged.elements(0, 2, f));
        }
        for (std::size_t step = 0; step < batch.n_steps; ++step) {
            std::int64_t& target = exchanged.targets[step]; // of the first list
            target = target == 1 ? 2 : target == 2 ? 1 : target;
        }
        const Array<double> u = network.scores(batch).value();
        const Array<double> other = network.scores(exchanged).value();
        REQUIRE(u.shape() == Shape{3, batch.n_steps, 7});
        for (std::size_t step = 0; step < batch.n_steps; ++step) {
            const auto same = [](double x, double y) {
                return x == y || std::abs(x - y) < 1e-12; // both may be -infinity
            };
            CHECK(same(other(0, step, 2), u(0, step, 1)));
            CHECK(same(other(0, step, 1), u(0, step, 2)));
            CHECK(same(other(0, step, 5), u(0, step, 5)));
            CHECK(same(other(1, step, 1), u(1, step, 1)));
        }
        CHECK(u(0, 0, 1) != u(0, 0, 2));
    }
}

TEST_CASE("the gradient of the loss is that of differences", "[09]")
{
    for (const PointerOptions& options : all_kinds()) {
        CAPTURE(static_cast<int>(options.encoder), static_cast<int>(options.score),
                options.stops);
        const PointerNetwork<double> network = small_network<double>(options);
        random::Generator generator(6);
        const auto lists = draw_points(2, 5, generator);
        const PointingBatch batch = options.stops ? hull_batch(lists) : tour_batch(lists);
        check_all_gradients(network.parameters(), [&] { return network.loss(batch); });
    }
}

TEST_CASE("the loss is the mean of -ln p of the right positions", "[09]")
{
    const PointerNetwork<double> network =
        small_network<double>({.n_features = 2, .stops = true});
    const PointingBatch batch = three_hulls();
    const Array<double> u = network.scores(batch).value();
    double sum = 0;
    double n = 0;
    for (std::size_t i = 0; i < batch.targets.size(); ++i) {
        if (batch.targets[i] == not_asked) {
            continue;
        }
        const double* const row = u.data() + i * batch.n_elements;
        double total = 0;
        for (std::size_t j = 0; j < batch.n_elements; ++j) {
            total += std::exp(row[j]);
        }
        sum -= row[batch.targets[i]] - std::log(total);
        n += 1;
    }
    CHECK_THAT(network.loss(batch).item(), WithinAbs(sum / n, 1e-12));
}

TEST_CASE("with a mask every answer is a permutation, without one it need not be", "[09]")
{
    random::Generator generator(7);
    const PointingBatch batch = draw_sorting(50, 9, generator);
    const auto all_permutations = [&](const PointerOptions& options) {
        const Pointed pointed = small_network<float>(options).point(batch.elements);
        return std::all_of(pointed.positions.begin(), pointed.positions.end(), [](Order order) {
            std::sort(order.begin(), order.end());
            return order.size() == 9 &&
                   std::adjacent_find(order.begin(), order.end()) == order.end();
        });
    };
    CHECK(all_permutations({.n_features = 1}));
    CHECK(all_permutations({.n_features = 1, .encoder = ListEncoder::lstm}));
    CHECK_FALSE(all_permutations({.n_features = 1, .mask = Mask::none}));
}

TEST_CASE("an answer ends at its first stop symbol, of an untrained network too", "[09]")
{
    random::Generator generator(8);
    const PointingBatch batch = hull_batch(draw_points(60, 6, generator));
    std::size_t n_ended_early = 0;
    std::size_t n_would_go_on = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto network = small_network<float>({.n_features = 2, .stops = true}, seed);
        for (const nn::NamedParameter<float>& one : network.parameters()) {
            Variable<float>(one.variable).value() *= 10; // a network that changes its mind
        }
        const Pointed pointed = network.point(batch.elements, {}, true);
        REQUIRE(pointed.weights.size() == 7);
        REQUIRE(pointed.weights[0].shape() == Shape{60, 1, 7});
        for (std::size_t list = 0; list < 60; ++list) {
            Order largest; // where the weight is largest
            for (const Array<float>& weights : pointed.weights) {
                const float* const row = weights.data() + list * 7;
                largest.push_back(
                    static_cast<std::size_t>(std::max_element(row, row + 7) - row));
            }
            const auto stop = std::find(largest.begin(), largest.end(), 0U);
            CHECK(pointed.positions[list] == Order(largest.begin(), stop));
            n_ended_early += largest.end() - stop > 1 ? 1 : 0;
            n_would_go_on += std::any_of(stop, largest.end(), [](auto j) { return j != 0; });
        }
    }
    CHECK(n_would_go_on > 0);
    CHECK(n_ended_early > 0);
}

TEST_CASE("pointing step by step agrees with the scores of all steps at once", "[09]")
{
    for (const PointerOptions& options : all_kinds()) {
        const PointerNetwork<float> network = small_network<float>(options, 3);
        random::Generator generator(9);
        PointingBatch batch = tour_batch(draw_points(4, 6, generator));
        const Pointed pointed = network.point(batch.elements);
        for (std::size_t list = 0; list < 4; ++list) { // its own answers as the right ones
            for (std::size_t step = 0; step < 6; ++step) {
                const Order& order = pointed.positions[list];
                batch.targets[list * 6 + step] =
                    step < order.size() ? static_cast<std::int64_t>(order[step]) : not_asked;
            }
        }
        const Array<float> u = network.scores(batch).value();
        for (std::size_t i = 0; i < batch.targets.size(); ++i) {
            const float* const row = u.data() + i * 6;
            if (batch.targets[i] != not_asked) {
                CHECK(std::max_element(row, row + 6) - row == batch.targets[i]);
            }
        }
    }
}

TEST_CASE("a set encoder does not see the order of the list, an LSTM does", "[09]")
{
    random::Generator generator(10);
    const PointingBatch batch = draw_sorting(20, 6, generator);
    Array<float> turned = batch.elements;
    for (std::size_t list = 0; list < 20; ++list) {
        std::reverse(turned.data() + list * 6, turned.data() + list * 6 + 6);
    }
    const auto same_numbers = [&](ListEncoder encoder) {
        const PointerNetwork<float> network =
            small_network<float>({.n_features = 1, .encoder = encoder}, 4);
        const auto one = network.point(batch.elements).positions;
        const auto other = network.point(turned).positions;
        std::size_t n_same = 0;
        for (std::size_t list = 0; list < 20; ++list) {
            bool same = true;
            for (std::size_t step = 0; step < 6; ++step) {
                same = same && one[list][step] == 5 - other[list][step];
            }
            n_same += same ? 1 : 0;
        }
        return n_same;
    };
    CHECK(same_numbers(ListEncoder::set) == 20);
    CHECK(same_numbers(ListEncoder::lstm) < 20);
}

TEST_CASE("targets of the tasks are what they are called", "[09]")
{
    random::Generator generator(11);
    const PointingBatch sorting = draw_sorting(5, 7, generator);
    for (std::size_t list = 0; list < 5; ++list) {
        for (std::size_t step = 1; step < 7; ++step) {
            const auto at = [&](std::size_t i) {
                return sorting.elements(
                    list, static_cast<std::size_t>(sorting.targets[list * 7 + i]), 0);
            };
            CHECK(at(step - 1) <= at(step));
        }
    }
    const auto lists = draw_points(4, 6, generator);
    const PointingBatch hulls = hull_batch(lists);
    CHECK(hulls.n_elements == 7);
    for (std::size_t list = 0; list < 4; ++list) {
        const Order hull = convex_hull(lists[list]);
        for (std::size_t step = 0; step < hulls.n_steps; ++step) {
            const std::int64_t wanted = step < hull.size()
                                            ? static_cast<std::int64_t>(hull[step]) + 1
                                        : step == hull.size() ? 0
                                                              : not_asked;
            CHECK(hulls.targets[list * hulls.n_steps + step] == wanted);
        }
        CHECK(hulls.elements(list, 0, 0) == -1.0F);
        CHECK(hulls.elements(list, 3, 1) == static_cast<float>(lists[list][2].y));
    }
}

TEST_CASE("hulls as targets are hulls, from any corner and in either direction", "[09]")
{
    random::Generator generator(12);
    const auto lists = draw_points(200, 7, generator);
    const auto n_kept = [&](HullTargets targets, bool direction) {
        const std::vector<Order> hulls = drawn_hulls(lists, targets, generator);
        std::size_t n = 0;
        for (std::size_t i = 0; i < lists.size(); ++i) {
            REQUIRE(from_leftmost(lists[i], hulls[i]) == convex_hull(lists[i]));
            n += direction ? (signed_area(lists[i], hulls[i]) > 0 ? 1 : 0)
                           : (hulls[i].front() == leftmost(lists[i]) ? 1 : 0);
        }
        return n;
    };
    CHECK(n_kept(HullTargets::leftmost, false) == 200);
    CHECK(n_kept(HullTargets::any_corner, true) == 200);
    const std::size_t n_leftmost = n_kept(HullTargets::any_corner, false);
    CHECK((n_leftmost > 20 && n_leftmost < 80)); // of hulls with three to seven corners
    const std::size_t n_counter_clockwise = n_kept(HullTargets::any_direction, true);
    CHECK((n_counter_clockwise > 70 && n_counter_clockwise < 130));
}

TEST_CASE("an answer is measured from whatever corner it begins", "[09]")
{
    random::Generator generator(13);
    const auto lists = draw_points(40, 6, generator);
    const PointerNetwork<float> network =
        small_network<float>({.n_features = 2, .stops = true}, 3);
    const TargetsResult result = measure_targets(network, lists);
    std::vector<Order> answers = pointed_hulls(network, lists);
    for (std::size_t i = 0; i < lists.size(); ++i) {
        answers[i] = from_leftmost(lists[i], answers[i]);
    }
    CHECK(result.hulls.failures == judge_hulls(lists, answers).failures);
    CHECK((result.first_largest > 1.0 / 7 && result.first_largest < 1)); // of seven elements
    CHECK((result.first_corners > 0 && result.first_corners < 1));
    CHECK((result.second_largest > 1.0 / 7 && result.second_largest <= 1));
}

TEST_CASE("answers are judged by their corners, their area and whether they cross", "[09]")
{
    const std::vector<Point> square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.4}};
    const std::vector<std::vector<Point>> lists(4, square);
    const HullResult result =
        judge_hulls(lists, {Order{0, 1, 2, 3}, Order{0, 1, 2}, Order{0, 2, 1, 3}, Order{0, 1}});
    CHECK_THAT(result.exact, WithinAbs(0.25, 1e-12));
    CHECK_THAT(result.failures, WithinAbs(0.5, 1e-12));
    CHECK_THAT(result.area, WithinAbs((1 + 0.5) / 4, 1e-12));
    CHECK_THAT(result.missed, WithinAbs((1 + 0 + 2) / 3.0, 1e-12));
    CHECK_THAT(result.inner, WithinAbs(0, 1e-12));
    CHECK(judge_hulls({square}, {Order{0, 4, 1, 2, 3}}).inner == 1);
}

// [trained_sorting]
TEST_CASE("a network that learns from 4 to 8 numbers sorts 8 and 16", "[09][train]")
{
    const Sorter sorter = all_sorters()[0];
    const SortingResult result =
        measure_sorting(train_sorter(sorter, sorter.n_steps, 1), 500, 1);
    CHECK(result.right[1] >= 0.99);
    CHECK(result.right[4] >= 0.97);
    CHECK(result.by_first[4] >= 0.85); // equal scores count as wrong
}
// [trained_sorting]
