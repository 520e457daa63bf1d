#include "chapters/02_nadaraya_watson/kernels.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

namespace attn::nadaraya_watson {

namespace {

/// A kernel that ends at one bandwidth; whether the edge belongs to it, its value there tells.
Kernel within_one_width(std::string name, std::string idea, std::function<double(double)> value)
{
    const auto log_value = [value](double u) { return elementary::log(value(u)); };
    return {std::move(name), std::move(idea), value, log_value, 1.0, value(1.0) > 0};
}

/// A kernel that ends nowhere; by its logarithm, which does not underflow.
Kernel everywhere(std::string name, std::string idea, std::function<double(double)> log_value)
{
    const auto value = [log_value](double u) { return elementary::exp(log_value(u)); };
    return {std::move(name), std::move(idea), value, log_value, infinity, true};
}

} // namespace

bool Kernel::in_window(double u) const
{
    return std::abs(u) < half_width || (includes_edge && std::abs(u) == half_width);
}

// [kernels]
const std::vector<Kernel>& kernels()
{
    static const double log_peak = -0.5 * elementary::log(2 * std::numbers::pi);
    static const std::vector<Kernel> table = {
        everywhere("gaussian", "exp(-u^2 / 2) / sqrt(2 pi)",
                   [](double u) { return log_peak - 0.5 * u * u; }),
        within_one_width("boxcar", "1/2 where |u| <= 1",
                         [](double u) { return std::abs(u) <= 1 ? 0.5 : 0.0; }),
        within_one_width("epanechnikov", "3/4 (1 - u^2) where |u| < 1",
                         [](double u) { return std::max(0.0, 0.75 * (1 - u * u)); }),
        within_one_width("triangular", "1 - |u| where |u| < 1",
                         [](double u) { return std::max(0.0, 1 - std::abs(u)); }),
        everywhere("constant", "1 everywhere", [](double) { return 0.0; }),
    };
    return table;
}
// [kernels]

const Kernel& kernel_named(std::string_view name)
{
    std::string names;
    for (const Kernel& kernel : kernels()) {
        if (kernel.name == name) {
            return kernel;
        }
        names += (names.empty() ? "" : ", ") + kernel.name;
    }
    throw ContractError(
        fmt::format("kernel_named: name must be one of {}, got '{}'", names, name));
}

Kernel cut(const Kernel& kernel, double radius)
{
    expect_positive(radius, "cut", "radius");
    if (radius > kernel.half_width) {
        return kernel;
    }
    Kernel shorter = kernel;
    shorter.name = fmt::format("{} cut at {}", kernel.name, radius);
    shorter.idea = fmt::format("{}, 0 where |u| > {}", kernel.idea, radius);
    shorter.half_width = radius;
    shorter.includes_edge = radius < kernel.half_width || kernel.includes_edge;
    shorter.value = [kernel, radius](double u) {
        return std::abs(u) <= radius ? kernel.value(u) : 0.0;
    };
    shorter.log_value = [kernel, radius](double u) {
        return std::abs(u) <= radius ? kernel.log_value(u) : -infinity;
    };
    return shorter;
}

} // namespace attn::nadaraya_watson
