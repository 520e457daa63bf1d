#include "common/text/nearest_words.hpp"

#include "common/program/text.hpp"

#include <algorithm>
#include <utility>

namespace attn::text {

std::vector<std::string> nearest_words(std::string_view word,
                                       std::span<const std::string> known, std::size_t at_most)
{
    const std::size_t n_letters = program::edit_distance(word, "");
    const std::size_t farthest = std::max<std::size_t>(n_letters / 3, 1);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& one : known) {
        const std::size_t distance = program::edit_distance(word, one);
        if (distance <= farthest && distance < n_letters) {
            near.emplace_back(distance, one);
        }
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(at_most, near.size()); ++i) {
        words.push_back(std::move(near[i].second));
    }
    return words;
}

} // namespace attn::text
