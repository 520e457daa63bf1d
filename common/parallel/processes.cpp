#include "common/parallel/processes.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

namespace attn::parallel {

namespace {

/// The two halves of a subtree of at least two parts.
Range left_of(const Range& tree)
{
    return {tree.first, tree.first + tree.size() / 2};
}

Range right_of(const Range& tree)
{
    return {tree.first + tree.size() / 2, tree.end};
}

// [tree]
/// The sum over a subtree: that of its left half plus that of its right half.
/// \param known  where the sum of a subtree is, if it is known already; null if not
/// \returns      where it is: in the place of the first sum that was known
float* add_tree(const Range& tree, std::size_t n,
                const std::function<float*(const Range&)>& known)
{
    if (float* const sum = known(tree)) {
        return sum;
    }
    float* const left = add_tree(left_of(tree), n, known);
    const float* const right = add_tree(right_of(tree), n, known);
    for (std::size_t i = 0; i < n; ++i) {
        left[i] += right[i];
    }
    return left;
}
// [tree]

/// A number of the environment.
std::optional<std::size_t> number_in_environment(std::initializer_list<const char*> names)
{
    for (const char* const name : names) {
        if (const char* const text = std::getenv(name)) {
            return std::strtoul(text, nullptr, 10);
        }
    }
    return std::nullopt;
}

bool joined = false;

} // namespace

Range share_of(std::size_t n, std::size_t index, std::size_t n_shares)
{
    return {n * index / n_shares, n * (index + 1) / n_shares};
}

std::vector<Range> subtrees_within(const Range& tree, const Range& own)
{
    if (tree.within(own)) {
        return {tree};
    }
    if (tree.size() <= 1 || tree.end <= own.first || own.end <= tree.first) {
        return {};
    }
    std::vector<Range> all = subtrees_within(left_of(tree), own);
    const std::vector<Range> right = subtrees_within(right_of(tree), own);
    all.insert(all.end(), right.begin(), right.end());
    return all;
}

Launch launched()
{
    const auto size = number_in_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
    const auto rank = number_in_environment({"OMPI_COMM_WORLD_RANK", "PMI_RANK"});
    const auto here = number_in_environment({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
    return {size.has_value(), rank.value_or(0), std::max<std::size_t>(size.value_or(1), 1),
            std::max<std::size_t>(here.value_or(1), 1)};
}

void Processes::add_up(std::size_t n_parts, std::span<std::vector<float>> own,
                       std::span<float> sum) const
{
    const Range tree{0, n_parts};
    const std::size_t n = sum.size();
    const std::size_t first_own = own_parts(n_parts).first;
    expect(n_parts >= size() && own.size() == own_parts(n_parts).size() &&
               std::all_of(own.begin(), own.end(),
                           [&](const std::vector<float>& part) { return part.size() == n; }),
           "add_up: {} arrays are not those of process {} of {}, or have not all {} numbers",
           own.size(), rank(), size(), n);
    if (n == 0) {
        return;
    }

    // Add what can be added here.
    for (const Range& subtree : subtrees_within(tree, own_parts(n_parts))) {
        add_tree(subtree, n, [&](const Range& one) {
            return one.size() == 1 ? own[one.first - first_own].data() : nullptr;
        });
    }

    // Send each process its share of the numbers of these sums, and receive one's own.
    const Range numbers = share_of(n, rank(), size());
    std::map<std::size_t, std::vector<float>> others; // by the first part of the subtree
    std::vector<Message> sent;
    std::vector<Message> received;
    for (std::size_t process = 0; process < size(); ++process) {
        if (process == rank()) {
            continue;
        }
        const Range theirs = share_of(n, process, size());
        for (const Range& subtree : subtrees_within(tree, own_parts(n_parts))) {
            sent.push_back({process, subtree.first,
                            std::span(own[subtree.first - first_own])
                                .subspan(theirs.first, theirs.size())});
        }
        for (const Range& subtree : subtrees_within(tree, share_of(n_parts, process, size()))) {
            others[subtree.first].resize(numbers.size());
            received.push_back({process, subtree.first, others[subtree.first]});
        }
    }
    exchange(sent, received);

    // Add the rest of the tree for these numbers, and collect the sums of all numbers.
    const auto known = [&](const Range& subtree) -> float* {
        for (std::size_t process = 0; process < size(); ++process) {
            if (subtree.within(share_of(n_parts, process, size()))) {
                return process == rank() ? own[subtree.first - first_own].data() + numbers.first
                                         : others.at(subtree.first).data();
            }
        }
        return nullptr;
    };
    if (numbers.size() > 0) {
        const float* const added = add_tree(tree, numbers.size(), known);
        std::copy_n(added, numbers.size(), sum.data() + numbers.first);
    }
    gather(sum);
}

bool Processes::any(bool here) const
{
    const std::vector<std::uint64_t> answers = all(here ? 1 : 0);
    return std::any_of(answers.begin(), answers.end(),
                       [](std::uint64_t one) { return one != 0; });
}

void Processes::exchange(std::span<const Message> sent, std::span<const Message> received) const
{
    expect(sent.empty() && received.empty(), "Processes: there is nobody to exchange with");
}

void Processes::gather(std::span<float> /*numbers*/) const {}

const Processes& alone()
{
    static const Processes self;
    return self;
}

bool has_mpi()
{
#ifdef ATTN_MPI
    return true;
#else
    return false;
#endif
}

bool has_joined()
{
    return joined;
}

void set_joined()
{
    joined = true;
}

} // namespace attn::parallel
