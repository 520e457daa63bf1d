/// \file
/// \brief The bodies of safetensors.hpp that read.
#include "common/storage/safetensors.hpp"

#include "common/program/atomic_file.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/storage/bytes.hpp"
#include "common/storage/safetensors_header.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <tuple>
#include <utility>

namespace attn::storage {

namespace {

using program::BadInput;

constexpr std::size_t n_length_bytes = 8;
constexpr std::size_t longest_header = 100'000'000; ///< the format's own limit

/// The header of a file, without its length.
std::string_view header_of(std::string_view bytes, const std::string& source)
{
    if (bytes.size() < n_length_bytes) {
        throw BadInput(fmt::format("{}: this is no safetensors file, it has only {} bytes",
                                   source, bytes.size()));
    }
    const std::uint64_t length = number_from_bytes(bytes.substr(0, n_length_bytes));
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
    : source_(name_in_messages(source_name)), bytes_(std::move(bytes))
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
    return array_from_bytes<T>(
        stored.shape,
        std::string_view(bytes_).substr(data_at_ + stored.begin, stored.end - stored.begin));
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
