#include "chapters/13_language_models/experiments/experiments.hpp"

#include "chapters/13_language_models/masked_words/masked_words.hpp"
#include "common/grammar/lexicon.hpp"
#include "common/grammar/morphology.hpp"
#include "common/grammar/readings.hpp"
#include "common/kernels/elementary.hpp"
#include "common/parallel/for_each_index.hpp"
#include "common/program/csv_columns.hpp"
#include "common/program/spread.hpp"
#include "common/random/streams.hpp"
#include "common/text/share.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <utility>

namespace attn::language_models {

using program::BadInput;
using program::fixed;
using program::Frame;
using text::Category;
using text::lexicon::Noun;
using text::lexicon::Number;

namespace {

constexpr std::array both_numbers = {Number::singular, Number::plural};
constexpr std::size_t n_between = 3; // members of Between

/// Texts that begin with the begin symbol.
std::vector<TokenId> after_begin(std::vector<TokenId> words)
{
    words.insert(words.begin(), text::begin_id);
    return words;
}

/// A text alone.
TokenBatch alone(std::vector<TokenId> text)
{
    const std::size_t n = text.size();
    return {.n_texts = 1, .tokens = std::move(text), .lengths = {n}};
}

/// The last place of each text.
std::vector<std::size_t> last_places(const TokenBatch& batch)
{
    const std::size_t n = batch.tokens.size() / batch.n_texts;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < batch.n_texts; ++i) {
        places.push_back(i * n + batch.lengths[i] - 1);
    }
    return places;
}

} // namespace

// ---------------------------------------------------------------- a noun between

namespace {

/// "les voitures"
std::vector<text::FrenchWord> with_article(const Noun& noun, Number number)
{
    const text::lexicon::Determiner& the = text::lexicon::determiners.front();
    return {{the.french.form(noun.gender, number), {}, {}, the.article},
            {number == Number::singular ? noun.french : noun.french_plural, {}}};
}

VerbProbe verb_probe(const Noun& noun, Number number, const Noun* owner, Number of_owner)
{
    std::vector<text::FrenchWord> words = with_article(noun, number);
    if (owner != nullptr) {
        words.push_back({"de", {}});
        const std::vector<text::FrenchWord> more = with_article(*owner, of_owner);
        words.insert(words.end(), more.begin(), more.end());
    }
    VerbProbe probe;
    for (const text::FrenchWord& word : text::fit_together(words)) {
        probe.words.emplace_back(word.text);
    }
    const std::array<std::string, 2> forms = {
        std::string(french_be(text::lexicon::Person::third_singular)),
        std::string(french_be(text::lexicon::Person::third_plural))};
    probe.verb = probe.words.size();
    probe.right = forms[number == Number::singular ? 0 : 1];
    probe.wrong = forms[number == Number::singular ? 1 : 0];
    probe.words.insert(probe.words.end(), {probe.right, "ici", "."});
    return probe;
}

} // namespace

std::vector<VerbProbe> verb_probes(Between between)
{
    std::vector<VerbProbe> probes;
    for (const Noun& noun : text::lexicon::thing_nouns) {
        for (const Number number : both_numbers) {
            if (between == Between::nothing) {
                probes.push_back(verb_probe(noun, number, nullptr, number));
                continue;
            }
            const bool same = between == Between::same_number;
            const Number of_owner =
                (number == Number::singular) == same ? Number::singular : Number::plural;
            for (const Noun& owner : text::lexicon::living_nouns) {
                probes.push_back(verb_probe(noun, number, &owner, of_owner));
            }
        }
    }
    return probes;
}

