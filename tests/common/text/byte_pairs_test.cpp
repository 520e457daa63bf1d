/// \file
/// \brief Byte pairs: texts worked by hand, the algorithm as its definition says it, and files
/// that are refused.
#include "common/text/byte_pairs.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/random/random.hpp"
#include "common/text/pieces.hpp"
#include "tests/support/byte_pair_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <algorithm>

using attn::program::BadInput;
using attn::random::Generator;
using namespace attn::testing;
using namespace attn::text;

namespace {

using Ids = std::vector<std::int64_t>;
using Merged = std::vector<std::string>;

/// Merges in the order of their ranks; those of # are written like comments, and are none.
const std::vector<BytePair> few_merges = {{"l", "o"}, {"lo", "w"},  {"e", "r"},
                                          {"#", "#"}, {" ", "low"}, {"b", "c"},
                                          {"a", "b"}, {"a", "a"},   {"\xc3", "\xa9"}};

/// An encoding whose tokens of one byte have that byte as their id.
BytePairEncoding encoding_of(const std::vector<BytePair>& merges)
{
    return {vocabulary_json(merges), merges_text(merges)};
}

/// The tokens of a text.
Merged tokens_of(const BytePairEncoding& encoding, std::string_view text)
{
    Merged tokens;
    for (const std::int64_t id : encoding.encode(text)) {
        tokens.push_back(encoding.token(id));
    }
    return tokens;
}

/// The tokens of a piece by the definition: of all adjacent pairs the one that stands first in
/// the list, the leftmost first, until none is listed.
Merged merged_by_definition(std::string_view piece, const std::vector<BytePair>& merges)
{
    Merged tokens;
    for (const char byte : piece) {
        tokens.emplace_back(1, byte);
    }
    for (std::size_t rank = 0; rank < merges.size();) {
        std::size_t i = 0;
        while (i + 1 < tokens.size() && BytePair(tokens[i], tokens[i + 1]) != merges[rank]) {
            ++i;
        }
        if (i + 1 >= tokens.size()) {
            ++rank;
            continue;
        }
        tokens[i] += tokens[i + 1];
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        rank = 0;
    }
    return tokens;
}

/// Why a vocabulary is refused.
std::string refusal(const std::string& vocabulary)
{
    return complaint_of<BadInput>([&] { BytePairEncoding(vocabulary, "#version: 0.2\n"); });
}

/// Why merges are refused.
std::string refusal_of_merges(const std::string& merges)
{
    return complaint_of<BadInput>(
        [&] { BytePairEncoding(vocabulary_json(few_merges), merges); });
}

/// A vocabulary in which one part of the text is another.
std::string vocabulary_with(const std::string& part, const std::string& replacement)
{
    std::string json = vocabulary_json(few_merges);
    const std::size_t at = json.find(part);
    REQUIRE(at != std::string::npos);
    return json.replace(at, part.size(), replacement);
}

} // namespace

TEST_CASE("a text is merged in the order of the list", "[text]")
{
    const BytePairEncoding encoding = encoding_of(few_merges);
    CHECK(encoding.size() == 265);
    CHECK(tokens_of(encoding, "lower") == Merged{"low", "er"});
    CHECK(tokens_of(encoding, " lower slow") == Merged{" low", "er", " ", "s", "low"});
    CHECK(tokens_of(encoding, "low low") == Merged{"low", " low"});
    CHECK(tokens_of(encoding, "\n") == Merged{"\n"});
    CHECK(tokens_of(encoding, "\u00e9\u00e8") == Merged{"\u00e9", "\xc3", "\xa8"});
    // The pair that is first in the list is merged first, and it takes the middle.
    CHECK(tokens_of(encoding, "abc") == Merged{"a", "bc"});
    CHECK(tokens_of(encoding, "aab") == Merged{"a", "ab"});
    // Of equal pairs the left one.
    CHECK(tokens_of(encoding, "aaaaa") == Merged{"aa", "aa", "a"});
    CHECK(tokens_of(encoding, "###") == Merged{"##", "#"});
    CHECK(encoding.encode("lo#") == Ids{256, '#'});
    CHECK(encoding.encode("").empty());
}

