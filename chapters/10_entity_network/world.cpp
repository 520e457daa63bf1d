#include "chapters/10_entity_network/world.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"
#include "common/text/nearest_words.hpp"
#include "common/text/normalise.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attn::entity_network {

namespace {

using program::BadInput;

constexpr Word first_move = 10;
constexpr Word first_take = 14;
constexpr Word first_drop = 16;

std::size_t object_index(Word object)
{
    return static_cast<std::size_t>(object - first_object);
}

Word draw_word(Word first, std::size_t n, random::Generator& generator)
{
    return first + static_cast<Word>(generator.below(n));
}

std::string name_of(Word word)
{
    return std::string(vocabulary.at(static_cast<std::size_t>(word)));
}

std::string with_article(Word word)
{
    return (word < first_place ? "" : "the ") + name_of(word);
}

} // namespace

Event event_of(const Sentence& sentence)
{
    return sentence[1] < first_take   ? Event::go
           : sentence[1] < first_drop ? Event::take
                                      : Event::drop;
}

std::optional<std::string> World::why_impossible(const Sentence& sentence) const
{
    if (event_of(sentence) == Event::go) {
        return {};
    }
    const std::optional<Word> holder = holder_of(sentence[2]);
    if (event_of(sentence) == Event::take && holder) {
        return name_of(*holder) + " has it";
    }
    if (event_of(sentence) == Event::drop && holder != sentence[0]) {
        return name_of(sentence[0]) + " does not have it";
    }
    return {};
}

// [apply]
void World::apply(const Sentence& sentence)
{
    const auto [person, verb, what] = sentence;
    std::optional<Word>& place = places_.at(static_cast<std::size_t>(person));
    switch (event_of(sentence)) {
    case Event::go:
        place = what;
        break;
    case Event::take:
        holders_.at(object_index(what)) = person;
        break;
    case Event::drop:
        holders_.at(object_index(what)).reset();
        object_places_.at(object_index(what)) = place;
        break;
    }
}
// [apply]

std::optional<Word> World::place_of(Word person_or_object) const
{
    if (person_or_object < first_place) {
        return places_.at(static_cast<std::size_t>(person_or_object));
    }
    const std::optional<Word> holder = holder_of(person_or_object);
    return holder ? place_of(*holder) : object_places_.at(object_index(person_or_object));
}

std::optional<Word> World::holder_of(Word object) const
{
    return holders_.at(object_index(object));
}

namespace {

/// A sentence that can come next: somebody drops something (one in seven, where that is asked for),
/// takes something (three in ten), or goes somewhere.
Sentence draw_sentence(Task task, const World& world, random::Generator& generator)
{
    const double u = task == Task::moves ? 1.0 : generator.uniform();
    const Word object = draw_word(first_object, n_objects, generator);
    const std::optional<Word> holder = world.holder_of(object);
    if (u < 0.15 && holder && task != Task::carried) {
        return {*holder, draw_word(first_drop, 2, generator), object};
    }
    const Word person = draw_word(0, n_persons, generator);
    const std::optional<Word> place = world.place_of(object);
    if (u < 0.45 && !holder && (!place || place == world.place_of(person))) {
        return {person, draw_word(first_take, 2, generator), object};
    }
    Word to = draw_word(first_place, n_places, generator);
    while (world.place_of(person) == to) {
        to = draw_word(first_place, n_places, generator);
    }
    return {person, draw_word(first_move, 4, generator), to};
}

} // namespace

Story draw_story(Task task, std::size_t n_sentences, random::Generator& generator)
{
    expect(n_sentences >= (task == Task::moves ? 1U : 2U),
           "draw_story: a story of {} sentences leaves nothing to ask", n_sentences);
    while (true) {
        Story story;
        World world;
        for (std::size_t i = 0; i < n_sentences; ++i) {
            const Sentence sentence = draw_sentence(task, world, generator);
            world.apply(sentence);
            story.sentences.push_back(sentence);
            story.last_place = event_of(sentence) == Event::go ? sentence[2] : story.last_place;
        }
        std::vector<Word> known; // what may be asked
        for (Word word = 0; word < static_cast<Word>(vocabulary.size()); ++word) {
            const bool asked = word < first_place
                                   ? task == Task::moves || task == Task::anything
                                   : word >= first_object && task != Task::moves;
            if (asked && world.place_of(word)) {
                known.push_back(word);
            }
        }
        if (!known.empty()) {
            story.question = known[generator.below(known.size())];
            story.answer = *world.place_of(story.question);
            if (story.question >= first_object) {
                story.holder = world.holder_of(story.question);
            }
            return story;
        }
    }
}

std::vector<Story> draw_stories(Task task, std::size_t n_stories, std::size_t n_sentences,
                                random::Generator& generator)
{
    std::vector<Story> stories;
    for (std::size_t i = 0; i < n_stories; ++i) {
        stories.push_back(draw_story(task, n_sentences, generator));
    }
    return stories;
}

