/// \file
/// \brief The processor's name, for what was measured on it. Deliberately nothing else of the
/// machine: neither its host's name nor its clock belongs into a book.
#pragma once

#include <string>

namespace attn::program {

/// The processor's name, as the system tells it.
/// \returns "Intel(R) ...", or "an unnamed processor"
std::string processor();

} // namespace attn::program
