#include "common/text/sentence_pair.hpp"

#include "common/program/files.hpp"
#include "common/random/random.hpp"

#include <iterator>
#include <sstream>
#include <utility>

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

std::uint64_t hash_of(const Words& words)
{
    std::uint64_t hash = program::fnv_1a(text_of(words));
    return random::split_mix_64(hash);
}

CorpusPart part_of(const Words& source)
{
    const std::uint64_t bucket = hash_of(source) % 100;
    return bucket < 80   ? CorpusPart::train
           : bucket < 90 ? CorpusPart::validation
                         : CorpusPart::test;
}

CorpusParts split_by_source(std::vector<SentencePair> pairs)
{
    CorpusParts parts;
    for (SentencePair& pair : pairs) {
        const CorpusPart part = part_of(pair.source);
        auto& where = part == CorpusPart::train        ? parts.train
                      : part == CorpusPart::validation ? parts.validation
                                                       : parts.test;
        where.push_back(std::move(pair));
    }
    return parts;
}

} // namespace attn::text
