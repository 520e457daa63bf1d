/// \file
/// \brief What a reader may do with bytes that make no sense. Deliberately nothing but to throw
/// one of our two errors.
#pragma once

#include "common/program/bad_input.hpp"
#include "common/tensor/check.hpp"

#include <cstdlib>

namespace attn::fuzz {

/// Calls a reader; lets the two errors pass, and whatever else is thrown end the program.
/// \param read  the call
template <typename Read>
void expect_returned_or_refused(const Read& read)
{
    try {
        read();
    } catch (const program::BadInput&) {
    } catch (const ContractError&) {
    }
}

/// Ends the program unless a condition holds.
/// \param condition  what must hold of whatever has been read
inline void demand(bool condition)
{
    if (!condition) {
        std::abort();
    }
}

} // namespace attn::fuzz
