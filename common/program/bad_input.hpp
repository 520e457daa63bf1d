/// \file
/// \brief The error for what a reader gave us: an option, a file, a folder that cannot be used.
/// One function called wrongly by another is an attn::ContractError.
#pragma once

#include <stdexcept>

namespace attn::program {

/// What the reader gave cannot be used. what() is one sentence that names what and where:
/// "cars.csv, line 7, column 'dist': 'abc' is not a number".
class BadInput : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

} // namespace attn::program
