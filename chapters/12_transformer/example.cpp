/// \file
/// \brief Trains a small transformer to translate short English sentences into French, and
/// shows what each word attends to. A place to start one's own.
#include "chapters/12_transformer/training/translation.hpp"
#include "chapters/12_transformer/transformer.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/one_translator.hpp"
#include "common/translation/task.hpp"
#include "common/translation/training.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <vector>

namespace {

using namespace attn;
using transformer::Positions;
using transformer::Transformer;

} // namespace

int main()
{
    const std::size_t longest = 10;  // words in a source sentence
    const std::size_t n_steps = 600; // of the training, 32 sentences in each
    const std::uint64_t seed = 1;    // of the sentences and of the parameters
    // A sentence to translate, in words of the grammar:
    const std::string sentence = "our woman 's friend sells our white houses .";

    // The data: sentences of the book's grammar, English to French.
    const translation::TranslationTask task = translation::grammar_task(
        seed,
        {.train = 10000, .test = 200, .longest_train = longest, .longest_evaluation = longest});

    // The model: two layers, one of the encoder and one of the decoder.
    const Transformer<float> transformer = transformer::make_transformer(
        {.n_source_words = task.source.size(),
         .n_target_words = task.target.size(),
         .n_encoder_layers = 1,
         .n_decoder_layers = 1,
         .layer = {.d_model = 64, .n_heads = 4, .d_ff = 128, .residual = true},
         .positions = Positions::sinusoidal},
        seed);
    const translation::TranslationModel model = transformer::model_of(transformer);

    // Train it, with teacher forcing: all words of a translation at once.
    const std::vector<double> losses = translation::train(
        model, task.train, {.n_steps = n_steps, .beta_2 = 0.98, .seed = seed},
        {.show_progress = false});
    fmt::print("{} parameters, {} sentences to learn from\n", model.parameters.n_numbers(),
               task.train.size());
    fmt::print("loss: {:.2f} at first, {:.2f} at last\n", losses.front(), losses.back());

    // Translate sentences that it has not seen: the share without a mistake.
    const translation::EvaluationSet test{task.pairs.test, task.test};
    const translation::Evaluation evaluation = translation::evaluate(model, task, test);
    fmt::print("exact match on {} new sentences: {:.2f}\n\n", test.pairs.size(),
               translation::measures_of(evaluation, test.pairs, true).exact);

    // Translate one sentence. Its weights are the mean of the heads, [n_target][n_source].
    const translation::Translation found = translation::translate(
        model, {task.source, task.target, text::Normalisation::gentle, task.max_length},
        sentence);
    fmt::print("{}\n\n{:<12}{:<18}{}\n", sentence, "writes", "attends most to", "weight");
    for (std::size_t t = 0; t < found.target.size(); ++t) {
        const std::vector<double>& weights = found.weights[t];
        const auto most = std::max_element(weights.begin(), weights.end());
        fmt::print("{:<12}{:<18}{:.2f}\n", found.target[t],
                   found.source[static_cast<std::size_t>(most - weights.begin())], *most);
    }
    // Try: Positions::none, which confuses friend and woman; .residual = false; .n_heads = 1; a
    // sentence of your own, such as "the red cars of the king are not here ."
}
