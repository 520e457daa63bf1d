/// \file
/// \brief What layers cost that let places hear of each other, at several lengths and widths:
/// the table of chapter 11's program with --time, kept.
#include "chapters/11_multi_head/experiments/experiments.hpp"
#include "tests/bench/report.hpp"

int main(int argc, char** argv)
{
    return attn::bench::write_report(attn::multi_head::timed_report() + "\n", argc, argv);
}
