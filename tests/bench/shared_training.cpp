// A training that is shared: predicted for machines with a network between them, and measured here
// with threads and with processes. The first argument names chapter 13's program, or is - to
// leave the measurement out; the others are those of a report.
#include "chapters/14_simd_transformer/many_machines/step_time.hpp"
#include "common/program/child.hpp"
#include "common/program/files.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "tests/bench/report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace attn;
using program::fixed;
using program::significant;
using simd_transformer::SharedStep;

// ---------------------------------------------------------------- predicted

constexpr double network = 10e9 / 8; ///< bytes a second of 10 Gbit/s
constexpr double latency = 50e-6;    ///< seconds until a short message has arrived
constexpr double wide_layers =
    162e9; ///< flops a second of two cores in chapter 14c's training step
constexpr double graphics_card = 100e12; ///< flops a second that a training reaches on one

/// A training whose steps are predicted.
struct Predicted
{
    std::string model;
    std::string machine;
    SharedStep step;
    double flops_alone; ///< a second, of a machine that has no reason to cut a batch into parts
};

/// Flops a second of two cores in chapter 13's model.
struct SmallModel
{
    double whole;    ///< a batch at once
    double in_parts; ///< eight parts, one after the other
};

/// Chapter 13's model and batch, on machines of some speed.
SharedStep small_step(double flops_a_second)
{
    return {105'344, 32, 64, flops_a_second, network, latency};
}

std::vector<Predicted> predicted(const SmallModel& small_model)
{
    const SharedStep small = small_step(small_model.in_parts);
    const SharedStep gpt2 = {124'439'808, 512, 1024, wide_layers, network, latency};
    SharedStep on_cards = gpt2;
    on_cards.flops_a_second = graphics_card;
    return {{"chapter 13", "two cores", small, small_model.whole},
            {"GPT-2", "two cores", gpt2, wide_layers},
            {"GPT-2", "graphics card", on_cards, graphics_card}};
}

std::string predicted_steps(const SmallModel& small_model)
{
    program::Table table(
        {"model", "machine", "machines", "GFLOP each", "MB sent", "steps/s", "times one"});
    for (const Predicted& one : predicted(small_model)) {
        SharedStep by_itself = one.step;
        by_itself.flops_a_second = one.flops_alone;
        const double alone = simd_transformer::steps_a_second(by_itself, 1);
        for (const std::size_t n : {1U, 8U, 64U}) {
            const double steps = n == 1 ? alone : simd_transformer::steps_a_second(one.step, n);
            const double flops =
                simd_transformer::seconds_of_arithmetic(one.step, n) * one.step.flops_a_second;
            table.row({one.model, one.machine, std::to_string(n), significant(flops * 1e-9, 3),
                       significant(simd_transformer::bytes_sent(one.step, n) * 1e-6, 3),
                       significant(steps, 3), significant(steps / alone, 3)});
        }
    }
    return table.to_string();
}

std::string balancing_tokens(const SmallModel& small_model)
{
    program::Table table({"computes on", "GFLOP/s", "tokens"});
    for (const auto& [name, flops] : {std::pair("two cores, small model", small_model.in_parts),
                                      std::pair("two cores, wide layers", wide_layers),
                                      std::pair("graphics card", graphics_card)}) {
        table.row({name, fixed(flops * 1e-9, 0),
                   fixed(simd_transformer::balancing_tokens(flops, network), 0)});
    }
    return table.to_string();
}

// ---------------------------------------------------------------- measured

/// A way to compute the same training.
struct Way
{
    std::string name;
    std::size_t n_processes; ///< 0: without mpirun
    std::vector<std::string> arguments;
    double seconds = std::numeric_limits<double>::infinity(); ///< the shortest training
};

/// Trains, and reads from what is printed how long it took.
double seconds_of_training(const std::string& program, const std::filesystem::path& folder,
                           const Way& way, const std::vector<std::string>& recipe)
{
    std::vector<std::string> words = {program};
    if (way.n_processes > 0) {
        words = {"mpirun", "-n", std::to_string(way.n_processes), program};
    }
    words.insert(words.end(), {"--text", "text.txt", "--save", "model"});
    words.insert(words.end(), recipe.begin(), recipe.end());
    words.insert(words.end(), way.arguments.begin(), way.arguments.end());
    const auto result =
        program::run_child(words.front(), {words.begin() + 1, words.end()}, folder, {},
                           {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"});
    if (!result || result->exit_code != 0) {
        throw std::runtime_error("the training failed: " +
                                 (result ? result->err : words.front()));
    }
    // "... in 500 steps of 32 windows of 64 tokens, in 12.3 s." with line breaks for blanks
    const std::size_t end = result->out.find("s. The loss") == std::string::npos
                                ? result->out.find("s. The\nloss")
                                : result->out.find("s. The loss");
    const std::string before = result->out.substr(0, end - 1);
    return std::stod(before.substr(before.find_last_of(" \n") + 1));
}

/// What is known of a training on two cores.
struct Measured
{
    std::string table;
    SmallModel small_model;
};

Measured measured(const std::string& program)
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("attn_shared_{}", std::rand());
    std::filesystem::create_directories(folder);
    std::string text;
    for (std::size_t i = 0; i < 400; ++i) {
        text +=
            fmt::format("line {} of a text whose words hardly matter for the time\n", i * i);
    }
    program::write_file(folder / "text.txt", text);
    program::Table table({"model", "computed by", "parts", "steps/s", "times one"});
    SmallModel small_model{0, 0};
    for (const auto& [model, recipe] :
         {std::pair("chapter 13", std::vector<std::string>{"--steps", "100"}),
          std::pair("nanoGPT's recipe",
                    std::vector<std::string>{"--nanogpt", "--steps", "40"})}) {
        const double n_steps = std::stod(recipe.back());
        std::vector<Way> ways = {
            {"one thread", 0, {"--threads", "1"}},
            {"one thread", 0, {"--threads", "1", "--parts", "8"}},
            {"two threads", 0, {"--threads", "2"}},
            {"two threads", 0, {"--threads", "2", "--parts", "8"}},
            {"two processes", 2, {"--threads", "1", "--parts", "8"}},
        };
        for (int turn = 0; turn < 5; ++turn) {
            for (Way& way : ways) {
                way.seconds =
                    std::min(way.seconds, seconds_of_training(program, folder, way, recipe));
            }
        }
        if (small_model.whole == 0) { // one machine computes all of a step
            const double flops =
                simd_transformer::seconds_of_arithmetic(small_step(1), 1) * n_steps;
            small_model = {flops / ways[2].seconds, flops / ways[3].seconds};
        }
        for (const Way& way : ways) {
            table.row({model, way.name, way.arguments.back() == "8" ? "8" : "1",
                       fixed(n_steps / way.seconds, 1),
                       fixed(ways.front().seconds / way.seconds, 2)});
        }
    }
    std::filesystem::remove_all(folder);
    return {table.to_string(), small_model};
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fputs("shared_training: the first argument names chapter 13's program\n", stderr);
        return 2;
    }
    const Measured here = measured(std::filesystem::absolute(argv[1])); // started elsewhere
    const std::string report =
        "Threads and processes\n═════════════════════\n"
        "Chapter 13's program on one machine. Two threads share each product, two\n"
        "processes the parts of each batch. Shortest of 5 trainings, in turns.\n\n" +
        here.table +
        "\nTokens that balance the cable\n═════════════════════════════\n"
        "Of a batch on several machines like the one below, joined by 10 Gbit/s each way. The\n"
        "small model is computed as fast as two threads did above, in eight parts.\n\n" +
        balancing_tokens(here.small_model) +
        "\nPredicted steps\n═══════════════\n"
        "The same machines, and 50 microseconds for each round of messages. One machine alone\n"
        "computes its batch at once.\n"
        "Chapter 13's model has 105,344 parameters and 32 windows of 64 tokens a batch,\n"
        "GPT-2 124,439,808 parameters and 512 texts of 1024 tokens.\n\n" +
        predicted_steps(here.small_model) + "\n";
    return bench::write_report(report, argc - 1, argv + 1);
}