std::string text_of(const Sentence& sentence)
{
    return fmt::format("{} {}{} {}.", name_of(sentence[0]), name_of(sentence[1]),
                       event_of(sentence) == Event::go ? " to" : "", with_article(sentence[2]));
}

std::string question_about(Word word)
{
    return fmt::format("Where is {}?", with_article(word));
}

namespace {

/// Takes the next sentence off a text, up to its mark or the end of its line.
/// \returns its words without capitals
std::vector<std::string> take_sentence(std::string_view& rest)
{
    const std::size_t end = std::min(rest.find_first_of(".?!;\r\n"), rest.size());
    std::vector<std::string> found = text::gentle_words(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    constexpr std::array<std::string_view, 7> ignored = {"to",   "the", "a", "an",
                                                         "into", ",",   ":"};
    std::erase_if(found, [&](const std::string& word) {
        return std::find(ignored.begin(), ignored.end(), word) != ignored.end();
    });
    std::replace(found.begin(), found.end(), std::string("'s"), std::string("is"));
    for (std::string& verb : found) { // of two words: picked up the apple, picked the apple up
        const std::string second = verb == "picked" ? "up" : verb == "put" ? "down" : "";
        const auto at = std::find(found.begin(), found.end(), second);
        if (at != found.end()) {
            verb += " " + second;
            found.erase(at);
            break;
        }
    }
    return found;
}

/// The words that a story may have.
/// \param capitals  whether names have theirs
std::vector<std::string> known_words(bool capitals)
{
    std::vector<std::string> words(vocabulary.begin(), vocabulary.end());
    for (std::string& word : words) {
        word[0] = capitals ? word[0] : static_cast<char>(std::tolower(word[0]));
    }
    return words;
}

Word word_of(const std::string& text, const std::string& where)
{
    const std::vector<std::string> known = known_words(false);
    const auto found = std::find(known.begin(), known.end(), text);
    if (found != known.end()) {
        return found - known.begin();
    }
    const std::vector<std::string> near = text::nearest_words(text, known);
    throw BadInput(fmt::format("{}: the word {} is not known; {} {}", where,
                               program::in_quotes(text),
                               near.empty() ? "those that are:" : "the nearest known:",
                               fmt::join(near.empty() ? known_words(true) : near, ", ")));
}

Sentence sentence_of(const std::vector<std::string>& words, const std::string& where)
{
    std::vector<Word> known;
    for (const std::string& word : words) {
        known.push_back(word_of(word, where));
    }
    const bool three = known.size() == 3 && known[0] < first_place && known[1] >= first_move &&
                       known[1] < first_object;
    const bool goes = three && known[1] < first_take;
    if (!three ||
        (goes ? known[2] < first_place || known[2] >= first_move : known[2] < first_object)) {
        throw BadInput(
            fmt::format("{}: a sentence is a person, a verb, and a place or an object, "
                        "as in 'Anna went to the kitchen.'",
                        where));
    }
    return {known[0], known[1], known[2]};
}

} // namespace

ReadersStory read_story(std::string_view text, const std::string& source)
{
    text = program::without_byte_order_mark(text);
    Story story;
    World world;
    std::optional<Word> question;
    for (std::size_t number = 1; !text.empty();) {
        const std::vector<std::string> next = take_sentence(text);
        if (next.empty()) {
            continue;
        }
        const std::string where = fmt::format("{}, sentence {}", source, number++);
        if (question) {
            throw BadInput(where + ": nothing may follow the question");
        }
        constexpr std::array<std::string_view, 7> asking = {"where", "who", "what", "is",
                                                            "has",   "did", "does"};
        if (std::find(asking.begin(), asking.end(), next[0]) != asking.end()) {
            if (next.size() != 3 || next[0] != "where" || next[1] != "is") {
                throw BadInput(where +
                               ": a question is 'Where is Anna?' or 'Where is the apple?'");
            }
            question = word_of(next[2], where);
            if (*question >= first_place && *question < first_object) {
                throw BadInput(where + ": it asks neither for a person nor for an object");
            }
            continue;
        }
        const Sentence sentence = sentence_of(next, where);
        if (const auto reason = world.why_impossible(sentence)) {
            throw BadInput(
                fmt::format("{}: '{}' cannot be, since {}", where, text_of(sentence), *reason));
        }
        world.apply(sentence);
        story.sentences.push_back(sentence);
        if (story.sentences.size() > longest_story) {
            throw BadInput(
                fmt::format("{}: a story has at most {} sentences", where, longest_story));
        }
    }
    if (story.sentences.empty() || !question) {
        throw BadInput(source +
                       ": a story has a sentence at least, such as 'Anna took the apple.', and "
                       "ends with a question such as 'Where is the apple?'");
    }
    story.question = *question;
    if (*question >= first_object) {
        story.holder = world.holder_of(*question);
    }
    return {story, world.place_of(*question)};
}

} // namespace attn::entity_network
