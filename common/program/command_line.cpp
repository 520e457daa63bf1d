#include "common/program/command_line.hpp"

#include "common/parallel/for_each_index.hpp"
#include "common/parallel/processes.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <iterator>
#include <list>
#include <system_error>
#include <utility>

namespace attn::program {

namespace {

constexpr std::size_t most_threads = 1024;
constexpr char between_values = '\0'; ///< of one option: no argument holds it

/// What OMP_NUM_THREADS says, or all cores, or with mpirun a process's share of those of its machine.
std::size_t threads_by_default()
{
    const std::size_t threads = parallel::threads_by_default();
    return std::getenv("OMP_NUM_THREADS") != nullptr
               ? std::min(threads, most_threads)
               : std::max<std::size_t>(1, threads / parallel::launched().on_machine);
}

/// Whether a text would be a negative number if it were a value.
bool is_negative_number(std::string_view text)
{
    return text.size() > 1 && text[0] == '-' &&
           (text[1] == '.' || std::isdigit(static_cast<unsigned char>(text[1])) != 0);
}

/// The standard streams that are files: an output written over them would take what they hold.
std::vector<NamedFile> redirected_streams()
{
    std::vector<NamedFile> files = {{"standard input", "/dev/stdin"},
                                    {"standard output", "/dev/stdout"},
                                    {"standard error", "/dev/stderr"}};
    std::erase_if(files, [](const NamedFile& stream) {
        std::error_code closed;
        return !std::filesystem::is_regular_file(stream.file, closed);
    });
    return files;
}

/// A help text with the default behind it.
std::string with_default(const std::string& help, const std::string& value)
{
    return help + " (default: " + value + ")";
}

} // namespace

std::string parse_choice(const std::string& text, std::string_view what,
                         const std::vector<std::string>& choices)
{
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
        throw BadInput(fmt::format("{}: {} is not one of {}", what, in_quotes(text),
                                   fmt::join(choices, ", ")));
    }
    return text;
}

/// What the options are and what CLI11 needs to recognise them. CLI11 splits the command
/// line; values are read here, so that every complaint is one sentence of ours.
struct CommandLine::Implementation
{
    /// An option: how it is written, what it says of itself, and who takes its value.
    struct Option
    {
        std::string name;
        std::string metavar; ///< empty: it takes no value
        std::string help;
        std::function<void(const std::string&)> take;
        std::size_t n_values = 1; ///< if it takes any; joined by between_values
        std::string text = {};    ///< what CLI11 found behind it
        CLI::Option* cli = nullptr;
    };

    /// Options that do not go with others, or say nothing without one of them: CLI11's own rules
    /// give no reason.
    struct Rule
    {
        std::string these;  ///< names with blanks between them
        std::string others; ///< likewise
        bool together;      ///< whether these need one of the others, or exclude them
        std::string why;
    };

    Description description;
    CommonOptions common;
    std::list<Option> options;                          ///< the chapter's, then every program's
    std::list<Option>::iterator shared = options.end(); ///< the first of every program's
    std::vector<Rule> rules = {};
    std::vector<NamedFile> inputs = {};  ///< given, to be read
    std::vector<NamedFile> outputs = {}; ///< given, to be written
    CLI::App app;

    void add(const std::string& name, const std::string& metavar, const std::string& help,
             std::function<void(const std::string&)> take, std::size_t n_values = 1);
    const Option* find(std::string_view name) const;
    static std::string joined_values(const Option& option,
                                     const std::vector<std::string>& given, std::size_t& i);
    std::vector<std::string> prepare(int argc, const char* const* argv) const;
    [[noreturn]] void refuse(std::string_view argument) const;
    void parse(std::vector<std::string> arguments);
    std::string first_given(std::string_view names) const;
    void expect_rules_kept() const;
    void expect_files_apart() const;
};

