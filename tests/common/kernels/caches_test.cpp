#include "common/kernels/caches.hpp"
#include "tests/support/catch.hpp"

#include <cstddef>

using namespace attn::kernels;

TEST_CASE("a block of a product is as deep as half of the second cache holds", "[common]")
{
    constexpr std::size_t mebibyte = std::size_t{1} << 20;
    // 64 rows of A and two panels of 48 columns, as with AVX-512, in single precision.
    constexpr std::size_t wide = (64 + 2 * 48) * sizeof(float);
    CHECK(block_depth(mebibyte, wide) == 512);
    CHECK(block_depth(2 * mebibyte, wide) == 1024);
    // Panels of 24 columns, as with AVX2.
    CHECK(block_depth(mebibyte, (64 + 2 * 24) * sizeof(float)) == 1024);
    CHECK(block_depth(1, wide) == flattest_block);
    CHECK(block_depth(1024 * mebibyte, 1) == deepest_block);
}

TEST_CASE("the second cache has a size", "[common]")
{
    CHECK(second_cache_bytes() >= 64 * 1024);
}
