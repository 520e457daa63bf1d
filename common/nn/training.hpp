/// \file
/// \brief The loop of a training: step after step, with a line of progress, to be stopped by
/// Ctrl-C and taken up again later with the same bits. Deliberately without any idea of what a
/// step does: it is a function that returns a loss.
#pragma once

#include "common/nn/checkpoint.hpp"
#include "common/nn/parameters.hpp"
#include "common/nn/state.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn::program {
class CommandLine;
}

namespace attn::nn {

/// The loss is no number any more. what() is one sentence that names the step.
class Diverged : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// The files of a training, as the command line names them.
struct TrainingFiles
{
    std::optional<std::string> save = {}; ///< where it is kept, at its end and when interrupted
    std::optional<std::string> resume = {}; ///< where an interrupted one is taken up
};

/// Declares --save FILE and --resume FILE.
/// \param command_line  of a program that trains one model
/// \param files         takes what the reader gives
void add_training_options(program::CommandLine& command_line, TrainingFiles& files);

/// What a training is to do.
struct TrainingPlan
{
    std::size_t n_steps;                      ///< in all, those before an interruption included
    std::string label = "training";           ///< what the line of progress says
    bool show_progress = true;                ///< false where several go on side by side
    std::function<std::string()> remark = {}; ///< what that line says behind the loss, if given
    TrainingFiles files = {};                 ///< kept and taken up where
    Settings settings = {}; ///< what must be the same when it is taken up again
};

/// One step of a training: takes the batch, walks back, moves the parameters.
/// \returns the loss
using TrainingStep = std::function<double(std::size_t step)>;

/// Trains: calls step(0), step(1), ... step(n_steps - 1), or goes on where the file of
/// files.resume stopped. Ctrl-C lets the step end, keeps the training if files.save says where,
/// and throws; a second Ctrl-C ends the program at once. The result then has the same bits as an
/// uninterrupted one, if everything that changes from step to step is in the parameters and the
/// state: the optimiser, the random generators, the order of the batches.
/// \tparam T          float or double
/// \param plan        how many steps, under what settings, which files
/// \param parameters  of the model
/// \param state       what else changes from step to step
/// \param step        one step
/// \returns           [n_steps], the losses, those before an interruption included
/// \throws program::Interrupted after Ctrl-C; the message says how to go on
/// \throws program::BadInput if a file cannot be used: found out before the first step
/// \throws Diverged if a loss is infinite or not a number; then no file is written
template <typename T>
std::vector<double> train(const TrainingPlan& plan, Parameters<T>& parameters, State<T> state,
                          const TrainingStep& step);

} // namespace attn::nn
