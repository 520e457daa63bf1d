/// \file
/// \brief The equations against plain loops, the network's gradient, what it does not depend on; a
/// training; the solutions of the exercises.
#include "chapters/10_entity_network/entity_network.hpp"

#include "chapters/10_entity_network/exercises/solutions.hpp"
#include "chapters/10_entity_network/experiments/experiments.hpp"
#include "chapters/10_entity_network/training.hpp"
#include "common/autograd/tape.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/loss_gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

using namespace attn;
using attn::testing::check_all_gradients;
using namespace attn::entity_network;
using Catch::Matchers::WithinAbs;

namespace {

template <typename T>
EntityNetwork<T> small_network(EntityOptions options = {})
{
    random::Generator generator(1);
    options.d = 6;
    EntityNetwork<T> network(options, generator);
    for (const nn::NamedParameter<T>& one : network.parameters()) {
        if (one.name == "a" || one.name == "f") { // away from where they start
            Variable<T> variable = one.variable;
            for (std::size_t i = 0; i < variable.size(); ++i) {
                variable.value().data()[i] = T(0.3 + 0.1 * static_cast<double>(i % 5));
            }
        }
    }
    return network;
}

StoryBatch small_batch(Task task = Task::carried, std::size_t n = 3)
{
    random::Generator generator(2);
    return batch_of(draw_stories(task, n, 4, generator));
}

std::vector<EntityOptions> all_kinds()
{
    std::vector<EntityOptions> kinds(5);
    kinds[1].phi = Phi::prelu;
    kinds[2].phi = Phi::identity;
    kinds[3].normalised = false;
    kinds[4].keys = Keys::free;
    kinds[4].n_slots = 3;
    return kinds;
}

/// Equations 1 to 6 for one story, in plain loops.
struct PlainLoops
{
    const nn::Parameters<double> parameters;
    const EntityOptions& options;
    std::size_t d = options.d;

    double at(const char* name, std::size_t row, std::size_t column) const
    {
        const Array<double>& value = parameters.at(name).variable.value();
        return value.data()[row * value.shape()[1] + column];
    }
    std::vector<double> row(const char* name, std::size_t r) const
    {
        std::vector<double> x(d);
        for (std::size_t i = 0; i < d; ++i) {
            x[i] = at(name, r, i);
        }
        return x;
    }
    std::vector<double> times(const std::vector<double>& x, const char* matrix,
                              std::size_t n) const
    {
        std::vector<double> y(n, 0);
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t k = 0; k < n; ++k) {
                y[k] += x[i] * at(matrix, i, k);
            }
        }
        return y;
    }
    double phi(double x) const
    {
        if (options.phi == Phi::tanh) {
            return std::tanh(x);
        }
        const bool plain = options.phi == Phi::identity || x > 0;
        return plain ? x : parameters.at("a").variable.value().data()[0] * x;
    }
    static double dot(const std::vector<double>& x, const std::vector<double>& y)
    {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    }

    std::vector<double> logits(const Story& story) const
    {
        const std::size_t n_slots = options.n_slots;
        std::vector<std::vector<double>> w(n_slots);
        for (std::size_t j = 0; j < n_slots; ++j) {
            w[j] = row(options.keys == Keys::free ? "w" : "E", j);
        }
        std::vector<std::vector<double>> h = w;
        for (const Sentence& sentence : story.sentences) {
            std::vector<double> s(d, 0);
            for (std::size_t position = 0; position < 3; ++position) {
                for (std::size_t i = 0; i < d; ++i) {
                    s[i] += at("f", position, i) *
                            at("E", static_cast<std::size_t>(sentence[position]), i);
                }
            }
            for (std::size_t j = 0; j < n_slots; ++j) {
                const double g = 1 / (1 + std::exp(-dot(s, h[j]) - dot(s, w[j])));
                const auto Uh = times(h[j], "U", d);
                const auto Vw = times(w[j], "V", d);
                const auto Ws = times(s, "W", d);
                for (std::size_t i = 0; i < d; ++i) {
                    h[j][i] += g * phi(Uh[i] + Vw[i] + Ws[i]);
                }
                const double length = options.normalised ? std::sqrt(dot(h[j], h[j])) : 1;
                for (double& x : h[j]) {
                    x /= length;
                }
            }
        }
        std::vector<double> q = row("E", static_cast<std::size_t>(story.question));
        for (std::size_t i = 0; i < d; ++i) {
            q[i] *= at("f", 0, i);
        }
        std::vector<double> u(d, 0);
        double sum = 0;
        for (std::size_t j = 0; j < n_slots; ++j) {
            const double p = std::exp(dot(q, h[j]));
            sum += p;
            for (std::size_t i = 0; i < d; ++i) {
                u[i] += p * h[j][i];
            }
        }
        for (double& x : u) {
            x /= sum;
        }
        std::vector<double> inner = times(u, "H", d);
        for (std::size_t i = 0; i < d; ++i) {
            inner[i] = phi(q[i] + inner[i]);
        }
        return times(inner, "R", n_places);
    }
};

} // namespace

