/// \file
/// \brief Tables line up.
#include "common/program/table.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

using attn::program::Table;

TEST_CASE("columns are aligned, numbers to the right", "[program]")
{
    Table table({"kernel", "width", "error"});
    table.row({"Gaussian", "0.2614", "32"}).row({"Épanechnikov", "0.4", "nan"});
    CHECK(table.to_string() == "kernel         width  error\n"
                               "────────────  ──────  ─────\n"
                               "Gaussian      0.2614     32\n"
                               "Épanechnikov     0.4    nan\n");
}

TEST_CASE("a column of numbers may hold a few words, dashes and gaps", "[program]")
{
    Table words({"n", "m", "of both"});
    words.row({"1", "1", "1"})
        .row({"no row", "", "one"})
        .row({"3", "-", ""})
        .row({"4", "100", "x"});
    CHECK(words.to_string() == "     n    m  of both\n"
                               "──────  ───  ───────\n"
                               "     1    1  1\n"
                               "no row       one\n"
                               "     3    -\n"
                               "     4  100  x\n");
}

TEST_CASE("a table without rows is its header", "[program]")
{
    CHECK(Table({"a", "b"}).to_string() == "a  b\n─  ─\n");
}

TEST_CASE("a row must fit its table", "[program]")
{
    Table table({"a", "b"});
    CHECK_THROWS_AS(table.row({"1"}), attn::ContractError);
    CHECK_THROWS_AS(table.row({"1", "2", "3"}), attn::ContractError);
}
