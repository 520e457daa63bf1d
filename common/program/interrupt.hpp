/// \file
/// \brief Ctrl-C during a long computation: the first asks for an end after the current step,
/// the second ends the program at once.
#pragma once

#include <stdexcept>

namespace attn::program {

/// The reader pressed Ctrl-C and the computation has ended in good order. what() is one sentence
/// that says where, and how to go on. run() prints it and returns 130, as shells expect.
class Interrupted : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// While one lives, the first SIGINT is a request and the second ends the program at once. The
/// last to go restores what SIGINT did before the first. Where it was ignored, as in the
/// background of some shells, it stays ignored.
class InterruptWatch
{
public:
    InterruptWatch();                               ///< From now on SIGINT is a request.
    ~InterruptWatch();                              ///< SIGINT does what it did before.
    InterruptWatch(const InterruptWatch&) = delete; ///< there is one SIGINT
    InterruptWatch& operator=(const InterruptWatch&) = delete; ///< there is one SIGINT

    /// \returns whether SIGINT has come since there is a watch
    static bool requested();
};

} // namespace attn::program
