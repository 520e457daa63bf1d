/// \file
/// \brief Trains a small translator whose decoder sees one vector of the source, and prints how
/// its translations fail as the sentences get longer. A place to start one's own.
#include "chapters/07_seq2seq/translator.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/one_translator.hpp"
#include "common/translation/task.hpp"
#include "common/translation/training.hpp"

#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <utility>

int main()
{
    using namespace attn;

    const seq2seq::Unit unit = seq2seq::Unit::gru; // what takes a step
    const std::size_t d_embedding = 32;            // numbers for a word
    const std::size_t hidden = 96;                 // numbers in a state, and in the one vector
    const std::size_t longest = 14;                // words of a source, the full stop too
    const std::size_t n_steps = 600;               // of training, each on 32 sentences
    const std::uint64_t seed = 1;                  // of everything

    // The data: English and French sentences of a small grammar, in three parts.
    const translation::TranslationTask task =
        translation::grammar_task(seed, {.train = 10000,
                                         .validation = 30,
                                         .test = 300,
                                         .longest_train = longest,
                                         .longest_evaluation = longest});

    // The model: an encoder, the way from its states to one vector, and a decoder.
    random::Generator generator(seed);
    const seq2seq::ContextFunction<float> context = seq2seq::last_state<float>();
    const seq2seq::Translator<float> translator(
        {task.source.size(), task.target.size(), d_embedding, hidden, unit}, context,
        generator);
    const translation::TranslationModel model = model_of(translator);
    fmt::print("{} sentences to learn from, {} parameters\n\n", task.train.size(),
               model.parameters.n_numbers());

    // Train it with teacher forcing.
    translation::train(model, task.train,
                       {.n_steps = n_steps,
                        .peak_rate = 1e-2,
                        .beta_2 = translation::brief_memory,
                        .seed = seed},
                       {.show_progress = false});

    // How well it translates sentences that it has not seen, by the length of the source.
    const translation::Evaluation evaluation =
        translation::evaluate(model, task, {task.pairs.test, task.test});
    const text::CountsByLength counts =
        text::counts_by_length(evaluation.translations, text::length_buckets(3, 3, longest));
    fmt::print("words  sentences  without a mistake  BLEU\n");
    for (const auto& [bucket, of_bucket] : counts.buckets) {
        fmt::print("{:>5}{:11}{:17.0f} %{:6.0f}\n", bucket.name(), of_bucket.n_sentences,
                   100 * of_bucket.exact_match(), 100 * of_bucket.bleu());
    }

    // What it makes of a short sentence and of a longer one, neither of them learnt from.
    const translation::Languages languages{task.source, task.target,
                                           text::Normalisation::gentle, task.max_length};
    for (const auto& [english, french] :
         {std::pair("we see the old man .", "nous voyons le vieil homme ."),
          std::pair(
              "the girl sells the white house because we see the old man .",
              "la fille vend la maison blanche parce que nous voyons le vieil homme .")}) {
        const translation::Translation found =
            translation::translate(model, languages, english);
        fmt::print("\nsource: {}\nmodel:  {}\nright:  {}\n", english,
                   text::text_of(found.target), french);
    }
    // Try: n_steps = 2400, with which longer sentences come through; hidden = 32, with which
    // few of the shortest do; mean_state<float>() as the context.
}
