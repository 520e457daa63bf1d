#include "common/text/tokens.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/text.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

namespace attn::text {

using program::BadInput;

namespace {

constexpr const char* unknown_symbol = "<unk>";
constexpr const char* line_break = "\n";

using Pieces = std::vector<std::string_view>;

Pieces characters_of(std::string_view text, std::string_view source_name)
{
    Pieces pieces;
    for (std::size_t at = 0; at < text.size(); at += pieces.back().size()) {
        const program::Character one = program::first_character(text.substr(at));
        if (!one.valid) {
            throw BadInput(
                fmt::format("{}: byte {} is no part of UTF-8 text", source_name, at));
        }
        pieces.push_back(text.substr(at, one.n_bytes));
    }
    return pieces;
}

Pieces words_and_breaks_of(std::string_view text)
{
    Pieces pieces;
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == '\n') {
            pieces.push_back(text.substr(at++, 1));
        } else if (std::string_view(" \t\r").find(text[at]) != std::string_view::npos) {
            ++at;
        } else {
            const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
            pieces.push_back(text.substr(at, end - at));
            at = end;
        }
    }
    return pieces;
}

Pieces pieces_of(TokenKind kind, std::string_view text, std::string_view source_name)
{
    Pieces characters = characters_of(text, source_name); // words too must be UTF-8
    return kind == TokenKind::characters ? characters : words_and_breaks_of(text);
}

} // namespace

Tokens::Tokens(TokenKind kind, std::string_view text, std::string_view source_name)
    : kind_(kind)
{
    const std::string_view content = program::without_byte_order_mark(text);
    std::map<std::string, std::size_t, std::less<>> frequencies;
    for (const std::string_view piece : pieces_of(kind, content, source_name)) {
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

std::vector<std::int64_t> Tokens::encode(std::string_view text) const
{
    std::vector<std::int64_t> ids;
    for (const std::string_view piece :
         pieces_of(kind_, program::without_byte_order_mark(text), "the text")) {
        auto found = ids_.find(piece);
        found = found == ids_.end() ? ids_.find(unknown_symbol) : found;
        if (found == ids_.end()) {
            throw BadInput(fmt::format("there is no token for {}: it is not in the text that "
                                       "was learnt from",
                                       program::in_quotes(piece)));
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
