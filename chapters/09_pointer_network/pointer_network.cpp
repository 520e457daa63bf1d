#include "chapters/09_pointer_network/pointer_network.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/embedding.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/softmax.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <limits>

namespace attn::pointer_network {

namespace {

template <typename T>
backpropagation::LearntScore<T> make_score(Score score, std::size_t hidden,
                                           random::Generator& generator)
{
    if (score == Score::additive) {
        return backpropagation::learnt_additive<T>({hidden, hidden, hidden}, generator, false);
    }
    return {{}, [](const Variable<T>& queries, const Variable<T>& keys) {
                return backpropagation::scaled_dot_product(queries, keys);
            }};
}

/// The elements at some positions, one a list; position 0 where nothing is asked for.
/// \param elements   [n_lists, n_elements, n_features]
/// \param positions  [n_lists, n]
/// \returns          [n_lists, n, n_features]
template <typename T>
Variable<T> elements_at(const Variable<T>& elements, std::vector<std::int64_t> positions)
{
    const std::size_t n_lists = elements.shape()[0];
    const std::size_t n_elements = elements.shape()[1];
    const std::size_t n_features = elements.shape()[2];
    const std::size_t n = positions.size() / n_lists;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i] = std::max<std::int64_t>(positions[i], 0) +
                       static_cast<std::int64_t>(i / n * n_elements);
    }
    return autograd::gather_rows(reshape(elements, {n_lists * n_elements, n_features}),
                                 positions, {n_lists, n});
}

/// A vector for each list, [n_lists, 1, n_features].
template <typename T>
Variable<T> repeated(const Variable<T>& first, std::size_t n_lists)
{
    return first + Variable<T>(filled<T>({n_lists, 1, first.shape()[2]}, T{0}));
}

} // namespace

template <typename T>
PointerNetwork<T>::PointerNetwork(const PointerOptions& options, random::Generator& generator)
    : options_(options),
      each_({options.n_features, options.hidden, options.hidden}, autograd::tanh<T>, generator),
      decoder_({.n_in = options.n_features, .hidden = options.hidden}, generator),
      first_(autograd::parameter(filled<T>({1, 1, options.n_features}, T{0}))),
      score_(make_score<T>(options.score, options.hidden, generator))
{
    if (options.encoder == ListEncoder::lstm) {
        reader_.emplace(nn::RecurrentSizes{.n_in = options.n_features, .hidden = options.hidden},
                        generator);
    }
}

// [encode]
template <typename T>
Encoded<T> PointerNetwork<T>::encode(const Variable<T>& elements) const
{
    if (reader_) {
        const auto read = (*reader_)(elements);
        return {read.outputs, read.final_states};
    }
    const Variable<T> e = each_(elements);
    typename nn::Lstm<T>::States states = decoder_.zero_states(elements.shape()[0]);
    states[0].hidden = mean(e, 1);
    return {e, states};
}
// [encode]

template <typename T>
Array<T> mask_of_chosen(const std::vector<std::int64_t>& targets, std::size_t n_lists,
                      std::size_t n_elements, bool stops)
{
    const std::size_t n_steps = targets.size() / n_lists;
    Array<T> mask = filled<T>({n_lists, n_steps, n_elements}, T{0});
    for (std::size_t list = 0; list < n_lists; ++list) {
        for (std::size_t chosen = 0; chosen + 1 < n_steps; ++chosen) {
            const std::int64_t position = targets[list * n_steps + chosen];
            if (position < 0 || (stops && position == 0)) {
                continue;
            }
            for (std::size_t step = chosen + 1; step < n_steps; ++step) {
                mask(list, step, static_cast<std::size_t>(position)) =
                    -std::numeric_limits<T>::infinity();
            }
        }
    }
    return mask;
}

