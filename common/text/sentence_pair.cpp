#include "common/text/sentence_pair.hpp"

#include <iterator>
#include <sstream>

namespace attn::text {

Words words_of(std::string_view text)
{
    std::istringstream stream{std::string(text)};
    return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
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