namespace {

/// How often the right form is more probable than the wrong one. A masked model sees what stands
/// on both sides of the verb, a causal one what stands before it.
double share_right(const LanguageModel<float>& model, const FrenchSentences& sentences,
                   const std::vector<VerbProbe>& probes)
{
    const bool causal = model.options().causal;
    std::vector<std::vector<TokenId>> texts;
    for (const VerbProbe& probe : probes) {
        std::vector<TokenId> words = sentences.task.target.encode(probe.words);
        words[probe.verb] = sentences.mask;
        if (causal) {
            words.resize(probe.verb);
            words = after_begin(words);
        }
        texts.push_back(words);
    }
    const TokenBatch batch = side_by_side(texts);
    const Array<float> p = causal ? probabilities_at(model, batch, last_places(batch))
                                  : fill_probabilities(model, batch, sentences.mask);
    double right = 0;
    for (std::size_t i = 0; i < probes.size(); ++i) {
        const float* const row = p.data() + i * p.shape()[1];
        right +=
            row[sentences.id(probes[i].right)] > row[sentences.id(probes[i].wrong)] ? 1 : 0;
    }
    return right / static_cast<double>(probes.size());
}

// ---------------------------------------------------------------- writing

/// How words are put into a sentence.
enum class Writer
{
    masked_at_once,
    masked_one_by_one,
    masked_again, ///< one by one, then each word hidden and drawn once more, three times over
    causal
};

constexpr std::size_t n_writers = 4; // members of Writer

/// What the words are like that a model writes, drawn at temperature 1.
struct Written
{
    double agreeing = 0;  ///< share of two gaps, filled with a determiner and a noun that agree
    double clashing = 0;  ///< share filled with a determiner and a noun that do not
    double new_pairs = 0; ///< share of pairs of neighbours in whole sentences never learnt
    std::vector<std::string> examples = {}; ///< the first two whole sentences
};

/// Draws the words of all gaps of a text, by a masked model.
std::vector<TokenId> filled_by(const LanguageModel<float>& model, TokenId mask,
                               std::vector<TokenId> text, Writer writer,
                               random::Generator& generator)
{
    const std::vector<std::size_t> gaps = gaps_of(alone(text), mask);
    const FillOrder order =
        writer == Writer::masked_at_once ? FillOrder::at_once : FillOrder::one_by_one;
    text = fill_gaps(model, text, mask, order, Sampling{}, generator);
    for (int round = 0; writer == Writer::masked_again && round < 3; ++round) {
        for (const std::size_t gap : gaps) {
            text[gap] = mask;
            text = fill_gaps(model, text, mask, order, Sampling{}, generator);
        }
    }
    return text;
}

/// The two words of neighbouring gaps: by a causal model from what stands before them.
std::array<TokenId, 2> two_words(const LanguageModel<float>& model, TokenId mask,
                                 std::vector<TokenId> text, std::size_t at, Writer writer,
                                 random::Generator& generator)
{
    if (writer == Writer::causal) {
        text.resize(at);
        text = continue_text(model, after_begin(text), 2, Sampling{}, generator);
        return {text[0], text[1]};
    }
    text[at] = text[at + 1] = mask;
    text = filled_by(model, mask, text, writer, generator);
    return {text[at], text[at + 1]};
}

/// A whole sentence: as long as it is to be from a masked model, until its end from a causal one.
std::vector<TokenId> whole_sentence(const LanguageModel<float>& model, TokenId mask,
                                    std::size_t n, Writer writer, random::Generator& generator)
{
    if (writer != Writer::causal) {
        return filled_by(model, mask, std::vector<TokenId>(n, mask), writer, generator);
    }
    std::vector<TokenId> text = continue_text(
        model, std::vector<TokenId>{text::begin_id}, model.options().n_positions - 1,
        Sampling{}, generator, [](TokenId token) { return token != text::end_id; });
    if (text.back() == text::end_id) {
        text.pop_back();
    }
    return text;
}

/// Where a determiner stands right before a noun.
std::optional<std::size_t> determiner_with_noun(const text::Words& sentence)
{
    for (std::size_t i = 0; i + 1 < sentence.size(); ++i) {
        if (text::category_at(sentence, i) == Category::determiner &&
            text::category_at(sentence, i + 1) == Category::noun) {
            return i;
        }
    }
    return std::nullopt;
}

/// How a number is written: special symbols as they are.
std::string shown(const FrenchSentences& sentences, TokenId token)
{
    return token == sentences.mask ? "[MASK]" : sentences.task.target.word(token);
}

/// The neighbours in all sentences that are learnt from.
PairCounts learnt_pairs(const FrenchSentences& sentences)
{
    PairCounts counts(static_cast<std::size_t>(sentences.mask) + 1);
    for (const text::NumberedPair& pair : sentences.task.train) {
        counts.add(pair.target);
    }
    return counts;
}

/// Hides a determiner and the noun behind it in each tested sentence that has both, then all words
/// of each.
Written measure_writing(const LanguageModel<float>& model, const FrenchSentences& sentences,
                        Writer writer, std::uint64_t seed)
{
    const PairCounts learnt = learnt_pairs(sentences);
    random::Generator generator(seed, random::Stream::filled_words);
    Written written;
    double n_asked = 0;
    double n_pairs = 0;
    for (const text::Words& sentence : sentences.tested) {
        if (const std::optional<std::size_t> at = determiner_with_noun(sentence)) {
            const auto words =
                two_words(model, sentences.mask, sentences.task.target.encode(sentence), *at,
                          writer, generator);
            const std::string first = shown(sentences, words[0]);
            const std::string second = shown(sentences, words[1]);
            n_asked += 1;
            if (text::can_be(first, Category::determiner) &&
                text::can_be(second, Category::noun)) {
                const bool agree =
                    text::agree(first, Category::determiner, second, Category::noun);
                (agree ? written.agreeing : written.clashing) += 1;
            }
        }
        const std::vector<TokenId> text =
            whole_sentence(model, sentences.mask, sentence.size(), writer, generator);
        for (std::size_t i = 0; i + 1 < text.size(); ++i, n_pairs += 1) {
            written.new_pairs += learnt.seen(text[i], text[i + 1]) ? 0 : 1;
        }
        if (written.examples.size() < 2) {
            std::string line;
            for (const TokenId token : text) {
                line += (line.empty() ? "" : " ") + shown(sentences, token);
            }
            written.examples.push_back(line);
        }
    }
    written.agreeing = text::share_of(written.agreeing, n_asked);
    written.clashing = text::share_of(written.clashing, n_asked);
    written.new_pairs = text::share_of(written.new_pairs, n_pairs);
    return written;
}

// ---------------------------------------------------------------- naming

/// How often the word of one gap is named.
struct Named
{
    double masked = 0;       ///< by a masked model
    double causal_left = 0;  ///< by a causal one from what stands before
    double causal_whole = 0; ///< by a causal one that compares whole sentences, one a word
};

/// ln p of each text's words, the end symbol among them.
std::vector<double> log_probabilities(const LanguageModel<float>& model,
                                      const std::vector<std::vector<TokenId>>& texts)
{
    std::vector<std::vector<TokenId>> read;
    for (const std::vector<TokenId>& text : texts) {
        read.push_back(after_begin(text));
    }
    const TokenBatch batch = side_by_side(read);
    std::vector<std::size_t> places(batch.tokens.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const Array<float> p = probabilities_at(model, batch, places);
    const std::size_t n = batch.tokens.size() / batch.n_texts;
    std::vector<double> sums(texts.size(), 0.0);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t t = 0; t <= texts[i].size(); ++t) {
            const TokenId answer = t < texts[i].size() ? texts[i][t] : text::end_id;
            const float* const row = p.data() + (i * n + t) * p.shape()[1];
            sums[i] += elementary::log(static_cast<double>(row[answer]));
        }
    }
    return sums;
}