TEST_CASE("no merge crosses from one piece to the next", "[text]")
{
    const BytePairEncoding encoding = encoding_of({{"a", "1"}, {"1", " "}, {" ", "b"}});
    CHECK(tokens_of(encoding, "a1 b") == Merged{"a", "1", " b"});
}

TEST_CASE("a piece is merged as the definition says", "[text][property]")
{
    // Ids are in the order of the merges, so that long tokens come of short ones.
    const std::vector<BytePair> merges = {
        {"b", "a"},  {"a", "a"},   {"aa", "b"},  {"ba", "aab"},  {"a", "ba"}, {"b", "b"},
        {"bb", "c"}, {"aa", "aa"}, {"c", "aba"}, {"baaab", "c"}, {"c", "c"},  {"cc", "bb"}};
    const BytePairEncoding encoding = encoding_of(merges);
    Generator rng(2);
    for (int trial = 0; trial < 2000; ++trial) {
        std::string piece;
        for (std::uint64_t n = rng.below(30); n > 0; --n) {
            piece += "aaabbc"[rng.below(6)];
        }
        CAPTURE(piece);
        CHECK(tokens_of(encoding, piece) == merged_by_definition(piece, merges));
    }
}

TEST_CASE("a long piece is merged as well as a short one", "[text]")
{
    const BytePairEncoding encoding = encoding_of({{"a", "b"}, {"ab", "ab"}});
    std::string letters;
    for (int i = 0; i < 50000; ++i) {
        letters += "ab";
    }
    CHECK(encoding.encode(letters) == Ids(25000, 257));
}

TEST_CASE("any bytes come back from their tokens", "[text][property]")
{
    const BytePairEncoding encoding = encoding_of(few_merges);
    Generator rng(3);
    for (int trial = 0; trial < 1000; ++trial) {
        std::string bytes;
        for (std::uint64_t n = rng.below(40); n > 0; --n) {
            bytes += rng.below(2) == 0 ? static_cast<char>(rng.below(256))
                                       : "low er#abc\xc3\xa9"[rng.below(12)];
        }
        CAPTURE(attn::program::in_quotes(bytes, 100));
        CHECK(encoding.decode(encoding.encode(bytes)) == bytes);
    }
}

TEST_CASE("both spellings of a vocabulary are read, and any order of its ids", "[text]")
{
    const BytePairEncoding plain(vocabulary_json(few_merges), merges_text(few_merges));
    const BytePairEncoding escaped(vocabulary_json(few_merges, {}, JsonSpelling::ascii),
                                   merges_text(few_merges));
    const std::string text = " low \"\\ \u00e9 \x01 ##";
    CHECK(escaped.encode(text) == plain.encode(text));

    // GPT-2's own order: the bytes that are printable come first.
    std::string json = vocabulary_json(few_merges);
    const std::string a = "\"a\": 97";
    const std::string newline = "\"\u010a\": 10";
    json.replace(json.find(a), a.size(), "\"a\": 10");
    json.replace(json.find(newline), newline.size(), "\n  \"\u010a\": 97");
    const BytePairEncoding reordered(json, merges_text(few_merges));
    CHECK(reordered.encode("a\nab") == Ids{10, 97, plain.encode("ab")[0]});
    CHECK(reordered.decode(Ids{97, 10}) == "\na");
}

TEST_CASE("bytes are written as GPT-2 writes them", "[text]")
{
    const BytePairEncoding encoding = encoding_of({});
    CHECK(encoding.find(" ") == 0x20);
    // The blank is U+0120, the line break U+010A, and the last byte of the 68 U+0143.
    CHECK(refusal(vocabulary_with("\"\u0120\":", "\"\u0144\":")) ==
          "vocab.json: token '\u0144': it must be of characters that stand for bytes");
    CHECK_THAT(vocabulary_json({}), contains("\"\u010a\": 10,"));
    CHECK_THAT(vocabulary_json({}), contains("\"\u0143\": 173,"));
    CHECK(encoding.find("\xad") == 0xad);
}

