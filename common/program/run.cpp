#include "common/program/run.hpp"

#include "common/parallel/processes.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/program/trained_bits.hpp"
#include "common/tensor/check.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <unistd.h>
#include <vector>

namespace attn::program {

namespace {

constexpr int failure = 1; ///< the program's fault
constexpr int refusal = 2; ///< what it was given cannot be used
constexpr int interrupted = 128 + SIGINT;

/// Readies the standard streams: a closed pipe becomes an error of write() instead of a
/// signal, and no file that is opened later takes the place of a closed stream.
void prepare_streams()
{
    std::signal(SIGPIPE, SIG_IGN);
    const bool has_output = fcntl(STDOUT_FILENO, F_GETFD) != -1;
    int opened = STDIN_FILENO;
    while (opened >= 0 && opened <= STDERR_FILENO) {
        opened = open("/dev/null", O_RDWR | O_CLOEXEC);
    }
    close(opened);
    if (!has_output) {
        throw BadInput("the output cannot be written: standard output is closed");
    }
}

/// Refuses a reader's file of a name that the program gives to its own: what was trained would be found
/// to have no place only after the training.
void expect_own_names(const std::filesystem::path& out, const std::vector<NamedFile>& files)
{
    for (const NamedFile& one : files) {
        if (one.file.filename().string().starts_with("trained_") &&
            same_file(one.file.parent_path() / ".", out)) {
            throw BadInput(
                fmt::format("{}: {} may be the name of a file of this program in --out; "
                            "give it another name or --out another folder",
                            one.option, in_quotes(one.file.string(), longest_path)));
        }
    }
}

/// Refuses to do the same as many times as mpirun has started this program.
void expect_one_process()
{
    const parallel::Launch launch = parallel::launched();
    if (launch.size > 1 && !parallel::has_joined()) {
        throw BadInput(
            fmt::format("mpirun has started {} processes of this program, which computes in "
                        "one{}; only the "
                        "trainings of chapters 12 and 13 can be shared",
                        launch.size,
                        parallel::has_mpi()
                            ? ""
                            : " because there was no MPI (Debian and Ubuntu: libopenmpi-dev) "
                              "when it was configured"));
    }
}

void run_body(int argc, const char* const* argv, CommandLine& command_line,
              const std::function<void(Frame&)>& body)
{
    prepare_streams();
    expect_one_process();
    if (!command_line.parse(argc, argv)) {
        return;
    }
    const CommonOptions& options = command_line.common();
    expect_own_names(options.out, command_line.files());
    Terminal terminal;
    OutputFolder files(options.out, command_line.files());
    Frame frame{options, terminal, files};
    body(frame);
    const std::string written = options.checksums ? files.checksums() : files.summary();
    const std::string trained = options.checksums ? trained_bits() : "";
    for (const std::string& text : {written, trained}) {
        if (!text.empty()) {
            terminal.line();
            terminal.line(text);
        }
    }
    terminal.expect_written();
}

/// Says what went wrong; of processes that know nothing of each other, the first one does.
int complain(const CommandLine& command_line, std::string_view what, int exit_code)
{
    if (parallel::launched().rank > 0 && !parallel::has_joined()) {
        return exit_code;
    }
    const std::string line = fmt::format("{}: {}\n", command_line.description().id, what);
    std::fputs(line.c_str(), stderr);
    return exit_code;
}

} // namespace

int run(int argc, const char* const* argv, CommandLine& command_line,
        const std::function<void(Frame&)>& body)
{
    try {
        run_body(argc, argv, command_line, body);
        return 0;
    } catch (const BadInput& error) {
        return complain(command_line, error.what(), refusal);
    } catch (const ContractError& error) {
        return complain(command_line, error.what(), refusal);
    } catch (const Interrupted& end) {
        return complain(command_line, end.what(), interrupted);
    } catch (const std::bad_alloc&) {
        return complain(command_line, "there is not enough memory", failure);
    } catch (const std::exception& error) {
        return complain(command_line, error.what(), failure);
    } catch (...) {
        return complain(command_line, "something unknown went wrong", failure);
    }
}

} // namespace attn::program
