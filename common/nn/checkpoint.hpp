/// \file
/// \brief Models and stopped trainings in files (.safetensors): the parameters under their own
/// names, which PyTorch can read, and under "training/..." what a training needs to go on. All
/// or nothing both ways: a write that fails leaves the old file, a file that is refused leaves
/// what is in memory.
#pragma once

#include "common/nn/parameters.hpp"
#include "common/nn/state.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace attn::nn {

/// What a file says about itself; for trainings, under what settings they ran.
using Settings = std::map<std::string, std::string>;

/// Writes a model.
/// \param file      its folder must exist
/// \param settings  what the file says about itself
/// \throws BadInput if it cannot be written
/// \throws ContractError if a name begins with "training/"
template <typename T>
void save_model(const std::filesystem::path& file, const Parameters<T>& parameters,
                const Settings& settings = {});

/// Reads a model into the parameters of one of the same build. A checkpoint will do as well.
/// \tparam T          float or double, as it was when the file was written
/// \param file  written by save_model, save_checkpoint, or PyTorch
/// \throws BadInput naming the tensor that is missing, of another shape or type, or that the
///         model does not have; then nothing has been changed
template <typename T>
void load_model(const std::filesystem::path& file, Parameters<T>& parameters);

/// Writes a model and what its training needs to go on.
/// \param file      its folder must exist
/// \param settings  under what settings it runs
/// \throws BadInput if it cannot be written
/// \throws ContractError if a parameter's name begins with "training/"
template <typename T>
void save_checkpoint(const std::filesystem::path& file, const Parameters<T>& parameters,
                     const State<T>& state, const Settings& settings = {});

/// Reads a model and what its training needs to go on.
/// \param file      written by save_checkpoint
/// \param settings  must be what save_checkpoint was given
/// \throws BadInput naming the tensor or the setting that does not fit, or that there is too
///         much; then nothing has been changed
template <typename T>
void load_checkpoint(const std::filesystem::path& file, Parameters<T>& parameters,
                     const State<T>& state, const Settings& settings = {});

} // namespace attn::nn
