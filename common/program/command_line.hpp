/// \file
/// \brief The command line that all programs of the book share, and to which a chapter adds
/// its own options. Deliberately without subcommands, configuration files and positional
/// arguments: one program answers one question.
#pragma once

#include "common/program/number.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
    std::size_t threads = 1;   ///< all cores, unless --threads says otherwise
    std::filesystem::path out; ///< where files go; out and the id, unless --out says otherwise
    bool checksums = false;    ///< files are named with their checksums, and figures are not
};

/// Complains if --trace came together with options that its fixed example leaves no room for.
/// \param options  of the program
/// \param given    whether one of those options was given
/// \param which    names them in the message: "neither --d nor --keys"
/// \throws BadInput "--trace: its example is fixed, and goes with neither --d nor --keys"
void keep_trace_apart(const CommonOptions& options, bool given, std::string_view which);

/// Reads one of several words, or says which there are.
/// \param text     the word
/// \param what     where it stands, for the message: "--kernel"
/// \param choices  the words
/// \returns        the word
/// \throws BadInput "--kernel: 'cosine' is not one of gaussian, boxcar"
std::string parse_choice(const std::string& text, std::string_view what,
                         const std::vector<std::string>& choices);

/// A program's command line. Options are declared first, each with the variable that takes
/// its value; parse() then fills them in. The variables must live as long as this does.
class CommandLine
{
public:
    /// Declares the common options.
    /// \param description  what --help says
    explicit CommandLine(Description description);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;            ///< targets have one owner
    CommandLine& operator=(const CommandLine&) = delete; ///< targets have one owner

    /// Declares an option without a value.
    /// \param name    with its dashes: "--heat-map"
    /// \param target  set to true if the option is given
    /// \param help    one line
    void add_flag(const std::string& name, bool& target, const std::string& help);

    /// Declares an option that takes any text, or the name of a file.
    /// \param name     with its dashes: "--data"
    /// \param target   its value now, if any, is the default, and is shown in --help
    /// \param metavar  what stands for the value in --help: "FILE.csv"
    /// \param help     one line
    void add_text(const std::string& name, std::optional<std::string>& target,
                  const std::string& metavar, const std::string& help);

    /// Declares an option that takes one of several words.
    /// \param name     with its dashes: "--kernel"
    /// \param target   its value now is the default, and is shown in --help
    /// \param choices  the words
    /// \param help     one line
    void add_choice(const std::string& name, std::string& target,
                    const std::vector<std::string>& choices, const std::string& help);

    /// Declares an option that takes a finite number.
    /// \param name     with its dashes: "--bandwidth"
    /// \param target   its value now, if any, is the default, and is shown in --help
    /// \param metavar  what stands for the value in --help: "H"
    /// \param help     one line
    void add_number(const std::string& name, std::optional<double>& target,
                    const std::string& metavar, const std::string& help);

    /// Declares an option that takes a whole number.
    /// \param name      with its dashes: "--keys"
    /// \param target    its value now is the default, and is shown in --help
    /// \param at_least  the smallest value allowed
    /// \param help      one line
    void add_count(const std::string& name, std::size_t& target, std::size_t at_least,
                   const std::string& help);

    /// Declares an option that takes a whole number, and whose default depends on others.
    /// \param name      with its dashes: "--steps"
    /// \param target    empty; stays so if the option is not given
    /// \param at_least  the smallest value allowed
    /// \param help      one line, with the defaults
    void add_count(const std::string& name, std::optional<std::size_t>& target,
                   std::size_t at_least, const std::string& help);

    /// Declares an option that takes finite numbers with commas between them.
    /// \param name     with its dashes: "--query"
    /// \param target   its value now, if any, is the default, and is shown in --help
    /// \param metavar  what stands for the value in --help: "X,Y"
    /// \param help     one line
    void add_numbers(const std::string& name, std::vector<double>& target,
                     const std::string& metavar, const std::string& help);

    /// \returns the common options; their defaults before parse()
    const CommonOptions& common() const;

    /// \returns what the program says about itself
    const Description& description() const;

    /// \returns the text of --help
    std::string help() const;

    /// Reads the command line into the targets. Of an option given twice the last counts.
    /// \param argc  as main has it
    /// \param argv  as main has it
    /// \returns     false if --help or --version was asked for and has been printed
    /// \throws BadInput on anything not understood
    bool parse(int argc, const char* const* argv);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace attn::program