TEST_CASE("the network computes equations 1 to 6", "[10]")
{
    random::Generator generator(2);
    const std::vector<Story> stories = draw_stories(Task::carried, 3, 4, generator);
    for (const EntityOptions& options : all_kinds()) {
        CAPTURE(static_cast<int>(options.phi), options.normalised, options.n_slots);
        const EntityNetwork<double> network = small_network<double>(options);
        const Array<double> logits = network.logits(batch_of(stories)).value();
        const PlainLoops plain{network.parameters(), network.options()};
        for (std::size_t i = 0; i < stories.size(); ++i) {
            const std::vector<double> wanted = plain.logits(stories[i]);
            for (std::size_t k = 0; k < n_places; ++k) {
                CHECK_THAT(logits(i, k), WithinAbs(wanted[k], 1e-12));
            }
        }
    }
}

TEST_CASE("the gradient of the loss is that of differences", "[10]")
{
    for (const EntityOptions& options : all_kinds()) {
        CAPTURE(static_cast<int>(options.phi), options.normalised, options.n_slots);
        const EntityNetwork<double> network = small_network<double>(options);
        const StoryBatch batch = small_batch();
        check_all_gradients(network.parameters(), [&] { return network.loss(batch); });
    }
}

// [gates_and_weights]
TEST_CASE("weights of the read sum to 1, gates do not", "[10]")
{
    const EntityNetwork<double> network = small_network<double>();
    const Reading<double> reading = network.read(small_batch());
    const auto sum_of_first = [](const Array<double>& x) {
        return std::accumulate(x.data(), x.data() + n_persons, 0.0);
    };
    CHECK_THAT(sum_of_first(reading.weights.value()), WithinAbs(1, 1e-12));
    for (const Array<double>& gates : reading.gates) {
        CHECK(std::abs(sum_of_first(gates) - 1) > 0.1);
    }
}
// [gates_and_weights]

TEST_CASE("gates by person are the gates at that person's sentences", "[10]")
{
    const EntityNetwork<float> network = small_network<float>();
    random::Generator generator(8);
    const std::vector<Story> stories = draw_stories(Task::moves, 4, 6, generator);
    const Matrix opened = gates_by_person(network, stories);
    const Reading<float> reading = network.read(batch_of(stories));
    for (std::size_t who = 0; who < n_persons; ++who) {
        double sum = 0;
        double n = 0;
        for (std::size_t i = 0; i < stories.size(); ++i) {
            for (std::size_t t = 0; t < 6; ++t) {
                const bool about = stories[i].sentences[t][0] == static_cast<Word>(who);
                sum += about ? static_cast<double>(reading.gates[t](i, 2, 0)) : 0;
                n += about ? 1 : 0;
            }
        }
        REQUIRE(n > 0);
        CHECK_THAT(opened(2, who), WithinAbs(sum / n, 1e-6));
    }
}

