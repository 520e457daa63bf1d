/// \file
/// \brief The search for translations over any model that says how probable each next word is:
/// text::batch_beam_search, from the begin symbol to the end symbol.
#pragma once

#include "common/autograd/softmax.hpp"
#include "common/tensor/finite.hpp"
#include "common/translation/model.hpp"

#include <utility>

namespace attn::translation {

/// What a model says after the last words of some hypotheses.
/// \tparam State  of all of them together, as in text::Step
template <typename T, typename State>
struct NextWords
{
    Variable<T> logits; ///< [n_hypotheses, n_words]
    State state;        ///< after these words
};

/// Searches for translations, without recording anything.
/// \tparam State      of all hypotheses together, as in text::Step
/// \param step        NextWords<T, State> of a State and the last words, a std::span
/// \param select      as in text::Decoder
/// \param first       the state of the sentences before their first word
/// \param n_sentences how many they are
/// \param max_length  steps after which a translation is cut off, at least 1
/// \param beam        how wide the search is
/// \returns           [n_sentences][1 to width], finished ones first, then by falling score
/// \throws ContractError if a size is 0, or a logit is infinite or nan
template <typename T, typename State, typename Step, typename Select>
Translations search(const Step& step, const Select& select, State first,
                    std::size_t n_sentences, std::size_t max_length,
                    const text::BeamOptions& beam)
{
    const text::Decoder<State> decoder{
        [&](State state, const std::vector<std::size_t>& last_words) {
            const std::vector<std::int64_t> words(last_words.begin(), last_words.end());
            NextWords<T, State> next = step(std::move(state), words);
            const Array<T>& logits = next.logits.value();
            expect_finite_scores(numbers_of(logits), logits.shape().back());
            const Variable<T> log_p = log_softmax(next.logits);
            const std::span<const T> numbers = numbers_of(log_p.value());
            return text::Step<State>{{numbers.begin(), numbers.end()}, std::move(next.state)};
        },
        select};
    constexpr auto begin = static_cast<std::size_t>(text::begin_id);
    constexpr auto end = static_cast<std::size_t>(text::end_id);
    return text::batch_beam_search(decoder, std::move(first), n_sentences,
                                   {begin, end, max_length}, beam);
}

} // namespace attn::translation
