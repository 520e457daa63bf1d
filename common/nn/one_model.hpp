/// \file
/// \brief One model that a reader asks for, of a program that trains several for its page:
/// which options about it go together, and a stopped training that can be loaded.
#pragma once

#include "common/nn/training.hpp"
#include "common/program/interrupt.hpp"

#include <string>

namespace attn::program {
class CommandLine;
}

namespace attn::nn {

/// What messages call a program's model, and the options about it, with blanks between them.
struct OneModelWords
{
    std::string model;               ///< "translator"
    std::string asked;               ///< ask it something: "--translate --words"
    std::string verb;                ///< what the first of them does then: "translate"
    std::string corpus = "--corpus"; ///< name what it learns from, or say how that is read
};

/// The options with any of which a reader wants one model, and not the chapter.
/// \returns their names, with blanks between them
std::string about_one(const OneModelWords& words);

/// Declares which options do not go together, in a program that has those about one model.
void add_one_model_rules(program::CommandLine& command_line, const OneModelWords& words);

/// Trains one model, whose file can be loaded even if the training is stopped.
/// \tparam Training  a function
/// \param words      for the message
/// \param files      where it is kept, if anywhere
/// \param training   trains it, and throws as nn::Training
/// \returns          what the training returns
/// \throws program::Interrupted after Ctrl-C; with --save the message speaks of --load too
template <typename Training>
auto train_loadable(const OneModelWords& words, const TrainingFiles& files,
                    const Training& training)
{
    try {
        return training();
    } catch (const program::Interrupted& end) {
        if (!files.save) {
            throw;
        }
        throw program::Interrupted(std::string(end.what()) + ", and --load " + words.verb +
                                   "s with what was learnt so far");
    }
}

} // namespace attn::nn
