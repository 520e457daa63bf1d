/// \file
/// \brief The solutions of chapter 12's exercises.
#include "chapters/12_transformer/exercises/solutions.hpp"

#include "chapters/12_transformer/experiments/decoding_cost.hpp"
#include "chapters/12_transformer/layers.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

using namespace attn;
using namespace attn::transformer;
using Catch::Matchers::WithinAbs;

TEST_CASE("exercise 12.1, the numbers of a layer", "[12][solution]")
{
    for (const LayerOptions& options :
         {LayerOptions(), LayerOptions{.d_model = 6, .n_heads = 3, .d_ff = 10}}) {
        random::Generator generator(1);
        CHECK(solutions::numbers_in_layer(options.d_model, options.d_ff, false) ==
              EncoderLayer<float>(options, generator).parameters().n_numbers());
        CHECK(solutions::numbers_in_layer(options.d_model, options.d_ff, true) ==
              DecoderLayer<float>(options, generator).parameters().n_numbers());
    }
    CHECK(solutions::numbers_in_layer(64, 128, false) == 33472);
    CHECK(solutions::numbers_in_layer(64, 128, true) == 50240);
}

TEST_CASE("exercise 12.2, where attention costs more than the rest", "[12][solution]")
{
    const std::size_t n = solutions::where_attention_costs_more(64, 128, 14);
    CHECK(n == 307);
    DecodingSizes sizes; // without scores of words: one layer alone
    sizes.n_target = 0;
    const std::size_t rest = 6 * 64 * 64 + 2 * 64 * 128;
    CHECK(cached_cost(sizes, n) > 2 * rest);
    CHECK(cached_cost(sizes, n - 1) <= 2 * rest);
    CHECK(solutions::where_attention_costs_more(2, 2, 100) == 1);
    CHECK_THROWS_AS(solutions::where_attention_costs_more(0, 1, 1), ContractError);
}

TEST_CASE("exercise 12.3, what remains of the first rows", "[12][solution]")
{
    CHECK(solutions::share_of_first_rows(0, 1, true) == 1);
    CHECK_THAT(solutions::share_of_first_rows(12, 1, true), WithinAbs(1.0 / 4096, 1e-12));
    CHECK_THAT(solutions::share_of_first_rows(12, 1, false), WithinAbs(1.0 / 13, 1e-12));
    CHECK(solutions::share_of_first_rows(5, 0, true) == 1);
    CHECK_THROWS_AS(solutions::share_of_first_rows(5, -1, true), ContractError);
}
