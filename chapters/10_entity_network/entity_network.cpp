#include "chapters/10_entity_network/entity_network.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/embedding.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/reductions.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/initialise.hpp"
#include "common/tensor/check.hpp"

#include <cmath>

namespace attn::entity_network {

using autograd::Axis;

// [write]
template <typename T>
Variable<T> encode(const Variable<T>& words, const Variable<T>& masks) // equation 1
{
    return sum(masks * words, -2);
}

template <typename T>
Variable<T> gate(const Variable<T>& s, const Variable<T>& h, const Variable<T>& w) // equation 2
{
    // Two statements: compilers differ in which operand of + they compute first, and the
    // gradient of s is added up in the reverse order.
    const Variable<T> by_key = sum(s * w, -1, Axis::kept);
    const Variable<T> by_content = sum(s * h, -1, Axis::kept);
    return sigmoid(by_content + by_key);
}

template <typename T> // equation 3, without phi
Variable<T> candidate(const Variable<T>& Uh, const Variable<T>& Vw, const Variable<T>& Ws)
{
    return Uh + Vw + Ws;
}

template <typename T> // equation 4
Variable<T> update(const Variable<T>& h, const Variable<T>& g, const Variable<T>& h_tilde)
{
    return h + g * h_tilde;
}
// [write]

// [normalise_and_read]
template <typename T>
Variable<T> normalise(const Variable<T>& h) // equation 5
{
    return h / square_root(sum(squared(h), -1, Axis::kept));
}

template <typename T>
Variable<T> read_weights(const Variable<T>& q, const Variable<T>& h) // equation 6: p
{
    return softmax(matmul(q, h, Transpose::no, Transpose::yes));
}
// [normalise_and_read]

StoryBatch batch_of(std::span<const Story> stories)
{
    expect(!stories.empty(), "batch_of: there must be at least one story");
    StoryBatch batch;
    batch.n_stories = stories.size();
    batch.n_sentences = stories.front().sentences.size();
    for (const Story& story : stories) {
        expect(story.sentences.size() == batch.n_sentences,
               "batch_of: stories of one batch have one length, got {} and {}",
               batch.n_sentences, story.sentences.size());
        for (const Sentence& sentence : story.sentences) {
            batch.words.insert(batch.words.end(), sentence.begin(), sentence.end());
        }
        batch.questions.push_back(story.question);
        batch.answers.push_back(story.answer - first_place);
    }
    return batch;
}

namespace {

template <typename T>
Variable<T> random_parameter(const Shape& shape, double sd, random::Generator& generator)
{
    return autograd::parameter(nn::initialise::normal<T>(shape, 0, sd, generator));
}

template <typename T>
Variable<T> random_square(std::size_t d, random::Generator& generator)
{
    expect(d > 0, "EntityNetwork: a word must have at least one number");
    return random_parameter<T>({d, d}, 1 / std::sqrt(static_cast<double>(d)), generator);
}

/// Dot products that no gradient goes through.
template <typename T>
Array<T> product(const Variable<T>& s, const Variable<T>& rows)
{
    const autograd::NoGradient<T> forwards;
    return sum(s * rows, -1, Axis::kept).value();
}

} // namespace

template <typename T>
EntityNetwork<T>::EntityNetwork(const EntityOptions& options, random::Generator& generator)
    : options_(options),
      E_(random_parameter<T>({vocabulary.size(), options.d}, options.initial_sd, generator)),
      f_(autograd::parameter(nn::initialise::ones<T>({3, options.d}))),
      U_(random_square<T>(options.d, generator)), V_(random_square<T>(options.d, generator)),
      W_(random_square<T>(options.d, generator)), H_(random_square<T>(options.d, generator)),
      R_(random_parameter<T>({options.d, n_places},
                             1 / std::sqrt(static_cast<double>(options.d)), generator))
{
    expect(options.keys == Keys::free ? options.n_slots > 0 : options.n_slots == n_persons,
           "EntityNetwork: {} slots cannot have these keys", options.n_slots);
    if (options.keys == Keys::free) {
        free_keys_ =
            random_parameter<T>({options.n_slots, options.d}, options.initial_sd, generator);
    }
    if (options.phi == Phi::prelu) {
        slope_ = autograd::parameter(nn::initialise::ones<T>({1}));
    }
}

template <typename T>
Variable<T> EntityNetwork<T>::keys() const
{
    return free_keys_ ? *free_keys_ : slice(E_, 0, 0, n_persons);
}

// [phi]
template <typename T>
Variable<T> EntityNetwork<T>::phi(const Variable<T>& x) const
{
    switch (options_.phi) {
    case Phi::tanh:
        return autograd::tanh(x);
    case Phi::identity:
        return x;
    case Phi::prelu:
        break;
    }
    return relu(x) - *slope_ * relu(-x);
}
// [phi]

// [read]
template <typename T>
Reading<T> EntityNetwork<T>::read(const StoryBatch& batch, bool products) const
{
    const std::size_t n = batch.n_stories;
    const Variable<T> sentences =
        encode(autograd::gather_rows(E_, batch.words, {n, batch.n_sentences, 3}), f_);
    const Variable<T> w = keys();
    const Variable<T> Vw = linear(w, V_);
    const Variable<T> Ws = linear(sentences, W_);
    Variable<T> h = w + Variable<T>(filled<T>({n, 1, 1}, T{0})); // a slot starts as its key
    std::vector<Array<T>> gates, key_products, content_products;
    for (std::size_t t = 0; t < batch.n_sentences; ++t) {
        const Variable<T> s = slice(sentences, 1, t, t + 1);
        const Variable<T> g = gate(s, h, w);
        gates.push_back(g.value());
        if (products) {
            key_products.push_back(product(s, w));
            content_products.push_back(product(s, h));
        }
        h = update(h, g, phi(candidate(linear(h, U_), Vw, slice(Ws, 1, t, t + 1))));
        h = options_.normalised ? normalise(h) : h;
    }
    const Variable<T> q =
        autograd::gather_rows(E_, batch.questions, {n, 1}) * slice(f_, 0, 0, 1);
    const Variable<T> p = read_weights(q, h);
    const Variable<T> u = matmul(p, h);
    const Variable<T> y = linear(phi(q + linear(u, H_)), R_); // equation 6: the answer
    return {reshape(y, {n, n_places}), p, h, gates, key_products, content_products};
}
// [read]

template <typename T>
Variable<T> EntityNetwork<T>::loss(const StoryBatch& batch) const
{
    return cross_entropy(read(batch).logits, batch.answers);
}

template <typename T>
nn::Parameters<T> EntityNetwork<T>::parameters() const
{
    nn::Parameters<T> all;
    all.add("E", E_);
    all.add("f", f_);
    all.add("U", U_);
    all.add("V", V_);
    all.add("W", W_);
    all.add("H", H_);
    all.add("R", R_);
    if (free_keys_) {
        all.add("w", *free_keys_);
    }
    if (slope_) {
        all.add("a", *slope_);
    }
    return all;
}

#define ATTN_INSTANTIATE(T)                                                                    \
    template class EntityNetwork<T>;                                                           \
    template Variable<T> encode(const Variable<T>&, const Variable<T>&);                       \
    template Variable<T> gate(const Variable<T>&, const Variable<T>&, const Variable<T>&);     \
    template Variable<T> candidate(const Variable<T>&, const Variable<T>&,                     \
                                   const Variable<T>&);                                        \
    template Variable<T> update(const Variable<T>&, const Variable<T>&, const Variable<T>&);   \
    template Variable<T> normalise(const Variable<T>&);                                        \
    template Variable<T> read_weights(const Variable<T>&, const Variable<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::entity_network
