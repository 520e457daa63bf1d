/// \file
/// \brief The search over a model's logits: ones that are no numbers are refused, not searched.
#include "common/translation/search.hpp"

#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <limits>

using namespace attn;
using attn::testing::contains;

TEST_CASE("a logit that is infinite or nan is refused by the number of its word", "[common]")
{
    const float inf = std::numeric_limits<float>::infinity();
    for (const float logit : {inf, -inf, std::numeric_limits<float>::quiet_NaN()}) {
        const auto step = [logit](int state, std::span<const std::int64_t> words) {
            Array<float> logits = filled<float>({words.size(), 8}, 1);
            logits(words.size() - 1, 5) = logit;
            return translation::NextWords<float, int>{
                translation::Variable<float>(std::move(logits)), state};
        };
        const auto select = [](int state, const std::vector<std::size_t>& /*rows*/) {
            return state;
        };
        CHECK_THROWS_WITH(
            (translation::search<float, int>(step, select, 0, 2, 3, {.width = 1})),
            contains("the model's weights are too large to compute with: the "
                     "score of word or token 5 is "));
    }
}
