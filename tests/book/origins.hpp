/// \file
/// \brief Where the numbers of a page come from: each carries its origin, and sentences that state
/// an order or a bound carry their check. Both are evaluated on the committed tables.
#pragma once

#include "tests/book/checks.hpp"
#include "tests/book/committed_tables.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn::book {

/// What the sentences of a page say of the tables.
struct PageOrigins
{
    std::size_t n_origins = 0;     ///< numbers with an origin
    std::size_t n_checks = 0;      ///< checks of an order or a bound
    std::vector<Finding> findings; ///< what is not so, or cannot be told
    std::string mended;            ///< the page with the tables' numbers where they differ
};

/// The value of an expression in numbers of tables: muParser's arithmetic and comparisons, its
/// functions of several arguments (min, max, sum, avg) and median, rising, falling. A number of a
/// table is `table[key=value, key=value].column`; where several rows or numbers are meant, they are so
/// many arguments. Names that are no words stand in quotation marks.
/// \param chapter  whose page asks
/// \throws std::runtime_error saying what is wrong with it
double evaluate(std::string_view expression, const std::string& chapter, Tables& tables);

/// Checks the numbers of a page:
/// - `0.71\from{lengths, kind=none, length=5, bleu}`, or an expression in the braces, has the number's
///   value, rounded as it is printed; a percent sign or asterisks may stand between;
/// - `\holds{max(lengths[kind=none].bleu) < 40}` is true;
/// - `0.71\printed{"its root is #"}` stands in a committed text, where it has the place of the #;
/// - `0.71\tested{a case}` is held by that case of the tests;
/// - every other number with a decimal point is no measured one: the page sets it
///   (`0.5\given`), its sentence cites whose it is, or it stands in code, a formula, a heading or
///   the number of a figure or an exercise.
/// \param file     as findings name it
/// \param chapter  whose tables are meant
PageOrigins check_origins(const std::string& file, const std::string& text,
                          const std::string& chapter, Tables& tables);

} // namespace attn::book
