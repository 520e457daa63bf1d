#include "common/text/mask.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::text {

Array<bool> mask_of_lengths(std::span<const std::size_t> lengths, std::size_t n_steps)
{
    Array<bool> mask = filled<bool>({lengths.size(), n_steps}, false);
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        expect(lengths[row] <= n_steps,
               "mask_of_lengths: lengths must be at most n_steps = {}, got {}", n_steps,
               lengths[row]);
        std::fill_n(mask.data() + row * n_steps, lengths[row], true);
    }
    return mask;
}

} // namespace attn::text
