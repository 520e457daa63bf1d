/// \file
/// \brief The recurrent entity network (\cite henaff2017), equation by equation: slots that are
/// written while a story is read, each through a gate of its own, and read by attention.
#pragma once

#include "chapters/10_entity_network/world.hpp"
#include "common/nn/parameters.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// A memory of a changing world, written through gates and read by attention.
namespace attn::entity_network {

using autograd::Variable;

/// The function \f$ \phi \f$ of equations 3 and 6.
enum class Phi
{
    tanh,    ///< the hyperbolic tangent
    prelu,   ///< \f$ x \f$ above 0 and \f$ a x \f$ below, a learnt, 1 at first; the paper's
    identity ///< \f$ x \f$
};

/// What the keys of the slots are.
enum class Keys
{
    persons, ///< the embeddings of the persons: slot j belongs to person j
    free     ///< parameters of their own
};

/// How a network is made.
struct EntityOptions
{
    std::size_t d = 32;              ///< numbers in a word, a key and a slot
    Keys keys = Keys::persons;       ///< what they are
    std::size_t n_slots = n_persons; ///< as many as there are persons, unless keys are free
    bool normalised = true;          ///< whether equation 5 is used
    Phi phi = Phi::tanh;             ///< of equations 3 and 6
    double initial_sd = 0.5;         ///< standard deviation of the first embeddings
};

/// Equation 1, a sentence as one vector: \f$ s = \sum_i f_i \odot e_i \f$.
/// \param words  e [..., n_words, d]
/// \param masks  f [n_words, d], one learnt vector for each position in a sentence
/// \returns      s [..., d]
template <typename T>
Variable<T> encode(const Variable<T>& words, const Variable<T>& masks);

/// Equation 2, how far each slot opens: \f$ g_j = \sigma(s \cdot h_j + s \cdot w_j) \f$.
/// \param s  [n_stories, 1, d]
/// \param h  the slots' contents [n_stories, n_slots, d]
/// \param w  the slots' keys [n_slots, d]
/// \returns  g [n_stories, n_slots, 1]
template <typename T>
Variable<T> gate(const Variable<T>& s, const Variable<T>& h, const Variable<T>& w);

/// Equation 3 without \f$ \phi \f$, what might be written: \f$ U h_j + V w_j + W s \f$.
/// \param Uh  [n_stories, n_slots, d]
/// \param Vw  [n_slots, d]
/// \param Ws  [n_stories, 1, d]
/// \returns   [n_stories, n_slots, d]
template <typename T>
Variable<T> candidate(const Variable<T>& Uh, const Variable<T>& Vw, const Variable<T>& Ws);

/// Equation 4: \f$ h_j + g_j \tilde h_j \f$.
/// \param h          [n_stories, n_slots, d]
/// \param g          [n_stories, n_slots, 1]
/// \param h_tilde    [n_stories, n_slots, d]
template <typename T>
Variable<T> update(const Variable<T>& h, const Variable<T>& g, const Variable<T>& h_tilde);

/// Equation 5, each slot with length 1: \f$ h_j / \lVert h_j \rVert \f$.
/// \param h  [..., d], nan for a slot of zeros
template <typename T>
Variable<T> normalise(const Variable<T>& h);

/// Equation 6, first line, attention to the slots: \f$ p_j = \softmax_j(q \cdot h_j) \f$.
/// \param q  [n_stories, 1, d]
/// \param h  [n_stories, n_slots, d]
/// \returns  p [n_stories, 1, n_slots]
template <typename T>
Variable<T> read_weights(const Variable<T>& q, const Variable<T>& h);

/// Stories as a network takes them.
struct StoryBatch
{
    std::size_t n_stories = 0;   ///< rows
    std::size_t n_sentences = 0; ///< in each story
    std::vector<Word> words;     ///< [n_stories, n_sentences, 3]
    std::vector<Word> questions; ///< [n_stories], what is asked for
    std::vector<Word> answers;   ///< [n_stories], from 0: the place's number
};

/// \param stories  at least one, all of one length
/// \throws ContractError if there is none, or lengths differ
StoryBatch batch_of(std::span<const Story> stories);

/// What a network makes of stories.
template <typename T>
struct Reading
{
    Variable<T> logits;                     ///< of the places [n_stories, n_places]
    Variable<T> weights;                    ///< p [n_stories, 1, n_slots]
    Variable<T> slots;                      ///< h at the end [n_stories, n_slots, d]
    std::vector<Array<T>> gates;            ///< one a sentence [n_stories, n_slots, 1]
    std::vector<Array<T>> key_products;     ///< s . w of each sentence, of the same shape
    std::vector<Array<T>> content_products; ///< s . h before it is written, of the same shape;
                                            ///< products only where asked for
};

/// A recurrent entity network.
template <typename T>
class EntityNetwork
{
public:
    /// Embeddings start with normal numbers, matrices with normal numbers of variance 1/d,
    /// position masks with 1.
    /// \throws ContractError if a size is 0, or keys are persons and slots are not as many
    EntityNetwork(const EntityOptions& options, random::Generator& generator);

    /// Reads stories and answers their questions.
    /// \param products  whether those of the gates are to be kept
    Reading<T> read(const StoryBatch& batch, bool products = false) const;

    /// The mean of \f$ -\ln p \f$ of the right places, of rank 0.
    Variable<T> loss(const StoryBatch& batch) const;

    /// Scores of the places [n_stories, n_places].
    Variable<T> logits(const StoryBatch& batch) const { return read(batch).logits; }

    /// The keys w.
    /// \returns [n_slots, d]
    Variable<T> keys() const;

    nn::Parameters<T> parameters() const;                     ///< all that is learnt
    const EntityOptions& options() const { return options_; } ///< as given

private:
    Variable<T> phi(const Variable<T>& x) const;

    EntityOptions options_;
    Variable<T> E_;                        // embeddings [n_words, d]
    Variable<T> f_;                        // position masks [3, d]
    Variable<T> U_, V_, W_, H_;            // each [d, d], multiplying from the right
    Variable<T> R_;                        // [d, n_places]
    std::optional<Variable<T>> free_keys_; // [n_slots, d]
    std::optional<Variable<T>> slope_;     // of the PReLU [1]
};

extern template class EntityNetwork<float>;
extern template class EntityNetwork<double>;

} // namespace attn::entity_network
