/// \file
/// \brief Words and numbers: that each goes back to the other, and what is refused.
#include "common/program/bad_input.hpp"
#include "common/random/random.hpp"
#include "common/tensor/check.hpp"
#include "common/text/vocabulary.hpp"
#include "tests/support/catch.hpp"

using attn::ContractError;
using attn::program::BadInput;
using attn::testing::complaint_of;
using attn::testing::contains;
using namespace attn::text;

namespace {

using Frequencies = std::map<std::string, std::size_t>;
using Ids = std::vector<WordId>;

const Frequencies few_words = {
    {"le", 3}, {"chat", 1}, {"\u00e9t\u00e9", 2}, {".", 3}, {"est", 2}};

/// What reading a vocabulary says, or nothing if it accepts the text.
std::string complaint_about_vocabulary(const std::string& lines)
{
    return complaint_of<BadInput>([&] { Vocabulary::from_text(lines, "m.safetensors"); });
}

} // namespace

TEST_CASE("words are numbered by frequency, then by their bytes", "[text]")
{
    const Vocabulary vocabulary(few_words);
    CHECK(vocabulary.size() == 8);
    CHECK_FALSE(vocabulary.has_unknown());
    CHECK(vocabulary.to_text() == "<pad>\n<s>\n</s>\n.\nle\nest\n\u00e9t\u00e9\nchat\n");
    CHECK(vocabulary.word(0) == "<pad>");
    CHECK(vocabulary.word(3) == ".");
    CHECK(vocabulary.words().size() == 5);
    CHECK(vocabulary.words().front() == ".");
    CHECK(Vocabulary(few_words, {.with_unknown = true}).words().front() == ".");
    CHECK(vocabulary.find("chat") == 7);
    CHECK(vocabulary.find("</s>") == 2);
    CHECK_FALSE(vocabulary.find("<unk>").has_value());
    CHECK_FALSE(vocabulary.find("").has_value());
    CHECK_THROWS_AS(vocabulary.word(8), ContractError);
    CHECK_THROWS_AS(vocabulary.word(-1), ContractError);
}

TEST_CASE("rare words become unknown ones", "[text]")
{
    const Vocabulary vocabulary(few_words, {.min_frequency = 2});
    CHECK(vocabulary.to_text() == "<pad>\n<s>\n</s>\n<unk>\n.\nle\nest\n\u00e9t\u00e9\n");
    CHECK(vocabulary.has_unknown());
    CHECK(vocabulary.encode({"le", "chat", "est", "<unk>", "</s>"}) == Ids{5, 3, 6, 3, 3});
    CHECK(vocabulary.unknown_words({"chat", "le", "chat", "<s>"}) == Words{"chat", "<s>"});
    CHECK(Vocabulary(few_words, {.with_unknown = true}).size() == 9);
    CHECK(Vocabulary({}, {.min_frequency = 5}).size() == 4);
    CHECK(Vocabulary(Frequencies{}).size() == 3);
}

TEST_CASE("an unknown word is named where it has no number", "[text]")
{
    const Vocabulary vocabulary(few_words);
    CHECK_THROWS_WITH(vocabulary.encode({"le", "chien", "loup"}),
                      "the word 'chien' is not in the vocabulary");
    CHECK_THROWS_AS(vocabulary.encode({"<pad>"}), BadInput);
    CHECK(vocabulary.unknown_words({"loup", "le", "</s>", "loup"}) == Words{"loup", "</s>"});
    CHECK(vocabulary.unknown_words({"le", "chat"}).empty());
    CHECK(vocabulary.encode({}).empty());
}

TEST_CASE("numbers become words up to the end of the sentence", "[text]")
{
    const Vocabulary vocabulary(few_words);
    CHECK(vocabulary.decode(Ids{4, 7, 3, 2, 4, 0}) == Words{"le", "chat", "."});
    CHECK(vocabulary.decode(Ids{4, 7}) == Words{"le", "chat"});
    CHECK(vocabulary.decode(Ids{2}).empty());
    CHECK(vocabulary.decode(Ids{}).empty());
    CHECK(vocabulary.decode(Ids{0, 1, 4}) == Words{"<pad>", "<s>", "le"});
    CHECK(vocabulary.decode(Ids{4, 2, 99}) == Words{"le"});
    CHECK_THROWS_AS(vocabulary.decode(Ids{4, 99}), ContractError);
}

