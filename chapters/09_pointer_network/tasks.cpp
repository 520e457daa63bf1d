#include "chapters/09_pointer_network/tasks.hpp"

#include "common/nn/optimisers.hpp"
#include "common/nn/training.hpp"
#include "common/random/random.hpp"
#include "common/random/streams.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attn::pointer_network {

namespace {

/// A batch whose answers may be of different lengths.
PointingBatch batch_of(Array<float> elements, const std::vector<Order>& answers)
{
    PointingBatch batch{.n_lists = elements.shape()[0], .n_elements = elements.shape()[1]};
    for (const Order& answer : answers) {
        batch.n_steps = std::max(batch.n_steps, answer.size());
    }
    batch.elements = std::move(elements);
    batch.targets.assign(batch.n_lists * batch.n_steps, not_asked);
    for (std::size_t list = 0; list < batch.n_lists; ++list) {
        std::copy(answers[list].begin(), answers[list].end(),
                  batch.targets.begin() + static_cast<std::ptrdiff_t>(list * batch.n_steps));
    }
    return batch;
}

} // namespace

// [draw_sorting]
PointingBatch draw_sorting(std::size_t n_lists, std::size_t n, random::Generator& generator)
{
    Array<float> numbers = filled<float>({n_lists, n, 1}, 0.0F);
    for (float& number : numbers) {
        number = static_cast<float>(generator.uniform());
    }
    std::vector<Order> answers;
    for (std::size_t list = 0; list < n_lists; ++list) {
        const float* const row = numbers.data() + list * n;
        Order order(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [row](std::size_t i, std::size_t j) { return row[i] < row[j]; });
        answers.push_back(order);
    }
    return batch_of(std::move(numbers), answers);
}
// [draw_sorting]

std::vector<std::vector<Point>> draw_points(std::size_t n_lists, std::size_t n,
                                            random::Generator& generator)
{
    std::vector<std::vector<Point>> lists(n_lists);
    for (std::vector<Point>& points : lists) {
        for (std::size_t i = 0; i < n; ++i) {
            const double x = generator.uniform();
            points.push_back({x, generator.uniform()});
        }
    }
    return lists;
}

Array<float> elements_of(const std::vector<std::vector<Point>>& lists, bool stop_symbol)
{
    const std::size_t before = stop_symbol ? 1 : 0;
    Array<float> elements =
        filled<float>({lists.size(), lists.at(0).size() + before, 2}, -1.0F);
    for (std::size_t list = 0; list < lists.size(); ++list) {
        for (std::size_t i = 0; i < lists[list].size(); ++i) {
            elements(list, i + before, 0) = static_cast<float>(lists[list][i].x);
            elements(list, i + before, 1) = static_cast<float>(lists[list][i].y);
        }
    }
    return elements;
}

PointingBatch hull_batch(const std::vector<std::vector<Point>>& lists)
{
    std::vector<Order> hulls;
    for (const std::vector<Point>& points : lists) {
        hulls.push_back(convex_hull(points));
    }
    return hull_batch(lists, std::move(hulls));
}

PointingBatch hull_batch(const std::vector<std::vector<Point>>& lists, std::vector<Order> hulls)
{
    for (Order& hull : hulls) {
        for (std::size_t& position : hull) {
            ++position; // the stop symbol is position 0
        }
        hull.push_back(0);
    }
    return batch_of(elements_of(lists, true), hulls);
}

PointingBatch tour_batch(const std::vector<std::vector<Point>>& lists)
{
    std::vector<Order> answers;
    for (const std::vector<Point>& points : lists) {
        answers.push_back(shortest_tour(points));
    }
    return batch_of(elements_of(lists, false), answers);
}

// [train]
PointerNetwork<float> train(const PointerOptions& options, const DrawBatch& draw,
                            const TrainingOptions& training)
{
    random::Generator first(training.seed, random::Stream::pointer_parameters);
    random::Generator batches(training.seed, random::Stream::pointer_training);
    PointerNetwork<float> network(options, first);
    nn::Parameters<float> parameters = network.parameters();
    nn::Adam<float> adam(parameters, {.learning_rate = training.peak_rate});
    const nn::Schedule rate = nn::linear_decay(training.n_steps, 0.0);
    nn::Training<float> loop({.n_steps = training.n_steps, .show_progress = false}, parameters,
                             {});
    while (loop.goes_on()) {
        adam.learning_rate = training.peak_rate * rate(loop.step());
        const PointingBatch batch = draw(batches);
        autograd::Tape<float> tape;
        const Variable<float> loss = network.loss(batch);
        backward(loss);
        nn::clip_by_global_norm(parameters, 1.0);
        adam.step();
        loop.record(static_cast<double>(loss.item()));
    }
    nn::count_training(parameters); // for --checksums
    loop.end();
    return network;
}
// [train]

} // namespace attn::pointer_network
