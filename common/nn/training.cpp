/// \file
/// \brief The bodies of training.hpp.
#include "common/nn/training.hpp"

#include "common/program/atomic_file.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/progress.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace attn::nn {

namespace {

using program::in_quotes;

/// Where the reader stands after Ctrl-C.
std::string say_interrupted(const TrainingPlan& plan, std::size_t n_done)
{
    const std::string where =
        fmt::format("{} was interrupted after step {} of {}", plan.label, n_done, plan.n_steps);
    if (plan.files.save) {
        return fmt::format("{}; --resume {} goes on from there", where,
                           in_quotes(*plan.files.save, program::longest_path));
    }
    return where + " and is lost; with --save FILE it would be kept";
}

/// What the files of a training are made of: what was given, and how far it is.
template <typename T>
class Kept
{
public:
    Kept(const TrainingPlan& plan, Parameters<T>& parameters, State<T> state)
        : plan_(plan), parameters_(parameters), state_(std::move(state))
    {
        state_.add("losses", losses);
    }

    void load(const std::string& file)
    {
        load_checkpoint(file, parameters_, state_, plan_.settings);
        if (losses.size() > plan_.n_steps) {
            throw program::BadInput(fmt::format(
                "{}: that training has done {} steps already, more than the {} of this one",
                file, losses.size(), plan_.n_steps));
        }
    }

    void save() const
    {
        if (plan_.files.save) {
            save_checkpoint(*plan_.files.save, parameters_, state_, plan_.settings);
        }
    }

    std::vector<double> losses; ///< one a step that has been done

private:
    const TrainingPlan& plan_;
    Parameters<T>& parameters_;
    State<T> state_;
};

} // namespace

void add_training_options(program::CommandLine& command_line, TrainingFiles& files)
{
    command_line.add_text("--save", files.save, "FILE",
                          "keeps the model, also when Ctrl-C stops the training");
    command_line.add_text("--resume", files.resume, "FILE",
                          "goes on with a training that --save has kept");
}

namespace {

/// What the line of progress says of a training: its last loss, and what the plan has to say.
std::string remark_on(const TrainingPlan& plan, const std::vector<double>& losses)
{
    std::string text =
        losses.empty() ? "no loss yet" : fmt::format("loss {:.3g}", losses.back());
    return plan.remark ? text + ", " + plan.remark() : text;
}

} // namespace

template <typename T>
std::vector<double> train(const TrainingPlan& plan, Parameters<T>& parameters, State<T> state,
                          const TrainingStep& step)
{
    Kept<T> kept(plan, parameters, std::move(state));
    if (plan.files.save) {
        program::require_writable(*plan.files.save, "--save");
    }
    if (plan.files.resume) {
        kept.load(*plan.files.resume);
    }

    const program::InterruptWatch watch;
    {
        std::optional<program::Progress> progress; // vanishes before anything else is said
        if (plan.show_progress) {
            progress.emplace(plan.label, plan.n_steps).advance(kept.losses.size());
            progress->remark([&] { return remark_on(plan, kept.losses); });
        }
        while (kept.losses.size() < plan.n_steps && !watch.requested()) {
            const std::size_t index = kept.losses.size();
            const double loss = step(index);
            if (!std::isfinite(loss)) {
                throw Diverged(fmt::format("{} has diverged: the loss of step {} is {}; try a "
                                           "lower learning rate",
                                           plan.label, index + 1, loss));
            }
            kept.losses.push_back(loss);
            if (progress) {
                progress->advance();
            }
        }
    }
    kept.save();
    if (kept.losses.size() < plan.n_steps) {
        throw program::Interrupted(say_interrupted(plan, kept.losses.size()));
    }
    return kept.losses;
}

/// \cond
template std::vector<double> train(const TrainingPlan&, Parameters<float>&, State<float>,
                                   const TrainingStep&);
template std::vector<double> train(const TrainingPlan&, Parameters<double>&, State<double>,
                                   const TrainingStep&);
/// \endcond

} // namespace attn::nn
