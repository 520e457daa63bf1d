/// \file
/// \brief What a training must find again to go on as if it had never stopped: references to it
/// all, under names.
#pragma once

#include "common/random/random.hpp"
#include "common/tensor/array.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace attn::nn {

/// A list of references, each under a name. An optimiser, an order of batches or whatever else
/// changes from step to step adds what it has by a function
/// `void list_state(State<T>& state, const std::string& prefix)`, under "prefix." and its own
/// names. What is listed must outlive the list.
template <typename T>
class State
{
public:
    /// Where one entry is kept in memory.
    using Place = std::variant<Array<T>*, Array<std::int64_t>*, std::vector<double>*, double*,
                               std::int64_t*, random::Generator*>;

    /// One entry.
    struct Entry
    {
        std::string name; ///< "optimiser.means.encoder.weight"
        Place place;      ///< not null
    };

    /// Adds an array, whose shape stays (a file with another one is refused), a record that takes
    /// the length that the file has, a number, a counter, or a generator, which then goes on
    /// where it was.
    /// \tparam Value  one of those that Place points to
    /// \throws ContractError if the name is taken
    template <typename Value>
    void add(const std::string& name, Value& value)
    {
        expect(std::none_of(list_.begin(), list_.end(),
                            [&](const Entry& entry) { return entry.name == name; }),
               "State: there is already one named '{}'", name);
        list_.push_back({name, &value});
    }

    auto begin() const { return list_.begin(); }      ///< \returns the first one
    auto end() const { return list_.end(); }          ///< \returns the end
    std::size_t size() const { return list_.size(); } ///< \returns how many there are

private:
    std::vector<Entry> list_;
};

} // namespace attn::nn
