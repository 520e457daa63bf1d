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

/// A value on one line, or a table with a line for each of its rows.
std::string in_lines(const Json& value)
{
    if (!value.is_array() || value.empty() || !value[0].is_array()) {
        return dumped(value);
    }
    std::string lines = "[";
    for (std::size_t i = 0; i < value.size(); ++i) {
        lines += (i == 0 ? "\n    " : ",\n    ") + dumped(value[i]);
    }
    return lines + "\n  ]";
}

} // namespace

/// The values, in the order in which they were set.
struct WidgetData::Implementation
{
    Json values = Json::object();
};

WidgetData::WidgetData() : implementation_(std::make_unique<Implementation>()) {}
WidgetData::~WidgetData() = default;
WidgetData::WidgetData(WidgetData&&) noexcept = default;
WidgetData& WidgetData::operator=(WidgetData&&) noexcept = default;

WidgetData& WidgetData::set(const std::string& name, std::string_view value)
{
    implementation_->values[name] = std::string(value);
    return *this;
}

WidgetData& WidgetData::set(const std::string& name, const std::vector<std::string>& values)
{
    implementation_->values[name] = values;
    return *this;
}

WidgetData& WidgetData::set(const std::string& name, double value, int digits)
{
    implementation_->values[name] = rounded(value, digits);
    return *this;
}

WidgetData& WidgetData::set(const std::string& name, const Vector& values, int digits)
{
    Json list = Json::array();
    for (const double value : values) {
        list.push_back(rounded(value, digits));
    }
    implementation_->values[name] = std::move(list);
    return *this;
}

WidgetData& WidgetData::set(const std::string& name, const Matrix& values, int digits)
{
    Json rows = Json::array();
    for (std::size_t i = 0; i < values.shape(0); ++i) {
        Json row = Json::array();
        for (std::size_t j = 0; j < values.shape(1); ++j) {
            row.push_back(rounded(values(i, j), digits));
        }
        rows.push_back(std::move(row));
    }
    implementation_->values[name] = std::move(rows);
    return *this;
}

std::string WidgetData::to_javascript(const std::string& id) const
{
    std::string lines;
    for (const auto& [name, value] : implementation_->values.items()) {
        lines +=
            (lines.empty() ? "\n  " : ",\n  ") + dumped(Json(name)) + ": " + in_lines(value);
    }
    return fmt::format("window.bookData = window.bookData || {{}};\n"
                       "window.bookData[{}] = {{{}\n}};\n",
                       dumped(Json(id)), lines);
}

} // namespace attn::program
