#include "common/parallel/mpi.hpp"

#ifdef ATTN_MPI

#include "common/tensor/check.hpp"

#include <array>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mpi.h>
#include <span>
#include <thread>
#include <unistd.h>
#include <vector>

namespace attn::parallel {

namespace {

constexpr int interrupted = 128 + SIGINT;

extern "C" void take_as_interrupt(int /*signal*/)
{
    std::raise(SIGINT);
}

/// How many numbers a message has, as MPI counts them.
int count_of(std::size_t n)
{
    expect(n <= INT_MAX,
           "MPI: a message of {} numbers is too long; more processes have shorter ones", n);
    return static_cast<int>(n);
}

/// The processes of MPI_COMM_WORLD. An error of MPI itself ends all of them, with its own message.
class MpiProcesses final : public Processes
{
public:
    MpiProcesses()
    {
        MPI_Init(nullptr, nullptr);
        int number = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &number);
        rank_ = static_cast<std::size_t>(number);
        MPI_Comm_size(MPI_COMM_WORLD, &number);
        size_ = static_cast<std::size_t>(number);
        std::signal(SIGTERM, take_as_interrupt);
        if (!is_first()) {
            fall_silent();
        }
        set_joined();
    }

    std::size_t rank() const override { return rank_; }
    std::size_t size() const override { return size_; }

    std::vector<std::uint64_t> all(std::uint64_t here) const override
    {
        std::vector<std::uint64_t> each(size_);
        MPI_Allgather(&here, 1, MPI_UINT64_T, each.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
        return each;
    }

    int end(int exit_code) const override
    {
        if (exit_code != 0 && exit_code != interrupted) {
            fail(exit_code);
        }
        // The first one still evaluates and saves. MPI's own way to wait would take a core from it.
        MPI_Request everybody = MPI_REQUEST_NULL;
        MPI_Ibarrier(MPI_COMM_WORLD, &everybody);
        for (int here = 0; here == 0;) {
            MPI_Test(&everybody, &here, MPI_STATUS_IGNORE);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        MPI_Finalize();
        return exit_code;
    }

private:
    // [exchange]
    void exchange(std::span<const Message> sent,
                  std::span<const Message> received) const override
    {
        std::vector<MPI_Request> requests;
        for (const Message& one : received) {
            MPI_Irecv(one.numbers.data(), count_of(one.numbers.size()), MPI_FLOAT,
                      count_of(one.process), count_of(one.first_part), MPI_COMM_WORLD,
                      &requests.emplace_back());
        }
        for (const Message& one : sent) {
            MPI_Isend(one.numbers.data(), count_of(one.numbers.size()), MPI_FLOAT,
                      count_of(one.process), count_of(one.first_part), MPI_COMM_WORLD,
                      &requests.emplace_back());
        }
        MPI_Waitall(count_of(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }
    // [exchange]

    void gather(std::span<float> numbers) const override
    {
        std::vector<int> lengths;
        std::vector<int> begins;
        for (std::size_t process = 0; process < size_; ++process) {
            const Range share = share_of(numbers.size(), process, size_);
            lengths.push_back(count_of(share.size()));
            begins.push_back(count_of(share.first));
        }
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers.data(), lengths.data(),
                       begins.data(), MPI_FLOAT, MPI_COMM_WORLD);
    }

    /// Standard output leads nowhere from now on, and standard error into a file without a name.
    void fall_silent()
    {
        voice_ = dup(STDERR_FILENO);
        said_ = std::tmpfile();
        std::freopen("/dev/null", "w", stdout);
        if (said_ != nullptr) {
            dup2(fileno(said_), STDERR_FILENO);
        }
    }

    /// Ends all processes. One that is not the first lets it go before: what both cannot use, such
    /// as a file, is said by the first one, and ends this one meanwhile.
    [[noreturn]] void fail(int exit_code) const
    {
        if (!is_first()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2000 + 100 * rank_));
            std::array<char, 4096> text{};
            if (said_ != nullptr && voice_ >= 0) {
                std::rewind(said_);
                const std::size_t n = std::fread(text.data(), 1, text.size(), said_);
                [[maybe_unused]] const ssize_t written = write(voice_, text.data(), n);
            }
        }
        std::fflush(nullptr);
        MPI_Abort(MPI_COMM_WORLD, exit_code);
        _exit(exit_code);
    }

    std::size_t rank_ = 0;
    std::size_t size_ = 1;
    int voice_ = -1;            ///< standard error as it was
    std::FILE* said_ = nullptr; ///< what has been said instead
};

} // namespace

std::unique_ptr<const Processes> join_processes()
{
    if (launched().size > 1) {
        return std::make_unique<const MpiProcesses>();
    }
    return std::make_unique<const Processes>();
}

} // namespace attn::parallel

#else

namespace attn::parallel {

std::unique_ptr<const Processes> join_processes()
{
    return std::make_unique<const Processes>();
}

} // namespace attn::parallel

#endif
