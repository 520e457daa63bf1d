#include "common/nn/sharing.hpp"

#include "common/autograd/rule.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn::nn {

void add_parts_option(program::CommandLine& command_line, std::optional<std::size_t>& n_parts)
{
    command_line.add_count(
        "--parts", n_parts, 1,
        fmt::format("cuts each batch of the training into so many parts, which "
                    "processes of mpirun share (default: with mpirun {})",
                    usual_n_parts));
}

Sharing sharing_of(const std::optional<std::size_t>& n_parts,
                   const parallel::Processes& processes)
{
    const std::size_t n = n_parts.value_or(parallel::launched().by_mpirun ? usual_n_parts : 1);
    if (processes.size() > n) {
        throw program::BadInput(
            fmt::format("--parts: a batch of {} parts leaves nothing to some of "
                        "{} processes; start fewer, or give --parts {}",
                        n, processes.size(), processes.size()));
    }
    return {n, &processes};
}

void expect_unshared(const parallel::Processes& processes, std::string_view shared)
{
    if (processes.size() > 1) {
        throw program::BadInput(
            fmt::format("mpirun: {} processes can only share the training of "
                        "one model, by {}",
                        processes.size(), shared));
    }
}

void add_settings(const Sharing& sharing, std::map<std::string, std::string>& settings)
{
    if (sharing.n_parts > 1) {
        settings.insert({"parts of a batch", std::to_string(sharing.n_parts)});
    }
}

BatchGradient::BatchGradient(Parameters<float> parameters, const Sharing& sharing)
    : parameters_(std::move(parameters)), sharing_(sharing)
{
    if (sharing.n_parts > 1) {
        sum_.resize(parameters_.n_numbers() + 1);
        own_.assign(sharing.processes->own_parts(sharing.n_parts).size(), sum_);
    }
}

double BatchGradient::operator()(std::size_t n_examples, const LossOfExamples& loss)
{
    if (sharing_.n_parts == 1) {
        const autograd::Tape<float> tape;
        const autograd::Variable<float> whole = loss({0, n_examples});
        backward(whole);
        return static_cast<double>(whole.item());
    }
    const parallel::Range parts = sharing_.processes->own_parts(sharing_.n_parts);
    for (std::size_t part = parts.first; part < parts.end; ++part) {
        compute_part(parallel::share_of(n_examples, part, sharing_.n_parts), loss,
                     own_[part - parts.first]);
    }
    sharing_.processes->add_up(sharing_.n_parts, own_, sum_);

    std::size_t begin = 0;
    for (const NamedParameter<float>& one : parameters_) {
        const float* const gradient = sum_.data() + begin;
        autograd::add_to_gradient(one.variable,
                                  [gradient](std::size_t i) { return gradient[i]; });
        begin += one.variable.size();
    }
    return static_cast<double>(sum_.back());
}

/// The gradients of a part, and its loss behind them; zeros if it has no examples.
void BatchGradient::compute_part(const parallel::Range& examples, const LossOfExamples& loss,
                                 std::vector<float>& numbers)
{
    std::fill(numbers.begin(), numbers.end(), 0.0F);
    if (examples.size() == 0) {
        return;
    }
    const autograd::Tape<float> tape;
    const autograd::Variable<float> share = loss(examples);
    backward(share);
    numbers.back() = share.item();
    std::size_t begin = 0;
    for (const NamedParameter<float>& one : parameters_) {
        if (one.variable.has_gradient()) {
            const Array<float>& gradient = std::as_const(one.variable).gradient();
            std::copy_n(gradient.data(), gradient.size(), numbers.data() + begin);
        }
        begin += one.variable.size();
    }
    parameters_.clear_gradients();
}

} // namespace attn::nn
