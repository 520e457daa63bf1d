/// \file
/// \brief How a query is compared with a key: dot product, scaled dot product, cosine,
/// projected, multiplicative and additive score, and the masked softmax.
#pragma once

#include "chapters/01_lookup/lookup.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

/// Chapter 3: scores, masks, and what the root of d is for.
namespace attn::scoring_functions {

// ---------------------------------------------------------------- scores
//
// Each compares queries [n_queries, d_q] with keys [n_keys, d_k], returns [n_queries, n_keys],
// and throws a ContractError if sizes do not go together; d_q = d_k = d without parameters.

/// The dot product divided by the root of the size,
/// \f$ s_{ij} = q_i \cdot k_j / \sqrt d \f$ (\cite vaswani2017, equation 1).
/// \throws ContractError if d is 0
Matrix scaled_dot_product(const Matrix& queries, const Matrix& keys);

/// Each row divided by its length, so that only its direction is left. A row of zeros stays.
/// \param rows  [n_rows, d]
/// \returns     [n_rows, d]
Matrix unit_rows(const Matrix& rows);

/// The cosine of the angle between query and key,
/// \f$ s_{ij} = q_i \cdot k_j / (\lVert q_i \rVert \lVert k_j \rVert) \f$. A query or key
/// of length zero points nowhere, and its cosines are 0.
Matrix cosine(const Matrix& queries, const Matrix& keys);

/// The multiplicative score, also called bilinear or general,
/// \f$ s_{ij} = q_i^\top W k_j \f$ (\cite luong2015, section 3.1).
/// \param W  [d_q, d_k]
Matrix multiplicative(const Matrix& queries, const Matrix& keys, const Matrix& W);

/// The dot product of two projections, \f$ s_{ij} = (W_q q_i) \cdot (W_k k_j) \f$, which is the
/// multiplicative score with \f$ W = W_q^\top W_k \f$, of rank d_c at most; divided by
/// \f$ \sqrt{d_c} \f$ it is the score of transformers (\cite vaswani2017, section 3.2.2).
/// \param W_q  [d_c, d_q]
/// \param W_k  [d_c, d_k]
Matrix projected(const Matrix& queries, const Matrix& keys, const Matrix& W_q,
                 const Matrix& W_k);

/// The parameters of the additive score.
struct Additive
{
    Matrix W_q; ///< [d_hidden, d_q]
    Matrix W_k; ///< [d_hidden, d_k]
    Vector b;   ///< [d_hidden]; zeros for the score without a bias
    Vector w;   ///< [d_hidden]
};

/// The inside of the additive score, \f$ \tanh(W_q q_i + W_k k_j + b) \f$. Every query meets
/// every key: [n_queries, 1, d_hidden] and [1, n_keys, d_hidden] are broadcast.
/// \returns [n_queries, n_keys, d_hidden]
Tensor3 hidden_units(const Matrix& queries, const Matrix& keys, const Additive& parameters);

/// The additive score,
/// \f$ s_{ij} = w^\top \tanh(W_q q_i + W_k k_j + b) \f$ (\cite bahdanau2015, appendix
/// A.1.2, which leaves biases out of its formulas).
Matrix additive(const Matrix& queries, const Matrix& keys, const Additive& parameters);

/// The dot product with each key's bias \f$ -\frac12 \lVert k_j \rVert^2 \f$: it orders the
/// keys of one query as their distance does.
Matrix dot_with_key_bias(const Matrix& queries, const Matrix& keys);

/// The four scores without parameters, for whoever iterates over them.
/// \returns  dot, scaled dot, cosine, dot + key bias
const std::vector<lookup::Score>& parameterless_scores();

// ---------------------------------------------------------------- the root of d

/// The Frobenius norm of the softmax's Jacobian diag(p) - p p^T, row by row.
/// \param weights  [n_queries, n_keys], each row on the simplex or zero
/// \returns        [n_queries]
Vector jacobian_norms(const Matrix& weights);

// ---------------------------------------------------------------- what a score costs

/// The sizes of one call of a score.
struct CallSizes
{
    std::size_t n_queries; ///< queries
    std::size_t n_keys;    ///< keys
    std::size_t d_q;       ///< numbers in a query
    std::size_t d_k;       ///< numbers in a key
    std::size_t d_hidden;  ///< numbers that both are mapped to: projected and additive
};

/// What one call of a score takes.
struct Cost
{
    std::string name;                 ///< of the score
    std::size_t parameters;           ///< numbers that could be learnt
    std::size_t products;             ///< multiplications
    std::size_t calls;                ///< of tanh or of the square root
    bool sizes_may_differ;            ///< whether d_q and d_k may be different
    std::vector<std::size_t> largest; ///< shape of the largest array on the way to the scores
};

/// What each score costs, multiplication by multiplication; divisions and squares count as
/// multiplications.
/// \param sizes  of the call; scores that need d_q = d_k are counted with d_k
/// \returns      dot, scaled dot, cosine, dot + key bias, multiplicative, projected, additive
std::vector<Cost> costs(const CallSizes& sizes);

// ---------------------------------------------------------------- masks

/// What may be attended to: true where query i may attend to key j.
using Mask = xt::xtensor<bool, 2>;

/// A mask under which each query attends to the keys of its own sentence only, the rest of
/// the row being padding.
/// \param lengths  [n_queries], how many keys each query may attend to, from the first on
/// \param n_keys   at least the largest length
/// \returns        [n_queries, n_keys]
/// \throws ContractError if a length is above n_keys
Mask length_mask(const std::vector<std::size_t>& lengths, std::size_t n_keys);

/// A mask under which no query attends to the future: query i attends to keys 0 to i.
/// \param n  queries, and keys
/// \returns  [n, n]
Mask causal_mask(std::size_t n);

/// The scores with another number where the mask hides a key.
/// \param scores        [n_queries, n_keys]
/// \param mask          [n_queries, n_keys]
/// \param masked_score  -infinity; the page tries what a large negative number does instead
/// \returns             [n_queries, n_keys]
/// \throws ContractError if the shapes differ
Matrix mask_scores(const Matrix& scores, const Mask& mask,
                   double masked_score = -std::numeric_limits<double>::infinity());

/// The softmax over the keys that are not masked. A masked key has weight exactly 0, whatever its
/// score; a fully masked row has only zeros, and so a context of zero.
/// \param scores  [n_queries, n_keys]; -infinity masks a key too, as in chapter 1
/// \param mask    [n_queries, n_keys]
/// \returns       [n_queries, n_keys]; rows sum to 1, or to 0 where all is masked
/// \throws ContractError if the shapes differ, or a score that is not masked is +infinity or not
///         a number
Matrix masked_softmax(const Matrix& scores, const Mask& mask);

// ---------------------------------------------------------------- constructed parameters

/// Parameters that make the additive score minus half the squared distance between
/// \f$ M^\top q \f$ and \f$ M^\top M k \f$, up to a constant and to an error of the second
/// order in the small number epsilon and of the fourth in the distance: the bend of the tanh
/// at b squares what it is given.
/// For orthonormal columns \f$ M^\top M \f$ is the identity, and a query \f$ q = M k \f$
/// finds its key.
/// \param M        [d_q, d_k], how a query is made from a key
/// \param epsilon  positive; so small that epsilon times a distance is far below 1
/// \returns        d_hidden = 2 d_k
/// \throws ContractError if epsilon is not positive
Additive distance_by_additive(const Matrix& M, double epsilon);

// ---------------------------------------------------------------- other normalisers

/// The point of the simplex that is nearest to a row of scores: \f$ \max(s_j - t, 0) \f$ with
/// the threshold t at which the row sums to 1 (\cite martins2016, algorithm 1).
/// \param scores  [n_queries, n_keys], finite
/// \returns       [n_queries, n_keys]; weights of low scores are exactly 0
Matrix sparsemax(const Matrix& scores);

/// Softmax, and what one might try in its place: the hard maximum, the plain ratio
/// \f$ s_j / \sum_l s_l \f$, the ratio of squares, and the sparsemax.
/// \returns  softmax, hard maximum, ratio, squares, sparsemax
std::vector<lookup::Normaliser> candidate_normalisers();

} // namespace attn::scoring_functions
