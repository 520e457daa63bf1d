#include "chapters/09_pointer_network/exercises/solutions.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

namespace attn::pointer_network::solutions {

std::size_t scores_to_sort(std::size_t n, bool visible_only)
{
    return visible_only ? n * (n + 1) / 2 : n * n;
}

double each_position(double together, std::size_t n)
{
    expect(n > 0 && together >= 0 && together <= 1,
           "each_position: {} is no probability of {} positions", together, n);
    return elementary::exp(elementary::log(together) / static_cast<double>(n));
}

double all_different(std::size_t n)
{
    double probability = 1;
    for (std::size_t i = 1; i < n; ++i) {
        probability *= static_cast<double>(n - i) / static_cast<double>(n);
    }
    return probability;
}

} // namespace attn::pointer_network::solutions
