/// \file
/// \brief What surrounds the loop of a training: a line of progress, and files, so that Ctrl-C stops
/// it and it is resumed later with the same bits.
#pragma once

#include "common/nn/checkpoint.hpp"
#include "common/nn/parameters.hpp"
#include "common/nn/sharing.hpp"
#include "common/nn/state.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/terminal.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn::program {
class CommandLine;
}

namespace attn::nn {

/// The loss is no number any more: what was learnt from, or how, does not do. what() is one
/// sentence that names the step.
class Diverged : public program::BadInput
{
public:
    using BadInput::BadInput;
};

/// The files of a training, as the command line names them.
struct TrainingFiles
{
    std::optional<std::string> save =
        {}; ///< where it is saved, at its end and when interrupted
    std::optional<std::string> resume = {}; ///< where an interrupted one goes on from
};

/// Declares --save FILE and --resume FILE.
/// \param command_line  of a program that trains one model
/// \param files         takes what the reader gives
void add_training_options(program::CommandLine& command_line, TrainingFiles& files);

/// What a training is to do.
struct TrainingPlan
{
    std::size_t n_steps = 0;                  ///< in all, those before an interruption included
    std::string label = "training";           ///< what the line of progress says
    bool show_progress = true;                ///< false where several go on side by side
    std::function<std::string()> remark = {}; ///< what that line says behind the loss, if given
    TrainingFiles files = {};                 ///< saved and resumed where
    Settings settings = {};                   ///< what must be the same when it is resumed
    Sharing sharing = {};                     ///< who computes the gradients
};

/// What surrounds the steps of a training: a line of progress, Ctrl-C, and files to save it in and
/// resume it from. A loop goes around it:
///
///     Training<float> training(plan, parameters, state);
///     while (training.goes_on()) {
///         ... one step, whose number is training.step() ...
///         training.record(loss);
///     }
///     count_training(parameters);
///     return training.end();
///
/// Ctrl-C lets the step end; a second one ends the program at once. A resumed training has the same
/// bits as an uninterrupted one, if everything that changes from step to step is in the parameters
/// and the state: the optimiser, the random generators, the order of the batches.
///
/// Processes that share a training take the same steps: one that is interrupted stops all, the first
/// one writes the files, at the beginning all must have the same settings, and there and at the end
/// the same parameters.
template <typename T>
class Training
{
public:
    /// Loads what files.resume has saved.
    /// \param parameters  of the model; shared with the result
    /// \param state       what else changes from step to step
    /// \throws program::BadInput if a file cannot be used, or the processes have other settings
    /// \throws std::runtime_error if the processes hold other parameters
    Training(TrainingPlan plan, const Parameters<T>& parameters, State<T> state);

    /// Whether there is a step to take: no more after the last one, nor after Ctrl-C.
    bool goes_on() const;
    /// The number of the next step, from 0.
    std::size_t step() const { return losses_.size(); }
    /// Counts a step that was taken.
    /// \throws Diverged if the loss is infinite or not a number; then no file is written
    void record(double loss);
    /// Saves the training if files.save says where.
    /// \returns  [n_steps], the losses, those before an interruption included
    /// \throws Diverged if a parameter is infinite or not a number; then no file is written
    /// \throws program::Interrupted after Ctrl-C; the message says how to go on
    /// \throws std::runtime_error if the processes hold other parameters; then no file is written
    std::vector<double> end();

private:
    void expect_same_parameters() const;

    TrainingPlan plan_;
    Parameters<T> parameters_;
    std::vector<double> losses_; // one a step that has been taken
    State<T> state_;
    program::InterruptWatch watch_;
    std::optional<program::Progress> progress_; // vanishes before anything else is said
};

/// Counts a training that has ended among program::trained_bits().
/// \param learnt  the parameters that one optimiser has moved
template <typename T>
void count_training(const Parameters<T>& learnt);

extern template class Training<float>;
extern template class Training<double>;

} // namespace attn::nn
