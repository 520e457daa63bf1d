/// \file
/// \brief What the page says of aligners that learn nothing.
#include "common/grammar/grammar_corpus.hpp"
#include "common/text/alignment_error.hpp"
#include "tests/support/catch.hpp"

using namespace attn;
using Catch::Matchers::WithinAbs;

// [claim_trivial]
TEST_CASE("errors of aligners that learn nothing", "[08][claim]")
{
    const std::vector<text::SentencePair> pairs = text::grammar_corpus(1, {.train = 0}).test;
    REQUIRE(pairs.size() == 1410);
    const auto& aligners = text::trivial_aligners();
    CHECK_THAT(text::alignment_counts(aligners[0], pairs).error(), WithinAbs(0.011, 5e-4));
    CHECK_THAT(text::alignment_counts(aligners[1], pairs).error(), WithinAbs(0.370, 5e-4));
    CHECK_THAT(text::alignment_counts(aligners[2], pairs).error(), WithinAbs(0.926, 5e-4));
}
// [claim_trivial]
