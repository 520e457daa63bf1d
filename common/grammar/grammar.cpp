#include "common/grammar/grammar.hpp"

#include "common/grammar/derivation.hpp"
#include "common/tensor/check.hpp"

namespace attn::text {

Grammar::Grammar(std::uint64_t seed, std::uint64_t stream, double richness)
    : random_(seed, stream), richness_(richness)
{
    expect(richness >= 0.0 && richness <= 1.0,
           "Grammar: richness must lie between 0 and 1, got {}", richness);
}

SentencePair Grammar::sentence()
{
    return Derivation(random_, richness_).sentence();
}

} // namespace attn::text
