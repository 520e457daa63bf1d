/// \file
/// \brief What the n-th word of a translation costs, with keys and values kept and with all
/// rows computed anew, beside the multiplications that chapter 12 counts. Deliberately one
/// sentence on one thread: a search computes several at once, which hides what a single step
/// costs.
#include "chapters/12_transformer/decoding_cost.hpp"
#include "common/program/number.hpp"
#include "common/program/table.hpp"
#include "tests/bench/machine.hpp"
#include "tests/bench/turns.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using namespace attn;
using namespace attn::transformer;

constexpr DecodingSizes sizes;
constexpr std::size_t longest = 256;

} // namespace

int main(int argc, char** argv)
{
    const autograd::NoGradient<float> looking;
    random::Generator generator(1);
    const Transformer<float> transformer(
        {.n_source_words = 164, .n_target_words = sizes.n_target}, generator);
    const auto words = [&](std::size_t n) {
        std::vector<std::int64_t> some(n);
        for (std::int64_t& word : some) {
            word = 3 + static_cast<std::int64_t>(generator.below(160));
        }
        return some;
    };
    const std::vector<std::int64_t> source = words(sizes.n_source);
    const std::vector<std::int64_t> target = words(longest);
    const std::vector<std::size_t> lengths = {sizes.n_source};
    const Memory<float> memory =
        transformer.read(transformer.embed({source, lengths, sizes.n_source}), lengths);
    std::vector<LayerCache<float>> caches = transformer.caches(memory, longest);
    for (std::size_t t = 0; t < longest; ++t) { // what is kept
        transformer.step({&target[t], 1}, t, caches, memory.visible);
    }

    program::Table table(
        {"n", "kept: us", "counted", "anew: us", "counted", "anew / kept", "counted"});
    for (const std::size_t n : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, 256U}) {
        std::vector<bench::Candidate> both = {
            {"kept", 1,
             [&] {
                 transformer.step({&target[n - 1], 1}, n - 1, caches, memory.visible);
             }},
            {"anew", 1, [&] {
                 const Variable<float> rows = transformer.write({target.data(), n}, memory);
                 const Array<float>& all = rows.value();
                 Array<float> last = uninitialised<float>({1, sizes.d_model});
                 std::copy_n(all.data() + (n - 1) * sizes.d_model, sizes.d_model, last.data());
                 transformer.scores(Variable<float>(std::move(last)));
             }}};
        bench::time_in_turns(both, {.n_turns = 5, .n_samples = 10});
        const double kept = both[0].best();
        const double anew = both[1].best();
        const std::size_t counted = cached_cost(sizes, n);
        const std::size_t counted_anew = uncached_cost(sizes, n);
        table.row({std::to_string(n), program::fixed(1e3 * kept, 1), std::to_string(counted),
                   program::fixed(1e3 * anew, 1), std::to_string(counted_anew),
                   program::fixed(anew / kept, 1),
                   program::fixed(
                       static_cast<double>(counted_anew) / static_cast<double>(counted), 1)});
    }
    return bench::write_report(table.to_string() + "\n", argc, argv);
}
