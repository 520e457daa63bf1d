#include "common/text/tokens.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"
#include "common/text/pieces.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

namespace attn::text {

using program::BadInput;

namespace {

constexpr const char* unknown_symbol = "<unk>";
constexpr std::string_view line_break = "\n";

using Pieces = std::vector<std::string_view>;

/// Says where a text is not UTF-8, and what it seems to be.
[[noreturn]] void refuse_byte(std::string_view source_name, std::size_t at,
                              std::string_view text)
{
    const std::string_view encoding = program::likely_encoding(text);
    throw BadInput(fmt::format(
        "{}: byte {} is no part of UTF-8 text{}", source_name, at,
        encoding.empty() ? "" : fmt::format("; the text seems to be in {}", encoding)));
}

/// A text's characters, without a byte order mark; each line break is one.
Pieces characters_of(std::string_view text, std::string_view source_name)
{
    Pieces pieces;
    std::size_t at = text.size() - program::without_byte_order_mark(text).size();
    while (at < text.size()) {
        const std::string_view rest = text.substr(at);
        const std::size_t break_bytes = program::length_of_line_break(rest);
        const program::Character one = program::first_character(rest);
        if (!one.valid) {
            refuse_byte(source_name, at, text);
        }
        pieces.push_back(break_bytes > 0 ? line_break : rest.substr(0, one.n_bytes));
        at += std::max(break_bytes, one.n_bytes);
    }
    return pieces;
}

bool is_white_space(std::string_view character)
{
    return character_class(program::first_character(character).code) ==
           CharacterClass::white_space;
}

/// What white space separates, and the line breaks.
/// \param characters  of one text, one after the other
Pieces words_and_breaks_of(const Pieces& characters)
{
    Pieces pieces;
    bool in_word = false;
    for (const std::string_view character : characters) {
        if (character == line_break) {
            pieces.push_back(line_break);
            in_word = false;
        } else if (is_white_space(character)) {
            in_word = false;
        } else if (in_word) {
            pieces.back() = {pieces.back().data(), pieces.back().size() + character.size()};
        } else {
            pieces.push_back(character);
            in_word = true;
        }
    }
    return pieces;
}

Pieces pieces_of(TokenKind kind, std::string_view text, std::string_view source_name)
{
    const Pieces characters = characters_of(text, source_name);
    return kind == TokenKind::characters ? characters : words_and_breaks_of(characters);
}

} // namespace

Tokens::Tokens(TokenKind kind, std::string_view text, std::string_view source_name)
    : kind_(kind)
{
    program::refuse_utf_16(text, source_name);
    std::map<std::string, std::size_t, std::less<>> frequencies;
    for (const std::string_view piece : pieces_of(kind, text, source_name)) {
        ++frequencies[std::string(piece)];
    }
    if (frequencies.empty()) {
        throw BadInput(fmt::format("{}: the text is empty", source_name));
    }
    if (kind == TokenKind::words) {
        std::erase_if(frequencies, [](const auto& one) {
            return one.second == 1 && one.first != line_break;
        });
        frequencies.emplace(unknown_symbol, 0);
    }
    for (const auto& [token, frequency] : frequencies) {
        tokens_.push_back(token);
    }
    number();
}

Tokens Tokens::from_json(TokenKind kind, const std::string& json, const std::string& where)
{
    const nlohmann::json list = nlohmann::json::parse(json, nullptr, false);
    const bool texts = list.is_array() && !list.empty() &&
                       std::all_of(list.begin(), list.end(),
                                   [](const nlohmann::json& one) { return one.is_string(); });
    Tokens tokens;
    tokens.kind_ = kind;
    if (texts) {
        tokens.tokens_ = list.get<std::vector<std::string>>();
    }
    if (!texts || std::adjacent_find(tokens.tokens_.begin(), tokens.tokens_.end(),
                                     std::greater_equal<>()) != tokens.tokens_.end()) {
        throw BadInput(where + " is no list of different tokens in their order");
    }
    tokens.number();
    return tokens;
}

void Tokens::number()
{
    for (const std::string& token : tokens_) {
        ids_.emplace(token, static_cast<std::int64_t>(ids_.size()));
    }
}

std::vector<std::string> Tokens::unknown(std::string_view text) const
{
    std::vector<std::string> found;
    for (const std::string_view piece : pieces_of(kind_, text, "the text")) {
        if (!ids_.contains(piece) &&
            std::find(found.begin(), found.end(), piece) == found.end()) {
            found.emplace_back(piece);
        }
    }
    return found;
}

std::vector<std::int64_t> Tokens::encode(std::string_view text) const
{
    std::vector<std::int64_t> ids;
    for (const std::string_view piece : pieces_of(kind_, text, "the text")) {
        auto found = ids_.find(piece);
        found = found == ids_.end() ? ids_.find(unknown_symbol) : found;
        if (found == ids_.end()) {
            constexpr std::size_t most_shown = 100;
            throw BadInput(fmt::format(
                "there is no token for {}: it is not in the text that was learnt from{}",
                program::in_quotes(piece),
                kind_ == TokenKind::characters && size() <= most_shown
                    ? fmt::format(", which has {}",
                                  program::in_quotes(fmt::format("{}", fmt::join(tokens_, "")),
                                                     most_shown))
                    : ""));
        }
        ids.push_back(found->second);
    }
    return ids;
}

std::string Tokens::decode(std::span<const std::int64_t> ids) const
{
    std::string text;
    for (const std::int64_t id : ids) {
        expect(id >= 0 && std::cmp_less(id, tokens_.size()), "Tokens: {} is none of {} tokens",
               id, tokens_.size());
        const std::string& token = tokens_[static_cast<std::size_t>(id)];
        const bool blank = kind_ == TokenKind::words && !text.empty() && text.back() != '\n' &&
                           token != line_break;
        text += (blank ? " " : "") + token;
    }
    return text;
}

std::string Tokens::to_json() const
{
    return nlohmann::json(tokens_).dump();
}

} // namespace attn::text
