/// \file
/// \brief The sign that a reader's function is still to be written.
/// Deliberately an exception: a function that returned something would be judged.
#pragma once

#include <stdexcept>
#include <string>

namespace attn::your_turn {

/// Thrown by a function of a `your_turn.hpp` until its reader has written it.
class NotWrittenYet : public std::logic_error
{
public:
    /// \param where  the file and the function to write
    explicit NotWrittenYet(const std::string& where)
        : std::logic_error(where + " is still to be written: it is your turn")
    {
    }
};

} // namespace attn::your_turn
