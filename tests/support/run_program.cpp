#include "tests/support/run_program.hpp"

#include "common/program/child.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace attn::testing {

ProgramRun run_program(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments,
                       const std::filesystem::path& working_directory,
                       const std::function<void(pid_t)>& meanwhile)
{
    const std::optional<program::ChildResult> result =
        program::run_child(program.string(), arguments, working_directory, meanwhile);
    if (!result) {
        throw std::runtime_error("there is no program " + program.string());
    }
    ProgramRun run{result->exit_code, result->out, result->err};
    if (result->signal != 0) {
        run.err += std::string("ended by a signal: ") + strsignal(result->signal) + "\n";
    }
    return run;
}

ScratchFolder::ScratchFolder()
{
    std::string name = (std::filesystem::temp_directory_path() / "attn_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = std::filesystem::canonical(name);
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace attn::testing
