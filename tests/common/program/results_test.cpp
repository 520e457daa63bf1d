/// \file
/// \brief Results: rows by their names, for the terminal and for a file.
#include "common/program/results.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <limits>
#include <string>
#include <vector>

using namespace attn;
using program::Cell;
using program::fixed;
using program::Results;
using program::significant;

namespace {

/// Two kinds, the first of three seeds; the second has no alignments.
Results two_kinds()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Results results({"kind", "task"}, {{"seed", significant, 10}, {"error", fixed, 3}});
    results.add({"dot", "a"}, {1, 0.25}).add({"none", "a"}, {1, nan});
    results.add({"dot", "a"}, {2, 0.75}).add({"dot", "b"}, {3, 0.5});
    return results;
}

} // namespace

TEST_CASE("results are asked for by name, in the order in which they were added", "[program]")
{
    const Results results = two_kinds();
    CHECK(results.names() == std::vector<std::string>{"dot", "none"});
    CHECK(results.of("dot", "error") == std::vector<double>{0.25, 0.75, 0.5});
    CHECK(results.of("none", "seed") == std::vector<double>{1});
    CHECK(results.spread_of("dot", "error").median() == 0.5);
}

TEST_CASE("a view prints the median or the spread of each row's numbers", "[program]")
{
    const program::View view = {"score",
                                {{"middle", "error", 2},
                                 {"all", "error", 1, Cell::spread},
                                 {"seeds", "seed", 4, Cell::spread, significant}},
                                {"none", "dot"},
                                [](const std::string& name) { return "the " + name; }};
    CHECK(two_kinds().table(view).to_string() == "score     middle  all          seeds\n"
                                                 "────────  ──────  ───────────  ─────\n"
                                                 "the none  -       -            1/1/1\n"
                                                 "the dot   0.50    0.3/0.5/0.8  1/2/3\n");
    CHECK(two_kinds().table({"kind", {{"middle", "error", 2}}}).to_string() == "kind  middle\n"
                                                                               "────  ──────\n"
                                                                               "dot   0.50\n"
                                                                               "none  -\n");
}

TEST_CASE("a file has every row of the results, with its names", "[program]")
{
    const program::CsvColumns columns = two_kinds().columns();
    CHECK(columns.names() == std::vector<std::string>{"kind", "task", "seed", "error"});
    CHECK(columns.cells() ==
          std::vector<std::vector<std::string>>{{"dot", "none", "dot", "dot"},
                                                {"a", "a", "a", "b"},
                                                {"1", "1", "2", "3"},
                                                {"0.250", "nan", "0.750", "0.500"}});
}

TEST_CASE("a column of a view may be about some of the rows alone", "[program]")
{
    CHECK(two_kinds()
              .table({"kind",
                      {{"a", "error", 2, Cell::median, fixed, {"task", "a"}},
                       {"b", "error", 2, Cell::median, fixed, {"task", "b"}}}})
              .to_string() == "kind  a     b\n"
                              "────  ────  ────\n"
                              "dot   0.75  0.50\n"
                              "none  -     -\n");
}

TEST_CASE("a table shows numbers and names that a file has not, or as keys", "[program]")
{
    Results results({"rule"}, {{"entropy", fixed, 2}}, {"perplexity"});
    results.add({"Words, counted"}, {1, 2.7});
    CHECK(results.table({"rule", {{"perplexity", "perplexity", 1}}}).to_string() ==
          "rule            perplexity\n"
          "──────────────  ──────────\n"
          "Words, counted         2.7\n");
    CHECK(results.columns().names() == std::vector<std::string>{"rule", "entropy"});
    CHECK(results.columns().cells() ==
          std::vector<std::vector<std::string>>{{"words_counted"}, {"1.00"}});
}

TEST_CASE("results refuse a row of other length, and names that there are not", "[program]")
{
    Results results = two_kinds();
    CHECK_THROWS_AS(results.add({"dot"}, {4, 0.1}), ContractError);
    CHECK_THROWS_AS(results.add({"dot", "a"}, {4}), ContractError);
    CHECK_THROWS_AS(results.of("general", "error"), ContractError);
    CHECK_THROWS_AS(results.of("dot", "loss"), ContractError);
    CHECK_THROWS_AS(results.table({"kind", {{"loss", "loss", 2}}}), ContractError);
    CHECK_THROWS_AS(
        results.table({"kind", {{"b", "error", 2, Cell::median, fixed, {"x", "b"}}}}),
        ContractError);
    CHECK_THROWS_AS(Results({"a"}, {}).add({","}, {}).columns(), ContractError);
    CHECK_THROWS_AS(program::CsvColumns().add("a", {"x,y"}), ContractError);
    CHECK_THROWS_AS(Results({}, {}), ContractError);
}
