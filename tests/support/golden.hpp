/// \file
/// \brief The arrays that PyTorch computed, as the tests read them from the folders of
/// tests/golden; what each holds is in the README there.
#pragma once

#include "common/storage/safetensors.hpp"
#include "common/tensor/array.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace attn::testing {

/// A golden array.
/// \param name    "adam.w"
/// \param folder  of tests/golden; its golden.safetensors is read once
inline Array<double> golden(const std::string& name, const std::string& folder = "nn")
{
    static std::map<std::string, storage::TensorFile> files;
    if (!files.contains(folder)) {
        files.emplace(folder, storage::read_safetensors(ATTN_SOURCE_DIR "/tests/golden/" +
                                                        folder + "/golden.safetensors"));
    }
    return files.at(folder).tensor<double>(name);
}

/// A golden array of whole numbers: lengths, targets, indices.
inline std::vector<std::int64_t> golden_integers(const std::string& name)
{
    const Array<double> numbers = golden(name);
    std::vector<std::int64_t> integers;
    for (const double x : numbers_of(numbers)) {
        integers.push_back(static_cast<std::int64_t>(x));
    }
    return integers;
}

/// The largest difference between two lists of numbers, relative to the largest golden one.
/// \returns  infinity if they are not as many, nan if one is
inline double golden_difference(std::span<const double> actual, std::span<const double> wanted)
{
    if (actual.size() != wanted.size()) {
        return std::numeric_limits<double>::infinity();
    }
    double difference = 0;
    double largest = 1e-300;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double here = std::abs(actual[i] - wanted[i]);
        difference = here <= difference ? difference : here; // a nan stays
        largest = std::max(largest, std::abs(wanted[i]));
    }
    return difference / largest;
}

/// Checks an array against a golden one, to 1e-12 of its largest number.
inline void check_golden(const Array<double>& actual, const std::string& name)
{
    CAPTURE(name);
    const Array<double> wanted = golden(name);
    CHECK(golden_difference(numbers_of(actual), numbers_of(wanted)) <= 1e-12);
}

} // namespace attn::testing
