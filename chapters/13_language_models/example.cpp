/// \file
/// \brief Trains a small model of GPT's kind on English sentences, and lets it write, with
/// several ways to choose the next word. A place to start one's own.
#include "chapters/13_language_models/language_model.hpp"
#include "chapters/13_language_models/sampling.hpp"
#include "chapters/13_language_models/training.hpp"
#include "common/grammar/grammar.hpp"
#include "common/random/random.hpp"
#include "common/text/tokens.hpp"

#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace attn;
using namespace attn::language_models;

} // namespace

int main()
{
    const std::size_t n = 14;        // words that the model can attend to
    const std::size_t n_layers = 1;  // at least 1
    const std::size_t n_steps = 700; // of the training, 32 windows of n words in each
    const double richness = 0.2;     // of the sentences: 0 short and plain, 1 long and nested
    const std::string prompt = "the king"; // how its sentences begin
    const std::uint64_t seed = 1;          // of the sentences and of the parameters
    const std::uint64_t writing_seed = 4;  // of what it writes

    // The data: 10000 sentences of the book's grammar, a line each, and 300 to test on.
    std::string corpus;
    std::string other_sentences;
    text::Grammar grammar(seed, 1, richness);
    text::Grammar other_grammar(seed, 2, richness);
    for (std::size_t i = 0; i < 10000; ++i) {
        corpus += text::text_of(grammar.sentence().source) + "\n";
    }
    for (std::size_t i = 0; i < 300; ++i) {
        other_sentences += text::text_of(other_grammar.sentence().source) + "\n";
    }
    const text::Tokens tokens(text::TokenKind::words, corpus, "the grammar");
    const std::vector<TokenId> text = tokens.encode(corpus); // a line break is a token as well

    // The model: the transformer's layers under a causal mask, a decoder without a source.
    const LanguageModel<float> model =
        make_language_model({.n_tokens = tokens.size(),
                             .n_positions = n,
                             .n_layers = n_layers,
                             .layer = {.d_model = 48,
                                       .n_heads = 4,
                                       .d_ff = 192,
                                       .activation = transformer::HiddenActivation::gelu_tanh},
                             .causal = true},
                            seed);

    // Train it: at every position it predicts the next word.
    random::Generator windows_rng(seed, 3);
    const std::vector<double> losses = train(
        model, [&](std::size_t /*step*/) { return random_windows(text, 32, n, windows_rng); },
        {.n_steps = n_steps, .peak_rate = 1e-2}, {.show_progress = false});
    fmt::print("{} words, {} different ones, {} parameters\n", text.size(), tokens.size(),
               model.parameters().n_numbers());
    fmt::print("loss: {:.2f} at first, {:.2f} at last, {:.2f} on other sentences\n",
               losses.front(), losses.back(),
               mean_loss(model, tokens.encode(other_sentences), n));

    // Let it write. Each way makes other probabilities of the same scores.
    const std::vector<std::pair<std::string, Sampling>> ways = {
        {"greedy", {.temperature = 0}},
        {"temperature 1", {.temperature = 1}},
        {"temperature 2", {.temperature = 2}},
        {"top-p 0.8", {.top_p = 0.8}}};
    const std::vector<TokenId> beginning = tokens.encode("\n" + prompt);
    const TokenId line_break = beginning[0];
    for (const auto& [name, sampling] : ways) {
        fmt::print("\n{}\n", name);
        random::Generator writing_rng(writing_seed);
        for (std::size_t i = 0; i < 3; ++i) {
            const std::string written = tokens.decode(
                continue_text(model, beginning, n - beginning.size(), sampling, writing_rng,
                              [&](TokenId token) { return token != line_break; }));
            fmt::print("  {} {}\n", prompt, written.substr(0, written.find('\n')));
        }
    }
    // Try: prompt = "our friends"; richness = 1; {"top-k 5", {.top_k = 5}} as another way.
}
