#include "common/nn/schedules.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <utility>

namespace attn::nn {

Schedule warm_up(std::size_t n_warm_up, Schedule afterwards)
{
    expect(n_warm_up > 0, "warm_up: n_warm_up must be at least 1, got 0");
    return [n_warm_up, afterwards = std::move(afterwards)](std::size_t step) {
        return step < n_warm_up ? static_cast<double>(step + 1) / static_cast<double>(n_warm_up)
                                : afterwards(step - n_warm_up);
    };
}

Schedule linear_decay(std::size_t n_steps, double last)
{
    expect(n_steps > 0, "linear_decay: n_steps must be at least 1, got 0");
    expect(last >= 0 && last <= 1, "linear_decay: last must be from 0 to 1, got {}", last);
    return [n_steps, last](std::size_t step) {
        const double gone =
            static_cast<double>(std::min(step, n_steps)) / static_cast<double>(n_steps);
        return 1 - (1 - last) * gone;
    };
}

} // namespace attn::nn
