#include "common/nn/state.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::nn {

template <typename T>
void State<T>::add_place(const std::string& name, Place place)
{
    expect(std::none_of(list_.begin(), list_.end(),
                        [&](const Entry& entry) { return entry.name == name; }),
           "State: there is already one named '{}'", name);
    list_.push_back({name, place});
}

template class State<float>;
template class State<double>;

} // namespace attn::nn
