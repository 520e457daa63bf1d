/// \file
/// \brief Sentences as people write them, and the words that come out.
#include "common/program/text.hpp"
#include "common/random/random.hpp"
#include "common/text/normalise.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace attn::text;

namespace {

/// A sentence and the words that should come out, joined by blanks.
using Spelling = std::pair<std::string, std::string>;

std::string gently(const std::string& sentence)
{
    return text_of(gentle_words(sentence));
}

std::string as_the_tutorial(const std::string& sentence)
{
    return text_of(tutorial_words(sentence));
}

/// A sentence of pieces that are awkward beside each other.
std::string awkward_sentence(attn::random::Generator& generator)
{
    static const std::vector<std::string> pieces = {
        "a", "E", "\u00c9", "e\u0301", "\u0301", "'",  "\u2019", "-",  ".",      ",",
        "3", "l", "s",      "qu",      " ",      "!",  "\u00a0", "\"", "\u200b", "\u0153",
        "d", "m", "\xff",   "\xc3",    "\n",     "re", "\u2026", "?",  "\u4e2d", "(",
    };
    std::string sentence;
    for (std::size_t n = generator.below(12); n > 0; --n) {
        sentence += pieces[generator.below(pieces.size())];
    }
    return sentence;
}

} // namespace

TEST_CASE("letters lose their accent and get it back", "[text][property]")
{
    std::size_t n_accented = 0;
    for (char32_t code = 0; code < 0x250; ++code) {
        const auto [base, mark] = without_accent(code);
        if (mark == 0) {
            CHECK(base == code);
        } else {
            ++n_accented;
            CHECK(base < 0x80);
            CHECK(with_accent(base, mark) == code);
        }
    }
    CHECK(n_accented == 161); // counted with Python's unicodedata, version 14
    CHECK(without_accent(U'\u00e9').base == U'e');
    CHECK(without_accent(U'\u00e9').mark == 0x301);
    CHECK(without_accent(U'\u0153').mark == 0);
    CHECK(without_accent(U'\u017e').base == U'z');
    CHECK(with_accent(U'q', 0x301) == 0);
    CHECK(with_accent(U'e', 0) == 0);
}

TEST_CASE("capitals of Latin letters have small ones", "[text]")
{
    // Line by line the same letters, large and small, the rare corners of the table among them.
    CHECK(small_letters("AZ\u00c0\u00d6\u00d8\u00de\u0100\u0136\u0139\u0147\u014a\u0152\u0176"
                        "\u0178\u0179\u017d") ==
          U"az\u00e0\u00f6\u00f8\u00fe\u0101\u0137\u013a\u0148\u014b\u0153\u0177"
          U"\u00ff\u017a\u017e");
    const std::u32string small = U"az09\u00d7\u00df\u00e0\u00f7\u00ff\u0131\u0138\u0149\u017f";
    CHECK(small_letters("az09\u00d7\u00df\u00e0\u00f7\u00ff\u0131\u0138\u0149\u017f") == small);
    CHECK(small_letters("\u0130") == U"i");
    CHECK(small_letters("\u03a3\u0416") == U"\u03a3\u0416"); // Greek and Cyrillic as they are
    CHECK(small_letters("a\xff\xc3") == U"a\ufffd\ufffd");
    CHECK(with_accents_joined(U"e\u0301a\u0301\u0301") == U"\u00e9\u00e1\u0301");
    CHECK(with_accents_joined(U"\u0301e") == U"\u0301e");
}

TEST_CASE("the tutorial's words have no accents and no apostrophes", "[text]")
{
    const std::vector<Spelling> spellings = {
        {"C'est l'\u00c9t\u00e9 !", "c est l ete !"},
        {"Va\u00a0!", "va !"},
        {"\u00c7a\u202falors\u00a0?!", "ca alors ? !"},
        {"I'm here. He\u2019s not...", "i m here . he s not . . ."},
        {"\u00c0 l'aide!", "a l aide !"},
        {"le c\u0153ur", "le c ur"}, // the ligature has no decomposition: so does the tutorial
        {"E\u0301te\u0301", "ete"},
        {"\u017bycie, \u010desk\u00fd", "zycie cesky"},
        {"42 ans, 7-8", "ans"},
        {"  ", ""},
        {"", ""},
        {"\xff\xfe", ""},
    };
    for (const auto& [sentence, words] : spellings) {
        INFO(sentence);
        CHECK(as_the_tutorial(sentence) == words);
        CHECK(text_of(normalised_words(sentence, Normalisation::tutorial)) == words);
    }
}

