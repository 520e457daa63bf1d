/// \file
/// \brief The command line that all programs of the book share, and to which a chapter adds its
/// own options.
#pragma once

#include "common/program/files.hpp"
#include "common/program/number.hpp"
#include "common/program/terminal.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::program {

/// What a program says about itself in --help.
struct Description
{
    std::string id;       ///< the chapter's: "02_nadaraya_watson"
    std::string question; ///< the chapter's: "Can similarity alone predict?"
    std::string example;  ///< a command to try; several stand on a line each
};

/// The options that every program has.
struct CommonOptions
{
    std::uint64_t seed = 1;    ///< of all random numbers: same seed, same bits
    bool quick = false;        ///< a smaller run, at most five seconds
    bool trace = false;        ///< the pencil-size example, step by step
    std::size_t threads = 1;   ///< what OMP_NUM_THREADS or --threads says, or all cores
    std::filesystem::path out; ///< where files go; out and the id, unless --out says otherwise
    bool checksums = false;    ///< files are named with their checksums, and figures are not
};

/// Reads one of several words, or says which there are.
/// \param what  where it stands, for the message: "--kernel"
/// \throws BadInput "--kernel: 'cosine' is not one of gaussian, boxcar"
std::string parse_choice(const std::string& text, std::string_view what,
                         const std::vector<std::string>& choices);

/// A program's command line. Options are declared first, each with the variable that takes
/// its value; parse() then fills them in. The variables must live as long as this does. A name
/// comes with its dashes; what a variable holds when it is declared is the default that --help
/// shows, behind one line of help; `metavar` stands there for the value, as "FILE.csv".
class CommandLine
{
public:
    /// Declares the common options.
    explicit CommandLine(Description description);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;            ///< targets have one owner
    CommandLine& operator=(const CommandLine&) = delete; ///< targets have one owner

    /// Declares an option without a value.
    void add_flag(const std::string& name, bool& target, const std::string& help);

    /// Declares an option that takes any text.
    void add_text(const std::string& name, std::optional<std::string>& target,
                  const std::string& metavar, const std::string& help);

    /// Declares an option that takes the name of a file that is read.
    void add_input(const std::string& name, std::optional<std::string>& target,
                   const std::string& metavar, const std::string& help);

    /// Declares an option that takes the names of two files that are read.
    void add_two_inputs(const std::string& name,
                        std::optional<std::pair<std::string, std::string>>& target,
                        const std::string& metavar, const std::string& help);

    /// Declares an option that takes the name of a file that is written. One that is read as well,
    /// or written by two options, or that cannot be written, is refused by parse(); only a
    /// checkpoint may be written over as its training goes on.
    void add_output(const std::string& name, std::optional<std::string>& target,
                    const std::string& metavar, const std::string& help);

    /// Declares an option that takes one of several words.
    void add_choice(const std::string& name, std::string& target,
                    const std::vector<std::string>& choices, const std::string& help);

    /// Declares an option that takes a finite number.
    void add_number(const std::string& name, std::optional<double>& target,
                    const std::string& metavar, const std::string& help);

    /// Declares an option that takes a whole number.
    void add_count(const std::string& name, std::size_t& target, std::size_t at_least,
                   const std::string& help, std::size_t at_most = static_cast<std::size_t>(-1));

    /// Declares an option that takes a whole number, and whose default depends on others.
    void add_count(const std::string& name, std::optional<std::size_t>& target,
                   std::size_t at_least, const std::string& help);

    /// Declares an option that takes finite numbers with commas between them.
    void add_numbers(const std::string& name, std::vector<double>& target,
                     const std::string& metavar, const std::string& help);

    /// Refuses options that do not go together: parse() throws BadInput "--time: it trains
    /// nothing, so it does not go with --untrained" if one of either list is given.
    /// \param these, others  names with blanks between them; one that the program does not have
    ///                       is never given
    /// \param why            of the sentence: "it trains nothing"
    void exclude(std::string_view these, std::string_view others, const std::string& why);

    /// Refuses options for which the fixed example of --trace leaves no room.
    /// \param others  as for exclude()
    void exclude_from_trace(std::string_view others);

    /// Refuses options that say nothing alone: parse() throws BadInput "--target: it is a column
    /// of a table; give it with --data" if one of them is given and none of the others.
    /// \param these, others  as for exclude()
    /// \param what           behind the option's name: "it is a column of a table; ..."
    void need(std::string_view these, std::string_view others, const std::string& what);

    /// Whether one of some options was given, after parse().
    /// \param names  as for exclude()
    bool given(std::string_view names) const;

    /// \returns the common options; their defaults before parse()
    const CommonOptions& common() const;

    /// \returns the files that are read or written by name, after parse()
    std::vector<NamedFile> files() const;

    /// \returns what the program says about itself
    const Description& description() const;

    /// \returns the text of --help
    /// \param columns  how wide it may be
    std::string help(std::size_t columns = page_width) const;

    /// Reads the command line into the targets. Of an option given twice the last counts.
    /// \returns false if --help or --version was asked for and has been printed
    /// \throws BadInput on anything not understood, and on options that do not go together
    bool parse(int argc, const char* const* argv);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace attn::program
