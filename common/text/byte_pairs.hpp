/// \file
/// \brief Texts as the tokens of GPT-2, in the two files in which it is published: vocab.json
/// says which bytes have which id, merges.txt which two tokens are merged to a third, the most
/// frequent first. Deliberately encodes and decodes only: nothing is learnt, and the text of a
/// special token such as `<|endoftext|>` is text like any other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attn::text {

/// Byte pair encoding (\cite sennrich2016, section 3.2) on the bytes of a text, as GPT-2 has it
/// (\cite radford2019, section 2.2). Every byte is a token, so that any text can be encoded and
/// comes back as it was.
class BytePairEncoding
{
public:
    /// Reads the contents of the two files.
    /// \param vocabulary       of vocab.json: an object of tokens and ids. A token is written in
    ///                         characters, one for each byte: printable ones of Latin-1 stand for
    ///                         themselves, the other bytes, in order, are U+0100 to U+0143
    /// \param merges           of merges.txt: after a line "#version: ...", two tokens a line
    /// \param vocabulary_name  what stands for the file's name in messages
    /// \param merges_name      the same of the other file
    /// \throws BadInput naming what and where, if one of them is malformed, if the ids are not
    ///         0, 1, ..., size() - 1, if a byte has no token, or if a merge takes or makes what
    ///         is not in the vocabulary
    BytePairEncoding(std::string_view vocabulary, std::string_view merges,
                     std::string_view vocabulary_name = "vocab.json",
                     std::string_view merges_name = "merges.txt");

    /// \returns how many tokens there are
    std::size_t size() const { return tokens_.size(); }

    /// The id of a token, special ones included.
    /// \param token  in bytes
    std::optional<std::int64_t> find(std::string_view token) const;

    /// A token in bytes, which may be a part of a character.
    /// \throws BadInput if there is no such id
    const std::string& token(std::int64_t id) const;

    /// A text in tokens: in each of its pieces, of all adjacent pairs of tokens the one that
    /// stands first in the list of merges is merged, the leftmost first, until none is listed.
    /// A piece of n bytes takes O(n log n) steps.
    /// \param text  any bytes
    /// \returns     [n], the tokens' ids
    std::vector<std::int64_t> encode(std::string_view text) const;

    /// The opposite of encode.
    /// \param ids  [n]
    /// \returns    the tokens' bytes, which need not be UTF-8
    /// \throws BadInput if there is no such id
    std::string decode(std::span<const std::int64_t> ids) const;

private:
    /// \cond INSIDE
    struct Merge
    {
        std::int64_t left;
        std::int64_t right;
        std::int64_t merged;
    };
    class PieceEncoder;
    /// \endcond

    void read_vocabulary(std::string_view text, std::string_view name);
    void read_merges(std::string_view lines, std::string_view name);
    void add_merge(std::string_view line, const std::string& where);
    std::uint64_t key_of(std::int64_t left, std::int64_t right) const;
    std::optional<std::size_t> rank_of(std::int64_t left, std::int64_t right) const;

    std::vector<std::string> tokens_;                      // in bytes, by id
    std::unordered_map<std::string, std::int64_t> ids_;    // by token
    std::array<std::int64_t, 256> id_of_byte_{};           // the tokens of one byte
    std::vector<Merge> merges_;                            // by rank
    std::unordered_map<std::uint64_t, std::size_t> ranks_; // by key_of the pair
};

/// Reads the two files.
/// \param vocabulary  vocab.json, at most 16 MiB
/// \param merges      merges.txt, at most 16 MiB
/// \throws BadInput if one cannot be read, or for what the constructor refuses
BytePairEncoding read_byte_pair_encoding(const std::filesystem::path& vocabulary,
                                         const std::filesystem::path& merges);

} // namespace attn::text
