/// \file
/// \brief Any bytes as a CSV file; what is accepted must be a table of finite numbers.
#include "common/program/csv_columns.hpp"
#include "tests/fuzz/refused.hpp"

#include <cmath>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    using namespace attn;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    fuzz::expect_returned_or_refused([&] {
        const program::NumericTable table = program::parse_numeric_csv(text, "fuzz.csv");
        fuzz::demand(!table.columns.empty() && table.columns.size() == table.names.size());
        fuzz::demand(std::set<std::string>(table.names.begin(), table.names.end()).size() ==
                     table.names.size());
        fuzz::demand(table.n_rows() >= 1);
        for (const std::vector<double>& column : table.columns) {
            fuzz::demand(column.size() == table.n_rows());
            for (const double number : column) {
                fuzz::demand(std::isfinite(number));
            }
        }
    });
    return 0;
}
