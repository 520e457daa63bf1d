/// \file
/// \brief Which score finds the key that a query was made from: tasks, tables drawn from them,
/// and scores whose parameters are constructed.
#pragma once

#include "chapters/03_scoring_functions/scoring_functions.hpp"
#include "common/random/random.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::scoring_functions {

/// Multiplies each row by a factor of its own.
/// \param rows    [n_rows, n_columns]
/// \param spread  standard deviation of the factor's logarithm; 0 changes nothing
void stretch(Matrix& rows, double spread, random::Generator& generator);

/// A task of retrieval: which of the keys was this noisy query made from?
struct Retrieval
{
    std::string name;        ///< as the program prints it
    Matrix M;                ///< [d_q, d_k]: the query is M k + noise
    Vector noise;            ///< [d_q], the noise's standard deviation
    double key_spread = 0.0; ///< standard deviation of the logarithm of a key's length
};

/// A random matrix whose columns are orthonormal (Gram and Schmidt, twice against rounding).
/// \param n_rows     numbers in a column
/// \param n_columns  at most n_rows
/// \returns          [n_rows, n_columns]; a rotation, or one and a reflection, if square
Matrix orthonormal_columns(random::Generator& generator, std::size_t n_rows,
                           std::size_t n_columns);

/// Five tasks with 16 numbers in a key: same space, lengths that vary, rotated queries, half
/// of the query's numbers pure noise, and queries of 24 numbers.
std::vector<Retrieval> retrieval_tasks(std::uint64_t seed);

/// Additive parameters without a bias, in whose place the query's first number stands.
/// \returns  a score that, where that number is negative, has the opposite order
Additive with_query_for_bias(Additive parameters);

/// The scores, those with parameters given what was constructed for a task.
/// \returns those of parameterless_scores() if d_q = d_k, multiplicative, multiplicative + key
///          bias, additive without a bias, additive with one
std::vector<lookup::Score> constructed_scores(const Retrieval& task);

/// The dot product of two projections of a task's queries and keys, which compares the first
/// d_c numbers of a key with what they make of the query; with all of them it is
/// \f$ q^\top M k \f$.
/// \param d_c  1 to d_k
/// \throws ContractError if d_c is not in that range
lookup::Score constructed_projections(const Retrieval& task, std::size_t d_c);

/// How often a score is highest for the right key, and how much weight its softmax gives it.
struct RetrievalResult
{
    std::string score;    ///< name of the score
    double accuracy;      ///< share of queries
    double cross_entropy; ///< mean of -ln of the right key's weight
};

/// How many keys a table of the retrieval tasks has; chance is one over it.
inline constexpr std::size_t n_retrieval_keys = 16;

/// One table of a task.
struct RetrievalTable
{
    Matrix keys;                     ///< [n_retrieval_keys, d_k]
    std::vector<std::size_t> chosen; ///< [n_queries], the key that each query was made from
    Matrix queries;                  ///< [n_queries, d_q]
};

/// Draws keys, chooses one for each query, and makes the query from it.
RetrievalTable draw_table(const Retrieval& task, random::Generator& generator,
                          std::size_t n_queries);

/// How often a score is highest for the right key, and how much weight its softmax gives it.
RetrievalResult evaluate(const lookup::Score& score, const RetrievalTable& draw);

/// Tries scores on a task: 40 tables of 16 keys, 100 queries each.
/// \returns  a result for each score
std::vector<RetrievalResult>
retrieve(const Retrieval& task, const std::vector<lookup::Score>& scores, std::uint64_t seed);

} // namespace attn::scoring_functions
