/// \file
/// \brief Sentences as people write them, and the words that come out.
#include "common/program/text.hpp"
#include "common/random/random.hpp"
#include "common/text/normalise.hpp"
#include "common/text/pieces.hpp"
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
        "a",      "E",      "\u00c9", "e\u0301", "\u0301", "'",      "\u2019", "-",
        ".",      ",",      "3",      "l",       "s",      "qu",     " ",      "!",
        "\u00a0", "\"",     "\u200b", "\u0153",  "d",      "m",      "\xff",   "\xc3",
        "\n",     "re",     "\u2026", "?",       "\u4e2d", "(",      "\u0307", "I",
        "\u200c", "\u200d", "\u094d", "\u0915",  "\u03a3", "\u00b7", "\u034f", "\u0331",
        "H",      "\u0323", "\u05f4", "\u3005",  "\u0663", "\u066b", "\u055e", "\u1161",
    };
    std::string sentence;
    for (std::size_t n = generator.below(12); n > 0; --n) {
        sentence += pieces[generator.below(pieces.size())];
    }
    return sentence;
}

} // namespace

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
        {"Ti\u1ebfng Vi\u1ec7t, \u0130zmir, \u212bngstr\u00f6m", "tieng viet izmir angstrom"},
        {"a\u0335b a\u0903b", "ab a b"}, // category Mn, and Mc, which is no accent
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
        {"so\u00adft zero\u200bwidth \ufeff", "soft zero width"},
        {"\u4f60\u597d\uff0c\u041c\u0438\u0440", "\u4f60\u597d \u043c\u0438\u0440"},
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

TEST_CASE("marks of all scripts part words, and letters keep what stands on them", "[text]")
{
    const std::vector<Spelling> spellings = {
        // Chinese, Japanese, Korean: full-width marks, iteration marks, jamo.
        {"你好？你好！谢谢；再见：好～（完）", "你好 你好 谢谢 再见 好 完"},
        {"人々は、「学問のすゝめ」〜コーヒー。", "人々は 学問のすゝめ コーヒー"},
        {"か\u3099っこう ﾊﾞﾅﾅ｡", "がっこう ﾊﾞﾅﾅ"},
        {"\u1112\u1161\u11ab글, 한국어.", "한글 , 한국어 ."},
        {"ＡＢＣ，１２３", "ａｂｃ １２３"},
        // Arabic, Persian, Urdu, Hebrew.
        {"كيف حالك؟ نعم، حالك؛", "كيف حالك نعم حالك"},
        {"مَدْرَسَةٌ ٣٫٥ ١٬٠٠٠", "مَدْرَسَةٌ ٣٫٥ ١٬٠٠٠"},
        {"می\u200cخواهم. ہے۔", "می\u200cخواهم . ہے"},
        {"צה״ל אמר׃ ״שלום״", "צה״ל אמר שלום"},
        // Devanagari, Bengali, Tamil, Malayalam, Sinhala.
        {"आप कैसे हैं। हैं॥ क्\u200dष", "आप कैसे हैं हैं क्\u200dष"},
        {"আমি কো\u09c7\u09beন?", "আমি কোোন ?"},
        {"தமிழ்“நாடு”", "தமிழ் நாடு"},
        {"മലയാളം…ශ්\u200dරී", "മലയാളം … ශ්\u200dරී"},
        // Thai, Khmer, Tibetan, Ethiopic, Georgian.
        {"เด็กๆ\u200bดี", "เด็กๆ ดี"},
        {"ខ្មែរ។ ធំៗ៖", "ខ្មែរ ធំៗ"},
        {"བོད་ཡིག།", "བོད ཡིག"},
        {"ደህና።ሰላም፣እንዴት፡ነህ፧", "ደህና ሰላም እንዴት ነህ"},
        {"ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ „საქართველო“",
         "საქართველო საქართველო"},
        // Armenian, Greek, Cyrillic, Turkish, Vietnamese, Catalan: capitals and marks.
        {"ՍԱ լավ։ Ինչպե՞ս, բարև՝ դու", "սա լավ ինչպես , բարև դու"},
        {"ΟΔΟΣ ΤΗΣ ΤΉΣ; Τι\u037e Σ ΣΑΣ-Σ", "οδος της τής ; τι ; σ σας-σ"},
        {"МИР Й и\u0306 «ЁЖ»", "мир й й ёж"},
        {"İSTANBUL I\u0307zmir K\u212a", "istanbul izmir kk"},
        {"TIẾNG Vie\u0323\u0302t H\u0331\u0302", "tiếng việt \u1e96\u0302"},
        {"la col·lecció · 5′", "la col·lecció 5"},
        // What belongs to a word although Unicode counts it among the marks.
        {"ג׳ורג׳ עמ׳ ה׳", "ג׳ורג׳ עמ׳ ה׳"},
        {"၎င်း ကို၏ ၍။", "၎င်း ကို၏ ၍"},
        {"\u1820\u180a\u1820 10⁻³ H⁺ ⁻ 1⁄2 a⁄b", "\u1820\u180a\u1820 10⁻³ h⁺ 1⁄2 a b"},
        {"tłʼ ʼashkii п\u02bcять", "tłʼ ʼashkii п'ять"},
        {"'d' ‘l’ ‚s‘ 'qu' l'homme l' 's", "d l s qu l' homme l' 's"},
        // Symbols, emoji, private and unassigned characters, money, numbers.
        {"I\u2665you \U0001f469\u200d\U0001f4bb ok\u263a\ufe0f a\ue000b c\u0378d",
         "i you ok a b c d"},
        {"₹5, 5₽ ＄3 ½ m² Ⅳ", "₹ 5 , 5 ₽ ＄ 3 ½ m² ⅳ"},
        {"a\u202ab\u061c hel\u200clo e\u200c\u0301 \u0301x '\u0301 葛\U000e0100",
         "ab hello é x 葛"},
    };
    for (const auto& [sentence, words] : spellings) {
        INFO(sentence);
        CHECK(gently(sentence) == words);
        CHECK(gently(words) == words);
    }
}

TEST_CASE("every letter and number of Unicode is kept, and nothing else makes a word",
          "[text][property]")
{
    for (char32_t code = 0; code < 0x110000; code += code < 0x20000 ? 1 : 97) {
        if (code >= 0xd800 && code < 0xe000) {
            continue; // halves of characters of UTF-16
        }
        const CharacterClass kind = character_class(code);
        const bool in_words = kind == CharacterClass::letter || kind == CharacterClass::number;
        const std::string sentence = "(" + attn::program::utf8_of(code) + ")";
        INFO(static_cast<std::uint32_t>(code));
        const Words words = gentle_words(sentence);
        const bool is_filler =
            code == 0x115f || code == 0x1160 || code == 0x3164 || code == 0xffa0;
        if (in_words && !is_filler) {
            REQUIRE(words.size() == 1);
            REQUIRE(gentle_words(words[0]) == words);
        } else {
            for (const std::string& word : words) { // a mark or a sign that is one itself
                REQUIRE(character_class(attn::program::first_character(word).code) ==
                        CharacterClass::other);
            }
        }
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
