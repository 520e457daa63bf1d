/// \file
/// \brief Any bytes as a text, and as a vocabulary, merges and a text with a byte 0 between two;
/// what is accepted must give every text back, in pieces and in tokens.
#include "common/program/text.hpp"
#include "common/text/byte_pairs.hpp"
#include "common/text/pieces.hpp"
#include "tests/fuzz/refused.hpp"
#include "tests/support/byte_pair_files.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace {

using namespace attn;
using text::BytePairEncoding;

void demand_pieces(std::string_view bytes)
{
    std::string joined;
    for (const std::string_view piece : text::split_into_pieces(bytes)) {
        fuzz::demand(!piece.empty());
        joined += piece;
    }
    fuzz::demand(joined == bytes);
}

void demand_round_trip(const BytePairEncoding& encoding, std::string_view bytes)
{
    fuzz::demand(encoding.decode(encoding.encode(bytes)) == bytes);
}

/// Takes what stands before the first byte 0 off a text.
std::string_view take_part(std::string_view& rest)
{
    const std::string_view part = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return part;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    static const std::vector<testing::BytePair> merges = {
        {" ", "t"}, {"'", "s"}, {"a", "a"}, {"aa", "a"}, {"\xc3", "\xa9"}, {"\n", "\n"}};
    static const BytePairEncoding ours(testing::vocabulary_json(merges),
                                       testing::merges_text(merges));
    demand_pieces(bytes);
    demand_round_trip(ours, bytes);

    // The merges that are read must be of a vocabulary that is accepted: of theirs, and of ours.
    const std::string_view vocabulary = take_part(bytes);
    const std::string_view lines = take_part(bytes);
    fuzz::expect_returned_or_refused(
        [&] { demand_round_trip(BytePairEncoding(vocabulary, lines), bytes); });
    static const std::string accepted = testing::vocabulary_json(merges);
    if (!lines.empty()) {
        fuzz::expect_returned_or_refused(
            [&] { demand_round_trip(BytePairEncoding(accepted, lines), bytes); });
    }
    return 0;
}
