#include "common/storage/safetensors.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/text.hpp"
#include "common/storage/half_precision.hpp"
#include "common/storage/safetensors_header.hpp"
#include "common/tensor/check.hpp"
#include "common/tensor/finite.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

namespace attn::storage {

namespace {

using program::BadInput;

constexpr std::size_t n_length_bytes = 8;
constexpr std::size_t longest_header = 100'000'000; ///< the format's own limit
constexpr std::size_t longest_name = 1000;          ///< of a file, in a message
constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max();
/// 4 GiB, or what there can be.
constexpr std::size_t largest_pipe =
    std::min<std::uint64_t>(std::uint64_t{1} << 32, most_bytes);

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

std::uint64_t TensorFile::Content::size() const
{
    return std::visit([](const auto& source) -> std::uint64_t { return source.size(); },
                      source_);
}

void TensorFile::Content::read(std::uint64_t begin, std::span<std::byte> part) const
{
    if (const auto* file = std::get_if<program::OpenFile>(&source_)) {
        file->read(begin, part);
    } else {
        std::get<std::string>(source_).copy(reinterpret_cast<char*>(part.data()), part.size(),
                                            begin);
    }
}
/// \endcond

TensorFile::TensorFile(std::string bytes, std::string_view source_name)
    : TensorFile(Content(std::move(bytes)), source_name)
{
}

TensorFile::TensorFile(program::OpenFile file, std::string_view source_name)
    : TensorFile(Content(std::move(file)), source_name)
{
}

TensorFile::TensorFile(Content content, std::string_view source_name)
    : source_(program::is_printable(source_name)
                  ? std::string(source_name)
                  : program::in_quotes(source_name, longest_name)),
      content_(std::move(content))
{
    const std::string text = header();
    data_at_ = n_length_bytes + text.size();
    SafetensorsHeader read = read_header(text, source_);
    tensors_ = std::move(read.tensors);
    metadata_ = std::move(read.metadata);
    std::sort(tensors_.begin(), tensors_.end(), [](const auto& a, const auto& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    check_layout(content_.size() - data_at_);
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        place_[tensors_[i].name] = i;
    }
}

/// The header, without its length.
std::string TensorFile::header() const
{
    if (content_.size() < n_length_bytes) {
        throw BadInput(fmt::format("{}: this is no safetensors file, it has only {} bytes",
                                   source_, content_.size()));
    }
    std::uint64_t length = 0;
    content_.read(0, std::as_writable_bytes(std::span(&length, 1)));
    const std::uint64_t n_left = content_.size() - n_length_bytes;
    if (length > longest_header) {
        throw BadInput(fmt::format("{}: this is no safetensors file, its header would take {} "
                                   "bytes and at most {} are allowed",
                                   source_, length, longest_header));
    }
    if (length > n_left) {
        throw BadInput(
            fmt::format("{}: the file is cut off, the header takes {} bytes and {} are left",
                        source_, length, n_left));
    }
    std::string text(length, '\0');
    content_.read(n_length_bytes, std::as_writable_bytes(std::span(text)));
    if (!text.starts_with('{')) {
        throw BadInput(fmt::format(
            "{}: this is no safetensors file, its header must begin with '{{'", source_));
    }
    return text;
}

/// Demands that each tensor begins where the one before it ends, that the last one ends with the
/// file, and that each has the bytes that its shape takes.
void TensorFile::check_layout(std::uint64_t n_data_bytes) const
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
        if (tensor.end > n_data_bytes) {
            fail(fmt::format("it lies at bytes {} to {} behind the header, there are {} (the "
                             "file is cut off)",
                             tensor.begin, tensor.end, n_data_bytes));
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
    if (at != n_data_bytes) {
        throw BadInput(
            fmt::format("{}: the tensors take {} bytes, behind the header there are {}",
                        source_, at, n_data_bytes));
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

const StoredTensor& TensorFile::at(std::string_view name, const Shape& wanted) const
{
    const StoredTensor& stored = at(name);
    if (stored.shape != wanted) {
        throw BadInput(fmt::format("{}: tensor {}: shape {} was wanted, found {}", source_,
                                   shown(name), to_text(wanted), to_text(stored.shape)));
    }
    return stored;
}

void TensorFile::refuse_type(const StoredTensor& stored, std::string_view wanted) const
{
    throw BadInput(fmt::format("{}: tensor {}: type {} was wanted, found {}", source_,
                               shown(stored.name), wanted, program::in_quotes(stored.type)));
}

template <typename T>
Array<T> TensorFile::tensor(std::string_view name) const
{
    const StoredTensor& stored = at(name);
    if (stored.type != stored_type<T>()) {
        refuse_type(stored, stored_type<T>());
    }
    Array<T> array = uninitialised<T>(stored.shape); // of as many bytes: check_layout saw to it
    content_.read(data_at_ + stored.begin, std::as_writable_bytes(numbers_of(array)));
    return array;
}

template <typename T>
Array<T> TensorFile::tensor(std::string_view name, const Shape& wanted) const
{
    return tensor<T>(at(name, wanted).name);
}

/// The numbers of 16 bits of a tensor as float.
/// \param float_of  the number that some bits are
Array<float> TensorFile::widened(const StoredTensor& stored,
                                 float (*float_of)(std::uint16_t)) const
{
    // A block at a time, so that the file's numbers take no memory beside the result.
    Array<float> array = uninitialised<float>(stored.shape);
    std::array<std::uint16_t, 1 << 14> block{};
    for (std::size_t begin = 0; begin < array.size(); begin += block.size()) {
        const std::size_t n = std::min(block.size(), array.size() - begin);
        const auto bits = std::span(block).first(n);
        content_.read(data_at_ + stored.begin + begin * sizeof(std::uint16_t),
                      std::as_writable_bytes(bits));
        std::transform(bits.begin(), bits.end(), array.data() + begin, float_of);
    }
    return array;
}

Array<float> TensorFile::tensor_as_float(std::string_view name) const
{
    const StoredTensor& stored = at(name);
    if (stored.type == "F16") {
        return widened(stored, float_of_f16);
    }
    if (stored.type == "BF16") {
        return widened(stored, float_of_bf16);
    }
    if (stored.type != stored_type<float>()) {
        refuse_type(stored, "F32, F16 or BF16");
    }
    return tensor<float>(name);
}

template <typename T>
void TensorFile::expect_finite(std::string_view name, const Array<T>& numbers) const
{
    const std::size_t i = first_not_finite(numbers_of(numbers));
    if (i < numbers.size()) {
        throw BadInput(fmt::format("{}: tensor {}: number {} of {} is {}, it must be finite",
                                   source_, shown(name), i + 1, numbers.size(),
                                   numbers.data()[i]));
    }
}

TensorFile read_safetensors(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) {
        return {program::OpenFile(file), file.string()};
    }
    if (std::filesystem::is_character_file(file, ignored)) { // it may never end
        throw BadInput(fmt::format("{} is a device, not a file",
                                   program::in_quotes(file.string(), longest_name)));
    }
    return {program::read_file(file, largest_pipe), file.string()};
}

/// \cond
template Array<float> TensorFile::tensor(std::string_view) const;
template Array<double> TensorFile::tensor(std::string_view) const;
template Array<std::int64_t> TensorFile::tensor(std::string_view) const;
template Array<float> TensorFile::tensor(std::string_view, const Shape&) const;
template Array<double> TensorFile::tensor(std::string_view, const Shape&) const;
template Array<std::int64_t> TensorFile::tensor(std::string_view, const Shape&) const;
template void TensorFile::expect_finite(std::string_view, const Array<float>&) const;
template void TensorFile::expect_finite(std::string_view, const Array<double>&) const;
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