TokenId most_probable(const Array<float>& p)
{
    return std::max_element(p.begin(), p.end()) - p.begin();
}

/// Whether each of the three names a hidden word.
Named name_one(const LanguageModel<float>& masked, const LanguageModel<float>& causal,
               const FrenchSentences& sentences, const std::vector<TokenId>& text,
               std::size_t at)
{
    std::vector<TokenId> gap = text;
    gap[at] = sentences.mask;
    const TokenBatch before =
        alone(after_begin({text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at)}));
    std::vector<std::vector<TokenId>> candidates;
    for (TokenId word = text::end_id + 1; word < sentences.mask; ++word) {
        candidates.push_back(text);
        candidates.back()[at] = word;
    }
    const std::vector<double> log_p = log_probabilities(causal, candidates);
    const auto best = std::max_element(log_p.begin(), log_p.end()) - log_p.begin();
    const auto is_right = [&](TokenId named) { return named == text[at] ? 1.0 : 0.0; };
    return {is_right(most_probable(fill_probabilities(masked, alone(gap), sentences.mask))),
            is_right(most_probable(probabilities_at(causal, before, last_places(before)))),
            is_right(text::end_id + 1 + best)};
}

/// Hides one word in each of some tested sentences.
Named measure_naming(const LanguageModel<float>& masked, const LanguageModel<float>& causal,
                     const FrenchSentences& sentences, std::size_t n_sentences)
{
    Named named;
    const auto n = static_cast<double>(n_sentences);
    for (std::size_t i = 0; i < n_sentences; ++i) {
        const std::vector<TokenId> text = sentences.task.target.encode(sentences.tested.at(i));
        const Named one = name_one(masked, causal, sentences, text, i % text.size());
        named.masked += one.masked / n;
        named.causal_left += one.causal_left / n;
        named.causal_whole += one.causal_whole / n;
    }
    return named;
}

// ---------------------------------------------------------------- printed and saved

/// What every pair of models of one seed came to.
struct Filling
{
    std::array<double, n_between> masked_verbs = {}; ///< share_right of the masked model
    std::array<double, n_between> causal_verbs = {}; ///< of the causal one
    std::array<Written, n_writers> written = {};     ///< by each writer
    Named named = {};                                ///< of as many gaps as are asked for
};

