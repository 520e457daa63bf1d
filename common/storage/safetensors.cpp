/// \file
/// \brief The bodies of safetensors.hpp that read.
#include "common/storage/safetensors.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/text.hpp"
#include "common/storage/safetensors_header.hpp"

#include <algorithm>
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

bool TensorFile::contains(std::string_view name) const
{
    return place_.count(std::string(name)) != 0;
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

} // namespace attn::storage
