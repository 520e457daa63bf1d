/// \file
/// \brief A terminal for tests of what is shown only on one. Deliberately one way: what a
/// program writes to it can be read back, nothing is typed.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <termios.h>
#include <unistd.h>

namespace attn::testing {

/// Both ends of a terminal.
class PseudoTerminal
{
public:
    /// \throws std::runtime_error if the system has none
    PseudoTerminal() : reading_(posix_openpt(O_RDWR | O_NOCTTY))
    {
        if (reading_ < 0 || grantpt(reading_) != 0 || unlockpt(reading_) != 0) {
            throw std::runtime_error("no pseudo-terminal");
        }
        writing_ = std::fopen(ptsname(reading_), "w");
        if (writing_ == nullptr) {
            throw std::runtime_error("no pseudo-terminal");
        }
        termios settings{};
        tcgetattr(fileno(writing_), &settings);
        settings.c_oflag &= ~static_cast<tcflag_t>(OPOST); // line breaks as they are
        tcsetattr(fileno(writing_), TCSANOW, &settings);
    }
    ~PseudoTerminal()
    {
        std::fclose(writing_);
        close(reading_);
    }
    PseudoTerminal(const PseudoTerminal&) = delete;            ///< one terminal, one owner
    PseudoTerminal& operator=(const PseudoTerminal&) = delete; ///< one terminal, one owner

    /// \returns where a program writes
    std::FILE* file() { return writing_; }

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
