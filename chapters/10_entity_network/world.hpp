/// \file
/// \brief The world that the stories tell of: four persons who go to places, take objects along
/// and drop them; what is true after each sentence; stories drawn, printed and read as English.
#pragma once

#include "common/random/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::entity_network {

/// A word by its number in the vocabulary.
using Word = std::int64_t;

/// The vocabulary: persons, places, four verbs of going, two of taking, two of dropping, objects.
inline constexpr std::array<std::string_view, 21> vocabulary = {
    "Anna",   "Ben",       "Clara",   "David",    "kitchen", "garden", "hall",
    "office", "cellar",    "attic",   "went",     "walked",  "moved",  "travelled",
    "took",   "picked up", "dropped", "put down", "apple",   "book",   "lamp"};

inline constexpr std::size_t n_persons = 4; ///< the words 0 to 3
inline constexpr std::size_t n_places = 6;  ///< the words 4 to 9
inline constexpr std::size_t n_objects = 3; ///< the words 18 to 20
inline constexpr Word first_place = 4;      ///< the kitchen
inline constexpr Word first_object = 18;    ///< the apple

/// What a sentence tells.
enum class Event
{
    go,   ///< somebody to a place
    take, ///< somebody an object
    drop  ///< somebody an object
};

/// Who, verb, and what or where to.
using Sentence = std::array<Word, 3>;

/// \returns what the verb of the sentence says
Event event_of(const Sentence& sentence);

/// What is true in the world after some sentences: the rules, with which stories are drawn and
/// answers found. Objects that are carried move along.
class World
{
public:
    /// Why a sentence cannot come next: an object is taken that somebody has, or dropped by somebody
    /// who does not have it.
    /// \returns a clause, or nothing if it can
    std::optional<std::string> why_impossible(const Sentence& sentence) const;

    /// Lets a sentence happen. It must be possible.
    void apply(const Sentence& sentence);

    /// Where a person or an object is.
    /// \returns the place's word, or nothing if no sentence has said
    std::optional<Word> place_of(Word person_or_object) const;

    /// Who has an object.
    std::optional<Word> holder_of(Word object) const;

private:
    std::array<std::optional<Word>, n_persons> places_ = {};        // of the persons
    std::array<std::optional<Word>, n_objects> object_places_ = {}; // of those nobody has
    std::array<std::optional<Word>, n_objects> holders_ = {};
};

/// What happens in stories, and what is asked.
enum class Task
{
    moves,   ///< persons go to places; where is one of them?
    carried, ///< they take objects along; where is an object?
    dropped, ///< they drop objects as well; where is an object?
    anything ///< the same events; where is a person or an object?
};

/// A story and a question that it answers.
struct Story
{
    std::vector<Sentence> sentences; ///< at least one
    Word question = 0;               ///< "where is ...?"
    Word answer = first_place;       ///< a place
    std::optional<Word> holder = {}; ///< who has the object that is asked for, at the end
    Word last_place = first_place;   ///< that was mentioned
};

/// Draws a story. Nobody goes where they are, nobody takes what is somewhere else, and the
/// question has an answer.
/// \param n_sentences  at least 2, unless persons alone move
Story draw_story(Task task, std::size_t n_sentences, random::Generator& generator);

/// Several stories of one length.
std::vector<Story> draw_stories(Task task, std::size_t n_stories, std::size_t n_sentences,
                                random::Generator& generator);

/// \returns "Anna went to the kitchen."
std::string text_of(const Sentence& sentence);

/// \returns "Where is the apple?"
std::string question_about(Word word);

/// How many sentences a reader's story may have.
inline constexpr std::size_t longest_story = 50;

/// What a reader tells and asks.
struct ReadersStory
{
    Story story;                  ///< answer and holder are those of the rules, if any
    std::optional<Word> by_rules; ///< the answer, or none if the story does not say
};

/// Reads a story that ends with a question. Capitals do not matter.
/// \param source  names the text in messages
/// \throws program::BadInput naming the word that is not known, or what else is wrong
ReadersStory read_story(std::string_view text, const std::string& source);

} // namespace attn::entity_network
