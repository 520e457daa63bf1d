#include "chapters/04_backpropagation/experiments/width_minima.hpp"

#include "chapters/02_nadaraya_watson/cars.csv.hpp"
#include "chapters/02_nadaraya_watson/old_faithful.csv.hpp"
#include "chapters/02_nadaraya_watson/toy40.csv.hpp"
#include "common/kernels/elementary.hpp"
#include "common/kernels/geometric_steps.hpp"
#include "common/program/csv_columns.hpp"
#include "common/tensor/check.hpp"

#include <string_view>

namespace attn::backpropagation {

std::vector<Minimum> local_minima(const WidthProblem& problem, double low, double high)
{
    expect(low > 0 && low < high,
           "local_minima: low must be above 0 and below high, got {} and {}", low, high);
    const Vector grid = geometric_steps(low, high, 121);
    std::vector<Minimum> found;
    bool falling = error_and_derivative(grid(0), problem).derivative < 0;
    for (std::size_t i = 1; i < grid.size(); ++i) {
        const bool still_falling = error_and_derivative(grid(i), problem).derivative < 0;
        if (falling && !still_falling) {
            double left = elementary::log(grid(i - 1));
            double right = elementary::log(grid(i));
            while (right - left > 1e-10) {
                const double middle = 0.5 * (left + right);
                (error_and_derivative(elementary::exp(middle), problem).derivative < 0
                     ? left
                     : right) = middle;
            }
            const double width = elementary::exp(right);
            found.push_back({width, error_and_derivative(width, problem).error});
        }
        falling = still_falling;
    }
    return found;
}

namespace {

nadaraya_watson::Sample read(std::string_view csv, const std::string& source, const char* key,
                             const char* value)
{
    const program::NumericTable table = program::parse_numeric_csv(csv, source);
    return {table.vector(key), table.vector(value)};
}

} // namespace

std::vector<NamedTable> tables_of_chapter_2()
{
    using namespace nadaraya_watson;
    return {
        {"toy", read(toy40_csv, "toy40.csv", "x", "y")},
        {"Old Faithful", read(old_faithful_csv, "old_faithful.csv", "eruption", "waiting")},
        {"cars", read(cars_csv, "cars.csv", "x", "y")},
    };
}

} // namespace attn::backpropagation
