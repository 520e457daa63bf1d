/// \file
/// \brief Attempts at the functions of a `your_turn.hpp`, right and wrong, so that the tests
/// which judge a reader can be judged themselves. One program holds all attempts of a chapter;
/// the environment variable ATTN_ATTEMPT, "softmax/sums_columns", picks one. Deliberately not
/// a program an attempt: that would take minutes to compile.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

namespace attn::testing {

/// What the judge of the attempts has to know of one of them.
struct AttemptEntry
{
    std::string function;   ///< what the reader has to write: "softmax"
    std::string name;       ///< "right", or the mistake: "sums_columns"
    std::string judge_says; ///< a part of the message that it must meet; nothing if right
};

/// All attempts of the program, in the order of their tables.
/// \returns the list, to which each table adds its own before main begins
inline std::vector<AttemptEntry>& all_attempts()
{
    static std::vector<AttemptEntry> entries;
    return entries;
}

/// The attempts at one function, under their names. The first is right; it is called unless
/// ATTN_ATTEMPT picks another.
/// \tparam Function  its type, "Matrix(const Matrix& scores, double temperature)"
template <typename Function>
class Attempts
{
public:
    /// One of them.
    struct Attempt
    {
        std::string name;       ///< "right", or the mistake
        Function* run;          ///< the attempt itself
        std::string judge_says; ///< a part of the message that it must meet; nothing if right
    };

    /// Makes them known to the judge.
    /// \param function  its name in `your_turn.hpp`
    /// \param attempts  at least one, the right one first
    Attempts(const std::string& function, const std::vector<Attempt>& attempts)
        : chosen_(attempts.front().run)
    {
        const char* const wanted = std::getenv("ATTN_ATTEMPT");
        for (const Attempt& attempt : attempts) {
            all_attempts().push_back({function, attempt.name, attempt.judge_says});
            if (wanted != nullptr && wanted == function + "/" + attempt.name) {
                chosen_ = attempt.run;
            }
        }
    }

    /// \returns the attempt that this run is about
    Function* chosen() const { return chosen_; }

private:
    Function* chosen_;
};

} // namespace attn::testing
