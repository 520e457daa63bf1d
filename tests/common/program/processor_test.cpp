/// \file
/// \brief Tests of common/program/processor.hpp.
#include "common/program/processor.hpp"

#include "common/program/files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

#include <string>

namespace {

namespace fs = std::filesystem;
using attn::program::processor;
using attn::program::write_file;

/// Plants proc/cpuinfo.
void tell(const fs::path& root, const std::string& cpuinfo)
{
    fs::create_directories(root / "proc");
    write_file(root / "proc/cpuinfo", cpuinfo);
}

/// Plants one of the folders that describe caches.
void tell_cache(const fs::path& root, int index, const std::string& type,
                const std::string& size)
{
    const fs::path cache =
        root / "sys/devices/system/cpu/cpu0/cache" / ("index" + std::to_string(index));
    fs::create_directories(cache);
    write_file(cache / "type", type + "\n");
    write_file(cache / "size", size + "\n");
}

} // namespace

TEST_CASE("processors of one name are told apart", "[program]")
{
    const attn::testing::ScratchFolder root;
    tell(root.path(),
         "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n"
         "stepping\t: 1\n\nprocessor\t: 1\nmodel\t\t: 99\n");
    tell_cache(root.path(), 0, "Data", "32K");
    tell_cache(root.path(), 1, "Instruction", "48K");
    tell_cache(root.path(), 2, "Unified", "1024K");
    CHECK(processor(root.path()) ==
          "AMD EPYC, family 25, model 17, stepping 1, caches 32K 1024K");
}

TEST_CASE("what the system does not tell of a processor is left out", "[program]")
{
    const attn::testing::ScratchFolder root;
    CHECK(processor(root.path()) == "an unnamed processor");
    tell(root.path(), "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\nmodel\t:\n");
    CHECK(processor(root.path()) == "implementer 0x41, part 0xd0c");
}