TEST_CASE("a special token is found by its text, which is encoded as text", "[text]")
{
    const std::string end = "<|endoftext|>";
    const BytePairEncoding encoding(vocabulary_json(few_merges, {end}),
                                    merges_text(few_merges));
    const std::int64_t id = 265;
    CHECK(encoding.find(end) == id);
    CHECK(encoding.decode(Ids{id, 'a'}) == end + "a");
    CHECK(encoding.encode(end).size() == end.size()); // no merge of ours is in it
    CHECK_FALSE(encoding.find("<|end|>").has_value());
}

TEST_CASE("what is no token is refused in decoding", "[text]")
{
    const BytePairEncoding encoding = encoding_of(few_merges);
    CHECK(encoding.decode(Ids{}).empty());
    CHECK(encoding.decode(Ids{264}) == "\u00e9");
    CHECK_THROWS_WITH(encoding.decode(Ids{0, 265}),
                      "there is no token 265, they are numbered from 0 to 264");
    CHECK_THROWS_AS(encoding.decode(Ids{-1}), BadInput);
    CHECK_THROWS_AS(encoding.token(std::int64_t{1} << 40), BadInput);
}

TEST_CASE("a vocabulary that is none is refused", "[text]")
{
    CHECK(refusal(vocabulary_json(few_merges)).empty());
    CHECK(refusal("") == "vocab.json: this is no JSON in UTF-8, read up to byte 1");
    CHECK_THAT(refusal("{\"a\": 0"), contains("this is no JSON in UTF-8, read up to byte"));
    CHECK_THAT(refusal("{\"\xff\": 0}"), contains("no JSON in UTF-8, read up to byte 3"));
    CHECK_THAT(refusal(vocabulary_json(few_merges) + "x"), contains("no JSON"));
    CHECK(refusal("[1]") ==
          "vocab.json: an object of tokens and their ids was wanted, found an array");
    CHECK(refusal("3") ==
          "vocab.json: an object of tokens and their ids was wanted, found number");
    CHECK(refusal("{}") == "vocab.json: there is no token for the byte 0x00");
    const std::string deep(100000, '[');
    CHECK_THAT(refusal(deep), contains("no JSON"));
    CHECK_THAT(refusal("{\"a\":" + deep + std::string(100000, ']') + "}"),
               contains("token 'a': its id must be a whole number from 0 to 0, found array"));
}

TEST_CASE("ids must be 0 to the last, each once, and every byte have one", "[text]")
{
    const std::string begin = "vocab.json: token 'a': its id must be a whole number from 0 to "
                              "264, found ";
    CHECK(refusal(vocabulary_with("\"a\": 97", "\"a\": 98")) ==
          "vocab.json: token 'b': its id 98 stands twice");
    CHECK(refusal(vocabulary_with("\"a\": 97", "\"a\": 265")) == begin + "265");
    CHECK(refusal(vocabulary_with("\"a\": 97", "\"a\": -1")) == begin + "-1");
    CHECK(refusal(vocabulary_with("\"a\": 97", "\"a\": 97.0")) == begin + "97.0");
    CHECK(refusal(vocabulary_with("\"a\": 97", "\"a\": \"97\"")) == begin + "string");
    CHECK(refusal(vocabulary_with("\"a\": 97", "\"a\": 18446744073709551615")) ==
          begin + "18446744073709551615");
    CHECK(refusal(vocabulary_with("\"a\": 97", "\"aaaa\": 97")) ==
          "vocab.json: there is no token for the byte 0x61");
    CHECK(refusal(vocabulary_with("\"a\": 97", "\"a\": 97, \"a\": 97")) ==
          "vocab.json: a token stands twice");
    CHECK_THAT(refusal(vocabulary_with("\"a\":", "\"\":")),
               contains("token '': it must be of characters that stand for bytes"));
    CHECK_THAT(refusal(vocabulary_with("\"a\":", "\"a b\":")),
               contains("token 'a b': it must be of characters that stand for bytes"));
}

