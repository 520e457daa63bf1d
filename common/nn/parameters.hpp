/// \file
/// \brief The parameters of a model under their names: what optimisers go through and what
/// files keep.
#pragma once

#include "common/autograd/tape.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Layers, optimisers and the training of models.
namespace attn::nn {

/// How a parameter lies in a file. Ours multiply from the right, Y = X W with W [n_in, n_out];
/// PyTorch keeps [n_out, n_in], and so do our files, which PyTorch can therefore read.
enum class FileLayout
{
    same,      ///< in the file as in memory
    transposed ///< a matrix whose rows are the columns in the file
};

/// One parameter of a model.
template <typename T>
struct NamedParameter
{
    std::string name;               ///< "encoder.weight_ih_l0"
    autograd::Variable<T> variable; ///< shares its value with the layer
    FileLayout layout;              ///< how it lies in a file
};

/// The parameters of a model, in a fixed order.
template <typename T>
class Parameters
{
public:
    /// Adds one.
    /// \param name      not yet in the list
    /// \param variable  a parameter; the list shares it
    /// \param layout    how it lies in a file; transposed for matrices only
    /// \throws ContractError if the name is taken, the variable is a constant, or something else
    ///         than a matrix is to be transposed
    void add(const std::string& name, const autograd::Variable<T>& variable,
             FileLayout layout = FileLayout::same);

    /// Adds those of a layer, each under "name." and its own name.
    /// \param layer  has a function parameters() that returns such a list
    template <typename Layer>
    void add_layer(const std::string& name, const Layer& layer)
    {
        for (const NamedParameter<T>& own : layer.parameters()) {
            add(name + "." + own.name, own.variable, own.layout);
        }
    }

    /// \throws ContractError if there is none of that name
    const NamedParameter<T>& at(std::string_view name) const;

    /// \returns how many numbers there are in all parameters together
    std::size_t n_numbers() const;

    /// Forgets all gradients.
    void clear_gradients();

    auto begin() const { return list_.begin(); }      ///< \returns the first one
    auto end() const { return list_.end(); }          ///< \returns the end
    std::size_t size() const { return list_.size(); } ///< \returns how many there are

private:
    std::vector<NamedParameter<T>> list_;
};

/// The values of all parameters, to be set again later.
template <typename T>
std::vector<Array<T>> values_of(const Parameters<T>& parameters)
{
    std::vector<Array<T>> values;
    for (const NamedParameter<T>& parameter : parameters) {
        values.push_back(parameter.variable.value());
    }
    return values;
}

/// Sets all parameters to values_of() the same ones.
template <typename T>
void set_values(const Parameters<T>& parameters, const std::vector<Array<T>>& values)
{
    std::size_t k = 0;
    for (const NamedParameter<T>& parameter : parameters) {
        autograd::Variable<T> variable = parameter.variable;
        variable.value() = values[k++];
    }
}

extern template class Parameters<float>;
extern template class Parameters<double>;

} // namespace attn::nn
