#include "tests/bench/machine.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>

namespace attn::bench {

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

int write_report(const std::string& report, int argc, char** argv)
{
    const std::string text = fmt::format("{}one thread of: {}\n", report, processor());
    std::fputs(text.c_str(), stdout);
    if (argc > 1) {
        std::ofstream file(argv[1]);
        file << text;
        if (!file.flush()) {
            fmt::print(stderr, "{}: cannot write {}\n", argv[0], argv[1]);
            return 2;
        }
    }
    return 0;
}

} // namespace attn::bench
