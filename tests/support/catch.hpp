/// \file
/// \brief The only place that includes Catch2. Version 3 split its one header; this file hides
/// it.
#pragma once

#define CATCH_CONFIG_FAST_COMPILE // an exception in an assertion ends the case: a tenth less to compile
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <string>

#pragma GCC poison Approx // it is in another namespace in each version: WithinAbs, WithinRel

namespace attn::testing {

/// Matches a text that holds another: Catch2 renamed this matcher between 2 and 3.
inline auto contains(const std::string& part)
{
#if __has_include(<catch2/catch_test_macros.hpp>)
    return Catch::Matchers::ContainsSubstring(part);
#else
    return Catch::Matchers::Contains(part);
#endif
}

/// What a call says that is refused.
/// \tparam Error  what it throws; anything else passes through
/// \returns the message, nothing if it throws nothing
template <typename Error, typename Call>
std::string complaint_of(const Call& call)
{
    try {
        call();
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

} // namespace attn::testing
