/// \file
/// \brief NumPy's files: what is written comes back, and every file that lies is refused in a
/// sentence that says what is wrong.
#include "common/storage/npy.hpp"

#include "common/program/bad_input.hpp"
#include "common/tensor/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/same_bits.hpp"

#include <iterator>
#include <limits>

using namespace attn;
using namespace attn::storage;
using attn::program::BadInput;
using attn::testing::contains;
using attn::testing::FullDisk;
using attn::testing::same_bits;
using attn::testing::ScratchFolder;

namespace fs = std::filesystem;

namespace {

/// A file of the format: its mark, a version, a header and data.
std::string npy(const std::string& dictionary, const std::string& data = "", int version = 1)
{
    const std::size_t length = dictionary.size();
    std::string bytes = "\x93NUMPY";
    bytes += {static_cast<char>(version), '\0'};
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
        bytes += static_cast<char>((length >> (8 * i)) & 0xff);
    }
    return bytes + dictionary + data;
}

std::string dictionary(const std::string& type, const std::string& shape,
                       const std::string& fortran = "False")
{
    return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape +
           ", }\n";
}

template <typename T>
std::string bytes_of_numbers(std::initializer_list<T> numbers)
{
    return {reinterpret_cast<const char*>(numbers.begin()), numbers.size() * sizeof(T)};
}

