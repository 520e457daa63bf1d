/// \file
/// \brief Any bytes as an .npy file; what is accepted must come back from being written.
#include "common/storage/npy.hpp"
#include "tests/fuzz/refused.hpp"
#include "tests/support/same_bits.hpp"

namespace {

using namespace attn;

template <typename T>
void read(std::string_view bytes)
{
    fuzz::expect_returned_or_refused([&] {
        const Array<T> array = storage::parse_npy<T>(bytes, "fuzz.npy");
        fuzz::demand(array.size() * sizeof(T) <= bytes.size());
        fuzz::demand(testing::same_bits(
            storage::parse_npy<T>(storage::npy_bytes(array), "again.npy"), array));
    });
    release_pool();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    read<float>(bytes);
    read<double>(bytes);
    read<std::int64_t>(bytes);
    return 0;
}
