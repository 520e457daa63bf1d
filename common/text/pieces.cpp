#include "common/text/pieces.hpp"

#include "common/program/text.hpp"

#include <array>
#include <cstddef>
#include <utf8proc.h>

namespace attn::text {

namespace {

/// The first character of a text, or the one byte that is none.
struct FirstCharacter
{
    CharacterClass kind;
    std::size_t n_bytes;
};

FirstCharacter first_of(std::string_view text)
{
    const program::Character character = program::first_character(text);
    return {character.valid ? character_class(character.code) : CharacterClass::other,
            character.n_bytes};
}

/// The run of characters of one class with which a text begins.
struct Run
{
    std::size_t n_bytes;
    std::size_t without_last; ///< bytes of all characters but the last
};

Run first_run(std::string_view text, CharacterClass kind)
{
    Run run{0, 0};
    while (run.n_bytes < text.size()) {
        const FirstCharacter next = first_of(text.substr(run.n_bytes));
        if (next.kind != kind) {
            break;
        }
        run = {run.n_bytes + next.n_bytes, run.n_bytes};
    }
    return run;
}

/// Rule 1. Its length; 0 if the text begins otherwise.
std::size_t length_of_contraction(std::string_view text)
{
    constexpr std::array<std::string_view, 7> contractions = {"'s", "'t",  "'re", "'ve",
                                                              "'m", "'ll", "'d"};
    for (const std::string_view contraction : contractions) {
        if (text.starts_with(contraction)) {
            return contraction.size();
        }
    }
    return 0;
}

/// Rule 2. Its length; 0 if the text begins otherwise.
std::size_t length_of_run(std::string_view text)
{
    const std::size_t n_blanks = text.front() == ' ' ? 1 : 0;
    const std::string_view rest = text.substr(n_blanks);
    if (rest.empty() || first_of(rest).kind == CharacterClass::white_space) {
        return 0;
    }
    return n_blanks + first_run(rest, first_of(rest).kind).n_bytes;
}

/// Rule 3. Its length if the text begins with white space.
std::size_t length_of_white_space(std::string_view text)
{
    const Run run = first_run(text, CharacterClass::white_space);
    const bool goes_on = run.n_bytes < text.size();
    return goes_on && run.without_last != 0 ? run.without_last : run.n_bytes;
}

std::size_t length_of_first_piece(std::string_view text)
{
    for (const auto rule : {length_of_contraction, length_of_run}) {
        if (const std::size_t length = rule(text); length != 0) {
            return length;
        }
    }
    return length_of_white_space(text);
}

} // namespace

CharacterClass character_class(char32_t code)
{
    const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(code));
    if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) {
        return CharacterClass::letter;
    }
    if (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO) {
        return CharacterClass::number;
    }
    // White space is the three kinds of separators and six control characters.
    const bool separates = category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP;
    const bool controls = (code >= U'\t' && code <= U'\r') || code == 0x85;
    return separates || controls ? CharacterClass::white_space : CharacterClass::other;
}

std::vector<std::string_view> split_into_pieces(std::string_view text)
{
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        pieces.push_back(text.substr(0, length_of_first_piece(text)));
        text.remove_prefix(pieces.back().size());
    }
    return pieces;
}

} // namespace attn::text
