#include "common/translation/head_choice.hpp"

#include <fmt/format.h>

namespace attn::translation {

std::string name_of(const HeadChoice& choice)
{
    return choice.head ? fmt::format("head {}", *choice.head + 1) : "mean";
}

std::vector<HeadChoice> head_choices(std::size_t n_heads)
{
    std::vector<HeadChoice> choices = {{}};
    for (std::size_t head = 0; head < n_heads; ++head) {
        choices.push_back({.head = head});
    }
    return choices;
}

Array<float> weights_of(const HeadChoice& choice, const Array<float>& weights)
{
    const std::size_t n_heads = weights.shape()[1];
    const std::size_t of_head = weights.shape()[2] * weights.shape()[3];
    const std::size_t first = choice.head.value_or(0);
    const std::size_t end = choice.head ? first + 1 : n_heads;
    const float share = 1.0F / static_cast<float>(end - first);
    Array<float> result =
        filled<float>({weights.shape()[0], weights.shape()[2], weights.shape()[3]}, 0.0F);
    for (std::size_t b = 0; b < weights.shape()[0]; ++b) {
        float* const to = result.data() + b * of_head;
        for (std::size_t h = first; h < end; ++h) {
            const float* const from = weights.data() + (b * n_heads + h) * of_head;
            for (std::size_t i = 0; i < of_head; ++i) {
                to[i] += share * from[i];
            }
        }
    }
    return result;
}

} // namespace attn::translation
