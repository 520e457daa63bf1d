#include "common/program/child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

/// The environment that a child inherits (POSIX).
extern char** environ;

namespace attn::program {

namespace {

/// Throws unless a call returned 0.
void expect_success(int error, const std::string& what)
{
    if (error != 0) {
        throw std::system_error(error, std::generic_category(), what);
    }
}

/// A file without a name into which a child writes.
class Output
{
public:
    Output() : file_(std::tmpfile(), std::fclose)
    {
        expect_success(file_ == nullptr ? errno : 0, "tmpfile");
    }

    int descriptor() const { return fileno(file_.get()); }

    /// \returns all that was written
    std::string text() const
    {
        std::string all;
        std::array<char, 1 << 14> block{};
        std::rewind(file_.get());
        while (const std::size_t n = std::fread(block.data(), 1, block.size(), file_.get())) {
            all.append(block.data(), n);
        }
        return all;
    }

private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Where the child starts: its standard streams, its folder and its signals.
class Start
{
public:
    Start(const Output& out, const Output& err, const std::filesystem::path& folder)
    {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, out.descriptor(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, err.descriptor(), STDERR_FILENO);
        if (!folder.empty()) {
            posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
        }
        posix_spawnattr_init(&attributes_);
        sigset_t to_default; // our ignoring SIGPIPE must not be inherited
        sigemptyset(&to_default);
        sigaddset(&to_default, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes_, &to_default);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
    }
    ~Start()
    {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    Start(const Start&) = delete;
    Start& operator=(const Start&) = delete;

    const posix_spawn_file_actions_t* actions() const { return &actions_; }
    const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

/// Our environment, with some variables set otherwise.
/// \param variables  "NAME=value"
std::vector<std::string> environment_with(const std::vector<std::string>& variables)
{
    std::vector<std::string> all = variables;
    for (char** ours = environ; *ours != nullptr; ++ours) {
        const std::string one = *ours;
        const bool replaced =
            std::any_of(variables.begin(), variables.end(), [&](const std::string& other) {
                const std::size_t n = other.find('=') + 1;
                return one.compare(0, n, other, 0, n) == 0;
            });
        if (!replaced) {
            all.push_back(one);
        }
    }
    return all;
}

/// Texts as a program is given them: pointers to each, and a null pointer behind the last.
std::vector<char*> pointers_to(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

std::optional<ChildResult> run_child(const std::string& program,
                                     const std::vector<std::string>& arguments,
                                     const std::filesystem::path& working_directory,
                                     const std::function<void(pid_t)>& meanwhile,
                                     const std::vector<std::string>& variables)
{
    // A path means the same from every folder, and a missing folder is no missing program.
    if (!working_directory.empty() && !std::filesystem::is_directory(working_directory)) {
        throw std::runtime_error("there is no folder " + working_directory.string());
    }
    const bool is_path = program.find('/') != std::string::npos;
    const std::string file = is_path ? std::filesystem::absolute(program).string() : program;
    std::vector<std::string> words = {file};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = environment_with(variables);

    const Output out;
    const Output err;
    const Start start(out, err, working_directory);
    pid_t child = 0;
    const int error = posix_spawnp(&child, file.c_str(), start.actions(), start.attributes(),
                                   pointers_to(words).data(), pointers_to(environment).data());
    const bool missing = error == ENOENT || (!is_path && (error == EACCES || error == ENOTDIR));
    if (missing) {
        return std::nullopt;
    }
    expect_success(error, program);

    if (meanwhile) {
        meanwhile(child);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        expect_success(errno == EINTR ? 0 : errno, "waitpid");
    }
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return ChildResult{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + signal, signal,
                       out.text(), err.text()};
}

} // namespace attn::program