TEST_CASE("merges that are none are refused with their line", "[text]")
{
    CHECK(refusal_of_merges(merges_text(few_merges)).empty());
    CHECK(refusal_of_merges("#version: 0.2\nl o").empty()); // no break at the end
    CHECK(refusal_of_merges("#version: 0.2").empty());
    const std::string first = "merges.txt, line 1: it must begin with #version";
    CHECK(refusal_of_merges("") == first);
    CHECK(refusal_of_merges("l o\n") == first);
    const auto complaint = [](const std::string& line) {
        return refusal_of_merges("#version: 0.2\nl o\n" + line + "\nlo w\n");
    };
    const std::string form =
        "merges.txt, line 3: two tokens with a blank between them were wanted, found ";
    CHECK(complaint("low") == form + "'low'");
    CHECK(complaint("") == form + "''");
    CHECK(complaint("l o w") == form + "'l o w'");
    CHECK(complaint("l  o") == form + "'l  o'");
    CHECK(complaint(" o") == "merges.txt, line 3: '' is not in the vocabulary");
    CHECK(complaint("o ") == "merges.txt, line 3: '' is not in the vocabulary");
    CHECK(complaint("low er") == "merges.txt, line 3: 'lower' is not in the vocabulary");
    CHECK(complaint("lower s") == "merges.txt, line 3: 'lower' is not in the vocabulary");
    CHECK(complaint("l o") == "merges.txt, line 3: 'l o' stands twice");
    CHECK(complaint("\xff \xff") == "merges.txt, line 3: '\\xff' is not in the vocabulary");
}

TEST_CASE("merges with old line ends or a byte order mark are read", "[text]")
{
    const BytePairEncoding unix = encoding_of(few_merges);
    for (const std::string line_end : {"\r\n", "\r"}) {
        std::string merges = "\xef\xbb\xbf";
        for (const char c : merges_text(few_merges)) {
            merges += c == '\n' ? line_end : std::string(1, c);
        }
        const BytePairEncoding other(vocabulary_json(few_merges), merges);
        CHECK(other.encode("lower slow ##") == unix.encode("lower slow ##"));
        CHECK_THAT(refusal_of_merges(merges + "low" + line_end),
                   contains("merges.txt, line 11: two tokens"));
    }
    CHECK(BytePairEncoding("\xef\xbb\xbf" + vocabulary_json(few_merges), "#version: 0.2")
              .size() == unix.size());
    CHECK(refusal("\xef\xbb\xbf[1,]") ==
          "vocab.json: this is no JSON in UTF-8, read up to byte 7");
    CHECK(refusal_of_merges(std::string("\xff\xfe#\0v\0", 6)) ==
          "merges.txt: the file seems to be in UTF-16; save it as UTF-8");
    CHECK(refusal(std::string("{\0}\0", 4)) ==
          "vocab.json: the file seems to be in UTF-16; save it as UTF-8");
}

TEST_CASE("the two files are read, and named if they cannot be", "[text]")
{
    const ScratchFolder folder;
    const auto vocabulary = folder.path() / "v.json";
    const auto merges = folder.path() / "m.txt";
    attn::program::write_file(vocabulary, vocabulary_json(few_merges));
    CHECK_THROWS_WITH(read_byte_pair_encoding(vocabulary, merges),
                      "'" + merges.string() + "' cannot be read: No such file or directory");
    attn::program::write_file(merges, merges_text(few_merges));
    CHECK(read_byte_pair_encoding(vocabulary, merges).encode("low") == Ids{257});
    attn::program::write_file(merges, "#version: 0.2\nlow");
    CHECK_THROWS_WITH(read_byte_pair_encoding(vocabulary, merges),
                      contains(merges.string() + ", line 2: two tokens"));
    attn::program::write_file(vocabulary, "[]");
    CHECK_THROWS_WITH(read_byte_pair_encoding(vocabulary, merges),
                      contains(vocabulary.string() + ": an object of tokens"));
}
