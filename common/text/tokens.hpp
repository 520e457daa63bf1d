/// \file
/// \brief A text in tokens, for language models: its characters, or its words and line breaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// What a text is cut into.
enum class TokenKind
{
    characters, ///< those of Unicode, each as it is, but CR LF and CR as LF
    words       ///< what white space separates; a line break is a word as well
};

/// The tokens of a text, each with a number: in the order of their bytes. Of words, those that
/// the text has once only are one token, `<unk>`, so that a model has learnt what an unknown
/// word is.
class Tokens
{
public:
    /// Numbers the tokens of a text.
    /// \param text         UTF-8, not empty
    /// \param source_name  for messages: the file
    /// \throws BadInput if the text is empty or not UTF-8, naming the byte, from 0, a byte order
    ///         mark included
    Tokens(TokenKind kind, std::string_view text, std::string_view source_name);

    /// Tokens that to_json wrote.
    /// \throws BadInput naming where, if it is no list of different texts in their order
    static Tokens from_json(TokenKind kind, const std::string& json, const std::string& where);

    /// How many there are.
    std::size_t size() const { return tokens_.size(); }
    /// What the text is cut into.
    TokenKind kind() const { return kind_; }

    /// All of them, by number.
    const std::vector<std::string>& all() const { return tokens_; }

    /// What a text has and there is no token for, each once.
    std::vector<std::string> unknown(std::string_view text) const;

    /// A text in numbers.
    /// \throws BadInput naming a character that there is no token for, and those that there are
    std::vector<std::int64_t> encode(std::string_view text) const;

    /// Numbers as a text: characters one after the other, words with a blank between two of a
    /// line.
    /// \throws ContractError for a number that is none
    std::string decode(std::span<const std::int64_t> ids) const;

    /// The tokens as a list, to be kept beside what was learnt with them.
    std::string to_json() const;

private:
    Tokens() = default;
    void number();

    TokenKind kind_ = TokenKind::characters;
    std::vector<std::string> tokens_;                      // by number
    std::map<std::string, std::int64_t, std::less<>> ids_; // by token
};

} // namespace attn::text
