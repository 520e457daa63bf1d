/// \file
/// \brief All there is of JSON in this folder.
#include "common/storage/safetensors_header.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <array>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

namespace attn::storage {

namespace {

using nlohmann::json;
using program::BadInput;

/// Takes the header's JSON as it is read, piece by piece, so that nothing is stored that has no
/// place in a header: names, each with type, shape and offsets, and texts about the file.
class SafetensorsHeaderReader : public nlohmann::json_sax<json>
{
public:
    explicit SafetensorsHeaderReader(const std::string& source) : source_(source) {}

    SafetensorsHeader header;

    bool key(string_t& key) override
    {
        switch (place_) {
        case Place::file:
            begin_tensor(key);
            break;
        case Place::metadata:
            text_key_ = key;
            if (header.metadata.count(key) != 0) {
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
            header.metadata[text_key_] = text;
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
    bool null() override
    {
        if (place_ != Place::file || tensor_ != nullptr) { // __metadata__ may be none
            refuse("null");
        }
        return true;
    }
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
        if (!names_.insert(name).second) {
            fail(fmt::format("the name {} stands twice", shown(name)));
        }
        if (name != metadata_key) {
            header.tensors.push_back({name, "", {}, 0, 0});
            tensor_ = &header.tensors.back();
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
    std::unordered_set<std::string> names_;
};

} // namespace

SafetensorsHeader read_header(std::string_view text, const std::string& source)
{
    SafetensorsHeaderReader reader(source);
    json::sax_parse(text.begin(), text.end(), &reader);
    return std::move(reader.header);
}

std::string as_json(const std::string& text)
{
    try {
        return json(text).dump();
    } catch (const json::exception&) {
        throw ContractError("TensorWriter: " + shown(text) + " is not UTF-8");
    }
}

std::size_t n_bytes_of_type(std::string_view type)
{
    static const std::map<std::string_view, std::size_t> types = {
        {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
        {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
        {"U32", 4},  {"F32", 4}, {"F64", 8}, {"I64", 8},     {"U64", 8}};
    const auto found = types.find(type);
    return found == types.end() ? 0 : found->second;
}

std::string shown(std::string_view name)
{
    return program::in_quotes(name, 100);
}

} // namespace attn::storage
