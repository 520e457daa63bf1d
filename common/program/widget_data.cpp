#include "common/program/widget_data.hpp"

#include "common/program/number.hpp"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attn::program {

namespace {

using Json = nlohmann::ordered_json;

/// A number with few digits, as short as JSON can have it.
Json rounded(double value, int digits)
{
    if (!std::isfinite(value)) {
        return nullptr;
    }
    return Json::parse(significant(value, digits));
}

std::string dumped(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json rounded(const Vector& values, int digits)
{
    Json list = Json::array();
    for (const double value : values) {
        list.push_back(rounded(value, digits));
    }
    return list;
}

} // namespace

WidgetData& WidgetData::set_text(const std::string& name, std::string json)
{
    for (auto& [known, value] : values_) {
        if (known == name) {
            value = std::move(json);
            return *this;
        }
    }
    values_.emplace_back(name, std::move(json));
    return *this;
}

WidgetData& WidgetData::set(const std::string& name, std::string_view value)
{
    return set_text(name, dumped(std::string(value)));
}

WidgetData& WidgetData::set(const std::string& name, const std::vector<std::string>& values)
{
    return set_text(name, dumped(values));
}

WidgetData& WidgetData::set(const std::string& name, double value, int digits)
{
    return set_text(name, dumped(rounded(value, digits)));
}

WidgetData& WidgetData::set(const std::string& name, const Vector& values, int digits)
{
    return set_text(name, dumped(rounded(values, digits)));
}

WidgetData& WidgetData::set(const std::string& name, const Matrix& values, int digits)
{
    std::string lines; // one a row
    for (std::size_t i = 0; i < values.shape(0); ++i) {
        const Vector row = xt::row(values, static_cast<std::ptrdiff_t>(i));
        lines += (i == 0 ? "\n    " : ",\n    ") + dumped(rounded(row, digits));
    }
    return set_text(name, lines.empty() ? "[]" : "[" + lines + "\n  ]");
}

std::string WidgetData::to_javascript(const std::string& id) const
{
    std::string lines;
    for (const auto& [name, value] : values_) {
        lines += (lines.empty() ? "\n  " : ",\n  ") + dumped(name) + ": " + value;
    }
    return fmt::format("window.bookData = window.bookData || {{}};\n"
                       "window.bookData[{}] = {{{}\n}};\n",
                       dumped(id), lines);
}

} // namespace attn::program
