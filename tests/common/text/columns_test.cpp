/// \file
/// \brief Rows of files of columns: what is quoted, what only begins with a quotation mark, and
/// what Anki says at the top.
#include "common/text/columns.hpp"
#include "common/text/sentence_pair.hpp"
#include "tests/support/catch.hpp"

using namespace attn::text;

namespace {

using Texts = std::vector<std::string>;

/// The rows of a text, the fields of each with | between them; "?" for what is unclear.
Texts rows_of(const std::string& text)
{
    Texts rows;
    std::size_t line = 1;
    for (RowReader reader(text); !reader.at_end();) {
        const attn::text::Row row = reader.next();
        CHECK(row.first_line == line);
        line += row.n_lines;
        if (row.kind == RowKind::header) {
            continue;
        }
        std::string fields = row.kind == RowKind::unclear ? "?" : "";
        for (const Field& field : row.fields) {
            fields +=
                (fields.empty() || fields == "?" ? "" : "|") + text_of(field, reader.format());
        }
        rows.push_back(row.kind == RowKind::unclear ? "?" : fields);
    }
    return rows;
}

std::string shown(const std::string& html)
{
    ColumnFormat format;
    format.html = true;
    return text_of({html, false}, format);
}

} // namespace

TEST_CASE("a field is quoted if its closing mark stands at its end", "[text]")
{
    struct Case
    {
        std::string text;
        Texts rows;
    };
    const std::vector<Case> cases = {
        {"a\tb\nc\td\n", {"a|b", "c|d"}},
        {"\"a\"\t\"b\"\n", {"a|b"}},
        {"\"a \"\"b\"\" c\"\td", {"a \"b\" c|d"}},
        {"\"\"\"a\"\"\"\td", {"\"a\"|d"}},
        {"\"\"\ta\t\"\"\n", {"a|"}},
        {"\"a\nb\"\tc\nd\te\n", {"a\nb|c", "d|e"}},
        {"\"a\r\nb\"\tc\r\nd\te\r\n", {"a\r\nb|c", "d|e"}},
        // A CR alone ends a line only where it cannot be within a sentence.
        {"a\tb\rc\td\r\ne\tf\n", {"a|b", "c|d", "e|f"}},
        {"a\tb\rc\td\ne\rf\tg\n", {"a|b\rc|d", "e\rf|g"}},
        {"\"a\rb\"\tc\nd\te\n", {"a\rb|c", "d|e"}},
        {"a\t\"b\n\nc\"\td", {"a|b\n\nc|d"}},
        // Speech, and marks within a sentence.
        {"\"Hello,\" he said.\t\"Bonjour\", dit-il.\n",
         {"\"Hello,\" he said.|\"Bonjour\", dit-il."}},
        {"\"Yes\" is \"oui\"\tb\n", {"\"Yes\" is \"oui\"|b"}},
        {"5\"\t\"b\n", {"5\"|\"b"}},
        {"\"Stop!\tArr\u00eate !\nHe is 5'10\"\tb\nc\td",
         {"\"Stop!|Arr\u00eate !", "He is 5'10\"|b", "c|d"}},
        {"a\t\"b\nc\td\n", {"a|\"b", "c|d"}},
        // Not half of what may be one.
        {"\"a\tb\"\tc\nd\te", {"?", "d|e"}},
        {"\"a\tb\"\nd\te", {"?", "d|e"}},
        {"\"a\nb\tc\nd\te", {"?", "d|e"}},
        {"\"a \"b\nc\" d\te\nf\tg", {"\"a \"b", "c\" d|e", "f|g"}},
        {"\"a \"b\" c\nd\" e\tf\ng\th", {"?", "g|h"}},
        {"a\t\"b\nc\nd\te", {"?", "d|e"}},
        {"\"a", {"\"a"}},
        // In notes of Anki a mark at the beginning is always such a mark.
        {"#html:false\n\"a\tb\nc\"\td\n", {"a\tb\nc|d"}},
        {"#separator:,\n\"a,b\",c\n", {"a,b|c"}},
        {"#separator:Pipe\na|b\n", {"a|b"}},
        {"#separator:no such\na\tb\n", {"a|b"}},
        {"#unknown:x\na\tb\n", {"#unknown:x", "a|b"}},
    };
    for (const Case& one : cases) {
        INFO(one.text);
        CHECK(rows_of(one.text) == one.rows);
    }
}

TEST_CASE("a quoted field has an end within reach", "[text]")
{
    const std::string far = "\"a\n" + std::string(max_row_bytes, 'x') + "\"\tb";
    CHECK(rows_of(far).size() == 1);
    CHECK(rows_of(far)[0] == "?");
    const std::string near = "\"" + std::string(max_row_bytes - 2, 'x') + "\"\tb";
    CHECK(rows_of(near)[0] == std::string(max_row_bytes - 2, 'x') + "|b");
}

TEST_CASE("HTML is read as it is shown", "[text]")
{
    CHECK(words_of(shown("a&nbsp;&eacute;&#233;&#x1F600;&amp;lt;")) ==
          Texts{"a\u00a0\u00e9\u00e9\U0001f600&lt;"});
    CHECK(words_of(shown("<div>a<br>b</div>c<b>d</b>e<img src='f'>g<!-- h -->")) ==
          Texts{"a", "b", "cde", "g"});
    CHECK(words_of(shown("a < b & c<style>p {}</style><script>d</script>")) ==
          Texts{"a", "<", "b", "&", "c"});
    CHECK(words_of(shown("<p>open <i>ends")) == Texts{"open", "ends"});
    CHECK(words_of(shown("")).empty());
}