std::vector<Filling> measure_filling(const Frame& frame, const FrenchSentences& sentences,
                                     const FrenchModels& models, std::size_t n_named)
{
    std::vector<Filling> all(models.masked.size());
    parallel::for_each_index(all.size(), frame.options.threads, [&](std::size_t i) {
        const LanguageModel<float>& masked = models.masked[i];
        const LanguageModel<float>& causal = models.causal[i];
        for (std::size_t k = 0; k < n_between; ++k) {
            const std::vector<VerbProbe> probes = verb_probes(static_cast<Between>(k));
            all[i].masked_verbs[k] = share_right(masked, sentences, probes);
            all[i].causal_verbs[k] = share_right(causal, sentences, probes);
        }
        for (std::size_t k = 0; k < n_writers; ++k) {
            const auto writer = static_cast<Writer>(k);
            all[i].written[k] = measure_writing(writer == Writer::causal ? causal : masked,
                                                sentences, writer, frame.options.seed + i);
        }
        all[i].named = measure_naming(masked, causal, sentences, n_named);
    });
    return all;
}

void show_verbs(Frame& frame, const std::vector<Filling>& measured)
{
    frame.terminal.introduce(
        "A noun between",
        "\"les voitures du roi [MASK] ici .\": is \"sont\" more probable than \"est\"? Share "
        "of "
        "such sentences in which the form is right that agrees with the first noun.");
    program::Table table(
        {"between noun and verb", "sentences", "masked model", "causal model"});
    constexpr std::array names = {"nothing", "a noun of the same number",
                                  "a noun of the other number"};
    for (std::size_t k = 0; k < n_between; ++k) {
        const auto of = [&](std::array<double, n_between> Filling::*verbs) {
            return program::spread(measured,
                                   [&](const Filling& one) { return (one.*verbs)[k]; })
                .text(2);
        };
        const std::size_t n = verb_probes(static_cast<Between>(k)).size();
        table.row({names[k], std::to_string(n), of(&Filling::masked_verbs),
                   of(&Filling::causal_verbs)});
    }
    frame.terminal.table(table);
}

void show_writers(Frame& frame, const std::vector<Filling>& measured)
{
    frame.terminal.introduce(
        "Who can write",
        "Words drawn at temperature 1. Two gaps, a determiner and its noun, in a sentence that "
        "nobody has learnt from: share in which a determiner and a noun come that agree, and "
        "share in which they do not; in the rest other words come. Then whole sentences from "
        "nothing but gaps (in the third row each word is then hidden and drawn anew, three "
        "times over): share of pairs of neighbours that no learnt sentence has, and the "
        "first two sentences of the first seed.");
    program::Table table({"written by", "agree", "clash", "new pairs"});
    constexpr std::array names = {"masked, all at once", "masked, one by one",
                                  "masked, and three times over", "causal, word after word"};
    for (std::size_t k = 0; k < n_writers; ++k) {
        const auto of = [&](double Written::*number) {
            return program::spread(measured,
                                   [&](const Filling& one) { return one.written[k].*number; })
                .text(2);
        };
        table.row({names[k], of(&Written::agreeing), of(&Written::clashing),
                   of(&Written::new_pairs)});
    }
    frame.terminal.table(table);
    frame.terminal.line();
    for (std::size_t k = 0; k < n_writers; ++k) {
        const std::vector<std::string>& examples = measured[0].written[k].examples;
        frame.terminal.paragraph(
            fmt::format("{}: {} | {}", names[k], examples.at(0), examples.at(1)));
    }
}

void show_named(Frame& frame, const std::vector<Filling>& measured, std::size_t n_named,
                std::size_t n_words)
{
    frame.terminal.introduce(
        "Who can fill a gap",
        "One word hidden in each of {} sentences: how often it is the most probable one.",
        n_named);
    program::Table table({"by", "passes a gap", "named"});
    const auto row = [&](const char* name, std::size_t n_passes, double Named::*number) {
        table.row(
            {name, std::to_string(n_passes), program::spread(measured, [&](const Filling& one) {
                                                 return one.named.*number;
                                             }).text(2)});
    };
    row("masked model", 1, &Named::masked);
    row("causal model, from what stands before", 1, &Named::causal_left);
    row("causal model, the whole sentence with each word", n_words, &Named::causal_whole);
    frame.terminal.table(table);
}

} // namespace

