/// \file
/// \brief The bodies of safetensors.hpp.
#include "common/storage/safetensors.hpp"

#include "common/program/atomic_file.hpp"
#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/storage/bytes.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

namespace attn::storage {

namespace {

using nlohmann::json;
using program::BadInput;

constexpr std::size_t n_length_bytes = 8;
constexpr std::size_t longest_header = 100'000'000; ///< the format's own limit
constexpr const char* metadata_key = "__metadata__";

/// A name of a tensor as it stands in a message.
std::string shown(std::string_view name)
{
    return program::in_quotes(name, 100);
}

/// The format's types and their sizes; tensors of other types are not measured.
struct Type
{
    std::string_view name;
    std::size_t n_bytes;
};
constexpr std::array<Type, 15> types = {{{"BOOL", 1},
                                         {"U8", 1},
                                         {"I8", 1},
                                         {"F8_E5M2", 1},
                                         {"F8_E4M3", 1},
                                         {"I16", 2},
                                         {"U16", 2},
                                         {"F16", 2},
                                         {"BF16", 2},
                                         {"I32", 4},
                                         {"U32", 4},
                                         {"F32", 4},
                                         {"F64", 8},
                                         {"I64", 8},
                                         {"U64", 8}}};

const Type* find_type(std::string_view name)
{
    const auto* const found = std::find_if(types.begin(), types.end(),
                                           [&](const Type& type) { return type.name == name; });
    return found == types.end() ? nullptr : found;
}

/// Takes the header's JSON as it is read, piece by piece, so that nothing is stored that has no
/// place in a header: names, each with type, shape and offsets, and texts about the file.
class HeaderReader : public nlohmann::json_sax<json>
{
public:
    explicit HeaderReader(const std::string& source) : source_(source) {}

    std::vector<StoredTensor> tensors;
    std::map<std::string, std::string> metadata;

    bool key(string_t& key) override
    {
        switch (place_) {
        case Place::file:
            begin_tensor(key);
            break;
        case Place::metadata:
            text_key_ = key;
            if (metadata.count(key) != 0) {
                fail(fmt::format("{} stands twice in {}", shown(key), metadata_key));
            }
            break;
        default:
            field_ = field_of(key);
            if (std::exchange(seen_[static_cast<std::size_t>(field_)], true)) {
                fail(fmt::format("{} stands twice", shown(key)));
            }
        }
        return true;
    }

    bool start_object(std::size_t /*unused*/) override
    {
        if (place_ == Place::outside) {
            place_ = Place::file;
        } else if (place_ == Place::file) {
            place_ = tensor_ == nullptr ? Place::metadata : Place::tensor;
            seen_ = {};
        } else {
            refuse("an object");
        }
        return true;
    }

    bool end_object() override
    {
        if (place_ == Place::tensor) {
            if (!seen_[0] || !seen_[1] || !seen_[2]) {
                fail("'dtype', 'shape' and 'data_offsets' must all be there");
            }
            if (n_offsets_ != 2) {
                fail(fmt::format("'data_offsets' must be two numbers, found {}", n_offsets_));
            }
        }
        place_ = place_ == Place::file ? Place::outside : Place::file;
        tensor_ = nullptr;
        return true;
    }

    bool start_array(std::size_t /*unused*/) override
    {
        if (place_ != Place::tensor || field_ == Field::type) {
            refuse("an array");
        }
        place_ = Place::array;
        return true;
    }

    bool end_array() override
    {
        place_ = Place::tensor;
        return true;
    }

    bool number_unsigned(number_unsigned_t number) override
    {
        if (place_ != Place::array) {
            refuse("a number");
        }
        if (field_ == Field::shape) {
            tensor_->shape.push_back(number);
            if (tensor_->shape.size() > highest_rank) {
                fail(fmt::format("it has more than {} axes", highest_rank));
            }
        } else {
            (n_offsets_ == 0 ? tensor_->begin : tensor_->end) = number;
            ++n_offsets_;
        }
        return true;
    }

    bool string(string_t& text) override
    {
        if (place_ == Place::metadata) {
            metadata[text_key_] = text;
        } else if (place_ == Place::tensor && field_ == Field::type) {
            tensor_->type = text;
        } else {
            refuse("a text");
        }
        return true;
    }

    bool number_integer(number_integer_t number) override { refuse(std::to_string(number)); }
    bool number_float(number_float_t /*unused*/, const string_t& text) override
    {
        refuse(shown(text));
    }
    bool null() override { refuse("null"); }
    bool boolean(bool value) override { refuse(value ? "true" : "false"); }
    bool binary(binary_t& /*unused*/) override { refuse("bytes"); }
    bool parse_error(std::size_t position, const std::string& /*unused*/,
                     const nlohmann::detail::exception& /*unused*/) override
    {
        throw BadInput(fmt::format(
            "{}: its header is no JSON in UTF-8, read up to byte {} of it", source_, position));
    }

private:
    /// Inside of what a value stands.
    enum class Place
    {
        outside,
        file,
        metadata,
        tensor,
        array
    };
    enum class Field
    {
        type,
        shape,
        offsets
    };

    [[noreturn]] void fail(std::string_view complaint) const
    {
        throw BadInput(tensor_ == nullptr ? fmt::format("{}: {}", source_, complaint)
                                          : fmt::format("{}: tensor {}: {}", source_,
                                                        shown(tensor_->name), complaint));
    }

