#include "common/program/interrupt.hpp"

#include <csignal>
#include <cstddef>
#include <mutex>

namespace attn::program {

namespace {

volatile std::sig_atomic_t interrupt_came = 0;

std::mutex watches;           ///< guards the two below
std::size_t n_watches = 0;    ///< how many live
struct sigaction before = {}; ///< what SIGINT did before the first of them

extern "C" void take_interrupt(int /*signal*/)
{
    interrupt_came = 1;
}

} // namespace

InterruptWatch::InterruptWatch()
{
    const std::lock_guard lock(watches);
    if (n_watches++ > 0) {
        return;
    }
    interrupt_came = 0;
    sigaction(SIGINT, nullptr, &before);
    if (before.sa_handler == SIG_IGN) {
        return;
    }
    struct sigaction request = {};
    request.sa_handler = take_interrupt;
    request.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND); // the second one kills
    sigemptyset(&request.sa_mask);
    sigaction(SIGINT, &request, nullptr);
}

InterruptWatch::~InterruptWatch()
{
    const std::lock_guard lock(watches);
    if (--n_watches == 0) {
        sigaction(SIGINT, &before, nullptr);
    }
}

bool InterruptWatch::requested()
{
    return interrupt_came != 0;
}

} // namespace attn::program
