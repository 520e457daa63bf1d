/// \file
/// \brief Processes that share a training, on one machine or on several. Each computes some parts
/// of every batch, what the parts have found is added along a fixed tree, and all processes go on
/// with the same sum. How they exchange numbers is a matter of the derived class: mpi.hpp has the one
/// for MPI, this one is a process alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn::parallel {

/// Neighbouring parts of a whole, or things in a row: first, ..., end - 1.
struct Range
{
    std::size_t first = 0; ///< the first of them
    std::size_t end = 0;   ///< the one after the last

    std::size_t size() const { return end - first; } ///< \returns how many there are
    /// \returns whether all of them are among the others
    bool within(const Range& others) const
    {
        return others.first <= first && end <= others.end;
    }
};

/// One of several nearly equal shares of n things, in their order.
/// \param index     which share, below n_shares
/// \param n_shares  at least 1; some are empty if there are more of them than things
Range share_of(std::size_t n, std::size_t index, std::size_t n_shares);

/// The sums that a process can form by itself, of the tree over all parts: its largest subtrees
/// whose parts are all among some neighbouring ones.
/// \param tree  all parts, at least one
/// \param own   some of them
/// \returns     subtrees that cover them, from the first to the last
std::vector<Range> subtrees_within(const Range& tree, const Range& own);

/// What mpirun has told this process by its environment, whether the program knows MPI or not.
struct Launch
{
    bool by_mpirun = false;     ///< whether mpirun started it
    std::size_t rank = 0;       ///< which of the processes this is
    std::size_t size = 1;       ///< how many there are
    std::size_t on_machine = 1; ///< how many of them are on this machine
};

/// Reads the environment, as Open MPI and MPICH set it.
Launch launched();

/// The processes that share a training; here a process alone.
class Processes
{
public:
    Processes() = default;
    virtual ~Processes() = default;
    Processes(const Processes&) = delete;            ///< one program, one set of processes
    Processes& operator=(const Processes&) = delete; ///< one program, one set of processes

    virtual std::size_t rank() const { return 0; } ///< \returns which one this is, from 0
    virtual std::size_t size() const { return 1; } ///< \returns how many there are
    /// \returns whether this is the one that prints and writes files
    bool is_first() const { return rank() == 0; }

    /// The parts of a batch that this process computes.
    Range own_parts(std::size_t n_parts) const { return share_of(n_parts, rank(), size()); }

    /// Adds one array for each part along a tree that depends on the number of parts alone, so that
    /// the sum has the same bits for any number of processes. Every process calls it and receives
    /// the same sum.
    /// \param n_parts  of a batch, at least as many as there are processes
    /// \param own      [own_parts][n]; holds partial sums afterwards
    /// \param sum      [n], receives the sum
    /// \throws ContractError if the number of arrays or a length is another one
    void add_up(std::size_t n_parts, std::span<std::vector<float>> own,
                std::span<float> sum) const;

    /// \returns what each process says, in the order of their ranks; every one must call it
    virtual std::vector<std::uint64_t> all(std::uint64_t here) const { return {here}; }
    /// \returns whether one of the processes says yes; every one must call it
    bool any(bool here) const;

    /// Ends what the processes have in common. If this one has failed, so have all.
    /// \param exit_code  of this process
    /// \returns          the same
    virtual int end(int exit_code) const { return exit_code; }

protected:
    /// Numbers that go to another process, or come from there.
    struct Message
    {
        std::size_t process;      ///< the other one's rank
        std::size_t first_part;   ///< of the subtree whose sum this is
        std::span<float> numbers; ///< of that sum
    };

    /// Sends and receives, and returns when all has arrived.
    virtual void exchange(std::span<const Message> sent,
                          std::span<const Message> received) const;

    /// Completes an array of which every process has its own share_of.
    /// \param numbers  the same length everywhere
    virtual void gather(std::span<float> numbers) const;
};

/// This process alone.
const Processes& alone();

/// Whether there was MPI when the book was configured.
bool has_mpi();

/// Whether the program has joined the other processes that mpirun has started.
bool has_joined();
/// Says that it has.
void set_joined();

} // namespace attn::parallel
