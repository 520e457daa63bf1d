#include "common/program/explorer.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/explorer_page.hpp" // made from common/cmake/explorer_page.hpp.in
#include "common/program/files.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace attn::program {

namespace {

constexpr int n_signed = explorer_levels + 1; // a level of 0 is written as this number

/// Numbers from 0 to 4095, two digits each.
class Digits
{
public:
    void add(int number)
    {
        constexpr std::string_view digits =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        text_ += digits[static_cast<std::size_t>(number / 64)];
        text_ += digits[static_cast<std::size_t>(number % 64)];
    }

    /// What was added, but for zeros at the end if so wanted.
    std::string text(bool all) const
    {
        const std::size_t last = text_.find_last_not_of('A');
        const std::size_t n = last == std::string::npos ? 0 : (last / 2 + 1) * 2;
        return all ? text_ : text_.substr(0, n);
    }

private:
    std::string text_;
};

/// [H n_queries], a text each.
std::vector<std::string> written_weights(const Array<float>& weights)
{
    const std::size_t n_keys = weights.shape()[3];
    std::vector<std::string> rows;
    for (std::size_t row = 0; row * n_keys < weights.size(); ++row) {
        Digits digits;
        for (std::size_t key = 0; key < n_keys; ++key) {
            const double weight = static_cast<double>(weights.data()[row * n_keys + key]);
            digits.add(static_cast<int>(
                std::lround(std::clamp(weight, 0.0, 1.0) * (2 * explorer_levels + 1))));
        }
        rows.push_back(digits.text(false));
    }
    return rows;
}

/// Sets the rows of queries or keys, [1, n, H d_k], under a name, and their units.
void set_rows(WidgetData& data, const std::string& name, std::size_t index,
              const Array<float>& rows, std::size_t n_heads)
{
    const std::size_t n = rows.shape()[1];
    const std::size_t width = rows.shape()[2] / n_heads;
    std::vector<std::string> texts;
    Vector units = Vector::from_shape({n_heads});
    for (std::size_t head = 0; head < n_heads; ++head) {
        const auto at = [&](std::size_t row, std::size_t k) {
            return static_cast<double>(rows.data()[row * n_heads * width + head * width + k]);
        };
        double largest = 0;
        for (std::size_t row = 0; row < n; ++row) {
            for (std::size_t k = 0; k < width; ++k) {
                largest = std::max(largest, std::abs(at(row, k)));
            }
        }
        units(head) = largest > 0 ? largest / explorer_levels : 1;
        Digits digits;
        for (std::size_t row = 0; row < n; ++row) {
            for (std::size_t k = 0; k < width; ++k) {
                digits.add(n_signed + static_cast<int>(std::lround(at(row, k) / units(head))));
            }
        }
        texts.push_back(digits.text(true));
    }
    data.set(fmt::format("{}_{}", name, index), texts);
    data.set(fmt::format("{}_units_{}", name, index), units, 7);
}

void expect_whole(const ExploredAttention& one)
{
    const std::size_t n_queries = one.query_words.size();
    const std::size_t n_keys = one.key_words.size();
    const Shape shape = one.weights.shape();
    expect(shape.size() == 4 && shape[0] == 1 && shape[1] >= 1 && shape[2] == n_queries &&
               shape[3] == n_keys && n_queries >= 1 && n_keys >= 1,
           "explorer: {} has weights {} for {} queries and {} keys", one.name, shape, n_queries,
           n_keys);
    const Shape queries = one.queries.shape();
    const Shape keys = one.keys.shape();
    expect(!one.has_rows() ||
               (queries == Shape{1, n_queries, queries[2]} &&
                keys == Shape{1, n_keys, queries[2]} && queries[2] % shape[1] == 0),
           "explorer: {} has queries {} and keys {} for weights {}", one.name, queries, keys,
           shape);
    expect(one.drops.size() == 0 ||
               (one.drops.shape(0) == n_queries && one.drops.shape(1) == n_keys),
           "explorer: {} has drops [{}, {}] for weights {}", one.name, one.drops.shape(0),
           one.drops.shape(1), shape);
}

/// Puts a text in place of a mark.
void fill_in(std::string& page, std::string_view mark, std::string_view text)
{
    const std::size_t at = page.find(mark);
    expect(at != std::string::npos, "explorer: the page has no {}", mark);
    page.replace(at, mark.size(), text);
}

} // namespace

WidgetData explorer_data(const std::string& title,
                         const std::vector<ExploredAttention>& attentions, bool with_rows)
{
    WidgetData data;
    std::vector<std::string> names;
    for (const ExploredAttention& one : attentions) {
        expect_whole(one);
        names.push_back(one.name);
    }
    data.set("title", title).set("names", names);
    for (std::size_t a = 0; a < attentions.size(); ++a) {
        const ExploredAttention& one = attentions[a];
        data.set(fmt::format("query_words_{}", a), one.query_words);
        data.set(fmt::format("key_words_{}", a), one.key_words);
        data.set(fmt::format("causal_{}", a), one.causal ? 1 : 0, 1);
        data.set(fmt::format("weights_{}", a), written_weights(one.weights));
        if (one.has_rows() && with_rows) {
            set_rows(data, "queries", a, one.queries, one.n_heads());
            set_rows(data, "keys", a, one.keys, one.n_heads());
        } else if (one.has_rows()) {
            data.set("left_out", "Queries and keys are left out: with them the file would "
                                 "have more than five million bytes.");
        }
        if (one.drops.size() > 0) {
            data.set(fmt::format("drops_{}", a), one.drops, 3);
        }
    }
    return data;
}

void write_explorer(const std::string& file, const std::string& title,
                    const std::vector<ExploredAttention>& attentions)
{
    for (const bool with_rows : {true, false}) {
        std::string data =
            explorer_data(title, attentions, with_rows).to_javascript("trained_explorer");
        for (std::size_t at = data.find('<'); at != std::string::npos;
             at = data.find('<', at)) {
            data.replace(at, 1, "\\u003c"); // no word ends the script
        }
        std::string page(explorer_page);
        fill_in(page, "/* data */", data);
        if (page.size() <= largest_explorer) {
            write_file(file, page);
            return;
        }
    }
    throw BadInput(fmt::format("{}: {} words in so many heads make a file of more than {} "
                               "bytes, give fewer words",
                               in_quotes(file, longest_path),
                               attentions.front().query_words.size(), largest_explorer));
}

} // namespace attn::program
