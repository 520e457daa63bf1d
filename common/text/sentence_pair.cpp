#include "common/text/sentence_pair.hpp"

#include <algorithm>

namespace attn::text {

Words words_of(std::string_view text)
{
    constexpr std::string_view separators = " \t\r\n";
    Words words;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
        if (text.empty()) {
            return words;
        }
        const std::size_t length = std::min(text.find_first_of(separators), text.size());
        words.emplace_back(text.substr(0, length));
        text.remove_prefix(length);
    }
}

std::string text_of(const Words& words)
{
    std::string text;
    for (const std::string& word : words) {
        text += text.empty() ? word : " " + word;
    }
    return text;
}

} // namespace attn::text