    /// Complains about a value that does not belong where it stands.
    [[noreturn]] void refuse(std::string_view found) const
    {
        switch (place_) {
        case Place::outside:
            fail(fmt::format("its header must be an object, found {}", found));
        case Place::file:
            fail(fmt::format("an object was wanted{}, found {}",
                             tensor_ == nullptr ? fmt::format(" as {}", metadata_key) : "",
                             found));
        case Place::metadata:
            fail(fmt::format("{} in {} must be a text, found {}", shown(text_key_),
                             metadata_key, found));
        case Place::tensor:
            fail(fmt::format("{}, found {}",
                             field_ == Field::type ? "'dtype' must be a text"
                             : field_ == Field::shape
                                 ? "'shape' must be an array of whole numbers"
                                 : "'data_offsets' must be an array of two numbers",
                             found));
        default:
            fail(fmt::format("{} must hold whole numbers of at least 0, found {}",
                             field_ == Field::shape ? "'shape'" : "'data_offsets'", found));
        }
    }

    void begin_tensor(const std::string& name)
    {
        if (!names_.emplace(name, 0).second) {
            fail(fmt::format("the name {} stands twice", shown(name)));
        }
        if (name != metadata_key) {
            tensors.push_back({name, "", {}, 0, 0});
            tensor_ = &tensors.back();
            n_offsets_ = 0;
        }
    }

    Field field_of(const std::string& key) const
    {
        if (key == "dtype") {
            return Field::type;
        }
        if (key == "shape") {
            return Field::shape;
        }
        if (key != "data_offsets") {
            fail(fmt::format("{} is none of 'dtype', 'shape' and 'data_offsets'", shown(key)));
        }
        return Field::offsets;
    }

    const std::string& source_;
    Place place_ = Place::outside;
    Field field_ = Field::type;
    StoredTensor* tensor_ = nullptr; ///< the one being read; null inside __metadata__
    std::array<bool, 3> seen_{};     ///< which fields it has
    std::size_t n_offsets_ = 0;
    std::string text_key_;
    std::unordered_map<std::string, int> names_;
};

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

/// A text as JSON writes it.
std::string as_json(const std::string& text)
{
    try {
        return json(text).dump();
    } catch (const json::exception&) {
        throw ContractError("TensorWriter: " + shown(text) + " is not UTF-8");
    }
}

} // namespace

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

TensorFile::TensorFile(std::string bytes, std::string_view source_name)
    : source_(name_in_messages(source_name)), bytes_(std::move(bytes))
{
    const std::string_view header = header_of(bytes_, source_);
    data_at_ = n_length_bytes + header.size();
    HeaderReader reader(source_);
    json::sax_parse(header.begin(), header.end(), &reader);
    tensors_ = std::move(reader.tensors);
    metadata_ = std::move(reader.metadata);
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
        const Type* const type = find_type(tensor.type);
        if (type != nullptr) {
            const std::optional<std::size_t> n_bytes = n_bytes_of(tensor.shape, type->n_bytes);
            if (!n_bytes) {
                fail(fmt::format("there can be no array of shape {}", to_text(tensor.shape)));
            }
            if (*n_bytes != tensor.end - tensor.begin) {
                fail(fmt::format("shape {} of {} takes {} bytes, its offsets give it {}",
                                 to_text(tensor.shape), type->name, *n_bytes,
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

template <typename T>
void TensorWriter::add(const std::string& name, const Array<T>& array)
{
    expect(program::is_printable(name) && name != metadata_key,
           "TensorWriter: {} cannot be the name of a tensor", shown(name));
    expect(array.dimension() <= highest_rank,
           "TensorWriter: {} must have at most {} axes, got {}", shown(name), highest_rank,
           array.dimension());
    Tensor tensor{stored_type<T>(), array.shape(), std::string(bytes_of(array))};
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
        return find_type(a->second.type) > find_type(b->second.type);
    });

    // Write the header.
    std::string header;
    const auto append = [&header](const std::string& key, const std::string& value) {
        header += fmt::format("{}{}:{}", header.empty() ? "{" : ",", key, value);
    };
    if (!metadata_.empty()) {
        append(as_json(metadata_key), json(metadata_).dump());
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
    header.append((n_length_bytes - header.size() % n_length_bytes) % n_length_bytes, ' ');

    // Put the file together.
    std::string file = bytes_of_number(header.size(), n_length_bytes) + header;
    file.reserve(file.size() + at);
    for (const auto* one : order) {
        file += one->second.bytes;
    }
    return file;
}

void TensorWriter::write(const std::filesystem::path& file) const
{
    program::write_file(file, bytes());
}

template Array<float> TensorFile::tensor(std::string_view) const;
template Array<double> TensorFile::tensor(std::string_view) const;
template Array<std::int64_t> TensorFile::tensor(std::string_view) const;
template Array<float> TensorFile::tensor(std::string_view, const Shape&) const;
template Array<double> TensorFile::tensor(std::string_view, const Shape&) const;
template Array<std::int64_t> TensorFile::tensor(std::string_view, const Shape&) const;
template void TensorWriter::add(const std::string&, const Array<float>&);
template void TensorWriter::add(const std::string&, const Array<double>&);
template void TensorWriter::add(const std::string&, const Array<std::int64_t>&);

} // namespace attn::storage
