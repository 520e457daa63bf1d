/// \file
/// \brief Evaluations by hand: parts to evaluate on, measures, and which word counts most.
#include "common/translation/evaluation.hpp"

#include "common/translation/effects.hpp"
#include "tests/common/translation/small_task.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::translation;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

TEST_CASE("each nth of a part", "[translation]")
{
    const TranslationTask& task = small_task();
    const EvaluationSet part = every_nth(task.pairs.test, task.test, 50);
    REQUIRE(part.pairs.size() == (task.test.size() + 49) / 50);
    CHECK(part.pairs[1].source == task.pairs.test[50].source);
    CHECK(part.numbered[1].target == task.test[50].target);
    CHECK_THROWS_AS(every_nth(task.pairs.test, task.test, 0), ContractError);
    CHECK_THROWS_AS(every_nth(task.pairs.test, task.train, 2), ContractError);
}

TEST_CASE("the first pair of some lengths", "[translation]")
{
    const TranslationTask& task = small_task();
    const std::vector<std::size_t> lengths = {12, 6, 1000};
    const EvaluationSet part = first_of_lengths(task.pairs.test, task.test, lengths);
    REQUIRE(part.pairs.size() == 2);
    REQUIRE(part.numbered.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(part.pairs[i].source.size() == lengths[i]);
        const auto first = std::find_if(
            task.test.begin(), task.test.end(),
            [&](const text::NumberedPair& pair) { return pair.source.size() == lengths[i]; });
        CHECK(part.numbered[i].source == first->source);
        CHECK(part.numbered[i].target == first->target);
    }
    CHECK_THROWS_AS(first_of_lengths(task.pairs.test, task.train, lengths), ContractError);
}

TEST_CASE("the example sentence has a possessive and neighbours that cross", "[translation]")
{
    const std::vector<text::SentencePair>& pairs = small_task().pairs.test;
    const text::SentencePair& pair = pairs[example_sentence(pairs)];
    CHECK(pair.source.size() >= 8);
    CHECK(pair.source.size() <= 11);
    CHECK(std::find(pair.source.begin(), pair.source.end(), "'s") != pair.source.end());
    CHECK(!pair.possible.empty());
    const text::SentencePair straight{{"a", "b"}, {"x", "y"}, {{0, 0}, {1, 1}}, {}};
    CHECK_THROWS_WITH(example_sentence(std::vector<text::SentencePair>{straight}),
                      contains("none of 1"));
}

TEST_CASE("measures by hand", "[translation][oracle]")
{
    Evaluation evaluation;
    evaluation.translations.push_back({2, {"le", "roi"}, {"le", "roi"}, {3, 2, -1.5}});
    evaluation.weights.push_back({{0.5, 0.5}, {0.25, 0.75}});
    const std::vector<text::SentencePair> pairs = {
        {{"the", "king"}, {"le", "roi"}, {{0, 0}, {1, 1}}, {{1, 0}}}};
    const Measures measures = measures_of(evaluation, pairs, true);
    CHECK_THAT(measures.tokens, WithinAbs(2.0 / 3, 1e-12));
    CHECK(measures.exact == 1);
    CHECK(measures.alignment_error == 0); // ties go to the first word
    CHECK_THAT(measures.on_sure, WithinAbs(0.625, 1e-12));
    CHECK_THAT(measures.on_sure_or_possible, WithinAbs(0.875, 1e-12));
    CHECK(std::isnan(measures_of(evaluation, pairs, false).on_sure));
}

TEST_CASE("evaluations of as many pairs as there are", "[translation][bad_input]")
{
    const EvaluationSet uneven = {{}, small_task().test};
    CHECK_THROWS_AS(predict({}, uneven), ContractError);
    CHECK_THROWS_AS(alignment_of({}, small_task().pairs.test), ContractError);
}

// ---------------------------------------------------------------- effects

TEST_CASE("the largest of a row, of equal numbers the first", "[translation]")
{
    CHECK(largest_of({{0.1, 0.7, 0.7}, {3, 1, 2}}) == std::vector<std::size_t>{1, 0});
}

TEST_CASE("classes of weights", "[translation]")
{
    CHECK(class_of(0) == 0);
    CHECK(class_of(0.0099) == 0);
    CHECK(class_of(0.01) == 1);
    CHECK(class_of(0.5) == 3);
    CHECK(class_of(0.95) == 5);
    CHECK(class_of(1) == 5);
    CHECK(class_of(1.0000001) == 5); // by rounding
}

TEST_CASE("agreement counts words, by hand", "[translation][oracle]")
{
    Agreement agreement;
    const Effects effects{
        {{0.9, 0.1}, {0.2, 0.8}}, {{5, 1}, {2, 1}}, {{4, 1}, {0, 1}}, {{0, 1}, {1, 0}}};
    const text::SentencePair pair{{"a", "b"}, {"x", "y"}, {{0, 0}, {1, 1}}, {}};
    agreement.add(effects, pair);
    CHECK(agreement.n_words == 2);
    CHECK(agreement.weight == 1);   // x: both the first; y: deletion says a, the weight b
    CHECK(agreement.gradient == 1); // y
    CHECK(agreement.replacement == 1);
    CHECK(agreement.n_linked == 2);
    CHECK(agreement.sure_weight == 2);
    CHECK(agreement.sure_deletion == 1);
    CHECK(agreement.sure_gradient == 0);
    CHECK(agreement.drops_attended == std::vector<double>{5, 1});
    CHECK(agreement.drops_other == std::vector<double>{1, 2});
    CHECK(agreement.classes[5].linked == std::vector<double>{5});
    CHECK(agreement.classes[4].linked == std::vector<double>{1});
    CHECK(agreement.classes[2].unlinked == std::vector<double>{1, 2});
}
