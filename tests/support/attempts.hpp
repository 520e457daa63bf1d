/// \file
/// \brief The mistakes of the attempts at a chapter's `your_turn.hpp`, so that the tests which
/// judge a reader can be judged themselves. One program holds them all, since compiling one for
/// each would take minutes; the environment variable ATTN_MISTAKE, "softmax: sums_columns",
/// picks the one that a run makes, and without it all functions are right.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace attn::testing {

/// A typical mistake in a function that the reader has to write.
class Mistake
{
public:
    /// \param mistake     the function and what is wrong, "softmax: sums_columns"
    /// \param judge_says  a part of the message that it must meet
    Mistake(std::string mistake, std::string judge_says)
        : name(std::move(mistake)), message(std::move(judge_says))
    {
        const char* const picked = std::getenv("ATTN_MISTAKE");
        is_made_ = picked != nullptr && picked == name;
        all().push_back(this);
    }
    Mistake(const Mistake&) = delete;            ///< listed once
    Mistake& operator=(const Mistake&) = delete; ///< listed once

    /// \returns whether this run makes it
    explicit operator bool() const { return is_made_; }

    /// \returns those of the program, in the order of the file
    static std::vector<const Mistake*>& all()
    {
        static std::vector<const Mistake*> mistakes;
        return mistakes;
    }

    const std::string name;    ///< the function and what is wrong
    const std::string message; ///< a part of the message that it must meet

private:
    bool is_made_;
};

} // namespace attn::testing
