/// \file
/// \brief The tables in which a chapter's results are committed, as the sentences of a page name
/// them: files of numbers, and the tables that a program printed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::book {

/// Rows of cells under the names of their columns.
struct CommittedTable
{
    std::vector<std::string> columns;           ///< [n_columns]
    std::vector<std::vector<std::string>> rows; ///< [n_rows][n_columns]
};

/// What a column must be.
struct Key
{
    std::string column;   ///< its name
    std::string relation; ///< "=", "<=" or ">="
    std::string value;    ///< equal as a text, or as a number; else a number
};

/// What a sentence names: the cells of a column, in the rows of a table with given keys.
struct Reference
{
    std::string table;     ///< as Tables::cells finds it
    std::vector<Key> keys; ///< none: all rows
    std::string column;    ///< its name
};

/// The tables of a book, read when they are asked for.
class Tables
{
public:
    /// \param root  holds chapters/ and docs/measured/
    explicit Tables(std::filesystem::path root) : root_(std::move(root)) {}

    /// The numbers in the cells that a reference names, in the order of the rows.
    ///
    /// | the table's name         | is                                                            |
    /// |--------------------------|---------------------------------------------------------------|
    /// | lengths                  | expected/trained_lengths.csv or expected/lengths.csv          |
    /// | "Six translators"        | the tables below that heading in expected/output.txt          |
    /// | quick/"Six translators"  | the same in expected/quick.txt, or in another text            |
    /// | 07_seq2seq/lengths       | another chapter's                                             |
    /// | measured/simd_threads    | simd_threads.csv, found by measured_file()                    |
    /// | measured/goals/"..."     | those of goals.txt, found like it, below a heading; where it  |
    /// |                          | has none, those with the columns asked for, whatever the name |
    ///
    /// A cell of several numbers, 0.71/0.72/0.73, gives all of them, and 97 % is 97. The second column
    /// of the name x, or one without a name behind it, is "x 2".
    /// \param chapter  whose sentence it is; empty outside of the chapters
    /// \returns        at least one number
    /// \throws std::runtime_error saying what there is not, or what is no number
    std::vector<double> numbers(const std::string& chapter, const Reference& reference);

    /// Whether a committed text holds a phrase, with any white space between its words.
    /// \param name  as for numbers: "copy: 41.0 GB/s" is sought in expected/output.txt, and
    ///              measured/row_kernels/"copy: 41.0 GB/s" in row_kernels.txt of what was measured
    /// \throws std::runtime_error if there is no such text
    bool prints(const std::string& chapter, const std::string& name) const;

    /// Whether a test has this name.
    bool has_test(const std::string& name) const;

private:
    const std::vector<CommittedTable>& tables(const std::string& chapter,
                                              const std::string& name);

    /// Where a name leads.
    struct Place
    {
        std::filesystem::path file;
        std::string name;      ///< of the table in it, or the heading
        bool printed = false;  ///< a text, not a file of numbers
        bool measured = false; ///< in docs/measured/
    };
    Place place_of(const std::string& chapter, std::string name) const;

    std::filesystem::path root_;
    std::map<std::filesystem::path, std::map<std::string, std::vector<CommittedTable>>> read_;
};

/// A file of comma-separated values.
CommittedTable parse_csv(const std::string& text);

/// The tables that a program printed, under the headings above them; "" above the first heading.
std::map<std::string, std::vector<CommittedTable>> parse_printed(const std::string& text);

} // namespace attn::book