TEST_CASE("sentences come back from numbers, and vocabularies from text", "[text][property]")
{
    attn::random::Generator generator(2);
    Frequencies frequencies;
    for (int i = 0; i < 500; ++i) {
        frequencies["w" + std::to_string(generator.below(1000))] = 1 + generator.below(20);
    }
    for (const VocabularyOptions options :
         {VocabularyOptions{}, VocabularyOptions{5, false}, VocabularyOptions{1, true}}) {
        const Vocabulary vocabulary(frequencies, options);
        const Vocabulary again = Vocabulary::from_text(vocabulary.to_text(), "again");
        CHECK(again == vocabulary);
        CHECK(again.has_unknown() == vocabulary.has_unknown());
        const std::size_t n_special = vocabulary.has_unknown() ? 4 : 3;
        for (std::size_t id = n_special; id < vocabulary.size(); ++id) {
            const std::string& word = vocabulary.word(static_cast<WordId>(id));
            REQUIRE(vocabulary.find(word) == static_cast<WordId>(id));
            REQUIRE(frequencies.at(word) >= options.min_frequency);
            REQUIRE((id == n_special || frequencies.at(vocabulary.word(static_cast<WordId>(
                                            id - 1))) >= frequencies.at(word)));
        }
        for (int i = 0; i < 100; ++i) {
            Words words;
            for (std::uint64_t n = generator.below(30); n > 0; --n) {
                const std::uint64_t id = n_special + generator.below(again.size() - n_special);
                words.push_back(again.word(static_cast<WordId>(id)));
            }
            REQUIRE(again.decode(vocabulary.encode(words)) == words);
            REQUIRE(again.unknown_words(words).empty());
        }
    }
}

TEST_CASE("a corpus is counted on both sides", "[text]")
{
    const std::vector<SentencePair> pairs = {{{"a", "b", "a"}, {"x"}, {}, {}},
                                             {{"a"}, {"x", "y"}, {}, {}}};
    CHECK(frequencies_of(pairs, &SentencePair::source) == Frequencies{{"a", 3}, {"b", 1}});
    CHECK(frequencies_of(pairs, &SentencePair::target) == Frequencies{{"x", 2}, {"y", 1}});
}

TEST_CASE("what could not be stored is no word", "[text]")
{
    for (const std::string word : {"", "two words", "a\nb", "a\tb", "\xff", "<s>", "<unk>"}) {
        CHECK_THROWS_AS(Vocabulary({{word, 1}}), ContractError);
    }
    CHECK_NOTHROW(Vocabulary({{"<", 1}, {"<b>", 1}, {"'s", 1}}));
}

TEST_CASE("a stored vocabulary that is damaged is refused", "[text]")
{
    const std::string special = "<pad>\n<s>\n</s>\n";
    CHECK(complaint_about_vocabulary(special).empty());
    CHECK(complaint_about_vocabulary(special + "<unk>\na\nb").empty());
    CHECK(complaint_about_vocabulary("") ==
          "m.safetensors, word 1: the special symbols are missing");
    CHECK(complaint_about_vocabulary("<pad>\n<s>\n") ==
          "m.safetensors, word 3: the special symbols are missing");
    CHECK(complaint_about_vocabulary("<s>\n<pad>\n</s>\n") ==
          "m.safetensors, word 1: '<s>' stands where <pad> must");
    CHECK(complaint_about_vocabulary(special + "a\n<unk>\n") ==
          "m.safetensors, word 5: <unk> stands among the words");
    CHECK(complaint_about_vocabulary(special + "<pad>\n") ==
          "m.safetensors: a word stands twice");
    CHECK(complaint_about_vocabulary(special + "a\nb\na\n") ==
          "m.safetensors: a word stands twice");
    CHECK(complaint_about_vocabulary(special + "a\n\nb\n") ==
          "m.safetensors, word 5: '' is no word");
    CHECK(complaint_about_vocabulary(special + "a b\n") ==
          "m.safetensors, word 4: 'a b' is no word");
    CHECK(Vocabulary::from_text("<pad>\r\n<s>\r\n</s>\r\na\r\n", "f").find("a") == 3);
    CHECK_THAT(complaint_about_vocabulary(special + "\xff\n"), contains("'\\xff' is no word"));
}
