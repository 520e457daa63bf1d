#include "common/text/byte_pairs.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/strict_json.hpp"
#include "common/program/text.hpp"
#include "common/text/pieces.hpp"

#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <queue>
#include <tuple>

namespace attn::text {

namespace {

using nlohmann::json;
using program::BadInput;
using program::in_quotes;

constexpr std::size_t n_byte_values = 256;
constexpr std::size_t largest_file = std::size_t{16} << 20; ///< GPT-2's have 1 MB

/// Which byte each character of the two files stands for.
std::unordered_map<char32_t, char> bytes_by_character()
{
    std::unordered_map<char32_t, char> bytes;
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < n_byte_values; ++byte) {
        const bool is_printable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte != 0xad);
        bytes.emplace(is_printable ? byte : next++, static_cast<char>(byte));
    }
    return bytes;
}

/// The bytes of a token; none if a character stands for no byte.
std::optional<std::string> bytes_of(std::string_view characters)
{
    static const std::unordered_map<char32_t, char> table = bytes_by_character();
    std::string bytes;
    while (!characters.empty()) {
        const program::Character character = program::first_character(characters);
        const auto byte = table.find(character.code);
        if (byte == table.end()) {
            return std::nullopt;
        }
        bytes += byte->second;
        characters.remove_prefix(character.n_bytes);
    }
    return bytes;
}

} // namespace

// ----------------------------------------------------------------------------------- reading

BytePairEncoding::BytePairEncoding(std::string_view vocabulary, std::string_view merges,
                                   std::string_view vocabulary_name,
                                   std::string_view merges_name)
{
    read_vocabulary(vocabulary, vocabulary_name);
    read_merges(merges, merges_name);
}

void BytePairEncoding::read_vocabulary(std::string_view text, std::string_view name)
{
    // If n tokens have n different ids below n, each id is there.
    const json object =
        program::parse_object(text, name, "an object of tokens and their ids", "a token");
    tokens_.resize(object.size());
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        const auto refuse = [&](const std::string& complaint) {
            throw BadInput(
                fmt::format("{}: token {}: {}", name, in_quotes(entry.key()), complaint));
        };
        const std::optional<std::string> bytes = bytes_of(entry.key());
        if (!bytes || bytes->empty()) {
            refuse("it must be of characters that stand for bytes");
        }
        const json& id = entry.value();
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= size()) {
            refuse(fmt::format("its id must be a whole number from 0 to {}, found {}",
                               size() - 1, id.is_number() ? id.dump() : id.type_name()));
        }
        std::string& token = tokens_[id.get<std::size_t>()];
        if (!token.empty()) {
            refuse(fmt::format("its id {} stands twice", id.get<std::uint64_t>()));
        }
        token = *bytes;
        ids_.emplace(token, id.get<std::int64_t>());
    }

    // Any text can be encoded.
    for (std::size_t byte = 0; byte < n_byte_values; ++byte) {
        const std::optional<std::int64_t> id = find(std::string(1, static_cast<char>(byte)));
        if (!id) {
            throw BadInput(
                fmt::format("{}: there is no token for the byte 0x{:02x}", name, byte));
        }
        id_of_byte_[byte] = *id;
    }
}

void BytePairEncoding::read_merges(std::string_view lines, std::string_view name)
{
    // Only the first line says something else: merges may begin with # as well.
    constexpr std::string_view first_words = "#version";
    program::refuse_utf_16(lines, name);
    lines = program::without_byte_order_mark(lines);
    if (!lines.starts_with(first_words)) {
        throw BadInput(fmt::format("{}, line 1: it must begin with {}", name, first_words));
    }
    program::take_line(lines);
    for (std::size_t line = 2; !lines.empty(); ++line) {
        add_merge(program::take_line(lines), fmt::format("{}, line {}", name, line));
    }
}

void BytePairEncoding::add_merge(std::string_view line, const std::string& where)
{
    const auto refuse = [&](const std::string& complaint) {
        throw BadInput(fmt::format("{}: {}", where, complaint));
    };
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos ||
        line.find(' ', blank + 1) != std::string_view::npos) {
        refuse(fmt::format("two tokens with a blank between them were wanted, found {}",
                           in_quotes(line)));
    }
    const auto id_of = [&](std::string_view characters) {
        const std::optional<std::string> bytes = bytes_of(characters);
        const std::optional<std::int64_t> id = bytes ? find(*bytes) : std::nullopt;
        if (!id) {
            refuse(fmt::format("{} is not in the vocabulary", in_quotes(characters)));
        }
        return *id;
    };
    const std::string_view left = line.substr(0, blank);
    const std::string_view right = line.substr(blank + 1);
    const Merge merge{id_of(left), id_of(right), id_of(std::string(left) + std::string(right))};
    if (!ranks_.emplace(key_of(merge.left, merge.right), merges_.size()).second) {
        refuse(fmt::format("{} stands twice", in_quotes(line)));
    }
    merges_.push_back(merge);
}