// [scores]
template <typename T>
Variable<T> PointerNetwork<T>::scores(const PointingBatch& batch) const
{
    const Variable<T> elements(xt::cast<T>(batch.elements));
    const Encoded<T> encoded = encode(elements);
    const Variable<T> chosen = elements_at(elements, batch.targets);
    const Variable<T> read = autograd::concatenate<T>( // before the first step, first_
        {repeated(first_, batch.n_lists), slice(chosen, 1, 0, batch.n_steps - 1)}, 1);
    const Variable<T> d = decoder_(read, {}, encoded.states).outputs;
    const Variable<T> u = score_.score(d, encoded.elements);
    return options_.mask == Mask::none
               ? u
               : u + Variable<T>(mask_of_chosen<T>(batch.targets, batch.n_lists,
                                                   batch.n_elements, options_.stops));
}
// [scores]

template <typename T>
Variable<T> PointerNetwork<T>::loss(const PointingBatch& batch) const
{
    return cross_entropy(
        reshape(scores(batch), {batch.n_lists * batch.n_steps, batch.n_elements}),
        batch.targets, {.ignored = not_asked});
}

namespace {

/// The position of the largest score among the visible ones; n if none is visible.
template <typename T>
std::size_t best_visible(const T* scores, const bool* visible, std::size_t n)
{
    std::size_t best = n;
    for (std::size_t j = 0; j < n; ++j) {
        if (visible[j] && (best == n || scores[j] > scores[best])) {
            best = j;
        }
    }
    return best;
}

} // namespace

// [point]
template <typename T>
Pointed PointerNetwork<T>::point(const Array<T>& elements, std::optional<std::size_t> n_steps,
                                 bool weights) const
{
    const autograd::NoGradient<T> forwards;
    const Variable<T> lists(elements);
    const std::size_t n_lists = elements.shape()[0];
    const std::size_t n = elements.shape()[1];
    const Encoded<T> encoded = encode(lists);
    Array<bool> visible = filled<bool>({n_lists, 1, n}, true);
    std::vector<bool> ended(n_lists, false);
    Pointed pointed{std::vector<std::vector<std::size_t>>(n_lists), {}};
    typename nn::Lstm<T>::States d = encoded.states;
    Variable<T> read = repeated(first_, n_lists);
    for (std::size_t step = 0; step < n_steps.value_or(n); ++step) {
        d = decoder_.step(reshape(read, {n_lists, options_.n_features}), d);
        const Variable<T> u = score_.score(
            reshape(d[0].hidden, {n_lists, 1, options_.hidden}), encoded.elements);
        if (weights) {
            pointed.weights.push_back(xt::cast<float>(masked_softmax(u, visible).value()));
        }
        std::vector<std::int64_t> chosen(n_lists, 0);
        for (std::size_t list = 0; list < n_lists; ++list) {
            bool* const visible_here = visible.data() + list * n;
            const std::size_t best = best_visible(u.value().data() + list * n, visible_here, n);
            ended[list] = ended[list] || best == n || (options_.stops && best == 0);
            if (!ended[list]) {
                pointed.positions[list].push_back(best);
                chosen[list] = static_cast<std::int64_t>(best);
                visible_here[best] = options_.mask == Mask::none;
            }
        }
        read = elements_at(lists, chosen);
    }
    return pointed;
}
// [point]

template <typename T>
nn::Parameters<T> PointerNetwork<T>::parameters() const
{
    nn::Parameters<T> all;
    if (reader_) {
        all.add_layer("encoder", *reader_);
    } else {
        all.add_layer("encoder", each_);
    }
    all.add_layer("decoder", decoder_);
    all.add("first", first_);
    for (const nn::NamedParameter<T>& own : score_.parameters) {
        all.add("score." + own.name, own.variable, own.layout);
    }
    return all;
}

template class PointerNetwork<float>;
template class PointerNetwork<double>;
template Array<float> mask_of_chosen<float>(const std::vector<std::int64_t>&, std::size_t,
                                          std::size_t, bool);
template Array<double> mask_of_chosen<double>(const std::vector<std::int64_t>&, std::size_t,
                                            std::size_t, bool);

} // namespace attn::pointer_network
