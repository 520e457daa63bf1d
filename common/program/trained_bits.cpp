#include "common/program/trained_bits.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <mutex>

namespace attn::program {

namespace {

struct Ledger
{
    std::mutex mutex;
    std::uint64_t sum = 0;
    std::size_t n_trainings = 0;
};

Ledger& ledger()
{
    static Ledger one;
    return one;
}

} // namespace

void add_training(std::uint64_t checksum)
{
    const std::scoped_lock lock(ledger().mutex);
    ledger().sum += checksum;
    ++ledger().n_trainings;
}

std::string trained_bits()
{
    const std::scoped_lock lock(ledger().mutex);
    return ledger().n_trainings == 0 ? ""
                                     : fmt::format("the bits of {} trainings: {:016x}",
                                                   ledger().n_trainings, ledger().sum);
}

} // namespace attn::program
