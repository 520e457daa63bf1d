#include "common/nn/training.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"
#include "common/program/files.hpp"
#include "common/program/text.hpp"
#include "common/program/trained_bits.hpp"
#include "common/tensor/finite.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
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

/// What a training comes to that learns no more.
Diverged diverged(const TrainingPlan& plan, const std::string& what)
{
    return Diverged(fmt::format("{} has diverged: {}; try another --seed, or a lower learning "
                                "rate",
                                plan.label, what));
}

/// What the line of progress says: the last loss, and what the plan has to say.
std::string remark_on(const TrainingPlan& plan, const std::vector<double>& losses)
{
    std::string text =
        losses.empty() ? "no loss yet" : fmt::format("loss {:.3g}", losses.back());
    return plan.remark ? text + ", " + plan.remark() : text;
}

/// Of a nan only that it is one: its sign is not promised.
template <typename T>
std::uint64_t checksum_of(Array<T> x)
{
    for (T& x_i : numbers_of(x)) {
        x_i = x_i != x_i ? std::numeric_limits<T>::quiet_NaN() : x_i;
    }
    return program::fnv_1a({reinterpret_cast<const char*>(x.data()), x.size() * sizeof(T)});
}

template <typename T>
std::uint64_t checksum_of(const Parameters<T>& parameters)
{
    std::uint64_t sum = 0;
    for (const NamedParameter<T>& one : parameters) {
        sum = sum * 31 + checksum_of(one.variable.value());
    }
    return sum;
}

std::uint64_t checksum_of(const Settings& settings)
{
    std::string all;
    for (const auto& [name, value] : settings) {
        all += name + '\0' + value + '\0';
    }
    return program::fnv_1a(all);
}

/// The first process whose number is not that of process 0, if there is one.
std::optional<std::size_t> odd_one(const parallel::Processes& processes, std::uint64_t own)
{
    const std::vector<std::uint64_t> each = processes.all(own);
    const auto other = std::find_if(
        each.begin(), each.end(), [&](std::uint64_t number) { return number != each.front(); });
    return other == each.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(other - each.begin()));
}

} // namespace

void add_training_options(program::CommandLine& command_line, TrainingFiles& files)
{
    command_line.add_output("--save", files.save, "FILE",
                            "keeps the model, also when Ctrl-C stops the training");
    command_line.add_input("--resume", files.resume, "FILE",
                           "goes on with a training that --save has kept");
}

template <typename T>
Training<T>::Training(TrainingPlan plan, const Parameters<T>& parameters, State<T> state)
    : plan_(std::move(plan)), parameters_(parameters), state_(std::move(state))
{
    state_.add("losses", losses_);
    if (const auto other = odd_one(*plan_.sharing.processes, checksum_of(plan_.settings))) {
        throw program::BadInput(fmt::format(
            "process {} was given another text, or other options, than process 0", *other));
    }
    if (!plan_.sharing.processes->is_first()) {
        plan_.files.save.reset();
    }
    if (plan_.files.save) {
        program::require_writable(*plan_.files.save, "--save");
    }
    if (plan_.files.resume) {
        load_checkpoint(*plan_.files.resume, parameters_, state_, plan_.settings);
        if (losses_.size() > plan_.n_steps) {
            throw program::BadInput(fmt::format(
                "{}: that training has done {} steps already, more than the {} of this one",
                *plan_.files.resume, losses_.size(), plan_.n_steps));
        }
    }
    expect_same_parameters();
    if (plan_.show_progress) {
        progress_.emplace(plan_.label, plan_.n_steps).advance(losses_.size());
        progress_->remark([this] { return remark_on(plan_, losses_); });
    }
}

template <typename T>
bool Training<T>::goes_on() const
{
    return losses_.size() < plan_.n_steps && !plan_.sharing.processes->any(watch_.requested());
}

template <typename T>
void Training<T>::record(double loss)
{
    if (!std::isfinite(loss)) {
        throw diverged(plan_,
                       fmt::format("the loss of step {} is {}", losses_.size() + 1, loss));
    }
    losses_.push_back(loss);
    if (progress_) {
        progress_->advance();
    }
}

template <typename T>
std::vector<double> Training<T>::end()
{
    progress_.reset();
    for (const NamedParameter<T>& one : parameters_) {
        const Array<T>& value = one.variable.value();
        if (first_not_finite(numbers_of(value)) < value.size()) {
            throw diverged(plan_, fmt::format("after step {} {} is not finite any more",
                                              losses_.size(), one.name));
        }
    }
    expect_same_parameters();
    if (plan_.files.save) {
        save_checkpoint(*plan_.files.save, parameters_, state_, plan_.settings);
    }
    if (losses_.size() < plan_.n_steps) {
        throw program::Interrupted(say_interrupted(plan_, losses_.size()));
    }
    return losses_;
}

template <typename T>
void Training<T>::expect_same_parameters() const
{
    if (plan_.sharing.processes->size() == 1) {
        return;
    }
    if (const auto other = odd_one(*plan_.sharing.processes, checksum_of(parameters_))) {
        throw std::runtime_error(fmt::format("after step {} process {} holds other parameters "
                                             "than process 0: all must run the same program",
                                             losses_.size(), *other));
    }
}

template <typename T>
void count_training(const Parameters<T>& learnt)
{
    program::add_training(checksum_of(learnt));
}

template class Training<float>;
template class Training<double>;
template void count_training(const Parameters<float>&);
template void count_training(const Parameters<double>&);

} // namespace attn::nn
