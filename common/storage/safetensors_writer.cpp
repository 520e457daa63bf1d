/// \file
/// \brief The bodies of safetensors.hpp that write.
#include "common/program/files.hpp"
#include "common/program/text.hpp"
#include "common/storage/safetensors_header.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

namespace attn::storage {

namespace {

constexpr std::size_t header_alignment = 8; ///< of the header's length

/// The place of a type of ours in the file.
int place_of(std::string_view type)
{
    return type == stored_type<std::int64_t>() ? 0 : type == stored_type<double>() ? 1 : 2;
}

/// {"key":"value",...}
std::string metadata_as_json(const std::map<std::string, std::string>& metadata)
{
    std::string text;
    for (const auto& [key, value] : metadata) {
        text += fmt::format("{}{}:{}", text.empty() ? "{" : ",", as_json(key), as_json(value));
    }
    return text + "}";
}

} // namespace

template <typename T>
void TensorWriter::add(const std::string& name, const Array<T>& array)
{
    expect(program::is_printable(name) && name != metadata_key,
           "TensorWriter: {} cannot be the name of a tensor", shown(name));
    expect(array.dimension() <= highest_rank,
           "TensorWriter: {} must have at most {} axes, got {}", shown(name), highest_rank,
           array.dimension());
    Tensor tensor{
        stored_type<T>(), array.shape(),
        std::string(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T))};
    expect(tensors_.emplace(name, std::move(tensor)).second,
           "TensorWriter: there is already one named {}", shown(name));
}

void TensorWriter::describe(const std::string& key, const std::string& value)
{
    as_json(key);
    as_json(value);
    expect(metadata_.emplace(key, value).second, "TensorWriter: {} has been said already",
           shown(key));
}

std::string TensorWriter::bytes() const
{
    // The names are in order already; the sort by type keeps it.
    std::vector<const std::pair<const std::string, Tensor>*> order;
    for (const auto& one : tensors_) {
        order.push_back(&one);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return place_of(a->second.type) < place_of(b->second.type);
    });

    // Write the header.
    std::string header;
    const auto append = [&header](const std::string& key, const std::string& value) {
        header += fmt::format("{}{}:{}", header.empty() ? "{" : ",", key, value);
    };
    if (!metadata_.empty()) {
        append(as_json(metadata_key), metadata_as_json(metadata_));
    }
    std::size_t at = 0;
    for (const auto* one : order) {
        const auto& [name, tensor] = *one;
        append(as_json(name),
               fmt::format(R"({{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                           tensor.type, fmt::join(tensor.shape, ","), at,
                           at + tensor.bytes.size()));
        at += tensor.bytes.size();
    }
    header += header.empty() ? "{}" : "}";
    header.append((header_alignment - header.size() % header_alignment) % header_alignment,
                  ' ');

    // Put the file together.
    const std::uint64_t length = header.size();
    std::string file(reinterpret_cast<const char*>(&length), sizeof(length));
    file.reserve(file.size() + header.size() + at);
    file += header;
    for (const auto* one : order) {
        file += one->second.bytes;
    }
    return file;
}

void TensorWriter::write(const std::filesystem::path& file) const
{
    program::write_file(file, bytes());
}

/// \cond
template void TensorWriter::add(const std::string&, const Array<float>&);
template void TensorWriter::add(const std::string&, const Array<double>&);
template void TensorWriter::add(const std::string&, const Array<std::int64_t>&);
/// \endcond

} // namespace attn::storage
