/// \file
/// \brief Memory in large pages: where it begins, and that all of it can be used.
#include "common/tensor/large_pages.hpp"

#include "tests/support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

using namespace attn;

TEST_CASE("blocks begin at lines, large ones at large pages, and can be filled", "[common]")
{
    constexpr std::size_t megabyte = std::size_t{1} << 20U;
    for (const std::size_t n_bytes :
         {std::size_t{1}, std::size_t{100}, megabyte, 2 * megabyte - 1, 2 * megabyte,
          2 * megabyte + 1, 7 * megabyte + 5}) {
        CAPTURE(n_bytes);
        std::vector<unsigned char, LargePageAllocator<unsigned char>> block(n_bytes, 7);
        const auto address = reinterpret_cast<std::uintptr_t>(block.data());
        CHECK(address % (n_bytes < 2 * megabyte - 1 ? 64 : 2 * megabyte) == 0);
        CHECK(std::all_of(block.begin(), block.end(), [](unsigned char x) { return x == 7; }));
    }
}

TEST_CASE("more numbers than there are addresses are refused", "[common]")
{
    LargePageAllocator<double> numbers;
    CHECK_THROWS_AS(
        static_cast<void>(numbers.allocate(std::numeric_limits<std::size_t>::max() / 4)),
        std::bad_array_new_length);
}
