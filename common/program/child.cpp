#include "common/program/child.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
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

/// A file descriptor with an owner.
class Descriptor
{
public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return fd_; }
    void set(int fd) { fd_ = fd; }
    void close()
    {
        if (fd_ >= 0) {
            ::close(fd_);
        }
        fd_ = -1;
    }

private:
    int fd_;
};

/// What the child writes at one end, we read at the other. Both are closed by exec, so that
/// the child has only the copy that is made for it.
struct Pipe
{
    Descriptor reading, writing;

    Pipe()
    {
        std::array<int, 2> ends{};
        expect_success(pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe");
        reading.set(ends[0]);
        writing.set(ends[1]);
    }
};

/// Where the child starts: its standard streams and its folder.
class Actions
{
public:
    Actions(const Pipe& out, const Pipe& err, const std::filesystem::path& folder)
    {
        expect_success(posix_spawn_file_actions_init(&actions_), "posix_spawn");
        int error =
            posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        for (const auto& [from, to] : {std::pair(out.writing.get(), STDOUT_FILENO),
                                       std::pair(err.writing.get(), STDERR_FILENO)}) {
            if (error == 0) {
                error = posix_spawn_file_actions_adddup2(&actions_, from, to);
            }
        }
        if (error == 0 && !folder.empty()) {
            error = posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
        }
        if (error != 0) {
            posix_spawn_file_actions_destroy(&actions_);
        }
        expect_success(error, "posix_spawn");
    }
    ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;

    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

/// The child's signals: our ignoring SIGPIPE must not be inherited.
class Attributes
{
public:
    Attributes()
    {
        expect_success(posix_spawnattr_init(&attributes_), "posix_spawn");
        sigset_t to_default;
        sigemptyset(&to_default);
        sigaddset(&to_default, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes_, &to_default);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
    }
    ~Attributes() { posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;

    const posix_spawnattr_t* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

/// Reads both pipes to their end, whichever has something, so that neither fills up.
void read_both(Pipe& out, Pipe& err, ChildResult& result)
{
    std::array<pollfd, 2> watched = {
        {{out.reading.get(), POLLIN, 0}, {err.reading.get(), POLLIN, 0}}};
    const std::array<std::string*, 2> texts = {&result.out, &result.err};
    std::array<char, 1 << 14> block{};
    while (watched[0].fd >= 0 || watched[1].fd >= 0) {
        if (poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) {
            expect_success(errno, "poll");
        }
        for (std::size_t i = 0; i < watched.size(); ++i) {
            if (watched[i].fd < 0 || watched[i].revents == 0) {
                continue;
            }
            const ssize_t n_bytes = read(watched[i].fd, block.data(), block.size());
            if (n_bytes > 0) {
                texts[i]->append(block.data(), static_cast<std::size_t>(n_bytes));
            } else if (n_bytes == 0 || errno != EINTR) {
                watched[i].fd = -1; // poll passes over it
            }
        }
    }
}

void wait_for(pid_t child, ChildResult& result)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        expect_success(errno == EINTR ? 0 : errno, "waitpid");
    }
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result.signal;
}

} // namespace

std::optional<ChildResult> run_child(const std::string& program,
                                     const std::vector<std::string>& arguments,
                                     const std::filesystem::path& working_directory)
{
    // A path means the same from every folder, and a missing folder is no missing program.
    if (!working_directory.empty() && !std::filesystem::is_directory(working_directory)) {
        throw std::runtime_error("there is no folder " + working_directory.string());
    }
    const bool is_path = program.find('/') != std::string::npos;
    std::string file = is_path ? std::filesystem::absolute(program).string() : program;
    std::vector<std::string> words = arguments;
    std::vector<char*> argv = {file.data()};
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);

    Pipe out;
    Pipe err;
    const Actions actions(out, err, working_directory);
    const Attributes attributes;
    pid_t child = 0;
    const int error = posix_spawnp(&child, file.c_str(), actions.get(), attributes.get(),
                                   argv.data(), environ);
    const bool missing = error == ENOENT || (!is_path && (error == EACCES || error == ENOTDIR));
    if (missing) {
        return std::nullopt;
    }
    expect_success(error, program);

    out.writing.close(); // else reading would never end
    err.writing.close();
    ChildResult result;
    read_both(out, err, result);
    wait_for(child, result);
    return result;
}

} // namespace attn::program
