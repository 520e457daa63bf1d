/// \file
/// \brief One model that a reader asks for, of a program that trains several for its page:
/// which options about it go together, and a stopped training that can be loaded.
#pragma once

#include "common/nn/training.hpp"
#include "common/program/interrupt.hpp"

#include <string>

namespace attn::program {
struct CommonOptions;
}

namespace attn::nn {

/// What messages call a program's model, and what it is asked.
struct OneModelWords
{
    std::string model;               ///< "translator"
    std::string option;              ///< asks it something: "--translate"
    std::string verb;                ///< what it does then: "translate"
    std::string corpus = "--corpus"; ///< names what it learns from
};

/// Which options about one model were given.
struct OneModelOptions
{
    bool asked = false;  ///< that of OneModelWords
    bool save = false;   ///< --save
    bool resume = false; ///< --resume
    bool load = false;   ///< --load
    bool corpus = false; ///< that which names a corpus, or one that says how it is read

    /// \returns whether one model is asked for, and not the chapter
    bool any() const { return asked || save || resume || load || corpus; }
};

/// Which options about the chapter's trainings were given.
struct ChapterTrainings
{
    bool steps = false;     ///< --steps
    bool seeds = false;     ///< --seeds, with more than one
    bool untrained = false; ///< --untrained
};

/// Refuses options that do not go together.
/// \param words    for the messages
/// \param one      given about one model
/// \param chapter  given about the chapter's
/// \param options  of every program, for --trace
/// \throws BadInput naming them
void expect_options_agree(const OneModelWords& words, const OneModelOptions& one,
                          const ChapterTrainings& chapter,
                          const program::CommonOptions& options);

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
