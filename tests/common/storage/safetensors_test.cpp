/// \file
/// \brief Files of named arrays: what is written comes back, and every file that lies is refused
/// in a sentence that names the tensor, what was wanted and what was found.
#include "common/storage/safetensors.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/storage/half_precision.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/same_bits.hpp"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <unistd.h>

using namespace attn;
using namespace attn::storage;
using attn::program::BadInput;
using attn::testing::contains;
using attn::testing::same_bits;
using attn::testing::ScratchFolder;

namespace fs = std::filesystem;

namespace {

/// A file of the format.
std::string safetensors(const std::string& header, const std::string& data = "")
{
    std::string bytes;
    for (int i = 0; i < 8; ++i) {
        bytes += static_cast<char>((header.size() >> (8 * i)) & 0xff);
    }
    return bytes + header + data;
}

/// What the header says about one tensor.
std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets)
{
    return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape +
           ",\"data_offsets\":" + offsets + "}";
}

/// Why a file is refused; nothing if it is accepted.
std::string refusal(const std::string& bytes)
{
    return testing::complaint_of<BadInput>([&] { TensorFile(bytes, "m.safetensors"); });
}

std::string refusal(const std::string& header, const std::string& data)
{
    return refusal(safetensors(header, data));
}

} // namespace

TEMPLATE_TEST_CASE("arrays of any shape come back from safetensors bit by bit", "[storage]",
                   float, double, std::int64_t)
{
    using T = TestType;
    const T least = std::numeric_limits<T>::lowest();
    const T most = std::numeric_limits<T>::max();
    for (const Array<T>& array :
         {array_of<T>({2, 3}, {1, 2, 3, 4, least, most}), array_of<T>({}, {7}),
          array_of<T>({1}, {7}), array_of<T>({0, 3}, {}),
          array_of<T>({2, 1, 2, 1}, {1, 2, 3, 4})}) {
        CAPTURE(to_text(array.shape()));
        TensorWriter writer;
        writer.add("a", array);
        CHECK(same_bits(TensorFile(writer.bytes(), "m").tensor<T>("a", array.shape()), array));
    }
}

TEST_CASE("named arrays written to safetensors come back bit by bit", "[storage]")
{
    const double infinity = std::numeric_limits<double>::infinity();
    const Array<float> weights = array_of<float>({2, 3}, {1, 2, 3, -0.0f, 5, 6});
    const Array<double> special =
        array_of<double>({5}, {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity,
                               -0.0, std::numeric_limits<double>::denorm_min()});
    const Array<std::int64_t> words = array_of<std::int64_t>(
        {}, {std::numeric_limits<std::int64_t>::min()}); // a word with its highest bit
    const Array<float> none = array_of<float>({0, 3}, {});

    TensorWriter writer;
    writer.add("encoder.weight", weights);
    writer.add("special", special);
    writer.add("words", words);
    writer.add("none", none);
    writer.describe("made by", "a test,\nof \"two\" lines");
    const ScratchFolder folder;
    writer.write(folder.path() / "m.safetensors");

    const TensorFile file = read_safetensors(folder.path() / "m.safetensors");
    CHECK(file.tensors().size() == 4);
    CHECK(same_bits(file.tensor<float>("encoder.weight", {2, 3}), weights));
    CHECK(same_bits(file.tensor<double>("special"), special));
    CHECK(same_bits(file.tensor<std::int64_t>("words", {}), words));
    CHECK(same_bits(file.tensor<float>("none"), none));
    CHECK(file.metadata().at("made by") == "a test,\nof \"two\" lines");
    CHECK(file.at("special").type == "F64");
    CHECK(file.at("special").shape == Shape{5});
}

