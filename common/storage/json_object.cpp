#include "common/storage/json_object.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/strict_json.hpp"
#include "common/program/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attn::storage {

namespace {

using nlohmann::json;
using program::BadInput;
using program::in_quotes;

constexpr std::size_t largest_object = std::size_t{1} << 20; ///< in bytes

} // namespace

JsonObject::JsonObject(std::string_view text, std::string_view source_name)
    : source_(program::is_printable(source_name)
                  ? std::string(source_name)
                  : in_quotes(source_name, program::longest_path))
{
    const json object = program::parse_object(text, source_);
    for (const auto& [name, value] : object.items()) {
        fields_.emplace(name, value.is_array()    ? "[]" // however deep it is
                              : value.is_object() ? "{}"
                                                  : value.dump());
    }
}

bool JsonObject::has(std::string_view name) const
{
    const auto found = fields_.find(name);
    return found != fields_.end() && found->second != "null";
}

std::size_t JsonObject::count(std::string_view name, std::size_t at_most) const
{
    const auto found = fields_.find(name);
    const json value = found == fields_.end() ? json() : json::parse(found->second);
    if (!value.is_number_unsigned() || value.get<std::size_t>() == 0 ||
        value.get<std::size_t>() > at_most) {
        throw BadInput(fmt::format("{}: {} must be a whole number from 1 to {}, found {}",
                                   source_, in_quotes(name), at_most, shown(name)));
    }
    return value.get<std::size_t>();
}

void JsonObject::expect_if_present(std::string_view name, std::string_view wanted) const
{
    const auto found = fields_.find(name);
    if (has(name) && json::parse(found->second) != json::parse(wanted)) {
        throw BadInput(fmt::format("{}: {} must be {}, found {}", source_, in_quotes(name),
                                   wanted, shown(name)));
    }
}

std::string JsonObject::shown(std::string_view name) const
{
    const auto found = fields_.find(name);
    constexpr std::size_t longest = 40;
    return found == fields_.end() ? "nothing"
           : found->second.size() <= longest && program::is_printable(found->second)
               ? found->second
               : in_quotes(found->second, longest);
}

JsonObject read_json_object(const std::filesystem::path& file)
{
    return {program::read_file(file, largest_object), file.string()};
}

} // namespace attn::storage