void show_filling(Frame& frame, const FrenchSentences& sentences, const FrenchModels& models)
{
    const std::size_t n_named = std::min<std::size_t>(100, sentences.tested.size());
    const std::vector<Filling> measured = measure_filling(frame, sentences, models, n_named);
    show_verbs(frame, measured);
    show_writers(frame, measured);
    show_named(frame, measured, n_named,
               static_cast<std::size_t>(sentences.mask - text::end_id - 1));
    program::CsvRows csv({{"seed", fixed, 0},
                          {"masked_nothing", fixed, 4},
                          {"masked_same", fixed, 4},
                          {"masked_other", fixed, 4},
                          {"causal_nothing", fixed, 4},
                          {"causal_same", fixed, 4},
                          {"causal_other", fixed, 4},
                          {"agree_at_once", fixed, 4},
                          {"agree_one_by_one", fixed, 4},
                          {"agree_again", fixed, 4},
                          {"agree_causal", fixed, 4},
                          {"clash_at_once", fixed, 4},
                          {"clash_one_by_one", fixed, 4},
                          {"clash_again", fixed, 4},
                          {"clash_causal", fixed, 4},
                          {"new_at_once", fixed, 4},
                          {"new_one_by_one", fixed, 4},
                          {"new_again", fixed, 4},
                          {"new_causal", fixed, 4},
                          {"named_masked", fixed, 4},
                          {"named_left", fixed, 4},
                          {"named_whole", fixed, 4}});
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const Filling& one = measured[i];
        std::vector<double> row = {static_cast<double>(frame.options.seed + i)};
        row.insert(row.end(), one.masked_verbs.begin(), one.masked_verbs.end());
        row.insert(row.end(), one.causal_verbs.begin(), one.causal_verbs.end());
        for (double Written::*const number :
             {&Written::agreeing, &Written::clashing, &Written::new_pairs}) {
            for (const Written& written : one.written) {
                row.push_back(written.*number);
            }
        }
        row.insert(row.end(),
                   {one.named.masked, one.named.causal_left, one.named.causal_whole});
        csv.add(row);
    }
    frame.files.write_csv("trained_filling.csv", csv.columns());
}

// ---------------------------------------------------------------- a reader's gaps

namespace {

/// The tokens of a reader's text.
std::vector<TokenId> readers_tokens(const FrenchSentences& sentences, const std::string& text,
                                    std::size_t n_positions)
{
    std::vector<TokenId> tokens;
    for (const std::string& word : text::words_of(text)) {
        tokens.push_back(word == "[MASK]" ? sentences.mask : sentences.id(word));
    }
    if (std::count(tokens.begin(), tokens.end(), sentences.mask) == 0) {
        throw BadInput("--fill: there is no [MASK] in the text");
    }
    if (tokens.size() > n_positions) {
        throw BadInput(fmt::format("--fill: {} words are too many, the model has {} positions",
                                   tokens.size(), n_positions));
    }
    return tokens;
}

} // namespace

void fill_readers_gaps(Frame& frame, const std::string& text)
{
    constexpr std::size_t n_shown = 5;
    const FrenchSentences sentences = french_sentences(frame.options.seed, frame.options.quick);
    const std::vector<TokenId> tokens =
        readers_tokens(sentences, text, small_options(sentences, false).n_positions);
    const LanguageModel<float> model =
        train_on_french(sentences, false, french_training(frame.options.quick),
                        frame.options.seed, {.label = "a masked model"});
    const Array<float> p = fill_probabilities(model, alone(tokens), sentences.mask);
    frame.terminal.introduce("Filled gaps",
                             "The most probable words of each gap, each gap by itself.");
    const std::size_t n_tokens = p.shape()[1];
    program::Table table({"gap", "words", "probabilities"});
    for (std::size_t gap = 0; gap < p.shape()[0]; ++gap) {
        const float* const row = p.data() + gap * n_tokens;
        std::vector<TokenId> order(n_tokens);
        std::iota(order.begin(), order.end(), TokenId{0});
        std::partial_sort(order.begin(), order.begin() + n_shown, order.end(),
                          [&](TokenId a, TokenId b) { return row[a] > row[b]; });
        std::string words;
        std::string probabilities;
        for (std::size_t i = 0; i < n_shown; ++i) {
            words += (i == 0 ? "" : ", ") + shown(sentences, order[i]);
            probabilities += (i == 0 ? "" : ", ") + fixed(row[order[i]], 2);
        }
        table.row({std::to_string(gap + 1), words, probabilities});
    }
    frame.terminal.table(table);
}

} // namespace attn::language_models
