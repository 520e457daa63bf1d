/// \file
/// \brief Files that NumPy wrote, and one that was written by hand from the description of the
/// safetensors format: what each holds is in the README of tests/golden/storage.
#include "common/program/bad_input.hpp"
#include "common/storage/npy.hpp"
#include "common/storage/safetensors.hpp"
#include "tests/support/catch.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::storage;

namespace {

constexpr std::int64_t no_double = (std::int64_t{1} << 53) + 1;

std::string path_of(const std::string& name)
{
    return ATTN_SOURCE_DIR "/tests/golden/storage/" + name;
}

template <typename T>
std::vector<T> list_of(const Array<T>& array)
{
    return {array.data(), array.data() + array.size()};
}

const std::vector<double> M = {.5, -1.25, 3, .001, 7, -65504};

} // namespace

TEST_CASE("arrays that NumPy wrote are read", "[common][storage][golden]")
{
    for (const std::string name : {"f8.npy", "fortran.npy", "version2.npy"}) {
        CAPTURE(name);
        const Array<double> read = read_npy<double>(path_of(name));
        CHECK((read.shape() == Shape{2, 3}));
        CHECK(list_of(read) == M);
    }
    const std::vector<float> rounded(M.begin(), M.end());
    CHECK(list_of(read_npy<float>(path_of("f4.npy"))) == rounded);
    CHECK(
        list_of(read_npy<std::int64_t>(path_of("i8.npy"))) ==
        std::vector<std::int64_t>{1, -2, no_double, std::numeric_limits<std::int64_t>::min()});
    CHECK(read_npy<double>(path_of("scalar.npy")).dimension() == 0);
    CHECK(list_of(read_npy<double>(path_of("scalar.npy"))) == std::vector<double>{.1});
    CHECK((read_npy<double>(path_of("empty.npy")).shape() == Shape{0, 3}));
}

TEST_CASE("an array of the other byte order, or of another type, is refused",
          "[common][storage][golden]")
{
    CHECK_THROWS_AS(read_npy<double>(path_of("big_endian.npy")), program::BadInput);
    CHECK_THROWS_AS(read_npy<double>(path_of("f4.npy")), program::BadInput);
}

TEST_CASE("named arrays that were written by hand are read", "[common][storage][golden]")
{
    const TensorFile file = read_safetensors(path_of("by_hand.safetensors"));
    const std::vector<float> rounded(M.begin(), M.end());
    CHECK(list_of(file.tensor<float>("layer.weight", {2, 3})) == rounded);
    CHECK(list_of(file.tensor<double>("layer.bias", {2})) == std::vector<double>{.1, -1e300});
    CHECK(list_of(file.tensor<std::int64_t>("token_ids", {3})) ==
          std::vector<std::int64_t>{7, -1, no_double});
    CHECK(file.metadata().at("format") == "pt");
    CHECK_THROWS_AS(file.tensor<float>("layer.bias"), program::BadInput);
}
