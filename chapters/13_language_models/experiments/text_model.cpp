#include "chapters/13_language_models/experiments/experiments.hpp"

#include "chapters/13_language_models/training.hpp"
#include "common/grammar/grammar_corpus.hpp"
#include "common/kernels/elementary.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/nn/checkpoint.hpp"
#include "common/program/command_line.hpp"
#include "common/program/files.hpp"
#include "common/program/number.hpp"
#include "common/program/results.hpp"
#include "common/program/text.hpp"
#include "common/random/streams.hpp"
#include "common/text/nearest_words.hpp"
#include "common/text/tokens.hpp"
#include "common/translation/one_translator.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <span>
#include <utility>

namespace attn::language_models {

using program::BadInput;
using program::fixed;
using program::Frame;

namespace {

constexpr std::size_t largest_text = std::size_t{256} << 20U;

// Of a file that can be believed.
constexpr std::size_t most_numbers = 16384;
constexpr std::size_t most_layers = 256;

} // namespace

// ---------------------------------------------------------------- options

void add_writing_options(program::CommandLine& command_line, WritingRequest& request)
{
    command_line.add_text("--prompt", request.prompt, "TEXT", "how the text begins");
    command_line.add_count("--tokens", request.n_tokens, 1,
                           "how many tokens are written (default: 200)");
    command_line.add_number("--temperature", request.temperature, "T",
                            "scores are divided by it; 0: the most probable token");
    command_line.add_count("--top-k", request.top_k, 1,
                           "draws from so many of the most probable tokens");
    command_line.add_number("--top-p", request.top_p, "P",
                            "draws from the fewest tokens that have this probability");
    command_line.add_flag("--greedy", request.greedy, "always the most probable token");
    command_line.add_output("--explore", request.explore, "FILE.html",
                            "with --prompt: a page that shows every head on the prompt");
    command_line.need("--explore", "--prompt",
                      "it shows how a model reads a text; give one by --prompt");
    command_line.need("--tokens --temperature --top-k --top-p --greedy", "--prompt --gpt2",
                      "say how the text begins, by --prompt");
    command_line.exclude("--greedy", "--temperature --top-k --top-p", "it draws nothing");
}

Sampling sampling_of(const WritingRequest& request)
{
    const Sampling sampling{.temperature = request.temperature.value_or(1),
                            .top_k = request.top_k,
                            .top_p = request.top_p.value_or(1)};
    if (sampling.temperature < 0) {
        throw BadInput(
            fmt::format("--temperature: must not be below 0, got {}", sampling.temperature));
    }
    if (!(sampling.top_p > 0 && sampling.top_p <= 1)) {
        throw BadInput(
            fmt::format("--top-p: must be above 0 and at most 1, got {}", sampling.top_p));
    }
    return request.greedy ? Sampling{.temperature = 0} : sampling;
}

void add_text_options(program::CommandLine& command_line, TextRequest& request)
{
    command_line.add_input("--text", request.text, "FILE", "a text to learn from, UTF-8");
    command_line.add_flag("--words", request.words, "its tokens are words, not characters");
    command_line.add_flag("--nanogpt", request.nanogpt,
                          "by nanoGPT's recipe for processors: 4 layers, 2000 steps");
    nn::add_training_options(command_line, request.files);
    nn::add_parts_option(command_line, request.n_parts);
    command_line.add_input("--load", request.load, "FILE", "loads what --save has saved");
    nn::add_one_model_rules(command_line, text_model_words());
    command_line.exclude("--parts", "--load", "it cuts the batches of a training");
    command_line.need("--parts", nn::about_one(text_model_words()),
                      "it cuts the batches of the training with --text or --nanogpt");
    command_line.need("--steps", nn::about_one(text_model_words()),
                      "they are those of the training with --text or --nanogpt");
}

nn::OneModelWords text_model_words()
{
    return {.model = "model of a text",
            .asked = "--prompt",
            .verb = "write",
            .corpus = "--text --words --nanogpt"};
}

// ---------------------------------------------------------------- recipes

namespace {

/// How a model of a text is made and trained.
struct TextRecipe
{
    LanguageModelOptions model; ///< but for the number of tokens
    TrainingOptions training = {};
    std::size_t n_texts = 32; ///< windows in a batch
};

/// nanoGPT's recipe for processors. (From its README and train.py, release of December 2024; its
/// layers have no biases, ours have.)
TextRecipe nanogpt_recipe()
{
    return {.model = {.n_tokens = 0,
                      .n_positions = 64,
                      .n_layers = 4,
                      .layer = {.d_model = 128,
                                .n_heads = 4,
                                .d_ff = 512,
                                .activation = transformer::HiddenActivation::gelu}},
            .training = {.n_steps = 2000,
                         .peak_rate = 1e-3,
                         .n_warm_up = 100,
                         .fall = Fall::cosine,
                         .last_share = 0.1,
                         .beta_2 = 0.99,
                         .weight_decay = 0.1},
            .n_texts = 12};
}

/// Half as wide and deep, a quarter of the steps: some seconds.
TextRecipe small_recipe()
{
    TextRecipe recipe = nanogpt_recipe();
    recipe.model.n_layers = 2;
    recipe.model.layer.d_model = 64;
    recipe.model.layer.d_ff = 256;
    recipe.training.n_steps = 500;
    recipe.training.peak_rate = 3e-3;
    recipe.n_texts = 32;
    return recipe;
}

/// A model of a text, and the tokens that it knows.
struct TextModel
{
    text::Tokens tokens;
    LanguageModel<float> model;
};

nn::Settings settings_of(const TextModel& saved)
{
    const LanguageModelOptions& options = saved.model.options();
    const bool words = saved.tokens.kind() == text::TokenKind::words;
    return {{"model", "text model"},
            {"tokens", saved.tokens.to_json()},
            {"token kind", words ? "words" : "characters"},
            {"positions", std::to_string(options.n_positions)},
            {"layers", std::to_string(options.n_layers)},
            {"d", std::to_string(options.layer.d_model)},
            {"heads", std::to_string(options.layer.n_heads)},
            {"feed-forward", std::to_string(options.layer.d_ff)}};
}

TextModel load_text_model(const std::filesystem::path& file)
{
    const translation::SavedSettings settings(file);
    settings.choice("model", {"text model"});
    const auto kind = settings.choice("token kind", {"words", "characters"}) == "words"
                          ? text::TokenKind::words
                          : text::TokenKind::characters;
    text::Tokens tokens = text::Tokens::from_json(
        kind, settings.text("tokens"), program::in_quotes(file.string()) + ", 'tokens'");
    LanguageModelOptions options = nanogpt_recipe().model;
    options.n_tokens = tokens.size();
    options.n_positions = settings.count("positions", most_numbers);
    options.n_layers = settings.count("layers", most_layers);
    options.layer.d_model = settings.count("d", most_numbers);
    options.layer.n_heads = settings.count("heads", most_numbers);
    options.layer.d_ff = settings.count("feed-forward", most_numbers);
    if (options.layer.d_model % options.layer.n_heads != 0) {
        settings.refuse("d", fmt::format("{} numbers are no multiple of the {} heads",
                                         options.layer.d_model, options.layer.n_heads));
    }
    settings.expect_shape("tokens.weight", {options.n_tokens, options.layer.d_model});
    settings.expect_shape("positions.weight", {options.n_positions, options.layer.d_model});
    for (std::size_t i = 0; i < options.n_layers; ++i) {
        settings.expect_shape(fmt::format("layers.{}.linear1.weight", i),
                              {options.layer.d_ff, options.layer.d_model});
    }
    TextModel loaded{std::move(tokens), make_language_model(options, 1)};
    nn::Parameters<float> parameters = loaded.model.parameters();
    nn::load_model(file, parameters);
    return loaded;
}

// ---------------------------------------------------------------- a reader's text

/// The first nine tenths to learn from, the rest to see how well.
struct SplitText
{
    std::vector<TokenId> learnt;
    std::vector<TokenId> validation;
};

SplitText split(std::vector<TokenId> text, std::size_t n_positions,
                const std::string& source_name)
{
    const std::size_t n_learnt = text.size() * 9 / 10;
    if (text.size() - n_learnt < n_positions + 1) {
        throw BadInput(
            fmt::format("{}: {} tokens are too few: a tenth of them, to evaluate on, "
                        "must be more than {}",
                        source_name, text.size(), n_positions));
    }
    const auto middle = text.begin() + static_cast<std::ptrdiff_t>(n_learnt);
    return {{text.begin(), middle}, {middle, text.end()}};
}

/// The English sentences of some pairs, a line each, in random order.
std::string grammar_text(std::span<const text::SentencePair> pairs)
{
    random::Generator order(1, random::Stream::grammar_text);
    std::string lines;
    for (const std::size_t i : order.permutation(pairs.size())) {
        lines += text::text_of(pairs[i].source) + "\n";
    }
    return lines;
}

/// What is learnt from, and its name for messages.
struct SourceText
{
    std::string name;
    std::string content;
};

SourceText source_text(const TextRequest& request)
{
    constexpr std::uint64_t seed = 1; // the same text for every seed of the training
    return request.text
               ? SourceText{program::in_quotes(*request.text, program::longest_path),
                            program::read_file(*request.text, largest_text)}
               : SourceText{"the grammar's sentences",
                            grammar_text(text::grammar_corpus(seed, {.train = 16000}).train)};
}

/// The tokens of a prompt, if there is one.
/// \throws BadInput if it is empty or has what there is no token for
std::vector<TokenId> beginning_of(const text::Tokens& tokens, const WritingRequest& writing)
{
    std::vector<TokenId> beginning;
    try {
        beginning = tokens.encode(writing.prompt.value_or(""));
    } catch (const BadInput& error) {
        throw BadInput(fmt::format("--prompt: {}", error.what()));
    }
    if (writing.prompt && beginning.empty()) {
        throw BadInput("--prompt: the text is empty");
    }
    return beginning;
}

/// Says which words of a prompt are read as unknown ones, and what they may have meant.
void show_unknown(Frame& frame, const text::Tokens& tokens, const std::string& prompt)
{
    for (const std::string& word : tokens.unknown(prompt)) {
        const std::vector<std::string> near = text::nearest_words(word, tokens.all());
        frame.terminal.paragraph(fmt::format(
            "{} is read as an unknown word{}.", program::in_quotes(word),
            near.empty() ? "" : fmt::format("; the nearest known: {}", fmt::join(near, ", "))));
    }
}

/// Trains a model on a text. The first process prints how well it predicts what it has not seen, and
/// saves it.
TextModel train_text_model(Frame& frame, const TextRequest& request,
                           const WritingRequest& writing, const TextRecipe& wanted,
                           const parallel::Processes& processes)
{
    const nn::Sharing sharing = nn::sharing_of(request.n_parts, processes);
    const auto [name, content] = source_text(request);
    text::Tokens tokens(request.words ? text::TokenKind::words : text::TokenKind::characters,
                        content, name);
    beginning_of(tokens, writing); // or it is refused before the training
    const SplitText parts = split(tokens.encode(content), wanted.model.n_positions, name);
    TextRecipe recipe = wanted;
    recipe.model.n_tokens = tokens.size();
    TextModel made{std::move(tokens), make_language_model(recipe.model, frame.options.seed)};
    nn::Settings settings = settings_of(made);
    settings.insert({{"chapter", "13_language_models"},
                     {"seed", std::to_string(frame.options.seed)},
                     {"steps", std::to_string(recipe.training.n_steps)},
                     {"text", program::checksum(content)}});
    nn::add_settings(sharing, settings);
    const auto batch = [&](std::size_t step) {
        random::Generator generator(frame.options.seed, random::Stream::text_windows, step);
        return random_windows(parts.learnt, recipe.n_texts, recipe.model.n_positions,
                              generator);
    };
    const auto start = std::chrono::steady_clock::now();
    nn::train_loadable(text_model_words(), request.files, [&] {
        return train(made.model, batch, recipe.training,
                     {.label = "model of a text",
                      .files = request.files,
                      .settings = settings,
                      .sharing = sharing});
    });
    if (!processes.is_first()) {
        return made;
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    const double loss = mean_loss(made.model, parts.validation, recipe.model.n_positions);
    frame.terminal.introduce(
        "A model of a text",
        "{} tokens, {} of them different; {} numbers learnt in {} steps of {} windows of {} "
        "tokens, in {} s. The loss is the mean of -ln p of the next token over the last tenth "
        "of the text, which was not learnt from.",
        parts.learnt.size() + parts.validation.size(), made.tokens.size(),
        made.model.parameters().n_numbers(), recipe.training.n_steps, recipe.n_texts,
        recipe.model.n_positions, fixed(passed.count(), 1));
    frame.terminal.line(fmt::format("loss on the last tenth: {}", fixed(loss, 4)));
    if (request.files.save) {
        nn::save_model(*request.files.save, made.model.parameters(), settings_of(made));
        frame.terminal.line();
        frame.terminal.paragraph("kept in " + *request.files.save);
    }
    return made;
}

/// Writes on from a beginning; where the positions end, from the second half of what is there.
std::string written_by(const TextModel& model, std::vector<TokenId> text, std::size_t n_tokens,
                       const Sampling& sampling, random::Generator& generator)
{
    const std::size_t n_positions = model.model.options().n_positions;
    const std::size_t n_kept = std::max<std::size_t>(n_positions / 2, 1);
    const std::size_t n_end = text.size() + n_tokens;
    while (text.size() < n_end) {
        const std::size_t n_read = text.size() < n_positions ? text.size() : n_kept;
        const std::span<const TokenId> beginning = std::span(text).last(n_read);
        const std::vector<TokenId> more = continue_text(
            model.model, beginning, std::min(n_end - text.size(), n_positions - n_read),
            sampling, generator);
        text.insert(text.end(), more.begin(), more.end());
    }
    return model.tokens.decode(text);
}

} // namespace

void run_text_model(Frame& frame, const TextRequest& request, const WritingRequest& writing,
                    std::optional<std::size_t> n_steps, const parallel::Processes& processes)
{
    const Sampling sampling = sampling_of(writing);
    const kernels::ComputeWith threads({.n_threads = frame.options.threads});
    TextRecipe recipe = request.nanogpt ? nanogpt_recipe() : small_recipe();
    recipe.training.n_steps = n_steps.value_or(recipe.training.n_steps);
    const TextModel model = request.load
                                ? load_text_model(*request.load)
                                : train_text_model(frame, request, writing, recipe, processes);
    if (!processes.is_first()) {
        return;
    }
    if (writing.prompt) {
        random::Generator generator(frame.options.seed, random::Stream::text_writing);
        const std::vector<TokenId> beginning = beginning_of(model.tokens, writing);
        frame.terminal.heading("Written");
        show_unknown(frame, model.tokens, *writing.prompt);
        frame.terminal.line(written_by(
            model, beginning, writing.n_tokens.value_or(usual_n_tokens), sampling, generator));
    }
    if (writing.explore) { // last, when the model has proved usable
        explore(*writing.explore, *writing.prompt, model.model,
                beginning_of(model.tokens, writing), [&](TokenId token) {
                    return model.tokens.decode({&token, 1});
                });
    }
}

// ---------------------------------------------------------------- the grammar's sentences

namespace {

/// A model of the grammar's sentences, and the text that it has learnt from.
struct GrammarModel
{
    TextModel model;
    PairCounts counts;
    double loss;          ///< on sentences that nobody has learnt from
    double loss_of_pairs; ///< the same by the counts
};

GrammarModel train_grammar_model(Frame& frame)
{
    const text::CorpusParts parts = text::grammar_corpus(
        frame.options.seed, {.train = frame.options.quick ? 3000U : 20000U, .validation = 0});
    const std::string learnt = grammar_text(parts.train);
    text::Tokens tokens(text::TokenKind::words, learnt, "the grammar");
    const std::vector<TokenId> ids = tokens.encode(learnt);
    const std::vector<TokenId> tested = tokens.encode(grammar_text(parts.test));
    TextRecipe recipe = small_recipe();
    recipe.model.n_tokens = tokens.size();
    recipe.training.n_steps = frame.options.quick ? 10 : 400;
    TextModel made{std::move(tokens), make_language_model(recipe.model, frame.options.seed)};
    const auto batch = [&](std::size_t step) {
        random::Generator generator(frame.options.seed, random::Stream::text_windows, step);
        return random_windows(ids, recipe.n_texts, recipe.model.n_positions, generator);
    };
    train(made.model, batch, recipe.training, {.label = "a model of the grammar"});
    PairCounts counts(made.tokens.size());
    counts.add(ids);
    const double loss = mean_loss(made.model, tested, recipe.model.n_positions);
    const double loss_of_pairs = counts.loss(tested);
    return {std::move(made), std::move(counts), loss, loss_of_pairs};
}

/// What a way of drawing comes to, over some sentences.
struct Drawn
{
    std::vector<std::string> sentences;
    double different;    ///< share of sentences that no earlier one is
    double unseen_pairs; ///< share of pairs of words that the learnt text does not have
};

Drawn draw_sentences(const GrammarModel& grammar, const Sampling& sampling, std::size_t n,
                     random::Generator& generator)
{
    const TokenId line_break = grammar.model.tokens.encode("\n")[0];
    Drawn drawn{{}, 0, 0};
    std::size_t n_pairs = 0;
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<TokenId> text = {line_break};
        const std::size_t room = grammar.model.model.options().n_positions - 1;
        const auto more = continue_text(grammar.model.model, text, room, sampling, generator,
                                        [&](TokenId token) { return token != line_break; });
        text.insert(text.end(), more.begin(), more.end());
        for (std::size_t t = 0; t + 1 < text.size(); ++t, ++n_pairs) {
            drawn.unseen_pairs += grammar.counts.seen(text[t], text[t + 1]) ? 0 : 1;
        }
        drawn.sentences.push_back(
            grammar.model.tokens.decode(std::span(text).subspan(1, text.size() - 2)));
    }
    drawn.unseen_pairs /= static_cast<double>(n_pairs);
    const std::set<std::string> different(drawn.sentences.begin(), drawn.sentences.end());
    drawn.different = static_cast<double>(different.size()) / static_cast<double>(n);
    return drawn;
}

/// A way of drawing, as tables print it.
struct NamedSampling
{
    std::string name;
    Sampling sampling;
};

std::vector<NamedSampling> samplings()
{
    return {{"greedy", {.temperature = 0}},
            {"temperature 0.5", {.temperature = 0.5}},
            {"temperature 1", {}},
            {"temperature 1.5", {.temperature = 1.5}},
            {"top-k 5", {.top_k = 5}},
            {"top-p 0.9", {.top_p = 0.9}},
            {"1.5 and top-p 0.9", {.temperature = 1.5, .top_p = 0.9}}};
}

} // namespace

void show_sampling(Frame& frame)
{
    const GrammarModel grammar = train_grammar_model(frame);
    const std::size_t n_tokens = grammar.model.tokens.size();
    frame.terminal.introduce(
        "A model of the grammar's sentences",
        "Two layers, 64 numbers wide, on English sentences of the grammar, {} different words. "
        "Mean of -ln p of the next word on sentences that nobody has learnt from, and e to the "
        "power of it, the perplexity.",
        n_tokens);
    program::Table table({"by", "loss", "perplexity"});
    const auto row = [&](const char* name, double loss) {
        table.row({name, fixed(loss, 2), fixed(elementary::exp(loss), 1)});
    };
    row("all words alike", elementary::log(static_cast<double>(n_tokens)));
    row("counts of pairs of words", grammar.loss_of_pairs);
    row("the model", grammar.loss);
    frame.terminal.table(table);

    const std::size_t n = frame.options.quick ? 5 : 200;
    frame.terminal.introduce(
        "Which next word",
        "{} sentences each: the share that differ from every sentence written before, and the "
        "share of pairs of neighbouring words that stand nowhere in the text that was learnt "
        "from.",
        n);
    program::Results results(
        {"sampling"}, {{"different", program::fixed, 4}, {"new_pairs", program::fixed, 4}});
    std::vector<std::string> examples;
    for (const NamedSampling& one : samplings()) {
        random::Generator generator(frame.options.seed, random::Stream::text_writing);
        const Drawn drawn = draw_sentences(grammar, one.sampling, n, generator);
        results.add({one.name}, {drawn.different, drawn.unseen_pairs});
        examples.push_back(
            fmt::format("{}: {} | {}", one.name, drawn.sentences[0], drawn.sentences[1]));
    }
    frame.terminal.table(results.table(
        {"drawn by", {{"different", "different", 3}, {"new pairs", "new_pairs", 3}}}));
    frame.terminal.introduce("Which next word: sentences", "The first two of each.");
    for (const std::string& example : examples) {
        frame.terminal.paragraph(example);
    }
    frame.files.write_csv("trained_sampling.csv", results.columns());
}

} // namespace attn::language_models
