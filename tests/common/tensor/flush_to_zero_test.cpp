#include "common/tensor/flush_to_zero.hpp"
#include "tests/support/catch.hpp"

#include <limits>

using attn::FlushToZero;

namespace {

/// A product that is too small to be normal, computed now.
template <class T>
T tiny_product()
{
    const volatile T smallest = std::numeric_limits<T>::min();
    return smallest * T(0.5);
}

/// A number too small to be normal, made larger again.
template <class T>
T enlarged()
{
    const volatile T tiny = std::numeric_limits<T>::denorm_min();
    return tiny / std::numeric_limits<T>::epsilon();
}

} // namespace

TEST_CASE("results and operands too small to be normal are zero for a while", "[tensor]")
{
    REQUIRE(tiny_product<float>() > 0);
    REQUIRE(enlarged<float>() > 0);
    {
        const FlushToZero outer;
        {
            const FlushToZero inner;
        }
        // A guard inside another leaves the outer one's setting behind.
        CHECK((tiny_product<float>() == 0) == FlushToZero::has_effect);
        CHECK((enlarged<float>() == 0) == FlushToZero::has_effect);
        CHECK((tiny_product<double>() == 0) == FlushToZero::has_effect);
        CHECK((enlarged<double>() == 0) == FlushToZero::has_effect);
    }
    CHECK(tiny_product<float>() > 0);
    CHECK(enlarged<float>() > 0);
    CHECK(tiny_product<double>() > 0);
}

#if defined(__x86_64__) || defined(__aarch64__)
TEST_CASE("the switch for tiny numbers is known where it is one", "[tensor]")
{
    CHECK(FlushToZero::has_effect);
}
#endif