TEST_CASE("a safetensors file that no library wrote is read", "[common][storage][golden]")
{
    // What it holds is in tests/golden/README.md.
    const TensorFile file =
        read_safetensors(ATTN_SOURCE_DIR "/tests/golden/storage/by_hand.safetensors");
    CHECK(file.tensors().size() == 5);
    CHECK(same_bits(file.tensor<float>("layer.weight"),
                    array_of<float>({2, 3}, {.5f, -1.25f, 3, .001f, 7, -65504})));
    CHECK(same_bits(file.tensor<double>("layer.bias"), array_of<double>({2}, {.1, -1e300})));
    CHECK(same_bits(file.tensor<std::int64_t>("token_ids"),
                    array_of<std::int64_t>({4}, {7, -1, (std::int64_t{1} << 53) + 1,
                                                 std::numeric_limits<std::int64_t>::min()})));
    CHECK(same_bits(file.tensor<double>("scalar"), array_of<double>({}, {.1})));
    CHECK(same_bits(file.tensor<double>("empty"), array_of<double>({0, 3}, {})));
    CHECK(file.metadata().at("format") == "pt");
    CHECK(file.metadata().at("note") == "a \"quoted\" word, a back\\slash, an \xc3\xa9");
    CHECK_THROWS_AS(file.tensor<float>("layer.bias"), BadInput);
}

TEST_CASE("a safetensors file is the same whatever the order of adding", "[storage][golden]")
{
    // The bytes of the format's own library: by type, then by name, padded with blanks.
    const Array<float> a = array_of<float>({1}, {1});
    const Array<float> b = array_of<float>({2, 1}, {2, 3});
    const Array<std::int64_t> step = array_of<std::int64_t>({}, {4});
    TensorWriter forward;
    forward.add("a", a);
    forward.add("b", b);
    forward.add("step", step);
    TensorWriter backward;
    backward.add("step", step);
    backward.add("b", b);
    backward.add("a", a);

    std::string header = "{" + entry("step", "I64", "[]", "[0,8]") + "," +
                         entry("a", "F32", "[1]", "[8,12]") + "," +
                         entry("b", "F32", "[2,1]", "[12,20]") + "}";
    header.append((8 - header.size() % 8) % 8, ' ');
    const std::string data("\4\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", 20);
    CHECK(forward.bytes() == safetensors(header, data));
    CHECK(backward.bytes() == forward.bytes());

    CHECK(TensorWriter().bytes() == safetensors("{}      "));
    CHECK(refusal(TensorWriter().bytes()).empty());
    TensorWriter described;
    described.describe("format", "pt"); // 32 bytes, no padding
    CHECK(described.bytes() == safetensors("{\"__metadata__\":{\"format\":\"pt\"}}"));
}

TEST_CASE("a header may have its fields in any order and blanks between them", "[storage]")
{
    const TensorFile file(
        safetensors("{ \"a\" : {\"data_offsets\":[ 0 , 8 ],\n \"shape\" : [ 1 , 2 ], "
                    "\"dtype\":\"F32\" } } ",
                    std::string("\0\0\x80\x3f\0\0\0\x40", 8)),
        "m");
    CHECK(same_bits(file.tensor<float>("a"), array_of<float>({1, 2}, {1, 2})));
}

TEST_CASE("numbers of 16 bits are read as float, and floats as they are", "[storage]")
{
    const TensorFile file(
        safetensors("{" + entry("b", "BF16", "[2]", "[0,4]") + "," +
                        entry("f", "F32", "[1]", "[4,8]") + "," +
                        entry("h", "F16", "[2,1]", "[8,12]") + "," +
                        entry("i", "I64", "[0]", "[12,12]") + "," +
                        entry("none", "F16", "[0,3]", "[12,12]") + "}",
                    std::string("\x80\x3f\x49\xc0\0\0\x80\x3f\x01\0\0\xc4", 12)),
        "m");
    CHECK(same_bits(file.tensor_as_float("b"), array_of<float>({2}, {1, -3.140625f})));
    CHECK(same_bits(file.tensor_as_float("f"), array_of<float>({1}, {1})));
    CHECK(same_bits(file.tensor_as_float("h"), array_of<float>({2, 1}, {0x1p-24f, -4})));
    CHECK(same_bits(file.tensor_as_float("none"), array_of<float>({0, 3}, {})));
    CHECK_THROWS_WITH(file.tensor_as_float("i"),
                      "m: tensor 'i': type F32, F16 or BF16 was wanted, found 'I64'");
    CHECK_THROWS_WITH(file.tensor_as_float("w"), contains("m: tensor 'w' is missing"));
}

