/// \file
/// \brief BLEU against the examples of the paper, worked by hand in the comments, and properties
/// of it.
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "common/text/bleu.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>
#include <cmath>

using attn::ContractError;
using attn::testing::contains;
using namespace attn::text;
using Catch::Matchers::WithinAbs;

namespace {

using Sentences = std::vector<Words>;
using ReferenceLists = std::vector<std::vector<Words>>;

// Examples 1 and 2 of Papineni et al. (2002), in lower case and without the full stops.
const Words guide_1 = words_of("it is a guide to action which ensures that the military always "
                               "obeys the commands of the party");
const Words guide_2 =
    words_of("it is to insure the troops forever hearing the activity guidebook "
             "that party direct");
const Sentences guide_references = {
    words_of("it is a guide to action that ensures that the military will forever heed party "
             "commands"),
    words_of(
        "it is the guiding principle which guarantees the military forces always being under "
        "the command of the party"),
    words_of(
        "it is the practical guide for the army always to heed the directions of the party"),
};
const Words only_the = words_of("the the the the the the the");
const Sentences cat_references = {words_of("the cat is on the mat"),
                                  words_of("there is a cat on the mat")};

std::vector<std::size_t> matches_of(const Words& hypothesis, const Sentences& references)
{
    return bleu_counts(hypothesis, references).matches;
}

/// BLEU over all sentences together.
Bleu corpus_bleu(const Sentences& hypotheses, const ReferenceLists& references,
                 std::size_t max_n = bleu_4)
{
    BleuCounts counts(max_n);
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        counts += bleu_counts(hypotheses[i], references.at(i), max_n);
    }
    return bleu_of(counts);
}

/// The same with one reference for each sentence.
Bleu corpus_bleu(const Sentences& hypotheses, const Sentences& references,
                 std::size_t max_n = bleu_4)
{
    ReferenceLists lists;
    for (const Words& reference : references) {
        lists.push_back({reference});
    }
    return corpus_bleu(hypotheses, lists, max_n);
}

/// Sentences of few different words, so that they share some.
Sentences random_sentences(std::uint64_t stream, std::size_t n_sentences,
                           std::size_t n_different)
{
    attn::random::Generator generator(17, stream);
    Sentences sentences(n_sentences);
    for (Words& words : sentences) {
        const std::uint64_t length = 4 + generator.below(9);
        while (words.size() < length) {
            words.push_back(
                std::string(1, static_cast<char>('a' + generator.below(n_different))));
        }
    }
    return sentences;
}

} // namespace

TEST_CASE("runs of words count at most as often as in a reference", "[text]")
{
    // Example 2 of the paper: seven times "the", of which a reference has two: 2/7, not 7/7.
    const Bleu cat = bleu_of(bleu_counts(only_the, cat_references));
    CHECK(cat.precisions == std::vector<double>{2.0 / 7, 0, 0, 0});
    CHECK(cat.brevity_penalty == 1); // 7 words, as the second reference has
    CHECK(cat.reference_length == 7);
    CHECK(cat.value == 0);

    // Example 1: 17 of 18 words and 10 of 17 pairs; 8 of 14 words and 1 of 13 pairs. Its longer
    // runs, counted by hand: "it is a", "is a guide", "a guide to", "guide to action", "ensures
    // that the", "that the military", "of the party" are 7 of 16; "it is a guide", "is a
    // guide to", "a guide to action", "ensures that the military" are 4 of 15.
    CHECK(matches_of(guide_1, guide_references) == std::vector<std::size_t>{17, 10, 7, 4});
    CHECK(bleu_counts(guide_1, guide_references).totals ==
          std::vector<std::size_t>{18, 17, 16, 15});
    const BleuCounts worse = bleu_counts(guide_2, guide_references);
    CHECK(worse.matches == std::vector<std::size_t>{8, 1, 0, 0});
    CHECK(worse.totals == std::vector<std::size_t>{14, 13, 12, 11});

    // Example 3: "of the" has precisions 1 and 1, and only its length gives it away:
    // exp(1 - 16/2), as the closest reference has 16 words.
    const Bleu short_one = bleu_of(bleu_counts(words_of("of the"), guide_references, 2));
    CHECK(short_one.precisions == std::vector<double>{1, 1});
    CHECK(short_one.reference_length == 16);
    CHECK_THAT(short_one.value, WithinAbs(std::exp(-7), 1e-15));
}

TEST_CASE("several references must not make words count more than in the best of them",
          "[text]")
{
    // Example 4 of the paper: the first translation recalls more words of the references, and
    // all of its words are right; its pairs of words tell that it is the poorer one.
    const Sentences references = {words_of("i always do"), words_of("i invariably do"),
                                  words_of("i perpetually do")};
    CHECK(matches_of(words_of("i always invariably perpetually do"), references) ==
          std::vector<std::size_t>{5, 2, 0, 0});
    CHECK(matches_of(words_of("i always do"), references) ==
          std::vector<std::size_t>{3, 2, 1, 0});
    // "b" once in each of two references counts once, not twice.
    CHECK(matches_of(words_of("b b"), {words_of("a b"), words_of("b a")})[0] == 1);
}