TEST_CASE(
    "a strange sentence has the gates of one that a story could have, or a name more or less",
    "[10]")
{
    const EntityNetwork<float> network = small_network<float>();
    Story story;
    story.sentences = {{2, 11, 5}};
    const std::vector<StrangeSentence> strange = strange_sentences(network, story);
    REQUIRE(strange.size() == 3);
    for (const StrangeSentence& one : strange) {
        CAPTURE(one.text);
        CHECK_THAT(std::accumulate(one.shares.begin(), one.shares.end(), 0.0),
                   WithinAbs(1, 1e-6));
        for (std::size_t j = 0; j + 1 < n_persons; ++j) { // both rise with the same sums
            CHECK((one.gates[j] < one.gates[j + 1]) == (one.shares[j] < one.shares[j + 1]));
        }
    }
    Story longer = story;
    longer.sentences.push_back({0, 10, 6}); // Anna went to the hall
    const Reading<float> reading = network.read(batch_of({&longer, 1}));
    for (std::size_t j = 0; j < n_persons; ++j) {
        CHECK_THAT(strange[0].gates[j],
                   WithinAbs(static_cast<double>(reading.gates[1](0, j, 0)), 1e-5));
    }
    CHECK(strange[1].gates != strange[0].gates);
    CHECK(strange[2].gates != strange[0].gates);
}

TEST_CASE("slots have length 1, unless nothing normalises them", "[10]")
{
    random::Generator generator(7);
    const auto stories = draw_stories(Task::moves, 5, 12, generator);
    EntityOptions options;
    CHECK_THAT(mean_length(small_network<float>(options), stories), WithinAbs(1, 1e-6));
    options.normalised = false;
    CHECK(mean_length(small_network<float>(options), stories) > 2);
}

TEST_CASE("slots that change places change nothing but their own order", "[10]")
{
    EntityOptions options;
    options.keys = Keys::free;
    EntityNetwork<double> network = small_network<double>(options);
    const StoryBatch batch = small_batch();
    const Reading<double> before = network.read(batch);
    Variable<double> w = network.parameters().at("w").variable;
    for (std::size_t i = 0; i < 6; ++i) {
        std::swap(w.value()(0, i), w.value()(2, i));
    }
    const Reading<double> after = network.read(batch);
    for (std::size_t k = 0; k < n_places; ++k) {
        CHECK_THAT(after.logits.value()(1, k), WithinAbs(before.logits.value()(1, k), 1e-12));
    }
    CHECK_THAT(after.weights.value()(1, 0, 0),
               WithinAbs(before.weights.value()(1, 0, 2), 1e-12));
    CHECK_THAT(after.gates[3](1, 2, 0), WithinAbs(before.gates[3](1, 0, 0), 1e-12));
}

// [order_of_words]
TEST_CASE("with equal position masks the order of the words is lost", "[10]")
{
    const Array<double> words = array_of<double>({3, 2}, {1, 2, 3, 5, 8, 13});
    const Array<double> others = array_of<double>({3, 2}, {8, 13, 3, 5, 1, 2});
    const Variable<double> equal(filled<double>({3, 2}, 1.0));
    const Variable<double> learnt(array_of<double>({3, 2}, {1, 2, 3, 4, 5, 6}));
    const auto same = [&](const Variable<double>& masks) {
        const Array<double> x = encode<double>(words, masks).value();
        const Array<double> y = encode<double>(others, masks).value();
        return std::equal(x.begin(), x.end(), y.begin());
    };
    CHECK(same(equal));
    CHECK_FALSE(same(learnt));
}
// [order_of_words]

TEST_CASE("a network of no numbers, slots without keys and stories of two lengths are refused",
          "[10]")
{
    random::Generator generator(1);
    EntityOptions options;
    options.n_slots = 5;
    CHECK_THROWS_AS(EntityNetwork<float>(options, generator), ContractError);
    options = {};
    options.d = 0;
    CHECK_THROWS_AS(EntityNetwork<float>(options, generator), ContractError);
    const std::vector<Story> stories = {draw_story(Task::moves, 2, generator),
                                        draw_story(Task::moves, 3, generator)};
    CHECK_THROWS_AS(batch_of(stories), ContractError);
    CHECK_THROWS_AS(batch_of({}), ContractError);
}

