#include "common/program/spread.hpp"

#include "common/program/number.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace attn::program {

Spread::Spread(std::vector<double> numbers) : sorted_(std::move(numbers))
{
    expect(!sorted_.empty(), "Spread: there must be at least one number");
    std::sort(sorted_.begin(), sorted_.end());
}

std::string Spread::text(int decimals) const
{
    return fmt::format("{}/{}/{}", fixed(lowest(), decimals), fixed(median(), decimals),
                       fixed(highest(), decimals));
}

} // namespace attn::program
