/// \file
/// \brief The two files of a byte pair encoding, made from a list of merges.
#pragma once

#include "common/program/text.hpp"

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::testing {

/// The bytes of two tokens that are merged.
using BytePair = std::pair<std::string, std::string>;

/// A token as GPT-2's files write it: 0x21-0x7e, 0xa1-0xac and 0xae-0xff are the characters of
/// these numbers, the other 68 bytes U+0100 to U+0143.
inline std::string written_token(std::string_view bytes)
{
    std::string characters;
    for (const char byte : bytes) {
        const char32_t code = static_cast<unsigned char>(byte);
        characters += program::utf8_of(code <= 0x20                   ? 0x100 + code
                                       : code >= 0x7f && code <= 0xa0 ? 0x121 + code - 0x7f
                                       : code == 0xad                 ? 0x143
                                                                      : code);
    }
    return characters;
}

/// How a text of JSON is spelt.
enum class JsonSpelling
{
    utf8, ///< characters beyond ASCII as they are
    ascii ///< as \uXXXX
};

/// A token in quotes.
inline std::string token_in_json(std::string_view bytes, JsonSpelling spelling)
{
    std::string characters = written_token(bytes);
    std::string_view rest = characters;
    std::string json = "\"";
    while (!rest.empty()) {
        const program::Character character = program::first_character(rest);
        if (character.code == U'"' || character.code == U'\\') {
            json += '\\';
        }
        json += spelling == JsonSpelling::ascii && character.n_bytes > 1
                    ? fmt::format("\\u{:04x}", static_cast<unsigned>(character.code))
                    : std::string(rest.substr(0, character.n_bytes));
        rest.remove_prefix(character.n_bytes);
    }
    return json + '"';
}

/// A vocabulary: a token for each byte, whose id is the byte, then what the merges make, then
/// any others.
inline std::string vocabulary_json(const std::vector<BytePair>& merges,
                                   const std::vector<std::string>& others = {},
                                   JsonSpelling spelling = JsonSpelling::utf8)
{
    std::vector<std::string> tokens;
    for (int byte = 0; byte < 256; ++byte) {
        tokens.emplace_back(1, static_cast<char>(byte));
    }
    for (const auto& [left, right] : merges) {
        tokens.push_back(left + right);
    }
    tokens.insert(tokens.end(), others.begin(), others.end());
    std::string json;
    for (std::size_t id = 0; id < tokens.size(); ++id) {
        json += fmt::format("{}{}: {}", id == 0 ? "{" : ", ",
                            token_in_json(tokens[id], spelling), id);
    }
    return json + "}";
}

/// A list of merges.
inline std::string merges_text(const std::vector<BytePair>& merges)
{
    std::string lines = "#version: 0.2\n";
    for (const auto& [left, right] : merges) {
        lines += written_token(left) + ' ' + written_token(right) + '\n';
    }
    return lines;
}

} // namespace attn::testing
