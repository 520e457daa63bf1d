#include "common/nn/checkpoint.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/storage/safetensors.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

namespace attn::nn {

namespace {

using program::BadInput;
using program::in_quotes;
using random::Generator;
using storage::TensorFile;
using storage::TensorWriter;

constexpr std::string_view state_prefix = "training/";

bool is_state(std::string_view name)
{
    return name.substr(0, state_prefix.size()) == state_prefix;
}

// ----------------------------------------------------------------------------------- writing

template <typename T>
void add_parameters(TensorWriter& writer, const Parameters<T>& parameters)
{
    for (const NamedParameter<T>& one : parameters) {
        expect(!is_state(one.name), "save_model: '{}' is a name of a training's state",
               one.name);
        const Array<T>& value = one.variable.value();
        writer.add(one.name, one.layout == FileLayout::transposed
                                 ? Array<T>(xt::transpose(value))
                                 : value);
    }
}

/// One function of several, chosen by the type of the argument.
template <typename... Functions>
struct Overloaded : Functions...
{
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>; // clang before 17 wants it said

/// Adds an entry of a training's state, whatever it is.
template <typename Place>
void add_state(TensorWriter& writer, const std::string& name, const Place& place)
{
    std::visit(Overloaded{[&]<typename T>(const Array<T>* array) { writer.add(name, *array); },
                          [&](const std::vector<double>* numbers) {
                              writer.add(name, array_of<double>({numbers->size()}, *numbers));
                          },
                          [&](const double* number) {
                              writer.add(name, array_of<double>({}, {*number}));
                          },
                          [&](const std::int64_t* counter) {
                              writer.add(name, array_of<std::int64_t>({}, {*counter}));
                          },
                          [&](const Generator* generator) {
                              Array<std::int64_t> words =
                                  uninitialised<std::int64_t>({Generator::n_state_words});
                              const Generator::State state = generator->state();
                              std::transform(state.begin(), state.end(), words.data(),
                                             [](std::uint64_t word) {
                                                 return std::bit_cast<std::int64_t>(word);
                                             });
                              writer.add(name, words);
                          }},
               place);
}

TensorWriter begin_file(const Settings& settings)
{
    TensorWriter writer;
    for (const auto& [key, value] : settings) {
        writer.describe(key, value);
    }
    return writer;
}

// ----------------------------------------------------------------------------------- reading

/// What is copied into memory once everything has been found to fit.
using Copies = std::vector<std::function<void()>>;

/// Takes a value out of a file and hands it over later.
template <typename T>
void copy_later(Copies& copies, Array<T> from, Array<T>& to)
{
    copies.push_back([from = std::move(from), &to] {
        std::copy(from.data(), from.data() + from.size(), to.data());
    });
}

/// A tensor of finite or of whole numbers.
template <typename T>
Array<T> finite_tensor(const TensorFile& file, const std::string& name, const Shape& shape)
{
    Array<T> found = file.tensor<T>(name, shape);
    if constexpr (std::is_floating_point_v<T>) {
        file.expect_finite(name, found);
    }
    return found;
}

template <typename T>
void check_parameters(const TensorFile& file, Parameters<T>& parameters, Copies& copies)
{
    for (const NamedParameter<T>& one : parameters) {
        Array<T>& value = one.variable.node().value;
        const bool transposed = one.layout == FileLayout::transposed;
        Shape wanted = value.shape();
        if (transposed) {
            std::reverse(wanted.begin(), wanted.end());
        }
        const Array<T> found = finite_tensor<T>(file, one.name, wanted);
        copy_later(copies, transposed ? Array<T>(xt::transpose(found)) : found, value);
    }
}

/// The generator whose state a file has.
Generator generator_of(const TensorFile& file, const std::string& name)
{
    const Array<std::int64_t> words =
        file.tensor<std::int64_t>(name, {Generator::n_state_words});
    Generator::State state{};
    std::transform(words.data(), words.data() + words.size(), state.begin(),
                   [](std::int64_t word) { return std::bit_cast<std::uint64_t>(word); });
    Generator found(1);
    try {
        found.set_state(state);
    } catch (const ContractError&) {
        throw BadInput(fmt::format("{}: tensor {} is no state of a random generator",
                                   file.source(), in_quotes(name)));
    }
    return found;
}

/// Checks an entry of a training's state, whatever it is.
template <typename Place>
void check_state(const TensorFile& file, const std::string& name, const Place& place,
                 Copies& copies)
{
    const auto later = [&copies](auto* to, auto found) {
        copies.push_back([to, found = std::move(found)] { *to = found; });
    };
    std::visit(
        Overloaded{[&]<typename T>(Array<T>* array) {
                       copy_later(copies, finite_tensor<T>(file, name, array->shape()), *array);
                   },
                   [&](std::vector<double>* numbers) {
                       const Array<double> found =
                           finite_tensor<double>(file, name, {size_of(file.at(name).shape)});
                       later(numbers, std::vector<double>(found.begin(), found.end()));
                   },
                   [&](double* number) {
                       later(number, finite_tensor<double>(file, name, {}).data()[0]);
                   },
                   [&](std::int64_t* counter) {
                       later(counter, file.tensor<std::int64_t>(name, {}).data()[0]);
                   },
                   [&](Generator* generator) { later(generator, generator_of(file, name)); }},
        place);
}

/// Refuses what a file has and nobody asked for.
void refuse_others(const TensorFile& file, const std::set<std::string>& wanted)
{
    for (const storage::StoredTensor& tensor : file.tensors()) {
        if (wanted.count(tensor.name) == 0) {
            throw BadInput(fmt::format("{}: tensor {} is there, and there is no place for it",
                                       file.source(), in_quotes(tensor.name, 100)));
        }
    }
}

/// Refuses a training under other settings: it would not go on as it began.
void check_settings(const TensorFile& file, const Settings& settings)
{
    for (const auto& [key, value] : settings) {
        const auto found = file.metadata().find(key);
        if (found == file.metadata().end() || found->second != value) {
            throw BadInput(
                fmt::format("{}: that training had {} {}, this one has {}", file.source(), key,
                            found == file.metadata().end() ? "none" : in_quotes(found->second),
                            in_quotes(value)));
        }
    }
}

template <typename T>
std::set<std::string> names_of(const Parameters<T>& parameters)
{
    std::set<std::string> names;
    for (const NamedParameter<T>& one : parameters) {
        names.insert(one.name);
    }
    return names;
}

} // namespace

template <typename T>
void save_model(const std::filesystem::path& file, const Parameters<T>& parameters,
                const Settings& settings)
{
    save_checkpoint(file, parameters, State<T>(), settings);
}

template <typename T>
void load_model(const std::filesystem::path& file, Parameters<T>& parameters)
{
    const TensorFile stored = storage::read_safetensors(file);
    Copies copies;
    check_parameters(stored, parameters, copies);
    std::set<std::string> wanted = names_of(parameters);
    for (const storage::StoredTensor& tensor : stored.tensors()) {
        if (is_state(tensor.name)) {
            wanted.insert(tensor.name);
        }
    }
    refuse_others(stored, wanted);
    for (const auto& copy : copies) {
        copy();
    }
}

template <typename T>
void save_checkpoint(const std::filesystem::path& file, const Parameters<T>& parameters,
                     const State<T>& state, const Settings& settings)
{
    TensorWriter writer = begin_file(settings);
    add_parameters(writer, parameters);
    for (const typename State<T>::Entry& entry : state) {
        const std::string name = std::string(state_prefix) + entry.name;
        add_state(writer, name, entry.place);
    }
    writer.write(file);
}

template <typename T>
void load_checkpoint(const std::filesystem::path& file, Parameters<T>& parameters,
                     const State<T>& state, const Settings& settings)
{
    // Check everything,
    const TensorFile stored = storage::read_safetensors(file);
    if (std::none_of(stored.tensors().begin(), stored.tensors().end(),
                     [](const auto& tensor) { return is_state(tensor.name); })) {
        throw BadInput(fmt::format("{}: it holds a model, but no training that could go on",
                                   stored.source()));
    }
    Copies copies;
    check_settings(stored, settings);
    check_parameters(stored, parameters, copies);
    std::set<std::string> wanted = names_of(parameters);
    for (const typename State<T>::Entry& entry : state) {
        const std::string name = std::string(state_prefix) + entry.name;
        check_state(stored, name, entry.place, copies);
        wanted.insert(name);
    }
    refuse_others(stored, wanted);

    // and only then change anything.
    for (const auto& copy : copies) {
        copy();
    }
}

/// \cond
template void save_model(const std::filesystem::path&, const Parameters<float>&,
                         const Settings&);
template void save_model(const std::filesystem::path&, const Parameters<double>&,
                         const Settings&);
template void load_model(const std::filesystem::path&, Parameters<float>&);
template void load_model(const std::filesystem::path&, Parameters<double>&);
template void save_checkpoint(const std::filesystem::path&, const Parameters<float>&,
                              const State<float>&, const Settings&);
template void save_checkpoint(const std::filesystem::path&, const Parameters<double>&,
                              const State<double>&, const Settings&);
template void load_checkpoint(const std::filesystem::path&, Parameters<float>&,
                              const State<float>&, const Settings&);
template void load_checkpoint(const std::filesystem::path&, Parameters<double>&,
                              const State<double>&, const Settings&);
/// \endcond

} // namespace attn::nn
