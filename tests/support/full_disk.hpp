/// \file
/// \brief A disk that is full, for tests of what writing then loses: nothing.
#pragma once

#include <csignal>
#include <sys/resource.h>

namespace attn::testing {

/// While it lives, no file of this process may grow beyond a size.
class FullDisk
{
public:
    /// \param largest_file  in bytes
    explicit FullDisk(rlim_t largest_file) : handler_(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{largest_file, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FullDisk(const FullDisk&) = delete;            ///< one limit, one owner
    FullDisk& operator=(const FullDisk&) = delete; ///< one limit, one owner

private:
    rlimit before_{};
    void (*handler_)(int);
};

} // namespace attn::testing
