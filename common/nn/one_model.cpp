#include "common/nn/one_model.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/command_line.hpp"

#include <fmt/format.h>

namespace attn::nn {

using program::BadInput;

void expect_options_agree(const OneModelWords& words, const OneModelOptions& one,
                          const ChapterTrainings& chapter,
                          const program::CommonOptions& options)
{
    program::keep_trace_apart(
        options, one.any(),
        fmt::format("neither {}, --save, --resume and --load nor a corpus", words.option));
    if (one.any() && (chapter.seeds || chapter.untrained)) {
        throw BadInput(
            fmt::format("{}, --save, --resume, --load and {} are about one {}, and go "
                        "with neither --seeds nor --untrained",
                        words.option, words.corpus, words.model));
    }
    if (one.load && (one.save || one.resume || one.corpus)) {
        throw BadInput(
            fmt::format("--load: the {} is trained already, and goes with neither --save "
                        "and --resume nor a corpus",
                        words.model));
    }
    if (one.resume && !one.save && !one.asked && !one.corpus) {
        throw BadInput(fmt::format("--resume: say what to do with the {}, by {} or --save",
                                   words.model, words.option));
    }
    if (one.load && !one.asked) {
        throw BadInput(
            fmt::format("--load: say what to {} with it, by {}", words.verb, words.option));
    }
    if (chapter.steps && (one.load || chapter.untrained)) {
        throw BadInput("--steps: nothing is trained with --load or --untrained");
    }
}

} // namespace attn::nn
