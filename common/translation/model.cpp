#include "common/translation/model.hpp"

#include "common/tensor/check.hpp"

namespace attn::translation {

Sentences sources_of(const text::Batch& batch)
{
    return {batch.source, batch.source_lengths, batch.n_source};
}

std::vector<std::int64_t> by_step(std::span<const std::int64_t> words, std::size_t batch)
{
    expect(batch >= 1 && words.size() % batch == 0,
           "by_step: {} words are no whole number of rows for {} sentences", words.size(),
           batch);
    const std::size_t n_steps = words.size() / batch;
    std::vector<std::int64_t> transposed(words.size());
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t t = 0; t < n_steps; ++t) {
            transposed[t * batch + b] = words[b * n_steps + t];
        }
    }
    return transposed;
}

} // namespace attn::translation