BytePairEncoding read_byte_pair_encoding(const std::filesystem::path& vocabulary,
                                         const std::filesystem::path& merges)
{
    return {program::read_file(vocabulary, largest_file),
            program::read_file(merges, largest_file), vocabulary.string(), merges.string()};
}

// -------------------------------------------------------------------------- encoding, decoding

/// The number of a pair of tokens among all pairs.
std::uint64_t BytePairEncoding::key_of(std::int64_t left, std::int64_t right) const
{
    return static_cast<std::uint64_t>(left) * size() + static_cast<std::uint64_t>(right);
}

/// Where in the list of merges a pair of tokens stands.
std::optional<std::size_t> BytePairEncoding::rank_of(std::int64_t left,
                                                     std::int64_t right) const
{
    const auto found = ranks_.find(key_of(left, right));
    return found == ranks_.end() ? std::nullopt : std::optional(found->second);
}

/// Encodes pieces: a list of a piece's tokens, linked from left to right, of which some merge
/// until none can, and a queue of the merges that could be done when they were put there.
class BytePairEncoding::PieceEncoder
{
public:
    explicit PieceEncoder(const BytePairEncoding& encoding) : encoding_(encoding) {}

    void append_tokens(std::string_view piece, std::vector<std::int64_t>& ids)
    {
        // Begin with a token for each byte.
        tokens_.clear();
        for (std::size_t i = 0; i < piece.size(); ++i) {
            const auto byte = static_cast<unsigned char>(piece[i]);
            tokens_.push_back({encoding_.id_of_byte_[byte], i == 0 ? none : i - 1,
                               i + 1 == piece.size() ? none : i + 1});
        }

        // Merge the pair that is first in the list of merges, and leftmost.
        for (std::size_t i = 0; i < piece.size(); ++i) {
            enqueue(i);
        }
        while (!queue_.empty()) {
            const PossibleMerge first = queue_.top();
            queue_.pop();
            if (is_possible(first)) {
                merge(first);
            }
        }

        for (std::size_t i = 0; i != none; i = tokens_[i].next) {
            ids.push_back(tokens_[i].id);
        }
    }

private:
    static constexpr auto none = static_cast<std::size_t>(-1); ///< beyond the piece's ends
    static constexpr std::int64_t merged_away = -1;

    struct Token
    {
        std::int64_t id;
        std::size_t previous;
        std::size_t next;
    };

    struct PossibleMerge
    {
        std::size_t rank;
        std::size_t left; ///< its left token

        friend bool operator>(const PossibleMerge& a, const PossibleMerge& b)
        {
            return std::tie(a.rank, a.left) > std::tie(b.rank, b.left);
        }
    };

    /// Notes that a token can be merged with the next one, if it can.
    void enqueue(std::size_t left)
    {
        const std::size_t right = left == none ? none : tokens_[left].next;
        if (right == none) {
            return;
        }
        const auto rank = encoding_.rank_of(tokens_[left].id, tokens_[right].id);
        if (rank) {
            queue_.push({*rank, left});
        }
    }

    /// Whether both tokens are still what they were when the merge was noted.
    bool is_possible(const PossibleMerge& noted) const
    {
        const Merge& wanted = encoding_.merges_[noted.rank];
        const Token& left = tokens_[noted.left];
        return left.id == wanted.left && left.next != none &&
               tokens_[left.next].id == wanted.right;
    }

    void merge(const PossibleMerge& chosen)
    {
        Token& left = tokens_[chosen.left];
        Token& right = tokens_[left.next];
        left.id = encoding_.merges_[chosen.rank].merged;
        left.next = right.next;
        right.id = merged_away;
        if (left.next != none) {
            tokens_[left.next].previous = chosen.left;
        }
        enqueue(left.previous);
        enqueue(chosen.left);
    }

    const BytePairEncoding& encoding_;
    std::vector<Token> tokens_; ///< by the first byte of each
    std::priority_queue<PossibleMerge, std::vector<PossibleMerge>, std::greater<>> queue_;
};

std::vector<std::int64_t> BytePairEncoding::encode(std::string_view text) const
{
    std::vector<std::int64_t> ids;
    PieceEncoder encoder(*this);
    for (const std::string_view piece : split_into_pieces(text)) {
        encoder.append_tokens(piece, ids);
    }
    return ids;
}

std::string BytePairEncoding::decode(std::span<const std::int64_t> ids) const
{
    std::string text;
    for (const std::int64_t id : ids) {
        text += token(id);
    }
    return text;
}

std::optional<std::int64_t> BytePairEncoding::find(std::string_view token) const
{
    const auto found = ids_.find(std::string(token));
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const std::string& BytePairEncoding::token(std::int64_t id) const
{
    if (id < 0 || static_cast<std::size_t>(id) >= size()) {
        throw BadInput(fmt::format("there is no token {}, they are numbered from 0 to {}", id,
                                   size() - 1));
    }
    return tokens_[static_cast<std::size_t>(id)];
}

} // namespace attn::text
