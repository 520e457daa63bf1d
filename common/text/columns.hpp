/// \file
/// \brief The rows of a file of columns with a tab between them, as people, spreadsheets and Anki
/// write it: fields in quotation marks, line breaks inside them, and the header lines in which
/// Anki says how its file is to be read. Where quotation marks leave open what a field is, the
/// row is one that cannot be read, rather than half a sentence.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// How a file of columns is written.
struct ColumnFormat
{
    char separator = '\t';          ///< between two columns
    bool cr_ends_lines = false;     ///< as LF and CR LF always do
    bool html = false;              ///< fields have tags and entities
    bool has_header = false;        ///< Anki wrote it, and quotes whatever must be quoted
    std::set<std::size_t> others{}; ///< columns, from 1, that hold no text: tags, the deck
};

/// How many bytes a row may hold.
inline constexpr std::size_t max_row_bytes = std::size_t{1} << 16;

/// A field of a row.
struct Field
{
    std::string_view text; ///< without the quotation marks around it
    bool quoted = false;   ///< whether there were any; those inside are written twice
};

/// What a row is.
enum class RowKind
{
    fields, ///< columns
    header, ///< a line with which Anki says something of the file, or a comment in such a file
    unclear ///< quotation marks leave open where a column ends
};

/// One line, or several if a line break stands in quotation marks.
struct Row
{
    RowKind kind = RowKind::fields; ///< what it holds
    std::string_view text;      ///< all of it, without the line end
    std::vector<Field> fields;  ///< at least one
    std::size_t first_line = 0; ///< from 1
    std::size_t n_lines = 1;    ///< more than 1 with line breaks inside
    bool open = false;          ///< whether no line break follows: it may have been cut
};

/// Reads rows one after the other.
///
/// A line ends with LF or CR LF. With CR alone it does so where every such CR of the file stands
/// between two lines with a tab: elsewhere it may be within a sentence. A field is quoted if it
/// begins with a quotation mark and ends with another, behind which the column or the line ends; inside
/// every mark is written twice. Any other quotation mark is a character like all: "Hello," he
/// said. Without Anki's header a quoted field holds no tab.
class RowReader
{
public:
    /// \param text  of the file, without its byte order mark; must outlive the reader
    explicit RowReader(std::string_view text);

    /// Whether all rows were read; blank lines at the end are none.
    bool at_end() const { return rest_.empty(); }

    /// Takes the next row.
    Row next();

    /// How the file is written, as far as was read.
    const ColumnFormat& format() const { return format_; }

private:
    bool read_header(std::string_view line);
    std::string_view take_line();
    void take_fields(Row& row);
    void add_lines_left_open(Row& row);

    std::string_view rest_;
    ColumnFormat format_;
    std::size_t line_ = 1;
    bool at_top_ = true; ///< only header lines were read
};

/// The text of a field: quotation marks that were written twice once, HTML as it is shown, and of
/// a note of Anki no sounds.
std::string text_of(const Field& field, const ColumnFormat& format);

} // namespace attn::text
