/// \file
/// \brief Products and attention in 16 bits beside those in floats: by vectors of single
/// precision, and by the matrix unit where there is one.
#include "chapters/14_simd_transformer/experiments/experiments.hpp"
#include "chapters/14_simd_transformer/fewer_bits/bf16_attention.hpp"
#include "chapters/14_simd_transformer/fewer_bits/kernels.hpp"
#include "common/kernels/gemm.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "common/random/random.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/turns.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace attn;
using namespace attn::simd_transformer;
using program::fixed;

std::vector<float> random_numbers(std::size_t n, std::uint64_t stream)
{
    random::Generator generator(1, stream);
    std::vector<float> x(n);
    for (float& number : x) {
        number = static_cast<float>(generator.normal());
    }
    return x;
}

/// Enough runs that a sample takes some milliseconds.
bench::Turns turns_for(double giga)
{
    return {.n_turns = 5, .n_samples = giga < 0.1 ? std::size_t{9} : std::size_t{3}};
}

/// The sets of vectors that are worth measuring.
std::vector<const kernels::Kernels*> wide_sets()
{
    std::vector<const kernels::Kernels*> sets;
    for (const kernels::Kernels* kernels : kernels::instruction_sets()) {
        if (kernels->lanes > 1) {
            sets.push_back(kernels);
        }
    }
    return sets;
}

std::string products_report()
{
    program::Table table(
        {"kernels", "square", "float", "bf16", "bf16 / float", "float: MB", "bf16: MB", "AMX"});
    for (const kernels::Kernels* kernels : wide_sets()) {
        for (const std::size_t n : {256U, 512U, 1024U}) {
            const double giga = 2e-9 * static_cast<double>(n * n * n);
            const std::vector<float> a = random_numbers(n * n, 1);
            const std::vector<float> b = random_numbers(n * n, 2);
            const std::vector<BFloat16> a16 = to_bf16(a);
            const std::vector<BFloat16> b16 = to_bf16(b);
            std::vector<float> c(n * n);
            std::vector<std::int32_t> words(bf16_words(n, n));
            const auto in_bf16 = [&](MultiplyBf16 multiply) {
                return [&, multiply] { // B is packed each time, as gemm does
                    pack_bf16(n, n, b16.data(), n, 1, words.data());
                    std::fill(c.begin(), c.end(), 0.0F);
                    multiply({n, n, n, a16.data(), n, words.data(), c.data(), n});
                };
            };
            std::vector<bench::Candidate> all = {
                {"float", 1,
                 [&] {
                     const kernels::ComputeWith guard({.kernels = kernels});
                     gemm(Transpose::no, Transpose::no, n, n, n, 1.0F, a.data(), n, b.data(), n,
                          0.0F, c.data(), n);
                 }},
                {"bf16", 1, in_bf16(ladder_kernels({.kernels = kernels}).bf16.multiply)}};
            const bool amx = amx_is_granted() && kernels == wide_sets().back();
            if (amx) {
                all.push_back({"AMX", 1, in_bf16(multiply_by_amx)});
            }
            bench::time_in_turns(all, turns_for(giga));
            const auto rate = [&](std::size_t i) { return 1e3 * giga / all[i].best(); };
            const double megabytes = 1e-6 * static_cast<double>(2 * n * n);
            table.row({kernels->name, std::to_string(n), fixed(rate(0), 1), fixed(rate(1), 1),
                       fixed(rate(1) / rate(0), 2), fixed(4 * megabytes, 2),
                       fixed(2 * megabytes, 2), amx ? fixed(rate(2), 1) : "-"});
        }
    }
    return table.to_string();
}

std::string attention_report()
{
    program::Table table({"kernels", "tokens", "float: ms", "bf16: ms", "bf16 / float"});
    for (const kernels::Kernels* kernels : wide_sets()) {
        for (const std::size_t n : {256U, 1024U}) {
            const AttentionSizes sizes{
                .n_heads = 8, .n_queries = n, .n_keys = n, .d_k = 64, .d_v = 64};
            const std::vector<float> q = random_numbers(n * 512, 3);
            const std::vector<float> k = random_numbers(n * 512, 4);
            const std::vector<float> v = random_numbers(n * 512, 5);
            const std::vector<BFloat16> q16 = to_bf16(q);
            const std::vector<BFloat16> k16 = to_bf16(k);
            const std::vector<BFloat16> v16 = to_bf16(v);
            std::vector<float> context(n * 512);
            const Execution how{.kernels = kernels};
            std::vector<bench::Candidate> all = {
                {"float", 1,
                 [&] {
                     attend_fused(how, sizes, {}, q.data(), k.data(), v.data(), context.data());
                 }},
                {"bf16", 1, [&] {
                     attend_bf16(how, sizes, {}, {q16.data(), k16.data(), v16.data()},
                                 context.data());
                 }}};
            bench::time_in_turns(all, turns_for(1));
            table.row({kernels->name, std::to_string(n), fixed(all[0].best(), 2),
                       fixed(all[1].best(), 2), fixed(all[1].best() / all[0].best(), 2)});
        }
    }
    return table.to_string();
}

/// A step of chapter 12's model with products in floats and in 16 bits. Its layers round floats as
/// they go, and so use no matrix unit.
std::string model_report()
{
    constexpr std::size_t n_steps = 20;
    const ModelTraining training = model_training(1, n_steps);
    const ModelVariant& variant = model_variants()[2]; // fused rows, no attention in one pass
    program::Table table({"kernels", "step in float: ms", "in bf16: ms", "bf16 / float"});
    for (const kernels::Kernels* kernels : wide_sets()) {
        const kernels::Kernels rounding = with_bf16_products({.kernels = kernels});
        double in_float = std::numeric_limits<double>::infinity();
        double in_bf16 = std::numeric_limits<double>::infinity();
        for (int turn = 0; turn < 5; ++turn) {
            const auto milliseconds = [&](const kernels::Kernels& own) {
                return 1e3 / (n_steps - 1) * train_model(variant, {&own, 1}, training).seconds;
            };
            in_float = std::min(in_float, milliseconds(*kernels));
            in_bf16 = std::min(in_bf16, milliseconds(rounding));
        }
        table.row({kernels->name, fixed(in_float, 2), fixed(in_bf16, 2),
                   fixed(in_bf16 / in_float, 2)});
    }
    return table.to_string();
}

} // namespace

int main(int argc, char** argv)
{
    const std::string unit =
        amx_is_granted() ? "with AMX, in the widest kernels' lines"
                         : "emulated in vectors of single precision, this processor has no AMX";
    return bench::write_report(
        "GFLOP/s of products of squares, on one thread, by the "
        "processor's time. In bf16 a product is\n" +
            unit +
            ". Bytes are those of both factors.\n\n"
            "Products of squares.\n\n" +
            products_report() + "\nAttention, 8 heads of 64 numbers.\n\n" + attention_report() +
            "\nThe whole model of chapter 12, a training step.\n\n" + model_report() + "\n",
        argc, argv);
}
