#include "common/nn/parameters.hpp"

#include "common/tensor/check.hpp"

#include <algorithm>

namespace attn::nn {

template <typename T>
void Parameters<T>::add(const std::string& name, const autograd::Variable<T>& variable,
                        FileLayout layout)
{
    const auto has_name = [&](const NamedParameter<T>& one) { return one.name == name; };
    expect(std::none_of(list_.begin(), list_.end(), has_name),
           "Parameters: there is already one named '{}'", name);
    expect(variable.needs_gradient(), "Parameters: '{}' is a constant", name);
    expect(layout == FileLayout::same || variable.rank() == 2,
           "Parameters: '{}' has shape {}, only a matrix can be transposed", name,
           variable.shape());
    list_.push_back({name, variable, layout});
}

template <typename T>
const NamedParameter<T>& Parameters<T>::at(std::string_view name) const
{
    const auto found =
        std::find_if(list_.begin(), list_.end(),
                     [&](const NamedParameter<T>& one) { return one.name == name; });
    expect(found != list_.end(), "Parameters: there is none named '{}'", name);
    return *found;
}

template <typename T>
std::size_t Parameters<T>::n_numbers() const
{
    std::size_t n = 0;
    for (const NamedParameter<T>& one : list_) {
        n += one.variable.size();
    }
    return n;
}

template <typename T>
void Parameters<T>::clear_gradients()
{
    for (NamedParameter<T>& one : list_) {
        one.variable.clear_gradient();
    }
}

template class Parameters<float>;
template class Parameters<double>;

} // namespace attn::nn