void CommandLine::Implementation::add(const std::string& name, const std::string& metavar,
                                      const std::string& help,
                                      std::function<void(const std::string&)> take,
                                      std::size_t n_values)
{
    Option& added = *options.insert(shared, {name, metavar, help, std::move(take), n_values});
    added.cli = added.metavar.empty() ? app.add_flag(added.name)
                                      : app.add_option(added.name, added.text);
    added.cli->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// The option of a name, or null.
const CommandLine::Implementation::Option*
CommandLine::Implementation::find(std::string_view name) const
{
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const Option& one) { return one.name == name; });
    return found == options.end() ? nullptr : &*found;
}

/// The values of an option, the first of which may stand behind an equals sign.
/// \param i  where the option stands; then, where its last value does
std::string CommandLine::Implementation::joined_values(const Option& option,
                                                       const std::vector<std::string>& given,
                                                       std::size_t& i)
{
    const std::size_t equals = given[i].find('=');
    std::string values =
        equals == std::string::npos ? std::string() : given[i].substr(equals + 1);
    bool missing = equals != std::string::npos && values.empty();
    for (std::size_t n = values.empty() ? 0 : 1; n < option.n_values && !missing; ++n) {
        missing = i + 1 == given.size() || given[i + 1].empty() ||
                  (given[i + 1][0] == '-' && given[i + 1] != "-" && // standard input
                   !is_negative_number(given[i + 1]));
        if (!missing) {
            values += (n == 0 ? "" : std::string(1, between_values)) + given[++i];
        }
    }
    if (missing) {
        throw BadInput(fmt::format("{}: a value is missing ({})", option.name, option.metavar));
    }
    return values;
}

/// The arguments as CLI11 understands them alike in all its versions: a value is joined to
/// its option by '=', which lets it begin with a minus.
std::vector<std::string> CommandLine::Implementation::prepare(int argc,
                                                              const char* const* argv) const
{
    const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
    std::vector<std::string> prepared;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::size_t equals = given[i].find('=');
        const Option* const option = find(std::string_view(given[i]).substr(0, equals));
        if (option == nullptr) {
            prepared.push_back(given[i]);
        } else if (!option->metavar.empty()) {
            prepared.push_back(option->name + "=" + joined_values(*option, given, i));
        } else if (equals == std::string::npos) {
            prepared.push_back(given[i]);
        } else {
            throw BadInput(fmt::format("{} takes no value", option->name));
        }
    }
    return prepared;
}

/// Complains about an argument that is no option, and guesses which one was meant.
void CommandLine::Implementation::refuse(std::string_view argument) const
{
    const std::string_view name = argument.substr(0, argument.find('='));
    std::string nearest;
    std::size_t least = 3; // more slips than two are another word
    for (const Option& option : options) {
        const std::size_t distance = edit_distance(name, option.name);
        if (distance < least) {
            least = distance;
            nearest = option.name;
        }
    }
    throw BadInput(
        fmt::format("{} is not an option; {}", in_quotes(name),
                    nearest.empty() ? "--help lists them" : "did you mean " + nearest + "?"));
}

/// Splits the arguments and hands the values to the targets.
void CommandLine::Implementation::parse(std::vector<std::string> arguments)
{
    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
    app.parse(std::move(arguments));
    const std::vector<std::string> rest = app.remaining();
    if (!rest.empty()) {
        refuse(rest.front());
    }
    for (const Option& option : options) {
        if (option.cli->count() > 0) {
            option.take(option.text);
        }
    }
    expect_rules_kept();
    expect_files_apart();
    for (const NamedFile& output : outputs) {
        require_writable(output.file, output.option);
    }
}

/// The first of some options that was given, or nothing.
/// \param names  with blanks between them
std::string CommandLine::Implementation::first_given(std::string_view names) const
{
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(' '), names.size());
        const Option* const option = find(names.substr(0, end));
        if (option != nullptr && option->cli->count() > 0) {
            return option->name;
        }
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return {};
}

void CommandLine::Implementation::expect_rules_kept() const
{
    for (const bool together : {false, true}) { // what cannot be, before what is missing
        for (const Rule& rule : rules) {
            const std::string one = first_given(rule.these);
            const std::string other = first_given(rule.others);
            if (rule.together == together && !one.empty() && other.empty() == together) {
                throw BadInput(
                    fmt::format("{}: {}{}", one, rule.why,
                                together ? "" : ", so it does not go with " + other));
            }
        }
    }
}

