#include "common/nn/one_model.hpp"

#include "common/program/command_line.hpp"

#include <fmt/format.h>

namespace attn::nn {

std::string about_one(const OneModelWords& words)
{
    return fmt::format("{} --save --resume --load {}", words.asked, words.corpus);
}

void add_one_model_rules(program::CommandLine& command_line, const OneModelWords& words)
{
    const std::string option = words.asked.substr(0, words.asked.find(' '));
    command_line.exclude_from_trace(about_one(words));
    command_line.exclude(about_one(words), "--seeds --untrained",
                         fmt::format("it is about one {}", words.model));
    command_line.exclude("--load", "--save --resume " + words.corpus,
                         fmt::format("the {} is trained already", words.model));
    command_line.need(
        "--resume", fmt::format("--save {} {}", words.asked, words.corpus),
        fmt::format("say what to do with the {}, by {} or --save", words.model, option));
    command_line.need("--load", words.asked,
                      fmt::format("say what to {} with it, by {}", words.verb, option));
    command_line.exclude("--steps", "--load --untrained", "it is the length of a training");
}

} // namespace attn::nn