template <typename T>
std::string refusal(const std::string& bytes)
{
    try {
        parse_npy<T>(bytes, "a.npy");
    } catch (const BadInput& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEMPLATE_TEST_CASE("an array written to .npy comes back bit by bit", "[storage]", float, double,
                   std::int64_t)
{
    using T = TestType;
    const ScratchFolder folder;
    const fs::path file = folder.path() / "a.npy";
    const T least = std::numeric_limits<T>::lowest();
    const T most = std::numeric_limits<T>::max();
    for (const Array<T>& array :
         {array_of<T>({2, 3}, {1, 2, 3, 4, least, most}), array_of<T>({}, {7}),
          array_of<T>({1}, {7}), array_of<T>({0, 3}, {}),
          array_of<T>({2, 1, 2, 1}, {1, 2, 3, 4})}) {
        CAPTURE(to_text(array.shape()));
        write_npy(file, array);
        CHECK(same_bits(read_npy<T>(file), array));
    }
}

TEST_CASE("numbers that are none, infinite or minus zero keep their bits in .npy", "[storage]")
{
    const double infinity = std::numeric_limits<double>::infinity();
    const Array<double> array =
        array_of<double>({5}, {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity,
                               -0.0, std::numeric_limits<double>::denorm_min()});
    CHECK(same_bits(parse_npy<double>(npy_bytes(array), "a.npy"), array));
}

TEST_CASE("an .npy file has the bytes that NumPy writes", "[storage][golden]")
{
    // numpy.save of numpy.array([[1, 2, 3]], dtype='<f4'), version 1.24.
    std::string expected = "\x93NUMPY";
    expected += std::string("\x01\x00\x76\x00", 4);
    expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }";
    expected += std::string(128 - expected.size() - 1, ' ') + "\n";
    expected += bytes_of_numbers<float>({1, 2, 3});
    CHECK(npy_bytes(array_of<float>({1, 3}, {1, 2, 3})) == expected);
}

TEST_CASE("all three versions of .npy are read", "[storage]")
{
    for (const int version : {1, 2, 3}) {
        CAPTURE(version);
        const std::string bytes =
            npy(dictionary("<i8", "(2,)"), bytes_of_numbers<std::int64_t>({5, -6}), version);
        CHECK(same_bits(parse_npy<std::int64_t>(bytes, "a.npy"),
                        array_of<std::int64_t>({2}, {5, -6})));
    }
}

TEST_CASE("an .npy file in Fortran order is turned around", "[storage]")
{
    // The first index is the fastest: 100 i + 10 j + k in the order of k, j, i.
    const std::string bytes =
        npy(dictionary("<f4", "(2, 3, 2)", "True"),
            bytes_of_numbers<float>({0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121}));
    CHECK(same_bits(
        parse_npy<float>(bytes, "a.npy"),
        array_of<float>({2, 3, 2}, {0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121})));
    CHECK(
        same_bits(parse_npy<float>(
                      npy(dictionary("<f4", "()", "True"), bytes_of_numbers<float>({3})), "a"),
                  array_of<float>({}, {3})));
    CHECK(same_bits(parse_npy<float>(npy(dictionary("<f4", "(2, 0)", "True")), "a"),
                    array_of<float>({2, 0}, {})));
}

TEST_CASE("a header may have its keys in any order, either quotes and any blanks", "[storage]")
{
    const std::string bytes =
        npy("{ \"shape\" :( 1 , 2 ,),\n'fortran_order':False , \"descr\":'<f8'}",
            bytes_of_numbers<double>({1, 2}));
    CHECK(same_bits(parse_npy<double>(bytes, "a"), array_of<double>({1, 2}, {1, 2})));
}

TEST_CASE("an .npy file of another type is refused, naming both", "[storage]")
{
    const std::string doubles = npy_bytes(array_of<double>({1}, {1}));
    CHECK(refusal<float>(doubles) ==
          "a.npy: wanted numbers of type '<f4' (float), found '<f8'; "
          "NumPy converts them by .astype('<f4')");
    CHECK_THAT(refusal<std::int64_t>(doubles), contains("'<i8' (std::int64_t), found '<f8'"));
    CHECK_THAT(refusal<double>(npy(dictionary(">f8", "(1,)"), "12345678")),
               contains("found '>f8'"));
    CHECK_THAT(refusal<double>(npy("{'descr': [('x', '<f8')], 'fortran_order': False, "
                                   "'shape': (1,)}",
                                   "12345678")),
               contains("a.npy: it holds records of several types"));
}

TEST_CASE("an .npy file that is cut off anywhere is refused", "[storage]")
{
    const std::string whole = npy_bytes(array_of<float>({2, 2}, {1, 2, 3, 4}));
    for (std::size_t n_bytes = 0; n_bytes < whole.size(); ++n_bytes) {
        CAPTURE(n_bytes);
        CHECK_THAT(refusal<float>(whole.substr(0, n_bytes)), contains("cut off"));
    }
    CHECK(refusal<float>(whole.substr(0, whole.size() - 3)) ==
          "a.npy: shape [2, 2] takes 16 bytes, behind the header there are 13 (the file is cut "
          "off)");
    CHECK(refusal<float>(whole.substr(0, 100)) ==
          "a.npy: the file is cut off, the header takes 118 bytes and 90 are left");
    CHECK(refusal<float>(whole + "x") ==
          "a.npy: shape [2, 2] takes 16 bytes, behind the header there are 17 (too many)");
}

TEST_CASE("an .npy header that lies about its length or its shape is refused", "[storage]")
{
    std::string long_header = npy(dictionary("<f4", "(1,)"), "1234", 2);
    long_header[11] = '\x7f'; // 2 GB
    CHECK_THAT(refusal<float>(long_header), contains("the header takes 2130706"));

    CHECK_THAT(refusal<double>(npy(dictionary("<f8", "(1099511627776,)"), "12345678")),
               contains("takes 8796093022208 bytes, behind the header there are 8 "));
    // The product is 0 in 64 bits, and empty arrays have strides as well.
    for (const char* shape : {"(4294967296, 4294967296)", "(0, 4294967296, 4294967296)",
                              "(9223372036854775808, 0)"}) {
        CHECK_THAT(refusal<double>(npy(dictionary("<f8", shape))),
                   contains("a.npy: there can be no array of shape ["));
    }
    CHECK_THAT(refusal<double>(npy(dictionary("<f8", "(99999999999999999999,)"))),
               contains("a whole number of at least 0 as its length, found '99999"));
    CHECK_THAT(refusal<double>(npy(dictionary("<f8", "(-1,)"))), contains("found '-1,)"));
    std::string ones = "(";
    for (int i = 0; i < 65; ++i) {
        ones += "1,";
    }
    CHECK_THAT(refusal<double>(npy(dictionary("<f8", ones + ")"), "12345678")),
               contains("64 axes, found 65"));
}

TEST_CASE("what is no .npy file or of an unknown version is refused", "[storage]")
{
    CHECK(refusal<float>("speed,dist\n1,2\n") ==
          "a.npy: this is no .npy file, it begins with 'speed,'");
    CHECK(refusal<float>(npy(dictionary("<f4", "()"), "1234", 4)) ==
          "a.npy: versions 1.0, 2.0 and 3.0 of the format are known, found 4.0");
    std::string minor = npy(dictionary("<f4", "()"), "1234");
    minor[7] = 1;
    CHECK_THAT(refusal<float>(minor), contains("found 1.1"));
}

TEST_CASE("a malformed .npy header is refused, showing where", "[storage]")
{
    const auto complaint = [](const std::string& text) { return refusal<float>(npy(text)); };
    CHECK(complaint("") == "a.npy, header: '{' was wanted at ''");
    CHECK(complaint("[1, 2]") == "a.npy, header: '{' was wanted at '[1, 2]'");
    CHECK(complaint("{'descr' '<f4'}") == "a.npy, header: ':' was wanted at ''<f4'}'");
    CHECK(complaint("{'descr': '<f4}") == "a.npy, header: a quote is opened and not closed");
    CHECK(complaint("{'descr': '<f4', 'descr': '<f4'}") ==
          "a.npy, header: 'descr' is no key or stands twice");
    CHECK(complaint("{'size': 3}") == "a.npy, header: 'size' is no key or stands twice");
    CHECK(complaint("{'descr': '<f4'}") ==
          "a.npy, header: 'descr', 'fortran_order' and 'shape' must all be there");
    CHECK(complaint("{'fortran_order': 1}") ==
          "a.npy, header: 'fortran_order' must be True or False, found '1}'");
    CHECK(complaint("{'shape': (3)}") ==
          "a.npy, header: a shape of one axis is written with a comma, as (3,)");
    CHECK(complaint("{'shape': (3 4)}") == "a.npy, header: ',' was wanted at '4)}'");
    CHECK(complaint(dictionary("<f4", "()") + "x") ==
          "a.npy, header: nothing may follow '}', found 'x'");
    CHECK_THAT(complaint("{'\x01\xff': 3}"), contains("'\\x01\\xff' is no key"));
}

TEST_CASE("a missing .npy file, a folder and a strange name are named", "[storage]")
{
    const ScratchFolder folder;
    CHECK_THROWS_WITH(read_npy<float>(folder.path() / "no.npy"),
                      contains("no.npy' cannot be read: No such file"));
    CHECK_THROWS_WITH(read_npy<float>(folder.path()), contains("is a folder"));
    CHECK_THROWS_WITH(parse_npy<float>("x", "a\nb"), contains("'a\\x0ab': this is no"));
    CHECK_THROWS_AS(npy_bytes(filled<float>(Shape(65, 1), 0)), ContractError);
}

TEST_CASE("an .npy file that cannot be replaced keeps its old content", "[storage]")
{
    const ScratchFolder folder;
    const fs::path file = folder.path() / "a.npy";
    const Array<float> old = array_of<float>({2}, {1, 2});
    write_npy(file, old);
    {
        const FullDisk full(100);
        CHECK_THROWS_WITH(write_npy(file, filled<float>({1000}, 3)),
                          contains("a.npy' cannot be written: File too large"));
    }
    CHECK(same_bits(read_npy<float>(file), old));
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1); // no temporary

    CHECK_THROWS_WITH(write_npy(folder.path() / "none" / "a.npy", old),
                      contains("cannot be written: No such file"));
}