/// Refuses an output that is an input, a standard stream or another output. A training that goes on
/// may save over the checkpoint that it began with, which has been read by then.
void CommandLine::Implementation::expect_files_apart() const
{
    const std::vector<NamedFile> streams = redirected_streams();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        std::vector<NamedFile> others(outputs.begin(),
                                      outputs.begin() + static_cast<std::ptrdiff_t>(i));
        std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(others),
                     [&](const NamedFile& input) {
                         return outputs[i].option != "--save" || input.option != "--resume";
                     });
        others.insert(others.end(), streams.begin(), streams.end());
        require_other_file(outputs[i], others);
    }
}

CommandLine::CommandLine(Description description)
    : implementation_(std::make_unique<Implementation>())
{
    Implementation& all = *implementation_;
    CommonOptions& common = all.common;
    common.threads = threads_by_default();
    common.out = std::filesystem::path("out") / description.id;
    all.description = std::move(description);
    all.add(
        "--seed", "N", "of all random numbers (default: 1)",
        [&common](const std::string& text) { common.seed = parse_count(text, "--seed", 0); });
    add_flag("--quick", common.quick, "a smaller run, at most five seconds");
    add_flag("--trace", common.trace, "the pencil-size example instead, step by step");
    all.add("--threads", "N", "how many at a time (default: OMP_NUM_THREADS, or all cores)",
            [&common](const std::string& text) {
                common.threads = parse_count(text, "--threads", 1, most_threads);
            });
    all.add("--out", "DIR", with_default("where files go", common.out.string()),
            [&common](const std::string& text) { common.out = text; });
    add_flag("--checksums", common.checksums,
             "end with a checksum of each file, figures left out");
    all.shared = all.options.begin();
    all.app.set_help_flag("-h,--help");
    all.app.set_version_flag("--version", all.description.id + " " ATTN_VERSION);
    all.app.allow_extras();
}

CommandLine::~CommandLine() = default;

void CommandLine::add_flag(const std::string& name, bool& target, const std::string& help)
{
    implementation_->add(name, "", help, [&](const std::string&) { target = true; });
}

void CommandLine::add_text(const std::string& name, std::optional<std::string>& target,
                           const std::string& metavar, const std::string& help)
{
    implementation_->add(name, metavar, target ? with_default(help, *target) : help,
                         [&](const std::string& text) { target = text; });
}

void CommandLine::add_input(const std::string& name, std::optional<std::string>& target,
                            const std::string& metavar, const std::string& help)
{
    implementation_->add(name, metavar, help, [this, &target, name](const std::string& text) {
        target = text;
        implementation_->inputs.push_back({name, text});
    });
}

void CommandLine::add_output(const std::string& name, std::optional<std::string>& target,
                             const std::string& metavar, const std::string& help)
{
    implementation_->add(name, metavar, help, [this, &target, name](const std::string& text) {
        target = text;
        implementation_->outputs.push_back({name, text});
    });
}

void CommandLine::add_two_inputs(const std::string& name,
                                 std::optional<std::pair<std::string, std::string>>& target,
                                 const std::string& metavar, const std::string& help)
{
    const auto take = [this, &target, name](const std::string& values) {
        const std::size_t first = values.find(between_values);
        target.emplace(values.substr(0, first), values.substr(first + 1));
        implementation_->inputs.push_back({name, target->first});
        implementation_->inputs.push_back({name, target->second});
    };
    implementation_->add(name, metavar, help, take, 2);
}

void CommandLine::add_choice(const std::string& name, std::string& target,
                             const std::vector<std::string>& choices, const std::string& help)
{
    const std::string listed = fmt::format("{}: {}", help, fmt::join(choices, ", "));
    implementation_->add(name, "WORD", with_default(listed, target),
                         [&target, name, choices](const std::string& text) {
                             target = parse_choice(text, name, choices);
                         });
}

void CommandLine::add_number(const std::string& name, std::optional<double>& target,
                             const std::string& metavar, const std::string& help)
{
    implementation_->add(
        name, metavar, target ? with_default(help, significant(*target, 6)) : help,
        [&target, name](const std::string& text) { target = parse_number(text, name); });
}