TEST_CASE("gentle words keep accents, and elided forms stand alone", "[text]")
{
    const std::vector<Spelling> spellings = {
        {"C'est l'\u00c9t\u00e9 !", "c' est l' \u00e9t\u00e9 !"},
        {"C\u2019est l\u2019\u00c9t\u00e9\u00a0!", "c' est l' \u00e9t\u00e9 !"},
        {"Va\u202f?", "va ?"},
        {"Le C\u0152UR d'\u0152dipe.", "le c\u0153ur d' \u0153dipe ."},
        {"Aujourd'hui, qu'il n'y ait rien.", "aujourd'hui , qu' il n' y ait rien ."},
        {"Jusqu'\u00e0 ce qu'on s'arr\u00eate", "jusqu' \u00e0 ce qu' on s' arr\u00eate"},
        {"J'n'ai", "j' n' ai"},
        {"Arr\u00eate-toi ! O\u00f9 va-t-il ?", "arr\u00eate-toi ! o\u00f9 va-t-il ?"},
        {"The king's red car.", "the king 's red car ."},
        {"I'm, you're, we've, he'll, she'd", "i 'm , you 're , we 've , he 'll , she 'd"},
        {"He'd've gone", "he 'd 've gone"},
        {"Don't! It's five o'clock.", "don't ! it 's five o'clock ."},
        {"'Quoted' \u2018words\u2019 \"all\" \u00ab\u00a0four\u00a0\u00bb (of them)",
         "quoted words all four of them"},
        {"well - yes -- or\u2014no", "well yes or no"},
        {"It costs 3.50\u20ac, or 1,000.", "it costs 3.50 \u20ac , or 1,000 ."},
        {"At 2:30: go.", "at 2:30 : go ."},
        {"well--yes", "well yes"},
        {"Wait...", "wait . . ."},
        {"Wait\u2026", "wait \u2026"},
        {"e\u0301te\u0301", "\u00e9t\u00e9"},
        {"so\u00adft zero\u200bwidth \ufeff", "soft zerowidth"},
        {"\u4f60\u597d\uff0c\u041c\u0438\u0440", "\u4f60\u597d \u041c\u0438\u0440"},
        {"' - -- '' \u201d", ""},
        {"l'", "l'"},
        {"the 's", "the 's"},
        {"", ""},
        {"a\xff"
         "b",
         "a b"},
    };
    for (const auto& [sentence, words] : spellings) {
        INFO(sentence);
        CHECK(gently(sentence) == words);
        CHECK(text_of(normalised_words(sentence, Normalisation::gentle)) == words);
    }
}

TEST_CASE("gentle words leave sentences of the grammar as they are", "[text]")
{
    for (const std::string sentence :
         {"her big men 's friends do not work together .",
          "les amis de ses grands hommes ne travaillent pas ensemble .",
          "j' ob\u00e9is aujourd'hui \u00e0 l' actrice qu' il n' aime pas , s' il t' "
          "\u00e9coute .",
          "m' d' 's 'm 're"}) {
        CHECK(gently(sentence) == sentence);
    }
}

TEST_CASE("words put in once more come out unchanged", "[text][property]")
{
    attn::random::Generator generator(1);
    for (int i = 0; i < 20000; ++i) {
        const std::string sentence = awkward_sentence(generator);
        INFO(attn::program::in_quotes(sentence, 200));
        const std::string gentle = gently(sentence);
        REQUIRE(gently(gentle) == gentle);
        REQUIRE(attn::program::is_printable(gentle));
        const std::string tutorial = as_the_tutorial(sentence);
        REQUIRE(as_the_tutorial(tutorial) == tutorial);
        REQUIRE(tutorial.find_first_not_of("abcdefghijklmnopqrstuvwxyz.!? ") ==
                std::string::npos);
    }
}
