/// \file
/// \brief What a translator is trained and evaluated on: the grammar's and a reader's sentences, and
/// rules that do not read the source.
#include "common/program/bad_input.hpp"
#include "common/tensor/check.hpp"
#include "common/translation/task.hpp"
#include "common/translation/trivial_rules.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <set>

using namespace attn;
using namespace attn::translation;
using namespace attn::testing;
using attn::testing::contains;
using Catch::Matchers::WithinAbs;

namespace {

/// Forty sentences that count, and their translations.
std::string counting_lines(std::size_t n = 40)
{
    std::string text;
    for (std::size_t i = 0; i < n; ++i) {
        text += fmt::format("i see {} cats .\tje vois {} chats .\n", i, i);
    }
    return text;
}

TranslationTask counting_task(const std::string& text, std::size_t min_frequency = 1)
{
    return readers_task(text::parse_corpus(text, "a text"), min_frequency);
}

} // namespace

TEST_CASE("the grammar's task has three parts without a common source", "[translation]")
{
    const TranslationTask task =
        grammar_task(3, {.train = 3000, .validation = 54, .test = 108});
    std::set<text::Words> seen;
    for (const text::SentencePair& pair : task.pairs.train) {
        seen.insert(pair.source);
    }
    for (const auto* part : {&task.pairs.validation, &task.pairs.test}) {
        for (const text::SentencePair& pair : *part) {
            CHECK(seen.count(pair.source) == 0);
        }
    }
    REQUIRE(task.train.size() == task.pairs.train.size());
    REQUIRE(task.test.size() == task.pairs.test.size());
    CHECK(task.source.decode(task.test[5].source) == task.pairs.test[5].source);
    CHECK(task.target.decode(task.test[5].target) == task.pairs.test[5].target);
    std::size_t longest = 0;
    for (const text::NumberedPair& pair : task.train) {
        longest = std::max(longest, pair.target.size());
    }
    CHECK(task.max_length == longest + 12);
}

TEST_CASE("a reader's words that training does not have are unknown ones", "[translation]")
{
    const TranslationTask task = counting_task(counting_lines());
    CHECK(task.train.size() + task.validation.size() + task.test.size() == 40);
    CHECK(task.source.has_unknown());
    REQUIRE_FALSE(task.test.empty());
    CHECK(task.test[0].source[2] == text::unknown_id); // each number comes once
    CHECK(task.source.size() == 4 + 4 + task.train.size());
    CHECK(counting_task(counting_lines(), 2).source.size() == 4 + 4);
}

TEST_CASE("a corpus without a pair to train on is refused", "[translation]")
{
    CHECK_THROWS_AS(task_of({}), program::BadInput);
    CHECK_THROWS_WITH(task_of({}), contains("train"));
    text::CorpusParts parts;
    parts.train = {{{"a"}, {"b"}, {}, {}}};
    parts.test = {{{"c"}, {"b"}, {}, {}}};
    CHECK_THROWS_WITH(task_of(parts), contains("c"));
}

TEST_CASE("how a reader's file is read", "[translation]")
{
    CorpusRequest request;
    CHECK_FALSE(corpus_options(request).reversed);
    request.tutorial = true;
    CHECK(corpus_options(request).reversed);
    CHECK(corpus_options(request).max_words == 9);
    request.max_words = 5;
    request.reversed = true;
    request.strict = true;
    CHECK_FALSE(corpus_options(request).reversed);
    CHECK(corpus_options(request).max_words == 5);
    CHECK(corpus_options(request).strict);
    CHECK_THROWS_AS(read_sentences(request), ContractError);
}

TEST_CASE("a reader's file becomes a task, with a report", "[translation]")
{
    const ScratchFolder scratch;
    const std::filesystem::path file = scratch.path() / "lines.txt";
    std::ofstream(file) << counting_lines() << "no tab\n";
    CorpusRequest request;
    request.corpus = file.string();
    const ReadersSentences read = read_sentences(request);
    CHECK(read.n_pairs == 40);
    CHECK(read.report.n_faults() == 1);
    CHECK(read.task.pairs.train[0].source[0] == "i");
    request.reversed = true;
    CHECK(read_sentences(request).task.pairs.train[0].source[0] == "je");
    std::ofstream(file) << "i see\tje vois\n";
    CHECK_THROWS_AS(read_sentences(request), program::BadInput);
}

TEST_CASE("rules by hand", "[translation][oracle]")
{
    // Words 3 and 4 of five; targets 3 4 and 3, with their ends: 3 twice, 4 once, end twice.
    const std::vector<text::NumberedPair> pairs = {{{3}, {3, 4}}, {{3}, {3}}};
    const Rule words = frequent_words(pairs, 5);
    CHECK_THAT(words.predict(text::begin_id)[3], WithinAbs(3.0 / 10, 1e-12));
    CHECK_THAT(words.predict(3)[4], WithinAbs(2.0 / 10, 1e-12));
    CHECK_THAT(words.predict(3)[0], WithinAbs(1.0 / 10, 1e-12));
    const Rule follows = frequent_pairs(pairs, 5);
    CHECK_THAT(follows.predict(text::begin_id)[3], WithinAbs((2 + 0.3) / 3, 1e-12));
    CHECK_THAT(follows.predict(3)[4], WithinAbs((1 + 0.2) / 3, 1e-12));
    CHECK_THAT(follows.predict(0)[4], WithinAbs(0.2, 1e-12)); // never seen: the word's own
    const text::TokenScores scores = scores_of(words, pairs);
    CHECK(scores.n_tokens == 5);
    CHECK(scores.n_right == 2); // end and 3 are equally frequent; the lower number is the end
    CHECK_THAT(scores.log_probability, WithinAbs(4 * std::log(0.3) + std::log(0.2), 1e-12));
    for (const Rule& rule : trivial_rules(pairs, 5)) {
        for (const text::WordId last : {0, 1, 3, 4}) {
            double sum = 0;
            for (const double p : rule.predict(last)) {
                sum += p;
            }
            CHECK_THAT(sum, WithinAbs(1, 1e-12));
        }
    }
    CHECK_THROWS_AS(frequent_words(pairs, 4), ContractError);
    CHECK_THROWS_AS(equal_words(0), ContractError);
}