void CommandLine::add_count(const std::string& name, std::size_t& target, std::size_t at_least,
                            const std::string& help, std::size_t at_most)
{
    implementation_->add(name, "N", with_default(help, std::to_string(target)),
                         [&target, name, at_least, at_most](const std::string& text) {
                             target = parse_count(text, name, at_least, at_most);
                         });
}

void CommandLine::add_count(const std::string& name, std::optional<std::size_t>& target,
                            std::size_t at_least, const std::string& help)
{
    implementation_->add(name, "N", help, [&target, name, at_least](const std::string& text) {
        target = parse_count(text, name, at_least);
    });
}

void CommandLine::add_numbers(const std::string& name, std::vector<double>& target,
                              const std::string& metavar, const std::string& help)
{
    const std::string value =
        fmt::format("{}", fmt::join(texts_of(target, significant, 6), ","));
    implementation_->add(
        name, metavar, target.empty() ? help : with_default(help, value),
        [&target, name](const std::string& text) { target = parse_numbers(text, name); });
}

void CommandLine::exclude(std::string_view these, std::string_view others,
                          const std::string& why)
{
    implementation_->rules.push_back({std::string(these), std::string(others), false, why});
}

void CommandLine::exclude_from_trace(std::string_view others)
{
    exclude("--trace", others, "its example is fixed");
}

void CommandLine::need(std::string_view these, std::string_view others, const std::string& what)
{
    implementation_->rules.push_back({std::string(these), std::string(others), true, what});
}

bool CommandLine::given(std::string_view names) const
{
    return !implementation_->first_given(names).empty();
}

std::vector<NamedFile> CommandLine::files() const
{
    std::vector<NamedFile> all = implementation_->inputs;
    all.insert(all.end(), implementation_->outputs.begin(), implementation_->outputs.end());
    return all;
}

const CommonOptions& CommandLine::common() const
{
    return implementation_->common;
}

const Description& CommandLine::description() const
{
    return implementation_->description;
}

std::string CommandLine::help(std::size_t columns) const
{
    // Collect what stands to the left and to the right.
    std::vector<std::pair<std::string, std::string>> lines;
    for (const Implementation::Option& option : implementation_->options) {
        lines.emplace_back(option.name + (option.metavar.empty() ? "" : " " + option.metavar),
                           option.help);
    }
    lines.emplace_back("-h, --help", "this text");
    lines.emplace_back("--version", "the book's version");

    // Align them.
    std::size_t left_width = 0;
    for (const auto& [left, right] : lines) {
        left_width = std::max(left_width, display_width(left));
    }
    const Description& what = implementation_->description;
    std::string text = fmt::format("{}: {}\n\nUsage: {} [options]\n\nOptions:\n", what.id,
                                   what.question, what.id);
    const bool below = left_width + 24 > columns; // or a column of single words is left
    const std::size_t indent = below ? 6 : left_width + 4;
    for (const auto& [left, right] : lines) {
        text += "  " + (below ? left + "\n" + std::string(indent, ' ')
                              : to_the_left(left, left_width) + "  ");
        text += wrap(right, columns - indent, indent) + "\n";
    }

    // Show the examples, a line each.
    std::string_view rest = what.example;
    text += rest.empty() ? "" : "\nExample:\n";
    while (!rest.empty()) {
        text += fmt::format("  {}\n", take_line(rest));
    }
    return text;
}

bool CommandLine::parse(int argc, const char* const* argv)
{
    Terminal terminal;
    std::string answer;
    try {
        implementation_->parse(implementation_->prepare(argc, argv));
        return true;
    } catch (const CLI::CallForHelp&) {
        answer = help(std::min(page_width, terminal.columns()));
        answer.pop_back(); // line() breaks the last line
    } catch (const CLI::CallForVersion& version) {
        answer = version.what();
    } catch (const CLI::ParseError& error) {
        throw BadInput(wrap(error.what(), std::string_view(error.what()).size()));
    }
    terminal.line(answer);
    terminal.expect_written();
    return false;
}

} // namespace attn::program
