#include "tests/support/catch.hpp"
TEST_CASE("placeholder", "[common]") { CHECK(true); }
