/// \file
/// \brief The body of processor.hpp.
#include "common/program/processor.hpp"

#include <fstream>

namespace attn::program {

std::string processor()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0) {
            return line.substr(line.find(':') + 2);
        }
    }
    return "an unnamed processor";
}

} // namespace attn::program
