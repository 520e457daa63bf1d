#include "chapters/10_entity_network/experiments/experiments.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/embedding.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/losses.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/initialise.hpp"

#include <cmath>
#include <string>

namespace attn::entity_network {

namespace {

constexpr std::size_t d = 32;
constexpr std::size_t hidden = 64;

Variable<float> embeddings(random::Generator& generator)
{
    return autograd::parameter(
        nn::initialise::normal<float>({vocabulary.size(), d}, 0, 0.5, generator));
}

} // namespace

GruReader::GruReader(random::Generator& generator)
    : E_(vocabulary.size(), d, generator), gru_({.n_in = d, .hidden = hidden}, generator),
      answer_({hidden + d, hidden, n_places}, autograd::tanh<float>, generator)
{
}

Variable<float> GruReader::logits(const StoryBatch& batch) const
{
    const Variable<float> words = E_(batch.words, {batch.n_stories, 3 * batch.n_sentences});
    return answer_(autograd::concatenate<float>(
        {gru_(words).final_states[0], E_(batch.questions, {batch.n_stories})}, 1));
}

Variable<float> GruReader::loss(const StoryBatch& batch) const
{
    return cross_entropy(logits(batch), batch.answers);
}

nn::Parameters<float> GruReader::parameters() const
{
    nn::Parameters<float> all;
    all.add_layer("E", E_);
    all.add_layer("gru", gru_);
    all.add_layer("answer", answer_);
    return all;
}

SentenceMemory::SentenceMemory(std::optional<std::size_t> n_sentences, std::size_t n_hops,
                               random::Generator& generator)
    : E_m_(embeddings(generator)), E_c_(embeddings(generator)),
      f_(autograd::parameter(nn::initialise::ones<float>({3, d}))), n_hops_(n_hops),
      answer_(d, n_places, generator)
{
    for (std::size_t hop = 0; n_sentences && hop < n_hops; ++hop) {
        places_.push_back(
            autograd::parameter(nn::initialise::zeros<float>({1, 1, *n_sentences})));
    }
    if (n_hops > 1) {
        H_ = autograd::parameter(nn::initialise::normal<float>(
            {d, d}, 0, 1 / std::sqrt(static_cast<double>(d)), generator));
    }
}

Variable<float> SentenceMemory::logits(const StoryBatch& batch) const
{
    const std::size_t n = batch.n_stories;
    const Shape story = {n, batch.n_sentences, 3};
    const Variable<float> m = encode(autograd::gather_rows(E_m_, batch.words, story), f_);
    const Variable<float> c = encode(autograd::gather_rows(E_c_, batch.words, story), f_);
    Variable<float> q = autograd::gather_rows(E_m_, batch.questions, {n, 1});
    for (std::size_t hop = 0; hop < n_hops_; ++hop) {
        const Variable<float> scores = matmul(q, m, Transpose::no, Transpose::yes);
        const Variable<float> p = softmax(places_.empty() ? scores : scores + places_[hop]);
        q = matmul(p, c) + (hop + 1 < n_hops_ ? linear(q, *H_) : q);
    }
    return reshape(answer_(q), {n, n_places});
}

Variable<float> SentenceMemory::loss(const StoryBatch& batch) const
{
    return cross_entropy(logits(batch), batch.answers);
}

nn::Parameters<float> SentenceMemory::parameters() const
{
    nn::Parameters<float> all;
    all.add("E_m", E_m_);
    all.add("E_c", E_c_);
    all.add("f", f_);
    for (std::size_t hop = 0; hop < places_.size(); ++hop) {
        all.add("place." + std::to_string(hop), places_[hop]);
    }
    if (H_) {
        all.add("H", *H_);
    }
    all.add_layer("answer", answer_);
    return all;
}

} // namespace attn::entity_network
