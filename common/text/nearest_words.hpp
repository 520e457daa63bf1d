/// \file
/// \brief What a reader may have meant who wrote a word that is not known.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// The known words that are spelt most like a word.
/// \param word     UTF-8
/// \param known    each once
/// \param at_most  how many are wanted
/// \returns        the nearest first, equally near ones in the order of known; none that differs
///                 in more than a third of the word's letters, and in more than one
std::vector<std::string> nearest_words(std::string_view word,
                                       std::span<const std::string> known,
                                       std::size_t at_most = 3);

} // namespace attn::text
