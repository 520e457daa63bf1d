/// \file
/// \brief Any bytes as a safetensors file; what is accepted must come back from being written.
#include "common/storage/safetensors.hpp"
#include "tests/fuzz/refused.hpp"
#include "tests/support/same_bits.hpp"

namespace {

using namespace attn;
using storage::StoredTensor;
using storage::TensorFile;
using storage::TensorWriter;

/// Reads a tensor as T, and keeps it if it is one.
template <typename T>
void copy(const TensorFile& file, const StoredTensor& stored, TensorWriter& writer)
{
    fuzz::expect_returned_or_refused([&] {
        const Array<T> array = file.tensor<T>(stored.name);
        fuzz::demand(array.size() * sizeof(T) == stored.end - stored.begin);
        writer.add(stored.name, array);
    });
}

/// Reads a tensor as float, if it is of a type that can be.
void demand_as_float(const TensorFile& file, const StoredTensor& stored)
{
    fuzz::expect_returned_or_refused([&] {
        const Array<float> array = file.tensor_as_float(stored.name);
        const std::size_t n_a_number = stored.type == "F32" ? 4 : 2;
        fuzz::demand(array.shape() == stored.shape);
        fuzz::demand(array.size() * n_a_number == stored.end - stored.begin);
    });
}

/// Whether a tensor as T, if it is one, is the same in the copy.
template <typename T>
void compare(const TensorFile& file, const StoredTensor& stored, const TensorFile& again)
{
    if (stored.type == storage::stored_type<T>()) {
        fuzz::expect_returned_or_refused([&] { // refused if the writer did not want its name
            fuzz::demand(testing::same_bits(file.tensor<T>(stored.name),
                                            again.tensor<T>(stored.name, stored.shape)));
        });
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    fuzz::expect_returned_or_refused([&] {
        const TensorFile file(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
        TensorWriter writer;
        for (const StoredTensor& stored : file.tensors()) {
            copy<float>(file, stored, writer);
            copy<double>(file, stored, writer);
            copy<std::int64_t>(file, stored, writer);
            demand_as_float(file, stored);
        }
        for (const auto& [key, value] : file.metadata()) {
            writer.describe(key, value);
        }
        const std::string bytes = writer.bytes();
        const TensorFile again(bytes, "again");
        fuzz::demand(again.metadata() == file.metadata());
        for (const StoredTensor& stored : file.tensors()) {
            compare<float>(file, stored, again);
            compare<double>(file, stored, again);
            compare<std::int64_t>(file, stored, again);
        }
    });
    release_pool();
    return 0;
}
