/// \file
/// \brief What the n-th word of a translation costs, with keys and values saved and with all
/// rows computed anew, beside the multiplications that chapter 12 counts. Deliberately one
/// sentence on one thread: a search computes several at once, which hides what a single step
/// costs.
#include "chapters/12_transformer/experiments/experiments.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/turns.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <vector>

namespace {

using namespace attn;
using namespace attn::transformer;

constexpr DecodingSizes sizes;
constexpr std::size_t longest = 256;

std::vector<std::int64_t> random_words(std::size_t n, random::Generator& generator)
{
    std::vector<std::int64_t> some(n);
    for (std::int64_t& word : some) {
        word = 3 + static_cast<std::int64_t>(generator.below(160));
    }
    return some;
}

/// The shortest of the steps n to n + 3, in microseconds, on copies: a step makes its caches
/// grow.
double best_step(const Transformer<float>& transformer,
                 const std::vector<DecodingState<float>>& before, std::int64_t word)
{
    double best = 1e300;
    for (int copy = 0; copy < 40; ++copy) {
        std::vector<DecodingState<float>> states = before;
        for (int step = 0; step < 4; ++step) {
            const auto start = std::chrono::steady_clock::now();
            transformer.step({&word, 1}, states);
            const std::chrono::duration<double, std::micro> spent =
                std::chrono::steady_clock::now() - start;
            best = std::min(best, spent.count());
        }
    }
    return best;
}

/// All rows of the words so far, and the scores of the last, in microseconds.
double best_anew(const Transformer<float>& transformer, const Memory<float>& memory,
                 std::span<const std::int64_t> words)
{
    std::vector<bench::Candidate> anew = {
        {"anew", 1, [&] {
             const Variable<float> rows = transformer.decode(words, memory);
             Array<float> last = uninitialised<float>({1, sizes.d_model});
             std::copy_n(rows.value().data() + (words.size() - 1) * sizes.d_model,
                         sizes.d_model, last.data());
             transformer.logits(Variable<float>(std::move(last)));
         }}};
    bench::time_in_turns(anew, {.n_turns = 5, .n_samples = 10});
    return 1e3 * anew[0].best();
}

} // namespace

int main(int argc, char** argv)
{
    const autograd::NoGradient<float> looking;
    random::Generator generator(1);
    const Transformer<float> transformer(
        {.n_source_words = 164, .n_target_words = sizes.n_target}, generator);
    const std::vector<std::int64_t> source = random_words(sizes.n_source, generator);
    const std::vector<std::int64_t> target = random_words(longest, generator);
    const std::vector<std::size_t> lengths = {sizes.n_source};
    const Memory<float> memory =
        transformer.encode(transformer.embed({source, lengths, sizes.n_source}), lengths);

    program::Table table({"n", "saved: us", "counted", "anew: us", "counted", "anew / saved",
                          "counted", "words/s", "bytes read", "GB/s"});
    std::vector<DecodingState<float>> states = transformer.begin(memory);
    double times_anew = 0;
    for (std::size_t n = 1; n <= longest; n *= 2) {
        while (states[0].n_words + 1 < n) {
            transformer.step({&target[states[0].n_words], 1}, states);
        }
        const double saved = best_step(transformer, states, target[n - 1]);
        const double anew = best_anew(transformer, memory, {target.data(), n});
        times_anew = anew / saved;
        const auto counted = static_cast<double>(cached_cost(sizes, n));
        const auto counted_anew = static_cast<double>(uncached_cost(sizes, n));
        const double bytes =
            counted * sizeof(float); // a number is read for each multiplication
        table.row({std::to_string(n), program::fixed(saved, 1), program::fixed(counted, 0),
                   program::fixed(anew, 1), program::fixed(counted_anew, 0),
                   program::fixed(times_anew, 1), program::fixed(counted_anew / counted, 1),
                   program::fixed(1e6 / saved, 0), program::fixed(bytes, 0),
                   program::fixed(bytes / saved * 1e-3, 1)});
    }
    return bench::write_report(table.to_string() + "\n", argc, argv,
                               {{.what = "decoding with keys and values saved",
                                 .sizes = fmt::format("word {}", longest),
                                 .unit = "times anew",
                                 .bound = 10,
                                 .measured = {times_anew}}});
}
