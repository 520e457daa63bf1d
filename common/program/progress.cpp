#include "common/program/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace attn::program {

namespace {

constexpr std::chrono::milliseconds between_updates{100};
constexpr const char* clear_line = "\r\033[K";

} // namespace

Progress::Progress(std::string label, std::size_t total, std::FILE* err,
                   std::chrono::milliseconds quiet)
    : label_(std::move(label)), total_(total), err_(err), watched_(isatty(fileno(err)) == 1),
      start_(Clock::now()), next_(start_ + quiet)
{
}

Progress::~Progress()
{
    if (shown_) {
        std::fputs(clear_line, err_);
        std::fflush(err_);
    }
}

void Progress::advance(std::size_t n_steps)
{
    done_ += n_steps;
    if (watched_ && Clock::now() >= next_) {
        show();
    }
}

void Progress::show()
{
    std::string line = fmt::format("{}{}: {} of {}", clear_line, label_, done_, total_);
    if (done_ > 0 && done_ < total_) {
        const std::chrono::duration<double> passed = Clock::now() - start_;
        const double left =
            passed.count() * static_cast<double>(total_ - done_) / static_cast<double>(done_);
        line += fmt::format(", about {:.0f} s left", left);
    }
    if (remark_) {
        line += ", " + remark_();
    }
    std::fputs(line.c_str(), err_);
    std::fflush(err_);
    shown_ = true;
    next_ = Clock::now() + between_updates;
}

} // namespace attn::program
