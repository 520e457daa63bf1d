/// \file
/// \brief Trains a small translator with attention on short sentences, then translates a new
/// one and prints which source words each of its words attends to. A place to start one's own.
#include "chapters/07_seq2seq/translator.hpp"
#include "chapters/08_bahdanau/alignment.hpp"
#include "common/translation/evaluation.hpp"
#include "common/translation/one_translator.hpp"
#include "common/translation/task.hpp"
#include "common/translation/training.hpp"

#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <string>

int main()
{
    using namespace attn;
    using bahdanau::Score;
    using seq2seq::QueryState;

    const Score score = Score::additive;                // Bahdanau's, of query and annotation
    const QueryState query_state = QueryState::current; // the query is s_t, as Luong has it
    const std::size_t d_embedding = 32;                 // numbers for a word
    const std::size_t hidden = 64;                      // numbers in a state
    const std::size_t longest = 8;                      // words of a source, the full stop too
    const std::size_t n_steps = 800;                    // of training, each on 32 sentences
    const std::uint64_t seed = 1;                       // of everything
    const std::string sentence = "she does not buy the red hat ."; // not learnt from

    // The data: English and French sentences of a small grammar, in three parts.
    const translation::TranslationTask task =
        translation::grammar_task(seed, {.train = 20000,
                                         .validation = 30,
                                         .test = 300,
                                         .longest_train = longest,
                                         .longest_evaluation = longest});

    // The model: chapter 7's encoder and decoder, with attention as the way to a context.
    random::Generator generator(seed);
    const seq2seq::Translator<float> translator(
        {task.source.size(), task.target.size(), d_embedding, hidden},
        bahdanau::alignment_model<float>(score, query_state, hidden, hidden, generator),
        generator);
    const translation::TranslationModel model = model_of(translator);

    // Train it with teacher forcing. Nothing says which word to attend to.
    translation::train(model, task.train,
                       {.n_steps = n_steps,
                        .peak_rate = 1e-2,
                        .beta_2 = translation::brief_memory,
                        .seed = seed},
                       {.show_progress = false});

    // How well it translates sentences that it has not seen. The grammar knows which French
    // word comes from which English one: how often does the largest weight agree?
    const translation::Evaluation evaluation =
        translation::evaluate(model, task, {task.pairs.test, task.test});
    const auto counts = text::counts_by_length(evaluation.translations).all;
    fmt::print("Of {} test sentences {:.0f} % are translated without a mistake.\n",
               counts.n_sentences, 100 * counts.exact_match());
    fmt::print("The largest weight is on a word that the grammar links: {:.0f} %.\n\n",
               100 * alignment_of(evaluation, task.pairs.test).precision());

    // What it does with the sentence above: a row for each French word, its weights sum to 1.
    const translation::Languages languages{task.source, task.target,
                                           text::Normalisation::gentle, task.max_length};
    const translation::Translation found = translation::translate(model, languages, sentence);
    fmt::print("{:10}", "");
    for (const std::string& word : found.source) {
        fmt::print("{:>8}", word);
    }
    for (std::size_t t = 0; t < found.target.size(); ++t) {
        fmt::print("\n{:>10}", found.target[t]);
        for (const double weight : found.weights[t]) { // [n_source]
            fmt::print("{:8.2f}", weight);
        }
    }
    fmt::print("\n");
    // Try: Score::dot, whose weights are sharper; QueryState::previous, Bahdanau's decoder;
    // longest = 14 and "the girl sells the white house because we see the old man .", which
    // chapter 7's example gets wrong.
}
