/// \file
/// \brief What the page says of sizes and costs.
#include "chapters/12_transformer/experiments/experiments.hpp"
#include "tests/support/catch.hpp"

#include <string>

using namespace attn;
using namespace attn::transformer;
using Catch::Matchers::WithinAbs;

// [claim_parameters]
TEST_CASE("where the parameters sit", "[12][claim]")
{
    const nn::Parameters<float> all =
        make_transformer(options_of(ablations()[0], 164, 270), 1).parameters();
    const auto n_of = [&](const std::string& beginning) {
        std::size_t n = 0;
        for (const nn::NamedParameter<float>& one : all) {
            n += one.name.rfind(beginning, 0) == 0 ? one.variable.size() : 0;
        }
        return n;
    };
    CHECK(all.n_numbers() == 129294);
    CHECK(n_of("source") + n_of("target") + n_of("output") == 45326);
    CHECK(n_of("encoder.layers.0.self_attn") == 16640);
    CHECK(n_of("encoder.layers.0.linear") == 16576);
    const Variant& one_head = variant_named("one_head");
    CHECK(make_transformer(options_of(one_head, 164, 270), 1).parameters().n_numbers() ==
          all.n_numbers());
}
// [claim_parameters]

// [claim_cost]
TEST_CASE("what a word costs", "[12][claim]")
{
    constexpr DecodingSizes sizes;
    const auto ratio = [&](std::size_t n) {
        return static_cast<double>(uncached_cost(sizes, n)) /
               static_cast<double>(cached_cost(sizes, n));
    };
    CHECK_THAT(ratio(16), WithinAbs(13.4, 0.05));
    CHECK_THAT(ratio(256), WithinAbs(164.7, 0.05));
    CHECK(cached_cost(sizes, 100) - cached_cost(sizes, 99) == 2 * sizes.d_model);
}
// [claim_cost]