TEST_CASE("products of the gates are kept where they are asked for", "[10]")
{
    const EntityNetwork<double> network = small_network<double>();
    const StoryBatch batch = small_batch();
    CHECK(network.read(batch).key_products.empty());
    const Reading<double> reading = network.read(batch, true);
    REQUIRE(reading.key_products.size() == 4);
    REQUIRE(reading.content_products.size() == 4);
    const double sum = reading.key_products[3](1, 2, 0) + reading.content_products[3](1, 2, 0);
    CHECK_THAT(reading.gates[3](1, 2, 0), WithinAbs(1 / (1 + std::exp(-sum)), 1e-12));
}

TEST_CASE("a memory of sentences without positions does not notice their order", "[10]")
{
    StoryBatch batch = small_batch(Task::moves, 2);
    StoryBatch exchanged = batch;
    std::swap_ranges(exchanged.words.begin(), exchanged.words.begin() + 3,
                     exchanged.words.begin() + 9);
    random::Generator generator(1);
    const SentenceMemory memory({}, 1, generator);
    const SentenceMemory twice({}, 2, generator);
    const SentenceMemory placed(4, 1, generator);
    Variable<float> place = placed.parameters().at("place.0").variable;
    place.value()(0, 0, 3) = 1;
    const auto difference = [&](const SentenceMemory& one) {
        return static_cast<double>(
            std::abs(one.logits(batch).value()(0, 0) - one.logits(exchanged).value()(0, 0)));
    };
    CHECK(difference(memory) < 1e-5);
    CHECK(difference(twice) < 1e-5);
    CHECK(difference(placed) > 1e-4);
}

// [trained]
TEST_CASE(
    "a network learns where persons are, and its gates open for whom the sentence is about",
    "[10][train]")
{
    const EntityNetwork<float> network =
        train_entity_network({}, {.task = Task::moves, .n_steps = 700, .seed = 5});
    CHECK(accuracy(network, test_stories(Task::moves, 1000, 8, 5)) >= 0.99);
    CHECK(accuracy(network, test_stories(Task::moves, 1000, 16, 5)) >= 0.99);
}

TEST_CASE("a network learns that objects move along, and reads the slot of whoever has one",
          "[10][train]")
{
    const EntityNetwork<float> network =
        train_entity_network({}, {.task = Task::carried, .n_steps = 1000, .seed = 5});
    const std::vector<Story> stories = test_stories(Task::carried, 1000, 8, 5);
    CHECK(accuracy(network, stories) >= 0.97);
    const GateStatistics gates = gate_statistics(network, stories);
    CHECK(gates.on - gates.off >= 0.8);
    CHECK(gates.holder >= 0.95);
}
// [trained]

TEST_CASE("solutions of the exercises of chapter 10", "[10][exercise]")
{
    CHECK(solutions::n_parameters(vocabulary.size(), 3, 32, n_places) == [] {
        random::Generator generator(1);
        return EntityNetwork<float>({}, generator).parameters().n_numbers();
    }());
    CHECK(solutions::n_parameters(21, 3, 32, 6) == 5056);
    // Writing unit vectors that are orthogonal to all before.
    for (const bool normalised : {true, false}) {
        constexpr std::size_t n = 5;
        std::array<double, n + 1> h = {1};
        for (std::size_t i = 1; i <= n; ++i) {
            h[i] += 1;
            const double length =
                normalised ? std::sqrt(std::inner_product(h.begin(), h.end(), h.begin(), 0.0))
                           : 1;
            for (double& x : h) {
                x /= length;
            }
        }
        const double length = std::sqrt(std::inner_product(h.begin(), h.end(), h.begin(), 0.0));
        CHECK_THAT(solutions::share_left(n, normalised), WithinAbs(h[0] / length, 1e-12));
    }
    CHECK_THAT(solutions::share_left(4, true), WithinAbs(0.25, 1e-12));
    CHECK_THAT(solutions::share_left(15, false), WithinAbs(0.25, 1e-12));
    CHECK(solutions::numbers_stored(32, 4, 32, true) == 128);
    CHECK(solutions::numbers_stored(32, 4, 32, false) == 2048);
}