TEST_CASE("counts of sentences are added, their values are not averaged", "[text]")
{
    // "a b c d e" against "a b c d f" has the matches 4 3 2 1 of 5 4 3 2, and
    // "g h i" against "g h i j" 3 2 1 0 of 3 2 1 0. Together 7/8 5/6 3/4 1/2; 8 words against
    // 9.
    const Sentences hypotheses = {words_of("a b c d e"), words_of("g h i")};
    const Sentences references = {words_of("a b c d f"), words_of("g h i j")};
    const Bleu bleu = corpus_bleu(hypotheses, references);
    CHECK(bleu.precisions == std::vector<double>{7.0 / 8, 5.0 / 6, 3.0 / 4, 1.0 / 2});
    CHECK_THAT(bleu.brevity_penalty, WithinAbs(std::exp(1 - 9.0 / 8), 1e-15));
    // 7 5 3 1 / (8 6 4 2) = 105/384 = .2734375; its fourth root .7231269 times .8824969
    CHECK_THAT(bleu.value, WithinAbs(0.638157, 1e-6));
    // The second sentence alone has no runs of four words, hence 0.
    CHECK(corpus_bleu(Sentences{hypotheses[1]}, Sentences{references[1]}).value == 0);
    CHECK(corpus_bleu(Sentences{hypotheses[1]}, Sentences{references[1]}, 3).value > 0.7);
}

TEST_CASE("the length that counts is that of the closest reference, of two the shorter",
          "[text]")
{
    const Sentences references = {words_of("a b c d e f g h"), words_of("a b c d"),
                                  words_of("a b")};
    CHECK(bleu_counts(words_of("a b c d e f g"), references).reference_length == 8);
    CHECK(bleu_counts(words_of("a b c d e f"), references).reference_length == 4); // 4 or 8
    CHECK(bleu_counts(words_of("a b c"), references).reference_length == 2);       // 2 or 4
    CHECK(bleu_counts({}, references).reference_length == 2);
}

TEST_CASE("empty translations are worth nothing", "[text]")
{
    const Bleu bleu =
        corpus_bleu(Sentences(2), Sentences{words_of("a b c d"), words_of("e f")});
    CHECK(bleu.value == 0);
    CHECK(bleu.brevity_penalty == 0);
    CHECK(bleu.hypothesis_length == 0);
    CHECK(bleu.reference_length == 6);
    CHECK(bleu_of(BleuCounts()).value == 0);
    CHECK(corpus_bleu(Sentences(1), Sentences(1)).value == 0);
    // Beside others an empty one costs its length: 4 words against 8, exp(1 - 8/4).
    CHECK_THAT(corpus_bleu(Sentences{words_of("a b c d"), Words()},
                           Sentences{words_of("a b c d"), words_of("e f g h")})
                   .value,
               WithinAbs(std::exp(-1), 1e-15));
}

TEST_CASE("BLEU is 1 for the references, and otherwise between 0 and 1", "[text][property]")
{
    for (std::uint64_t stream = 0; stream < 10; ++stream) {
        const Sentences references = random_sentences(stream, 12, 3);
        CHECK(corpus_bleu(references, references).value == 1);
        const Bleu bleu = corpus_bleu(random_sentences(stream + 100, 12, 3), references);
        CHECK(bleu.value > 0);
        CHECK(bleu.value < 1);
        for (const double precision : bleu.precisions) {
            CHECK(precision > 0);
            CHECK(precision < 1);
        }
    }
}

TEST_CASE("neither the order of sentences nor that of references matters", "[text][property]")
{
    const Sentences hypotheses = random_sentences(1, 10, 4);
    const Sentences first = random_sentences(2, 10, 4);
    const Sentences second = random_sentences(3, 10, 4);
    const std::vector<std::size_t> order = attn::random::Generator(4).permutation(10);
    Sentences shuffled;
    ReferenceLists in_order;
    ReferenceLists in_another;
    for (std::size_t i = 0; i < 10; ++i) {
        in_order.push_back({first[i], second[i]});
        shuffled.push_back(hypotheses[order[i]]);
        in_another.push_back({second[order[i]], first[order[i]]});
    }
    const Bleu bleu = corpus_bleu(hypotheses, in_order);
    CHECK(corpus_bleu(shuffled, in_another).value == bleu.value);
    CHECK(bleu.precisions[0] >= corpus_bleu(hypotheses, first).precisions[0]);
    CHECK(bleu.precisions[3] >= corpus_bleu(hypotheses, second).precisions[3]);
}

TEST_CASE("BLEU refuses what cannot be compared", "[text]")
{
    const Sentences one = {words_of("a b")};
    CHECK_THROWS_WITH(bleu_counts(one[0], {}),
                      "bleu: a sentence needs at least one reference, got none");
    CHECK_THROWS_AS(bleu_counts(one[0], one, 0), ContractError);
    BleuCounts counts(2);
    CHECK_THROWS_AS(counts += BleuCounts(4), ContractError);
}
