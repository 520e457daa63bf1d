/// \file
/// \brief Other programs are run without a shell, and what they say arrives in full.
#include "common/program/child.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/run_program.hpp"

#include <csignal>
#include <fstream>
#include <stdexcept>

using attn::program::run_child;
using namespace attn::testing;

TEST_CASE("arguments arrive as they are", "[program]")
{
    const std::vector<std::string> arguments = {"%s\n", "a b", "it's", "\"$HOME\"", "`ls`", ""};
    CHECK(run_child("printf", arguments)->out == "a b\nit's\n\"$HOME\"\n`ls`\n\n");
}

TEST_CASE("a child has our environment, but for what it is given in its place", "[program]")
{
    const WithEnvironment ours("ATTN_OURS", "1");
    const WithEnvironment other("ATTN_OTHER", "2");
    const std::string script = "printf '%s %s %s' $ATTN_OURS $ATTN_OTHER $ATTN_NEW";
    const auto result =
        run_child("sh", {"-c", script}, {}, {}, {"ATTN_OTHER=three", "ATTN_NEW=4"});
    CHECK(result->out == "1 three 4");
}

TEST_CASE("both streams are read to their end, however long", "[program]")
{
    const std::string script =
        "i=0; while [ $i -lt 3000 ]; do echo 'out, as long as a line may well be'; "
        "echo 'err, as long as a line may well be' >&2; i=$((i+1)); done; exit 7";
    const auto result = run_child("sh", {"-c", script});
    REQUIRE(result);
    CHECK(result->exit_code == 7);
    CHECK(result->signal == 0);
    CHECK(result->out.size() == 3000 * 35);
    CHECK(result->err.size() == 3000 * 35);
}

TEST_CASE("standard input is empty, the folder is as asked, signals are told", "[program]")
{
    const ScratchFolder scratch;
    CHECK(run_child("cat", {})->out.empty());
    CHECK(run_child("pwd", {"-P"}, scratch.path())->out == scratch.path().string() + "\n");
    const auto killed = run_child("sh", {"-c", "kill -SEGV $$"});
    CHECK(killed->signal == SIGSEGV);
    CHECK(killed->exit_code == 128 + SIGSEGV);
    CHECK_THROWS_AS(run_child("true", {}, scratch.path() / "absent"), std::runtime_error);
}

TEST_CASE("a path to a program means the same wherever it is run", "[program]")
{
    const ScratchFolder scratch;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::create_symlink("/bin/echo", scratch.path() / "say");
    std::filesystem::current_path(scratch.path());
    CHECK(run_child("./say", {"here"}, "/")->out == "here\n");
    std::filesystem::current_path(before);
}

TEST_CASE("a program may be missing or no program", "[program]")
{
    const ScratchFolder scratch;
    CHECK_FALSE(run_child("no-such-program-anywhere", {}));
    CHECK_FALSE(run_child((scratch.path() / "absent").string(), {}));
    std::ofstream(scratch.path() / "text") << "no program";
    CHECK_THROWS_AS(run_child((scratch.path() / "text").string(), {}), std::runtime_error);
}

TEST_CASE("a child dies of a closed pipe even if its parent would not", "[program]")
{
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    const auto result = run_child("sh", {"-c", "kill -PIPE $$; echo alive"});
    std::signal(SIGPIPE, before);
    CHECK(result->signal == SIGPIPE);
}
