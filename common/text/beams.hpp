/// \file
/// \brief The bookkeeping of a search for the most probable sentences: which hypotheses there
/// are, which of their continuations are kept, which have ended. It sees log-probabilities and
/// numbers of words only; search.hpp is what callers use.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace attn::text {

/// What log-probabilities are divided by before sentences of different lengths are compared.
struct LengthPenalty
{
    std::string name; ///< as programs, figures and tests print it

    /// The divisor for a length, from 1: how many log-probabilities were summed, the one of the
    /// end symbol among them. Above zero.
    std::function<double(std::size_t length)> divisor;
};

/// Sentences are compared as they are.
/// \returns  "none": 1 for every length
LengthPenalty no_length_penalty();

/// The penalty of Google's translator (Wu et al. 2016, equation 14: \cite wu2016). The
/// transformer translates with alpha = 0.6 (\cite vaswani2017, section 6.1).
/// \param alpha  at least 0, finite; 0 is no penalty
/// \returns      "gnmt": ((5 + length) / 6)^alpha
/// \throws ContractError if alpha is negative or not finite
LengthPenalty gnmt_length_penalty(double alpha);

/// Where sentences begin and where they end.
struct SearchLimits
{
    std::size_t start; ///< the number of the word that stands before every sentence
    std::size_t end;   ///< the number of the word that ends a sentence

    /// After how many steps a sentence is cut off, at least 1. The end symbol takes a step: a
    /// sentence that ends by itself has at most max_length - 1 words.
    std::size_t max_length;
};

/// How wide a beam search looks, and how it compares what it found.
struct BeamOptions
{
    std::size_t width;                           ///< hypotheses kept for a sentence, at least 1
    LengthPenalty penalty = no_length_penalty(); ///< for the order of the results only
};

/// A sentence that a search has found, complete or not.
struct Hypothesis
{
    std::vector<std::size_t> words; ///< [n_words], without the start and the end symbol
    double log_probability = 0;     ///< of all its words and, if it is finished, of its end
    double score = 0;      ///< log_probability / penalty(length), once it has left the beam
    bool finished = false; ///< whether it ends with the end symbol, or was cut off

    /// \returns how many log-probabilities were summed: what the penalty takes as the length
    std::size_t length() const { return words.size() + (finished ? 1 : 0); }
};

/// The beams of several sentences side by side. At each step, of all continuations of a
/// sentence's hypotheses, the most probable ones are kept, as many as the beam is wide. One
/// that ends leaves the beam and takes its place with it, so that a beam of width k has found k
/// sentences when it is empty (Sutskever, Vinyals and Le 2014, \cite sutskever2014, section
/// 3.2). Within a step all hypotheses have the same length, so the penalty cannot matter there.
///
/// Nothing is left to chance: of equally probable continuations those with the lower number of
/// the word go first, then those of the hypothesis that stood higher. A word with the
/// log-probability minus infinity is never taken; a beam may become narrower by that.
class Beams
{
public:
    /// Begins one empty hypothesis for each sentence.
    /// \throws ContractError if the longest length or the width is 0
    Beams(std::size_t n_sentences, const SearchLimits& limits, const BeamOptions& options);

    /// \returns whether no hypothesis is left to continue
    bool done() const { return live_.empty(); }

    /// \returns how many hypotheses the next step continues: its rows
    std::size_t n_rows() const { return live_.size(); }

    /// \returns [n_rows()], the last word of each hypothesis; at first the start symbol
    std::vector<std::size_t> last_words() const;

    /// \returns [n_rows()], in which row of the step before each hypothesis was continued
    std::vector<std::size_t> rows() const;

    /// \returns whether rows() is anything else than all rows of the step before in their order
    bool rows_moved() const;

    /// One step: keeps the best continuations.
    /// \param log_probabilities  [n_rows(), n_words], row by row; each row needs one above
    ///                           minus infinity
    /// \throws ContractError if their count is no multiple of n_rows(), if there are none for
    ///         the end symbol, if one is not a number or above 0 (but for rounding), or if a
    ///         row allows no word; the beams are then as before
    void extend(const std::vector<double>& log_probabilities);

    /// What was found; to be asked when done() is true.
    /// \returns  [n_sentences][at most width], finished ones first: one that was cut off has
    ///           not paid for its end, so that its score is not comparable. Then by falling
    ///           score, and equal scores by the numbers of their words.
    std::vector<std::vector<Hypothesis>> best_first() const;

private:
    /// \cond
    struct Live
    {
        std::size_t sentence;  ///< which one it belongs to
        std::size_t row;       ///< in which it was continued in the step before
        Hypothesis hypothesis; ///< so far
    };

    struct Continuation
    {
        double log_probability; ///< of the whole hypothesis
        std::size_t word;       ///< with which it is continued
        std::size_t row;        ///< in which the hypothesis stands
    };

    /// A function object rather than a function: the compiler can look into it when it sorts.
    struct Better
    {
        bool operator()(const Continuation& a, const Continuation& b) const;
    };
    /// \endcond

    void expect_log_probabilities(const std::vector<double>& log_probabilities) const;
    std::vector<Continuation> best_continuations(const std::vector<double>& log_probabilities,
                                                 std::size_t first, std::size_t last) const;
    void continue_by(const Continuation& continuation, std::vector<Live>& next);

    SearchLimits limits_;
    BeamOptions options_;
    std::size_t n_steps_ = 0;
    std::size_t n_rows_before_ = 0;
    std::vector<Live> live_;                    // [n_rows], by sentence, the best first
    std::vector<std::vector<Hypothesis>> done_; // [n_sentences][at most width]
};

} // namespace attn::text
