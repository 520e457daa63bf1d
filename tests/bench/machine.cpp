#include "tests/bench/machine.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "common/program/processor.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <thread>

namespace attn::bench {

int write_report(const std::string& report, int argc, char** argv,
                 const std::vector<Goal>& goals)
{
    const unsigned n = std::thread::hardware_concurrency();
    const std::string text = fmt::format("{}machine: {}, {} hardware threads\ncompiler: {}\n",
                                         report, program::processor(), n, program::compiler());
    std::fputs(text.c_str(), stdout);
    try {
        if (argc > 1) {
            program::write_file(argv[1], text);
        }
        if (argc > 2) {
            keep_goals(goals, argv[2]);
        }
    } catch (const program::BadInput& error) {
        fmt::print(stderr, "{}: {}\n", argv[0], error.what());
        return 2;
    }
    return 0;
}

} // namespace attn::bench
