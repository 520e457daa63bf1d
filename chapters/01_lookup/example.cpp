/// \file
/// \brief Looks an hour up in a table of temperatures: like a database, and then softer and
/// softer. A place to start one's own.
#include "chapters/01_lookup/lookup.hpp"
#include "common/tensor/tensor.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <string>

int main()
{
    using namespace attn;
    using lookup::attend;
    using lookup::Attention;

    // What may be changed: the query, and how a key is compared with it.
    const double hour = 10; // to look up; no row of the table has it
    const auto& score = lookup::minus_half_squared_distance; // 0 at the query, lower elsewhere

    // The table: the hour of a reading is its key, the temperature that was read its value.
    const Matrix keys = {{6}, {9}, {12}, {12}, {15}, {18}};    // [n_keys, d_k]
    const Matrix values = {{8}, {13}, {18}, {20}, {21}, {15}}; // [n_keys, d_v]
    const Matrix query = {{hour}};                             // [n_queries, d_k], here one

    // Show the table, and how well each key answers the query.
    const auto print_row = [](const std::string& name, const Matrix& numbers, int decimals) {
        fmt::print("\n{:<20}", name);
        for (const double number : numbers) {
            fmt::print("{:>8.{}f}", number + 0.0, decimals); // -0.0 becomes 0.0
        }
    };
    fmt::print("How warm was it at {} o'clock?\n", hour);
    print_row("key: hour", keys, 0);
    print_row("value: deg C", values, 0);
    print_row("score of the key", score(query, keys), 1);

    // Look it up. The scores become weights in several ways, and the answer is the weighted sum
    // of the values.
    const auto print_lookup = [&](const std::string& name, const Attention& found) {
        const double sum = xt::sum(found.weights)();
        print_row(name, found.weights, 3);
        fmt::print("{:>10}", sum > 0 ? fmt::format("{:.2f}", found.context(0, 0)) : "no row");
    };
    fmt::print("\n\n{:<68}{:>10}", "weight of the key", "answer");
    print_lookup("exact", attend(query, keys, values, lookup::equality, lookup::share));
    print_lookup("nearest", attend(query, keys, values, score, lookup::one_hot));
    for (const double temperature : {0.3, 1.0, 3.0, 10.0, 1000.0}) {
        const auto softmax = [temperature](const Matrix& scores) {
            return lookup::softmax(scores, temperature);
        };
        print_lookup(fmt::format("softmax, tau = {}", temperature),
                     attend(query, keys, values, score, softmax));
    }
    print_lookup("average", attend(query, keys, values, score, lookup::average));

    // Many queries are answered at once. The nearest reading jumps, the soft answer does not.
    const Matrix hours = {{10}, {10.4}, {10.6}, {11}, {23}}; // [n_queries, d_k]
    const Attention hard = attend(hours, keys, values, score, lookup::one_hot);
    const Attention soft = attend(hours, keys, values, score,
                                  [](const Matrix& scores) { return lookup::softmax(scores); });
    fmt::print("\n\n   hour  nearest     soft  best score\n");
    for (std::size_t i = 0; i < hours.shape(0); ++i) {
        fmt::print("{:>7.1f}{:>9.2f}{:>9.2f}{:>12.1f}\n", hours(i, 0), hard.context(i, 0),
                   soft.context(i, 0), xt::amax(single_row(soft.scores, i))());
    }

    // Try: hour = 12, where two rows match; score = lookup::dot_product, by which the largest
    // key wins; lookup::k_nearest(scores, 2) in place of lookup::softmax(scores).
}
