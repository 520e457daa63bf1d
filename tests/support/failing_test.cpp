/// \file
/// \brief A test that fails on purpose: if the suite reports it as passed, no other result
/// means anything. Catch2 2.13 once reported such a run as a success.
#include "tests/support/catch.hpp"

TEST_CASE("one is two", "[suite]")
{
    REQUIRE(1 == 2);
}
