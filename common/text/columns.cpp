#include "common/text/columns.hpp"

#include "common/program/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <gumbo.h>
#include <memory>
#include <optional>
#include <utility>

namespace attn::text {

namespace {

/// Where the first line of a text ends, without its end.
std::size_t end_of_line(std::string_view text, bool cr_ends_lines)
{
    if (cr_ends_lines) {
        return std::min(text.find_first_of("\r\n"), text.size());
    }
    const std::size_t end = std::min(text.find('\n'), text.size());
    return end > 0 && text[end - 1] == '\r' ? end - 1 : end;
}

/// Whether a CR that no LF follows ends a line.
bool cr_ends_lines_of(std::string_view text)
{
    bool after_cr = false;
    while (!text.empty()) {
        const std::string_view before = text;
        const std::string_view line = program::take_line(text);
        const bool has_tab = line.find('\t') != std::string_view::npos;
        const std::string_view line_break =
            before.substr(line.size(), before.size() - line.size() - text.size());
        const bool before_cr = line_break == "\r";
        if ((before_cr || after_cr) && !has_tab) {
            return false;
        }
        after_cr = before_cr;
    }
    return true;
}

/// A text without the blank lines at its end.
std::string_view without_blank_end(std::string_view text, bool cr_ends_lines)
{
    const std::size_t end = text.find_last_not_of(" \t\r\n") + 1;
    const std::size_t rest_of_line = end_of_line(text.substr(end), cr_ends_lines);
    const std::size_t line_break =
        program::length_of_line_break(text.substr(end + rest_of_line));
    return text.substr(0, end == 0 ? 0 : end + rest_of_line + line_break);
}

/// Where the quoted field ends with which a text begins, and what it holds.
struct QuotedField
{
    std::size_t n_bytes; ///< with both quotation marks
    bool has_separator;
    bool has_line_break;
};

/// The quoted field with which a text begins; none if no closing mark stands where it must.
std::optional<QuotedField> quoted_field(std::string_view text, const ColumnFormat& format)
{
    QuotedField field{0, false, false};
    const std::size_t longest = std::min(text.size(), max_row_bytes);
    for (std::size_t i = 1; i < longest; ++i) {
        field.has_separator = field.has_separator || text[i] == format.separator;
        field.has_line_break = field.has_line_break || text[i] == '\n' ||
                               (format.cr_ends_lines && text[i] == '\r');
        if (text[i] != '"') {
            continue;
        }
        const std::string_view behind = text.substr(i + 1);
        if (behind.starts_with('"')) {
            ++i;
            continue;
        }
        field.n_bytes = i + 1;
        const bool closes = behind.starts_with(format.separator) ||
                            end_of_line(behind, format.cr_ends_lines) == 0;
        return closes ? std::optional(field) : std::nullopt;
    }
    return std::nullopt;
}

/// Whether a field begins with a quotation mark that nothing closes.
bool is_left_open(const Field& field)
{
    return !field.quoted && field.text.starts_with('"') &&
           std::count(field.text.begin(), field.text.end(), '"') % 2 == 1;
}

/// The separator that a header names.
char separator_of(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, char>, 6> names = {{{"tab", '\t'},
                                                                         {"comma", ','},
                                                                         {"semicolon", ';'},
                                                                         {"pipe", '|'},
                                                                         {"colon", ':'},
                                                                         {"space", ' '}}};
    std::string small(name);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    for (const auto& [known, separator] : names) {
        if (small == known) {
            return separator;
        }
    }
    const bool is_one =
        name.size() == 1 && static_cast<unsigned char>(name[0]) < 0x80 && name[0] != '"';
    return is_one ? name[0] : '\t';
}

// ---------------------------------------------------------------- HTML

/// Whether an element stands inside a line, so that it parts no words.
bool is_inline(const GumboNode& node)
{
    constexpr std::array tags = {
        GUMBO_TAG_B,      GUMBO_TAG_I,    GUMBO_TAG_U,    GUMBO_TAG_EM,  GUMBO_TAG_S,
        GUMBO_TAG_STRONG, GUMBO_TAG_SPAN, GUMBO_TAG_FONT, GUMBO_TAG_SUB, GUMBO_TAG_SMALL,
        GUMBO_TAG_SUP,    GUMBO_TAG_A,    GUMBO_TAG_MARK};
    return std::find(tags.begin(), tags.end(), node.v.element.tag) != tags.end();
}

bool is_hidden(const GumboNode& node)
{
    return node.v.element.tag == GUMBO_TAG_STYLE || node.v.element.tag == GUMBO_TAG_SCRIPT;
}

/// The text of a piece of HTML: entities read, tags gone, a blank where one begins a new line.
std::string text_of_html(std::string_view html)
{
    const auto destroy = [](GumboOutput* output) {
        gumbo_destroy_output(&kGumboDefaultOptions, output);
    };
    const std::unique_ptr<GumboOutput, decltype(destroy)> parsed(
        gumbo_parse_with_options(&kGumboDefaultOptions, html.data(), html.size()), destroy);
    std::string text;
    std::vector<const GumboNode*> open = {parsed->root}; // null: a block ends
    while (!open.empty()) {
        const GumboNode* node = open.back();
        open.pop_back();
        if (node == nullptr) {
            text += ' ';
        } else if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE ||
                   node->type == GUMBO_NODE_CDATA) {
            text += node->v.text.text;
        } else if (node->type == GUMBO_NODE_ELEMENT && !is_hidden(*node)) {
            if (!is_inline(*node)) {
                text += ' ';
                open.push_back(nullptr);
            }
            const GumboVector& children = node->v.element.children;
            for (unsigned i = children.length; i > 0; --i) {
                open.push_back(static_cast<const GumboNode*>(children.data[i - 1]));
            }
        }
    }
    return text;
}

/// A note's text without the sounds that Anki plays: [sound:file.mp3].
std::string without_sounds(std::string text)
{
    constexpr std::string_view sound = "[sound:";
    for (std::size_t at = text.find(sound); at != std::string::npos;
         at = text.find(sound, at)) {
        const std::size_t end = std::min(text.find(']', at), text.size() - 1);
        text.erase(at, end + 1 - at);
    }
    return text;
}

} // namespace

