/// \file
/// \brief Data for the small interactive figures of a page, as a JavaScript file that a
/// `<script src>` loads, since a page opened from `file://` may not fetch JSON.
#pragma once

#include "common/tensor/tensor.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::program {

/// Named values for one interactive figure. A name set again takes the new value. What is
/// not finite becomes null.
class WidgetData
{
public:
    /// Sets a text.
    WidgetData& set(const std::string& name, std::string_view value);

    /// Sets a list of texts.
    WidgetData& set(const std::string& name, const std::vector<std::string>& values);

    /// Sets a number.
    WidgetData& set(const std::string& name, double value, int digits);

    /// Sets a list of numbers.
    /// \param values  [n]
    WidgetData& set(const std::string& name, const Vector& values, int digits);

    /// Sets a table of numbers, a list of its rows.
    /// \param values  [n_rows, n_columns]
    WidgetData& set(const std::string& name, const Matrix& values, int digits);

    /// The file's content.
    /// \param id  under which a page finds it: window.bookData["02_nadaraya_watson_bandwidth"]
    /// \returns   JavaScript, a line for each name and for each row of a table
    std::string to_javascript(const std::string& id) const;

private:
    WidgetData& set_text(const std::string& name, std::string json);

    std::vector<std::pair<std::string, std::string>> values_; // names and JSON, in order
};

} // namespace attn::program
