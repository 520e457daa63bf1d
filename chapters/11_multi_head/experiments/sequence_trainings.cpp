#include "chapters/11_multi_head/experiments/sequence_trainings.hpp"

#include "chapters/11_multi_head/experiments/streams.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace attn::multi_head {

namespace {

/// The weights of a model's attention on inputs, [batch, H, n, n].
Array<float> weights_on(const SequenceModel& model, const Array<float>& inputs)
{
    const autograd::NoGradient<float> evaluation;
    Inside<float> inside;
    model.logits(inputs, &inside);
    return inside.weights;
}

} // namespace

// ---------------------------------------------------------------- three projections

std::string name_of(Setting setting)
{
    const std::array<const char*, 4> names = {"line, rotary", "line, rotary, causal",
                                              "ring, learnt", "ring, learnt, d = 6"};
    return names.at(static_cast<std::size_t>(setting));
}

SequenceTraining projection_training(Setting setting, Tied tied)
{
    const bool on_line = setting == Setting::line || setting == Setting::causal;
    SequenceTraining training{on_line ? previous_symbol(n_symbols, setting == Setting::causal)
                                      : previous_on_ring(n_symbols),
                              {.positions = on_line ? Positions::rotary : Positions::learnt,
                               .tied = tied,
                               .d = setting == Setting::narrow ? 6U : 16U}};
    training.shortest = training.longest = projection_length;
    return training;
}

NeighbourWeights neighbour_weights(const SequenceModel& model, const SequenceTask& task,
                                   std::size_t length, std::uint64_t seed)
{
    constexpr std::size_t n_rows = 200;
    expect(length >= 3, "neighbour_weights: positions need two neighbours, got a length of {}",
           length);
    random::Generator fresh(seed, stream::sequence_test);
    const Array<float> all = weights_on(model, task.draw(n_rows, length, fresh).inputs);

    NeighbourWeights result;
    Matrix weights = Matrix::from_shape({length, length});
    for (std::size_t row = 0; row < n_rows; ++row) {
        std::copy_n(all.data() + row * length * length, length * length, weights.begin());
        std::size_t n_right = 0;
        for (std::size_t i = 1; i + 1 < length; ++i) {
            const double share = 1 / static_cast<double>(n_rows * (length - 2));
            result.before += share * weights(i, i - 1);
            result.own += share * weights(i, i);
            result.after += share * weights(i, i + 1);
        }
        if (!task.causal) {
            for (std::size_t i = 0; i < length; ++i) {
                const double* const of_position = weights.data() + i * length;
                const auto most =
                    std::max_element(of_position, of_position + length) - of_position;
                n_right += static_cast<std::size_t>(most) == (i + length - 1) % length ? 1 : 0;
            }
            result.never_all_right = result.never_all_right && n_right < length;
            result.before_on_ring += mean_weight_on_ring(weights, -1) / n_rows;
        }
    }
    return result;
}

// ---------------------------------------------------------------- positions, heads, memory

std::vector<NamedTraining> position_trainings()
{
    std::vector<NamedTraining> trainings;
    for (const Positions positions :
         {Positions::none, Positions::sinusoidal, Positions::learnt, Positions::rotary}) {
        SequenceTraining training{previous_symbol(n_symbols), {.positions = positions}};
        training.shortest = 2;
        training.longest = trained_length;
        trainings.push_back({name_of(positions), training});
    }
    return trainings;
}

Vector weights_by_distance(const SequenceModel& model, const SequenceTask& task,
                           std::size_t length, std::uint64_t seed)
{
    constexpr std::size_t n_rows = 200;
    random::Generator fresh(seed, stream::sequence_test);
    const Array<float> all = weights_on(model, task.draw(n_rows, length, fresh).inputs);
    expect(all.shape() == Shape{n_rows, 1, length, length},
           "weights_by_distance: a model with attention of one head is wanted, got weights {}",
           all.shape());
    Vector means = xt::zeros<double>({length});
    for (std::size_t row = 0; row < n_rows; ++row) {
        const float* const of_last = all.data() + ((row + 1) * length - 1) * length;
        for (std::size_t back = 0; back < length; ++back) {
            means(back) += static_cast<double>(of_last[length - 1 - back]) / n_rows;
        }
    }
    return means;
}

std::vector<NamedTraining> head_trainings()
{
    constexpr std::size_t n_letters = 26;
    constexpr std::size_t length = 12;
    std::vector<NamedTraining> trainings;
    for (const std::size_t n_heads : {1U, 2U, 4U}) {
        SequenceTraining training{
            three_earlier(n_letters),
            {.positions = Positions::learnt, .n_heads = n_heads, .d = 36, .longest = length}};
        training.shortest = training.longest = length;
        trainings.push_back({std::to_string(n_heads), training});
    }
    return trainings;
}

std::vector<NamedTraining> recall_trainings(Mixer mixer)
{
    constexpr std::size_t n_pairs = 6;
    std::vector<std::size_t> widths = {2, 4, 8, 16, 32};
    if (mixer == Mixer::gru) { // a state is small: it may be wider
        widths.insert(widths.end(), {64, 128});
    }
    std::vector<NamedTraining> trainings;
    for (const std::size_t d : widths) {
        SequenceTraining training{recall(n_symbols),
                                  {.mixer = mixer, .d = d, .d_embedding = 32}};
        training.shortest = training.longest = n_pairs + 1;
        training.batch = 64;
        training.learning_rate = 0.01;
        trainings.push_back({std::to_string(d), training});
    }
    return trainings;
}

std::vector<NamedTraining> parity_trainings()
{
    const std::vector<std::pair<std::string, SequenceOptions>> all = {
        {"self-attention", {.mixer = Mixer::softmax, .positions = Positions::rotary}},
        {"linear attention", {.mixer = Mixer::linear, .positions = Positions::rotary}},
        {"GRU", {.mixer = Mixer::gru}}};
    std::vector<NamedTraining> trainings;
    for (const auto& [name, options] : all) {
        SequenceTraining training{parity(), options};
        training.options.d = 16;
        training.options.network_readout = true;
        training.shortest = 2;
        training.longest = trained_length;
        training.n_steps = 1000;
        trainings.push_back({name, training});
    }
    return trainings;
}

std::vector<Matrix> weights_on_word(const SequenceModel& model, const std::string& word)
{
    std::vector<std::size_t> letters;
    for (const char letter : word) {
        expect(letter >= 'a' && letter <= 'z', "weights_on_word: '{}' is no small letter",
               letter);
        letters.push_back(static_cast<std::size_t>(letter - 'a'));
    }
    const Array<float> all = weights_on(model, one_hot_row(letters, 26));
    const std::size_t n = letters.size();
    std::vector<Matrix> tables(all.shape()[1], Matrix::from_shape({n, n}));
    for (std::size_t head = 0; head < tables.size(); ++head) {
        std::copy_n(all.data() + head * n * n, n * n, tables[head].begin());
    }
    return tables;
}

} // namespace attn::multi_head
