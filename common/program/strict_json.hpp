/// \file
/// \brief An object of JSON as a file holds it, parsed strictly. Deliberately for implementations
/// only: it is the one header that shows the JSON library.
#pragma once

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace attn::program {

/// Parses an object in which no field stands twice.
/// \param name    the file's, for messages
/// \param wanted  what the file must hold: "an object of tokens and their ids"
/// \param field   what is a field of it: "a token"
/// \throws BadInput if the text is no JSON in UTF-8, no object, or a field stands twice
inline nlohmann::json parse_object(std::string_view text, std::string_view name,
                                   std::string_view wanted = "an object of JSON",
                                   std::string_view field = "a field")
{
    using nlohmann::json;
    std::size_t n_fields = 0;
    const auto count = [&n_fields](int depth, json::parse_event_t event, const json& /*key*/) {
        n_fields += depth == 1 && event == json::parse_event_t::key ? 1 : 0;
        return true;
    };
    refuse_utf_16(text, name);
    json object;
    try {
        object = json::parse(text.begin(), text.end(), count);
    } catch (const json::parse_error& error) {
        throw BadInput(
            fmt::format("{}: this is no JSON in UTF-8, read up to byte {}", name, error.byte));
    }
    if (!object.is_object()) {
        throw BadInput(fmt::format("{}: {} was wanted, found {}", name, wanted,
                                   object.is_array() ? "an array" : object.type_name()));
    }
    if (object.size() != n_fields) {
        throw BadInput(fmt::format("{}: {} stands twice", name, field));
    }
    return object;
}

} // namespace attn::program
