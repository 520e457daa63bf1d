/// \file
/// \brief What was measured on: the processor, told apart from others of its name, and the
/// compiler.
#pragma once

#include <filesystem>
#include <string>

namespace attn::program {

/// The processor as the system tells it. Two generations may share a name, as "AMD EPYC" under a
/// hypervisor: so family, model and stepping stand beside it, and the caches that the first of
/// its cores has or shares, from the nearest to the farthest.
/// \param root  where proc/ and sys/ are
/// \returns     "AMD EPYC, family 25, model 17, stepping 1, caches 32K 1024K 32768K"; what the
///              system does not tell is left out, "an unnamed processor" if it tells nothing
std::string processor(const std::filesystem::path& root = "/");

/// \returns the compiler that compiled this, as "g++ 14.2.0" or "clang 19.1.7"
std::string compiler();

} // namespace attn::program
