/// \file
/// \brief A terminal for tests of what is shown only on one. Deliberately one way: what a
/// program writes to it can be read back, nothing is typed.
#pragma once

#include "tests/support/catch.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <termios.h>
#include <unistd.h>

namespace attn::testing {

/// Both ends of a terminal, if the system has any.
class PseudoTerminal
{
public:
    PseudoTerminal() : reading_(posix_openpt(O_RDWR | O_NOCTTY)) ///< Opens both ends.
    {
        if (reading_ < 0 || grantpt(reading_) != 0 || unlockpt(reading_) != 0) {
            return;
        }
        const char* const name = ptsname(reading_);
        writing_ = name == nullptr ? nullptr : std::fopen(name, "w");
        if (writing_ == nullptr) {
            return;
        }
        termios settings{};
        tcgetattr(fileno(writing_), &settings);
        settings.c_oflag &= ~static_cast<tcflag_t>(OPOST); // line breaks as they are
        tcsetattr(fileno(writing_), TCSANOW, &settings);
    }
    ~PseudoTerminal()
    {
        if (writing_ != nullptr) {
            std::fclose(writing_);
        }
        if (reading_ >= 0) {
            close(reading_);
        }
    }
    PseudoTerminal(const PseudoTerminal&) = delete;            ///< one terminal, one owner
    PseudoTerminal& operator=(const PseudoTerminal&) = delete; ///< one terminal, one owner

    /// \returns where a program writes; null, with a warning, where there is no such terminal
    std::FILE* file()
    {
        if (writing_ == nullptr) {
            WARN("not tested: there is no pseudo-terminal here");
        }
        return writing_;
    }

    /// \returns what has been written since the last call
    std::string text()
    {
        std::fflush(writing_);
        std::string all;
        std::array<char, 4096> block{};
        pollfd watched{reading_, POLLIN, 0};
        while (poll(&watched, 1, 50) > 0 && (watched.revents & POLLIN) != 0) {
            const ssize_t n_bytes = read(reading_, block.data(), block.size());
            if (n_bytes <= 0) {
                break;
            }
            all.append(block.data(), static_cast<std::size_t>(n_bytes));
        }
        return all;
    }

private:
    int reading_;
    std::FILE* writing_ = nullptr;
};

} // namespace attn::testing
