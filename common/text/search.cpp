#include "common/text/search.hpp"

#include "common/tensor/check.hpp"

namespace attn::text {

void expect_n_extras(std::size_t n_extras, std::size_t n_hypotheses)
{
    expect(n_extras == n_hypotheses,
           "search: the model must return one extra for each of {} hypotheses, got {}",
           n_hypotheses, n_extras);
}

} // namespace attn::text
