/// \file
/// \brief The kernels: how much a key counts at a distance.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace attn::nadaraya_watson {

/// How much a key counts at a distance of u bandwidths: symmetric, and nowhere larger than
/// nearer to 0.
struct Kernel
{
    std::string name;                          ///< as programs, figures and tests print it
    std::string idea;                          ///< its formula, in one line
    std::function<double(double u)> value;     ///< K(u), at least 0
    std::function<double(double u)> log_value; ///< log K(u), exact where K(u) underflows
    double half_width;  ///< no key farther than this counts, in bandwidths
    bool includes_edge; ///< whether a key exactly that far counts

    /// The kernel's value.
    double operator()(double u) const { return value(u); }

    /// Whether a key at that distance counts at all. It is asked of the distance, not of
    /// K(u), since a Gaussian is positive everywhere although exp(-u * u / 2) underflows.
    /// \returns true if K(u) > 0 in exact arithmetic
    bool in_window(double u) const;
};

/// Larger than every number: minus it is the score of a key that does not count.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The five kernels, each integrating to 1 but the constant one, which cannot.
/// \returns  gaussian, boxcar, epanechnikov, triangular, constant
const std::vector<Kernel>& kernels();

/// A kernel of the table by its name.
/// \param name  "gaussian"
/// \throws ContractError if there is none of that name; the message lists the names
const Kernel& kernel_named(std::string_view name);

/// A kernel that is zero beyond a radius, and unchanged up to it. R's ksmooth cuts its
/// Gaussian so, at four bandwidths.
/// \param radius  in bandwidths, positive; a key exactly that far still counts
/// \returns       the kernel cut there; it integrates to less than the whole one
/// \throws ContractError if the radius is not positive and finite
Kernel cut(const Kernel& kernel, double radius);

} // namespace attn::nadaraya_watson