// ---------------------------------------------------------------- rows

RowReader::RowReader(std::string_view text)
{
    format_.cr_ends_lines = cr_ends_lines_of(text);
    rest_ = without_blank_end(text, format_.cr_ends_lines);
}

/// Takes a line and its end off the text.
std::string_view RowReader::take_line()
{
    const std::string_view line = rest_.substr(0, end_of_line(rest_, format_.cr_ends_lines));
    rest_.remove_prefix(line.size());
    rest_.remove_prefix(program::length_of_line_break(rest_));
    ++line_;
    return line;
}

/// Reads a line such as "#separator:tab".
/// \returns whether it is one
bool RowReader::read_header(std::string_view line)
{
    constexpr std::array<std::string_view, 7> about_the_notes = {
        "#tags", "#columns", "#notetype", "#deck", "#guid", "#if matches", "#scheduling"};
    constexpr std::string_view column = " column";
    const std::size_t colon = line.find(':');
    if (!line.starts_with('#') || colon == std::string_view::npos) {
        return false;
    }
    std::string_view key = line.substr(0, colon);
    std::string_view value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    if (key == "#separator") {
        format_.separator = separator_of(value);
    } else if (key == "#html") {
        format_.html = value == "true";
    } else if (key.ends_with(column)) {
        key.remove_suffix(column.size());
        std::size_t number = 0;
        std::from_chars(value.data(), value.data() + value.size(), number);
        format_.others.insert(number); // 0, which is none, if it is no number
    }
    return key == "#separator" || key == "#html" ||
           std::find(about_the_notes.begin(), about_the_notes.end(), key) !=
               about_the_notes.end();
}

/// Takes a row's fields off the text, and its line end.
void RowReader::take_fields(Row& row)
{
    const std::string_view begin = rest_;
    std::size_t at = 0;
    while (true) {
        const std::string_view here = begin.substr(at);
        const std::size_t end = end_of_line(here, format_.cr_ends_lines);
        const auto quoted = here.starts_with('"') ? quoted_field(here, format_) : std::nullopt;
        const bool inside_both = quoted && quoted->has_separator && quoted->has_line_break;
        if (quoted && (format_.has_header || !inside_both)) {
            row.fields.push_back({here.substr(1, quoted->n_bytes - 2), true});
            at += quoted->n_bytes;
            if (quoted->has_separator && !format_.has_header) {
                row.kind = RowKind::unclear;
            }
        } else {
            row.fields.push_back(
                {here.substr(0, std::min(here.find(format_.separator), end)), false});
            at += row.fields.back().text.size();
        }
        if (!begin.substr(at).starts_with(format_.separator)) {
            break;
        }
        ++at;
    }
    row.text = begin.substr(0, at);
    rest_ = row.text;
    for (row.n_lines = 0; !rest_.empty() || row.n_lines == 0; ++row.n_lines) {
        take_line();
    }
    rest_ = begin.substr(at);
    row.open = program::length_of_line_break(rest_) == 0;
    rest_.remove_prefix(program::length_of_line_break(rest_));
}

/// Adds to a row whose last field is left open the lines on which that field may go on: up to the
/// first with a separator if the row has none, up to the last without one else.
void RowReader::add_lines_left_open(Row& row)
{
    const bool alone = row.fields.size() == 1;
    bool whole = false;
    while (!at_end() && !whole) {
        const std::string_view line =
            rest_.substr(0, end_of_line(rest_, format_.cr_ends_lines));
        const bool has_separator = line.find(format_.separator) != std::string_view::npos;
        if (has_separator && !alone) {
            return;
        }
        row.kind = RowKind::unclear;
        take_line();
        ++row.n_lines;
        whole = has_separator;
    }
}

Row RowReader::next()
{
    Row row;
    row.first_line = line_;
    const std::string_view line = rest_.substr(0, end_of_line(rest_, format_.cr_ends_lines));
    const bool is_comment = format_.has_header && line.starts_with('#');
    if ((at_top_ && read_header(line)) || is_comment) {
        format_.has_header = true;
        row.kind = RowKind::header;
        row.text = take_line();
        return row;
    }
    at_top_ = false;
    take_fields(row);
    if (is_left_open(row.fields.back())) {
        add_lines_left_open(row);
    }
    return row;
}

std::string text_of(const Field& field, const ColumnFormat& format)
{
    std::string text;
    for (std::size_t i = 0; i < field.text.size(); ++i) {
        text += field.text[i];
        i += field.quoted && field.text[i] == '"' ? 1 : 0;
    }
    text = format.html ? text_of_html(text) : text;
    return format.has_header ? without_sounds(std::move(text)) : text;
}

} // namespace attn::text
