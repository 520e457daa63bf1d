/// \file
/// \brief Networks beside the entity network: a GRU that reads the story word by word, and a
/// memory of all sentences that is searched once, when the question is asked.
#pragma once

#include "chapters/10_entity_network/entity_network.hpp"
#include "common/nn/layers.hpp"
#include "common/nn/recurrent_layers.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace attn::entity_network {

/// A GRU along all words of the story. Its last state and the question's embedding go through two
/// dense layers.
class GruReader
{
public:
    /// Starts as PyTorch does.
    explicit GruReader(random::Generator& generator);

    Variable<float> logits(const StoryBatch& batch) const; ///< [n_stories, n_places]
    Variable<float> loss(const StoryBatch& batch) const;   ///< the mean of -ln p, of rank 0
    nn::Parameters<float> parameters() const;              ///< all that is learnt

private:
    nn::Embedding<float> E_;
    nn::Gru<float> gru_;
    nn::Mlp<float> answer_;
};

/// A memory network (\cite sukhbaatar2015). Each sentence has a vector to be found by and one to be
/// read, \f$ p_t = \softmax_t(q \cdot m_t + b_t) \f$, \f$ u = \sum_t p_t c_t \f$. The last search's
/// \f$ u + q \f$ gives the answer; a search before it asks the next one \f$ u + H q \f$.
class SentenceMemory
{
public:
    /// Starts as the entity network does.
    /// \param n_sentences  positions with a learnt bias \f$ b_t \f$ in each search; none: there is no
    ///                     bias, and stories may have any length
    /// \param n_hops       searches, at least one
    SentenceMemory(std::optional<std::size_t> n_sentences, std::size_t n_hops,
                   random::Generator& generator);

    Variable<float> logits(const StoryBatch& batch) const; ///< [n_stories, n_places]
    Variable<float> loss(const StoryBatch& batch) const;   ///< the mean of -ln p, of rank 0
    nn::Parameters<float> parameters() const;              ///< all that is learnt

private:
    Variable<float> E_m_, E_c_;            // embeddings to be found by, and to be read
    Variable<float> f_;                    // position masks of words
    std::vector<Variable<float>> places_;  // b of each search [1, 1, n_sentences], or none
    std::optional<Variable<float>> H_;     // [d, d], of two searches or more
    std::size_t n_hops_;
    nn::Linear<float> answer_;
};

} // namespace attn::entity_network
