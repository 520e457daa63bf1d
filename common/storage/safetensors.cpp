#include "common/storage/safetensors.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/text.hpp"
#include "common/storage/safetensors_header.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace attn::storage {

namespace {

using program::BadInput;

constexpr std::size_t n_length_bytes = 8;
constexpr std::size_t longest_header = 100'000'000;        ///< the format's own limit
constexpr std::size_t largest_file = std::size_t{1} << 32; ///< 4 GiB
constexpr std::size_t longest_name = 1000;                 ///< of a file, in a message
constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max();

/// How many bytes an array takes: nothing if no array can be that large, even if one of its
/// lengths is 0.
std::optional<std::size_t> n_bytes_of(const Shape& shape, std::size_t n_a_number)
{
    // A length of 0 comes last: the strides of an empty array must not overflow either.
    std::size_t product = n_a_number;
    for (const std::size_t length : shape) {
        const std::size_t factor = std::max<std::size_t>(length, 1);
        if (product > most_bytes / factor) {
            return std::nullopt;
        }
        product *= factor;
    }
    return std::find(shape.begin(), shape.end(), 0u) == shape.end() ? product : 0;
}

/// The header of a file, without its length.
std::string_view header_of(std::string_view bytes, const std::string& source)
{
    if (bytes.size() < n_length_bytes) {
        throw BadInput(fmt::format("{}: this is no safetensors file, it has only {} bytes",
                                   source, bytes.size()));
    }
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), n_length_bytes);
    const std::string_view rest = bytes.substr(n_length_bytes);
    if (length > longest_header) {
        throw BadInput(fmt::format("{}: this is no safetensors file, its header would take {} "
                                   "bytes and at most {} are allowed",
                                   source, length, longest_header));
    }
    if (length > rest.size()) {
        throw BadInput(
            fmt::format("{}: the file is cut off, the header takes {} bytes and {} are left",
                        source, length, rest.size()));
    }
    if (rest.empty() || length == 0 || rest[0] != '{') {
        throw BadInput(fmt::format(
            "{}: this is no safetensors file, its header must begin with '{{'", source));
    }
    return rest.substr(0, length);
}

} // namespace

/// \cond
template <>
std::string_view stored_type<float>()
{
    return "F32";
}

template <>
std::string_view stored_type<double>()
{
    return "F64";
}

template <>
std::string_view stored_type<std::int64_t>()
{
    return "I64";
}
/// \endcond

TensorFile::TensorFile(std::string bytes, std::string_view source_name)
    : source_(program::is_printable(source_name)
                  ? std::string(source_name)
                  : program::in_quotes(source_name, longest_name)),
      bytes_(std::move(bytes))
{
    const std::string_view header = header_of(bytes_, source_);
    data_at_ = n_length_bytes + header.size();
    SafetensorsHeader read = read_header(header, source_);
    tensors_ = std::move(read.tensors);
    metadata_ = std::move(read.metadata);
    std::sort(tensors_.begin(), tensors_.end(), [](const auto& a, const auto& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    check_layout(std::string_view(bytes_).substr(data_at_));
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        place_[tensors_[i].name] = i;
    }
}

/// Demands that each tensor begins where the one before it ends, that the last one ends with the
/// file, and that each has the bytes that its shape takes.
void TensorFile::check_layout(std::string_view data) const
{
    std::size_t at = 0;
    for (const StoredTensor& tensor : tensors_) {
        const auto fail = [&](const std::string& complaint) {
            throw BadInput(
                fmt::format("{}: tensor {}: {}", source_, shown(tensor.name), complaint));
        };
        if (tensor.begin != at || tensor.end < tensor.begin) {
            fail(fmt::format("it lies at bytes {} to {}, it must begin at {}, where the one "
                             "before it ends",
                             tensor.begin, tensor.end, at));
        }
        if (tensor.end > data.size()) {
            fail(fmt::format("it lies at bytes {} to {} behind the header, there are {} (the "
                             "file is cut off)",
                             tensor.begin, tensor.end, data.size()));
        }
        const std::size_t n_a_number = n_bytes_of_type(tensor.type);
        if (n_a_number != 0) {
            const std::optional<std::size_t> n_bytes = n_bytes_of(tensor.shape, n_a_number);
            if (!n_bytes) {
                fail(fmt::format("there can be no array of shape {}", to_text(tensor.shape)));
            }
            if (*n_bytes != tensor.end - tensor.begin) {
                fail(fmt::format("shape {} of {} takes {} bytes, its offsets give it {}",
                                 to_text(tensor.shape), tensor.type, *n_bytes,
                                 tensor.end - tensor.begin));
            }
        }
        at = tensor.end;
    }
    if (at != data.size()) {
        throw BadInput(
            fmt::format("{}: the tensors take {} bytes, behind the header there are {}",
                        source_, at, data.size()));
    }
}

const StoredTensor& TensorFile::at(std::string_view name) const
{
    const auto found = place_.find(std::string(name));
    if (found != place_.end()) {
        return tensors_[found->second];
    }
    constexpr std::size_t n_shown = 5;
    std::string there;
    for (std::size_t i = 0; i < std::min(n_shown, tensors_.size()); ++i) {
        there += (i == 0 ? "" : ", ") + shown(tensors_[i].name);
    }
    throw BadInput(fmt::format("{}: tensor {} is missing; there {} {}{}", source_, shown(name),
                               tensors_.size() == 1 ? "is" : "are",
                               tensors_.empty() ? "none" : there,
                               tensors_.size() > n_shown ? ", ..." : ""));
}

template <typename T>
Array<T> TensorFile::tensor(std::string_view name) const
{
    const StoredTensor& stored = at(name);
    if (stored.type != stored_type<T>()) {
        throw BadInput(fmt::format("{}: tensor {}: type {} was wanted, found {}", source_,
                                   shown(name), stored_type<T>(),
                                   program::in_quotes(stored.type)));
    }
    Array<T> array = uninitialised<T>(stored.shape); // of as many bytes: check_layout saw to it
    if (array.size() != 0) {
        std::memcpy(array.data(), bytes_.data() + data_at_ + stored.begin,
                    stored.end - stored.begin);
    }
    return array;
}

template <typename T>
Array<T> TensorFile::tensor(std::string_view name, const Shape& wanted) const
{
    const StoredTensor& stored = at(name);
    if (stored.shape != wanted) {
        throw BadInput(fmt::format("{}: tensor {}: shape {} was wanted, found {}", source_,
                                   shown(name), to_text(wanted), to_text(stored.shape)));
    }
    return tensor<T>(name);
}

TensorFile read_safetensors(const std::filesystem::path& file)
{
    return {program::read_file(file, largest_file), file.string()};
}

/// \cond
template Array<float> TensorFile::tensor(std::string_view) const;
template Array<double> TensorFile::tensor(std::string_view) const;
template Array<std::int64_t> TensorFile::tensor(std::string_view) const;
template Array<float> TensorFile::tensor(std::string_view, const Shape&) const;
template Array<double> TensorFile::tensor(std::string_view, const Shape&) const;
template Array<std::int64_t> TensorFile::tensor(std::string_view, const Shape&) const;
/// \endcond

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