TEST_CASE("every number of many of 16 bits comes to its place", "[storage]")
{
    // All that BF16 has, twice: the number i of the tensor has the bits i mod 65,536.
    const std::size_t n = 131'077;
    std::string data;
    Array<float> wanted = uninitialised<float>({n});
    for (std::size_t i = 0; i < n; ++i) {
        data += {static_cast<char>(i & 0xff), static_cast<char>(i >> 8 & 0xff)};
        wanted.data()[i] = float_of_bf16(static_cast<std::uint16_t>(i));
    }
    const ScratchFolder folder;
    const fs::path path = folder.path() / "m.safetensors";
    program::write_file(path,
                        safetensors("{" + entry("a", "F32", "[1]", "[0,4]") + "," +
                                        entry("b", "BF16", "[131077]", "[4,262158]") + "}",
                                    "1234" + data));
    CHECK(same_bits(read_safetensors(path).tensor_as_float("b"), wanted));
}

TEST_CASE("a tensor beyond 4 GiB is read, and nothing before it", "[storage]")
{
    const ScratchFolder folder;
    const fs::path path = folder.path() / "large.safetensors";
    const std::string header =
        safetensors("{" + entry("hole", "F32", "[1342177280]", "[0,5368709120]") + "," +
                    entry("far", "F32", "[2]", "[5368709120,5368709128]") + "}");
    program::write_file(path, header);
    fs::resize_file(path, header.size() + 5'368'709'120); // takes no disk: nothing is there
    std::ofstream(path, std::ios::binary | std::ios::app)
        << std::string("\0\0\x80\x3f\0\0\0\x40", 8);
    const TensorFile file = read_safetensors(path);
    CHECK(same_bits(file.tensor<float>("far", {2}), array_of<float>({2}, {1, 2})));
    CHECK(file.at("hole").end == 5'368'709'120);
    CHECK_THROWS_WITH(file.tensor<double>("hole"), contains("type F64 was wanted"));

    fs::resize_file(path, header.size() + 5'368'709'127);
    CHECK_THROWS_WITH(file.tensor<float>("far"), contains("large.safetensors' is cut off"));
    CHECK_THROWS_WITH(read_safetensors(path),
                      contains("tensor 'far': it lies at bytes 5368709120 to 5368709128 behind "
                               "the header, there are 5368709127 (the file is cut off)"));
}

TEST_CASE("a file that is cut off after it was opened is refused, not read as zeros",
          "[storage]")
{
    const ScratchFolder folder;
    const fs::path path = folder.path() / "m.safetensors";
    const std::string bytes = safetensors(
        "{" + entry("a", "F32", "[2]", "[0,8]") + "," + entry("b", "F32", "[2]", "[8,16]") +
            "," + entry("c", "F16", "[2]", "[16,20]") + "}",
        std::string("\0\0\x80\x3f\0\0\0\x40", 8) + "0123456789ab");
    program::write_file(path, bytes);
    const TensorFile file = read_safetensors(path);
    fs::resize_file(path, bytes.size() - 5);
    CHECK(same_bits(file.tensor<float>("a"), array_of<float>({2}, {1, 2})));
    const std::string complaint = fmt::format(
        "'{}' is cut off: it ends before byte {}, and had {} bytes when it was opened",
        path.string(), bytes.size() - 4, bytes.size());
    CHECK_THROWS_WITH(file.tensor<float>("b"), complaint);
    CHECK_THROWS_WITH(file.tensor_as_float("b"), complaint);
    CHECK_THROWS_AS(file.tensor_as_float("c"), BadInput);

    // One that is written anew, as ours are, has another content, and this one still its own.
    program::write_file(path, bytes);
    const TensorFile old = read_safetensors(path);
    TensorWriter other;
    other.add("a", filled<float>({2}, 7));
    other.write(path);
    CHECK(same_bits(old.tensor<float>("a"), array_of<float>({2}, {1, 2})));
}

TEST_CASE("a file on a disk is refused as its bytes are", "[storage][property]")
{
    TensorWriter writer;
    writer.add("a", filled<float>({2}, 1));
    writer.add("b", filled<std::int64_t>({2}, 1));
    const std::string whole = writer.bytes() + "x";
    const ScratchFolder folder;
    const fs::path path = folder.path() / "m.safetensors";
    for (std::size_t n_bytes = 0; n_bytes <= whole.size(); ++n_bytes) {
        CAPTURE(n_bytes);
        const std::string part = whole.substr(0, n_bytes);
        program::write_file(path, part);
        CHECK(testing::complaint_of<BadInput>([&] { read_safetensors(path); }) ==
              testing::complaint_of<BadInput>([&] { TensorFile(part, path.string()); }));
    }
}

TEST_CASE("a pipe is read as a file is", "[storage]")
{
    TensorWriter writer;
    writer.add("a", array_of<float>({2}, {1, 2}));
    const std::string bytes = writer.bytes();
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    REQUIRE(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    close(ends[1]);
    const TensorFile file = read_safetensors(fmt::format("/dev/fd/{}", ends[0]));
    close(ends[0]);
    CHECK(same_bits(file.tensor<float>("a"), array_of<float>({2}, {1, 2})));
}

TEST_CASE("tensors of other types are listed, and refused when asked for", "[storage]")
{
    const TensorFile file(safetensors("{" + entry("half", "F16", "[2]", "[0,4]") + "," +
                                          entry("new", "F4", "[3]", "[4,6]") + "," +
                                          entry("ours", "F32", "[1]", "[6,10]") + "}",
                                      "0123456789"),
                          "m.safetensors");
    CHECK(file.at("half").type == "F16");
    CHECK_THROWS_WITH(file.tensor<float>("half"),
                      "m.safetensors: tensor 'half': type F32 was wanted, found 'F16'");
    CHECK_THROWS_WITH(file.tensor<double>("new"),
                      "m.safetensors: tensor 'new': type F64 was wanted, found 'F4'");
    CHECK_THROWS_WITH(file.tensor<std::int64_t>("ours"),
                      "m.safetensors: tensor 'ours': type I64 was wanted, found 'F32'");
    CHECK_NOTHROW(file.tensor<float>("ours"));
}

TEST_CASE("a missing tensor and one of another shape are refused by name", "[storage]")
{
    TensorWriter writer;
    writer.add("a", filled<float>({2, 3}, 1));
    const TensorFile one(writer.bytes(), "m.safetensors");
    CHECK_THROWS_WITH(one.tensor<float>("b"),
                      "m.safetensors: tensor 'b' is missing; there is 'a'");
    CHECK_THROWS_WITH(one.tensor<float>("a", {3, 2}),
                      "m.safetensors: tensor 'a': shape [3, 2] was wanted, found [2, 3]");
    CHECK_THROWS_WITH(TensorFile(TensorWriter().bytes(), "m.safetensors").at("a"),
                      "m.safetensors: tensor 'a' is missing; there are none");
    for (const char* name : {"c", "d", "e", "f", "g"}) {
        writer.add(name, filled<float>({1}, 1));
    }
    CHECK_THROWS_WITH(TensorFile(writer.bytes(), "m").at("h"),
                      "m: tensor 'h' is missing; there are 'a', 'c', 'd', 'e', 'f', ...");
}

TEST_CASE("a safetensors file that is cut off anywhere is refused", "[storage]")
{
    TensorWriter writer;
    writer.add("a", filled<float>({2}, 1));
    writer.add("b", filled<float>({2}, 1));
    const std::string whole = writer.bytes();
    for (std::size_t n_bytes = 0; n_bytes < whole.size(); ++n_bytes) {
        CAPTURE(n_bytes);
        CHECK_FALSE(refusal(whole.substr(0, n_bytes)).empty());
    }
    CHECK(refusal(whole.substr(0, whole.size() - 1)) ==
          "m.safetensors: tensor 'b': it lies at bytes 8 to 16 behind the header, there are 15 "
          "(the file is cut off)");
    CHECK(refusal(whole.substr(0, 30)) ==
          "m.safetensors: the file is cut off, the header takes 112 bytes and 22 are left");
    CHECK(refusal("1234567") ==
          "m.safetensors: this is no safetensors file, it has only 7 bytes");
    CHECK(refusal(whole + "x") ==
          "m.safetensors: the tensors take 16 bytes, behind the header there are 17");
}

TEST_CASE("a safetensors header that lies about its length is refused", "[storage]")
{
    CHECK(refusal(std::string(16, '\xff')) ==
          "m.safetensors: this is no safetensors file, its header would take "
          "18446744073709551615 bytes and at most 100000000 are allowed");
    CHECK(refusal(std::string("\0\0\0\0\0\0\0\0", 8)) ==
          "m.safetensors: this is no safetensors file, its header must begin with '{'");
    CHECK(refusal(safetensors(" {}")) ==
          "m.safetensors: this is no safetensors file, its header must begin with '{'");
    CHECK_THAT(refusal("speed,dist\n1,2\n"), // what a table's text says as a number
               contains("this is no safetensors file, its header would take"));
    std::string shorter = safetensors("{" + entry("a", "F32", "[]", "[0,4]") + "}", "1234");
    shorter[0] = static_cast<char>(shorter[0] - 5);
    CHECK_THAT(refusal(shorter), contains("its header is no JSON in UTF-8, read up to byte"));
}

TEST_CASE("offsets must follow each other and fit the shapes", "[storage]")
{
    CHECK(refusal("{" + entry("a", "F32", "[1]", "[0,4]") + "," +
                      entry("b", "F32", "[1]", "[8,12]") + "}",
                  "0123456789ab") ==
          "m.safetensors: tensor 'b': it lies at bytes 8 to 12, it must begin at 4, where the "
          "one before it ends");
    CHECK_THAT(refusal("{" + entry("a", "F32", "[2]", "[0,8]") + "," +
                           entry("b", "F32", "[1]", "[4,8]") + "}",
                       "01234567"),
               contains("tensor 'b': it lies at bytes 4 to 8, it must begin at 8"));
    CHECK_THAT(refusal("{" + entry("a", "F32", "[1]", "[4,0]") + "}", "0123"),
               contains("tensor 'a': it lies at bytes 4 to 0"));
    CHECK_THAT(refusal("{" + entry("a", "F32", "[1]", "[0,4]") + "," +
                           entry("b", "F4", "[1]", "[4,2]") + "}",
                       "0123"),
               contains("tensor 'b': it lies at bytes 4 to 2"));
    CHECK(refusal("{" + entry("a", "F32", "[0]", "[0,0]") + "," +
                      entry("b", "F32", "[0]", "[0,0]") + "}",
                  "")
              .empty());
    CHECK(refusal("{" + entry("a", "F32", "[2, 3]", "[0,20]") + "}", std::string(20, 'x')) ==
          "m.safetensors: tensor 'a': shape [2, 3] of F32 takes 24 bytes, its offsets give it "
          "20");
    for (const char* shape : {"[4294967296, 4294967296]", "[4611686018427387904, 4]",
                              "[0, 4294967296, 4294967296]", "[9223372036854775808, 0]"}) {
        CHECK_THAT(refusal("{" + entry("a", "F32", shape, "[0,0]") + "}", ""),
                   contains("m.safetensors: tensor 'a': there can be no array of shape ["));
    }
    CHECK_THAT(refusal("{" + entry("a", "F64", "[1099511627776]", "[0,8]") + "}", "01234567"),
               contains("takes 8796093022208 bytes, its offsets give it 8"));
    CHECK_THAT(refusal("{" + entry("a", "F32", "[9]", "[0,18446744073709551615]") + "}", "x"),
               contains("tensor 'a': it lies at bytes 0 to 18446744073709551615 behind"));
}

TEST_CASE("numbers that are negative, huge or broken are refused by name", "[storage]")
{
    const auto complaint = [](const std::string& shape, const std::string& offsets) {
        return refusal("{" + entry("a", "F32", shape, offsets) + "}", "1234");
    };
    const std::string begin = "m.safetensors: tensor 'a': ";
    CHECK(complaint("[-1]", "[0,4]") ==
          begin + "'shape' must hold whole numbers of at least 0, found -1");
    CHECK(complaint("[99999999999999999999]", "[0,4]") ==
          begin +
              "'shape' must hold whole numbers of at least 0, found '99999999999999999999'");
    CHECK(complaint("[1.5]", "[0,4]") ==
          begin + "'shape' must hold whole numbers of at least 0, found '1.5'");
    CHECK(complaint("[1]", "[0,99999999999999999999]") ==
          begin + "'data_offsets' must hold whole numbers of at least 0, found "
                  "'99999999999999999999'");
    CHECK(complaint("[[1]]", "[0,4]") ==
          begin + "'shape' must hold whole numbers of at least 0, found an array");
    CHECK(complaint("[1]", "[0]") == begin + "'data_offsets' must be two numbers, found 1");
    CHECK(complaint("[1]", "[0,4,4]") == begin + "'data_offsets' must be two numbers, found 3");
    CHECK(complaint("1", "[0,4]") ==
          begin + "'shape' must be an array of whole numbers, found a number");
    CHECK(complaint("[1]", "null") ==
          begin + "'data_offsets' must be an array of two numbers, found null");
    std::string ones = "[1";
    for (int i = 0; i < 64; ++i) {
        ones += ",1";
    }
    CHECK(complaint(ones + "]", "[0,4]") == begin + "it has more than 64 axes");
    CHECK_THAT(complaint("[1e999]", "[0,4]"), contains("no JSON"));
}

TEST_CASE("metadata may be none, as a null or without any text", "[storage]")
{
    const std::string a = entry("a", "F32", "[]", "[0,4]");
    for (const char* none : {"null", "{}"}) {
        const std::string metadata = std::string("\"__metadata__\":") + none;
        for (const std::string& header :
             {"{" + metadata + "," + a + "}", "{" + a + "," + metadata + "}"}) {
            const TensorFile file(safetensors(header, "1234"), "m");
            CHECK(file.metadata().empty());
            CHECK(file.tensors().size() == 1);
        }
    }
    CHECK_THAT(refusal("{\"__metadata__\":null,\"a\":null}", ""),
               contains("tensor 'a': an object was wanted, found null"));
    CHECK_THAT(refusal("{\"__metadata__\":{\"k\":null}}", ""), contains("must be a text"));
}

TEST_CASE("a number that is not finite is named by its tensor and place", "[storage]")
{
    const TensorFile file(safetensors("{" + entry("a", "F32", "[1]", "[0,4]") + "}", "1234"),
                          "m");
    using Limits = std::numeric_limits<float>;
    for (const std::size_t place : {std::size_t{0}, std::size_t{7}, std::size_t{40}}) {
        Array<float> numbers = filled<float>({41}, Limits::lowest());
        CHECK_NOTHROW(file.expect_finite("a", numbers));
        for (const auto& [bad, text] :
             {std::pair(Limits::infinity(), "inf"), std::pair(-Limits::infinity(), "-inf"),
              std::pair(Limits::quiet_NaN(), "nan")}) {
            numbers.data()[place] = bad;
            CHECK(testing::complaint_of<BadInput>([&] { file.expect_finite("a", numbers); }) ==
                  "m: tensor 'a': number " + std::to_string(place + 1) + " of 41 is " + text +
                      ", it must be finite");
        }
    }
}

TEST_CASE("a header that is not what it must be is refused", "[storage]")
{
    const std::string begin = "m.safetensors: ";
    const std::string a = entry("a", "F32", "[]", "[0,4]");
    CHECK(refusal("{" + a + "," + a + "}", "1234") == begin + "the name 'a' stands twice");
    CHECK(refusal("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", "") ==
          begin + "tensor 'a': 'dtype' stands twice");
    CHECK(refusal("{\"a\":{\"dtype\":\"F32\"}}", "") ==
          begin + "tensor 'a': 'dtype', 'shape' and 'data_offsets' must all be there");
    CHECK(refusal("{\"a\":{\"size\":3}}", "") ==
          begin + "tensor 'a': 'size' is none of 'dtype', 'shape' and 'data_offsets'");
    CHECK(refusal("{\"a\":3}", "") ==
          begin + "tensor 'a': an object was wanted, found a number");
    CHECK(refusal("{\"a\":{\"dtype\":[]}}", "") ==
          begin + "tensor 'a': 'dtype' must be a text, found an array");
    CHECK(refusal("{\"a\":{\"dtype\":{}}}", "") ==
          begin + "tensor 'a': 'dtype' must be a text, found an object");
    CHECK(refusal("{\"__metadata__\":true}", "") ==
          begin + "an object was wanted as __metadata__, found true");
    CHECK(refusal("{\"__metadata__\":{\"k\":3}}", "") ==
          begin + "'k' in __metadata__ must be a text, found a number");
    CHECK(refusal("{\"__metadata__\":{\"k\":\"\",\"k\":\"\"}}", "") ==
          begin + "'k' stands twice in __metadata__");
    CHECK(refusal("{\"__metadata__\":{},\"__metadata__\":{}}", "") ==
          begin + "the name '__metadata__' stands twice");
    CHECK(refusal("{\"a\":", "") ==
          begin + "its header is no JSON in UTF-8, read up to byte 6 of it");
    CHECK_THAT(refusal("{\"\xff\":{}}", ""), contains("no JSON in UTF-8, read up to byte 3"));
    CHECK_THAT(refusal("{\"a\\u0000\\n\":3}", ""), contains("tensor 'a\\x00\\x0a': an object"));
    CHECK_THAT(refusal("{} {}", ""), contains("no JSON"));
    // Neither the depth of our stack nor memory is the file's to spend.
    CHECK_THAT(refusal("{\"a\":" + std::string(1000000, '[') + "}", ""),
               contains("tensor 'a': an object was wanted, found an array"));
    std::string deep = "{";
    for (int i = 0; i < 100000; ++i) {
        deep += "\"dtype\":{";
    }
    CHECK_THAT(refusal(deep, ""), contains("an object"));
}

TEST_CASE("names that no file can hold are refused in writing", "[storage]")
{
    TensorWriter writer;
    const Array<float> array = filled<float>({1}, 1);
    writer.add("a", array);
    writer.describe("k", "v");
    CHECK_THROWS_WITH(writer.add("a", array), "TensorWriter: there is already one named 'a'");
    CHECK_THROWS_AS(writer.add("__metadata__", array), ContractError);
    CHECK_THROWS_AS(writer.add("\xff", array), ContractError);
    CHECK_THROWS_AS(writer.add("b", filled<float>(Shape(65, 1), 0)), ContractError);
    CHECK_THROWS_AS(writer.describe("k", "w"), ContractError);
    CHECK_THROWS_WITH(writer.describe("l", "\xff"), "TensorWriter: '\\xff' is not UTF-8");
    CHECK(refusal(writer.bytes()).empty());
}

TEST_CASE("a missing safetensors file, a folder and a strange name are named", "[storage]")
{
    const ScratchFolder folder;
    CHECK_THROWS_WITH(read_safetensors(folder.path() / "no.safetensors"),
                      contains("no.safetensors' cannot be read: No such file"));
    CHECK_THROWS_WITH(read_safetensors(folder.path()), contains("is a folder"));
    CHECK_THROWS_WITH(TensorFile("x", "a\nb"), contains("'a\\x0ab': this is no"));
}
