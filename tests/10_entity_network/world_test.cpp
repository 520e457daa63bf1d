/// \file
/// \brief The world's rules, the stories that are drawn, and stories read.
#include "chapters/10_entity_network/world.hpp"

#include "common/program/bad_input.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"

#include <fmt/format.h>
#include <set>

using namespace attn;
using namespace attn::entity_network;

namespace {

ReadersStory read(std::string_view text)
{
    return read_story(text, "story");
}

std::string answer_to(std::string_view text)
{
    const auto answer = read(text).by_rules;
    return answer ? std::string(vocabulary.at(static_cast<std::size_t>(*answer))) : "unknown";
}

} // namespace

TEST_CASE("persons are where they went last, and carried objects move along", "[10]")
{
    CHECK(answer_to("Anna went to the hall. Ben moved to the attic. Anna walked to the garden. "
                    "Where is Anna?") == "garden");
    CHECK(answer_to("Anna took the apple. Anna went to the hall. Where is the apple?") ==
          "hall");
    CHECK(answer_to(
              "Ben went to the attic. Ben picked up the lamp. Anna went to the hall. Where is "
              "the lamp?") == "attic");
    CHECK(answer_to("Anna took the apple. Where is the apple?") == "unknown");
    CHECK(answer_to("Anna went to the hall. Where is Ben?") == "unknown");
}

TEST_CASE("a dropped object stays, until somebody else takes it", "[10]")
{
    const std::string dropped =
        "Anna took the book. Anna went to the hall. Anna put down the book. "
        "Anna went to the attic. ";
    CHECK(answer_to(dropped + "Where is the book?") == "hall");
    CHECK(
        answer_to(dropped + "Ben took the book. Ben went to the cellar. Where is the book?") ==
        "cellar");
    CHECK(read(dropped + "Where is the book?").story.holder == std::nullopt);
}

TEST_CASE("capitals, line breaks and small words do not matter", "[10]")
{
    const ReadersStory plain = read("Anna went to the hall. Where is Anna?");
    for (const std::string_view line_end : {"\n", "\r\n", "\r"}) {
        const ReadersStory odd = read(fmt::format("\xef\xbb\xbf"
                                                  "ANNA went hall{0}{0} where IS anna{0}",
                                                  line_end));
        CHECK(odd.story.sentences == plain.story.sentences);
        CHECK(odd.by_rules == plain.by_rules);
    }
}

TEST_CASE("marks, quotation marks and the places of up and down do not matter", "[10]")
{
    const ReadersStory plain =
        read("Anna went to the hall. Anna picked up the book. Ben walked to "
             "the attic. Anna put down the book. Where is the book?");
    const ReadersStory odd =
        read("\xe2\x80\x9c"
             "Anna\xe2\x80\x9d, went into the hall!! Anna picked "
             "the book up; Ben walked to the: attic. Anna put the book down.\n"
             "Where\xe2\x80\x99s the book ?");
    CHECK(odd.story.sentences == plain.story.sentences);
    CHECK(odd.story.question == plain.story.question);
}

TEST_CASE("an unknown word is answered with the nearest ones, or with all", "[10]")
{
    const auto complaint = [](std::string_view text) {
        return attn::testing::complaint_of<program::BadInput>([&] { read(text); });
    };
    CHECK(complaint("Anna went to the kitchn. Where is Anna?") ==
          "story, sentence 1: the word 'kitchn' is not known; the nearest known: kitchen");
    CHECK(complaint("Anna went to the hall. Where is Anne?") ==
          "story, sentence 2: the word 'anne' is not known; the nearest known: anna");
    CHECK(
        complaint("Anna gave the lamp. Where is Anna?") ==
        "story, sentence 1: the word 'gave' is not known; those that are: Anna, Ben, Clara, "
        "David, kitchen, garden, hall, office, cellar, attic, went, walked, moved, travelled, "
        "took, picked up, dropped, put down, apple, book, lamp");
}

TEST_CASE("what is printed can be read again", "[10]")
{
    random::Generator generator(3);
    for (const Task task : {Task::moves, Task::carried, Task::dropped, Task::anything}) {
        for (const Story& story : draw_stories(task, 200, 9, generator)) {
            std::string text;
            for (const Sentence& sentence : story.sentences) {
                text += text_of(sentence) + " ";
            }
            const ReadersStory again = read(text + question_about(story.question));
            REQUIRE(again.story.sentences == story.sentences);
            CHECK(again.by_rules == story.answer);
            CHECK(again.story.holder == story.holder);
        }
    }
}

TEST_CASE("stories hold what their task says, and every place is an answer", "[10]")
{
    for (const Task task : {Task::moves, Task::carried, Task::dropped, Task::anything}) {
        CAPTURE(static_cast<int>(task));
        random::Generator generator(4);
        std::set<Event> events;
        std::set<Word> answers;
        std::set<Word> questions;
        bool unheld = false;
        for (const Story& story : draw_stories(task, 500, 8, generator)) {
            REQUIRE(story.sentences.size() == 8);
            World world;
            for (const Sentence& sentence : story.sentences) {
                events.insert(event_of(sentence));
                REQUIRE_FALSE(world.why_impossible(sentence));
                if (event_of(sentence) == Event::go) {
                    CHECK(world.place_of(sentence[0]) != sentence[2]);
                }
                world.apply(sentence);
            }
            CHECK(world.place_of(story.question) == story.answer);
            answers.insert(story.answer);
            questions.insert(story.question);
            unheld = unheld || (story.question >= first_object && !story.holder);
        }
        CHECK(answers.size() == n_places);
        CHECK(events.size() == (task == Task::moves ? 1U : task == Task::carried ? 2U : 3U));
        CHECK(questions.size() == (task == Task::moves      ? n_persons
                                   : task == Task::anything ? n_persons + n_objects
                                                            : n_objects));
        CHECK(unheld == (task == Task::dropped || task == Task::anything));
    }
    random::Generator generator(5);
    CHECK_THROWS_AS(draw_story(Task::carried, 1, generator), ContractError);
}
