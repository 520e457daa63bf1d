/// \file
/// \brief How far a long computation is, as one line on standard error that rewrites itself and
/// vanishes at the end. Silent when standard error is no terminal, and during the first second.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

namespace attn::program {

/// Counts steps and shows them. For use by one thread.
class Progress
{
public:
    /// \param err  where to show it, if that is a terminal
    Progress(std::string label, std::size_t total, std::FILE* err = stderr,
             std::chrono::milliseconds quiet = std::chrono::seconds(1));
    /// Ends the line, if it was shown.
    ~Progress();
    Progress(const Progress&) = delete;            ///< there is one line
    Progress& operator=(const Progress&) = delete; ///< there is one line

    /// Says something more at the end of the line.
    /// \param remark  asked whenever the line is written
    void remark(std::function<std::string()> remark) { remark_ = std::move(remark); }

    /// Counts steps.
    void advance(std::size_t n_steps = 1);

private:
    void show();

    using Clock = std::chrono::steady_clock;
    std::string label_;
    std::function<std::string()> remark_;
    std::size_t total_;
    std::size_t done_ = 0;
    std::FILE* err_;
    bool watched_;
    bool shown_ = false;
    Clock::time_point start_;
    Clock::time_point next_;
};

} // namespace attn::program
