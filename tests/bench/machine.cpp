#include "tests/bench/machine.hpp"

#include "common/program/processor.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>

namespace attn::bench {

int write_report(const std::string& report, int argc, char** argv)
{
    const std::string text = fmt::format("{}one thread of: {}\n", report, program::processor());
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
