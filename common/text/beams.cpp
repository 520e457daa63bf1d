#include "common/text/beams.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace attn::text {

LengthPenalty no_length_penalty()
{
    return {"none", [](std::size_t) { return 1.0; }};
}

LengthPenalty gnmt_length_penalty(double alpha)
{
    expect(alpha >= 0 && std::isfinite(alpha),
           "gnmt_length_penalty: alpha must be a finite number not below 0, got {}", alpha);
    return {"gnmt", [alpha](std::size_t length) {
                return elementary::pow((5.0 + static_cast<double>(length)) / 6.0, alpha);
            }};
}

namespace {

/// How far rounding may lift a log-probability above 0: logits are refused by it as well.
constexpr double log_probability_slack = 1e-3;

constexpr double log_of_zero = -std::numeric_limits<double>::infinity();

} // namespace

Beams::Beams(std::size_t n_sentences, const SearchLimits& limits, const BeamOptions& options)
    : limits_(limits), options_(options), n_rows_before_(n_sentences), done_(n_sentences)
{
    expect(limits.max_length >= 1, "search: max_length must be at least 1, got 0");
    expect(options.width >= 1, "search: the width must be at least 1, got 0");
    for (std::size_t sentence = 0; sentence < n_sentences; ++sentence) {
        live_.push_back({sentence, sentence, Hypothesis()});
    }
}

std::vector<std::size_t> Beams::last_words() const
{
    std::vector<std::size_t> words; // [n_rows]
    words.reserve(live_.size());
    for (const Live& live : live_) {
        const std::vector<std::size_t>& so_far = live.hypothesis.words;
        words.push_back(so_far.empty() ? limits_.start : so_far.back());
    }
    return words;
}

std::vector<std::size_t> Beams::rows() const
{
    std::vector<std::size_t> rows; // [n_rows]
    rows.reserve(live_.size());
    for (const Live& live : live_) {
        rows.push_back(live.row);
    }
    return rows;
}

bool Beams::rows_moved() const
{
    const std::vector<std::size_t> now = rows();
    for (std::size_t row = 0; row < now.size(); ++row) {
        if (now[row] != row) {
            return true;
        }
    }
    return now.size() != n_rows_before_;
}

/// \cond
bool Beams::Better::operator()(const Continuation& a, const Continuation& b) const
{
    return std::tie(b.log_probability, a.word, a.row) <
           std::tie(a.log_probability, b.word, b.row);
}
/// \endcond

void Beams::expect_log_probabilities(const std::vector<double>& log_probabilities) const
{
    expect(!done(), "search: every sentence has ended, there is nothing to extend");
    const std::size_t n_words = log_probabilities.size() / live_.size();
    expect(n_words * live_.size() == log_probabilities.size(),
           "search: the model must return as many log-probabilities for each of {} hypotheses, "
           "got {} in all",
           live_.size(), log_probabilities.size());
    expect(limits_.end < n_words,
           "search: the end symbol has the number {}, but the model knows {} words only",
           limits_.end, n_words);
    for (std::size_t row = 0; row < live_.size(); ++row) {
        double best = log_of_zero;
        for (std::size_t word = 0; word < n_words; ++word) {
            const double value = log_probabilities[row * n_words + word];
            expect(value <= log_probability_slack,
                   "search: a log-probability must be a number not above 0, got {} for word {} "
                   "of hypothesis {} in step {}",
                   value, word, row, n_steps_);
            best = std::max(best, value);
        }
        expect(best > log_of_zero,
               "search: every word of hypothesis {} in step {} has the log-probability minus "
               "infinity",
               row, n_steps_);
    }
}

/// Of the hypotheses of one sentence, those in the rows from first to last - 1.
std::vector<Beams::Continuation>
Beams::best_continuations(const std::vector<double>& log_probabilities, std::size_t first,
                          std::size_t last) const
{
    const std::size_t n_words = log_probabilities.size() / live_.size();
    std::vector<Continuation> all;
    all.reserve((last - first) * n_words);
    for (std::size_t row = first; row < last; ++row) {
        for (std::size_t word = 0; word < n_words; ++word) {
            const double value = log_probabilities[row * n_words + word];
            if (value > log_of_zero) {
                all.push_back({live_[row].hypothesis.log_probability + value, word, row});
            }
        }
    }
    const std::size_t places = options_.width - done_[live_[first].sentence].size();
    const std::size_t n_kept = std::min(places, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n_kept), all.end(),
                      Better());
    all.resize(n_kept);
    return all;
}

void Beams::continue_by(const Continuation& continuation, std::vector<Live>& next)
{
    Live live = live_[continuation.row];
    live.row = continuation.row;
    Hypothesis& one = live.hypothesis;
    one.log_probability = continuation.log_probability;
    one.finished = continuation.word == limits_.end;
    if (!one.finished) {
        one.words.push_back(continuation.word);
    }
    if (one.finished || one.length() == limits_.max_length) {
        one.score = one.log_probability / options_.penalty.divisor(one.length());
        done_[live.sentence].push_back(std::move(one));
    } else {
        next.push_back(std::move(live));
    }
}

void Beams::extend(const std::vector<double>& log_probabilities)
{
    expect_log_probabilities(log_probabilities);
    std::vector<Live> next;
    for (std::size_t first = 0, last = 0; first < live_.size(); first = last) {
        while (last < live_.size() && live_[last].sentence == live_[first].sentence) {
            ++last;
        }
        for (const Continuation& continuation :
             best_continuations(log_probabilities, first, last)) {
            continue_by(continuation, next);
        }
    }
    n_rows_before_ = live_.size();
    live_ = std::move(next);
    ++n_steps_;
}

std::vector<std::vector<Hypothesis>> Beams::best_first() const
{
    const auto better = [](const Hypothesis& a, const Hypothesis& b) {
        return std::tie(b.finished, b.score, a.words) < std::tie(a.finished, a.score, b.words);
    };
    std::vector<std::vector<Hypothesis>> found = done_;
    for (std::vector<Hypothesis>& some : found) {
        std::sort(some.begin(), some.end(), better);
    }
    return found;
}

} // namespace attn::text
