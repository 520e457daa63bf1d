#include "chapters/11_multi_head/experiments/sequence_tasks.hpp"

#include "common/kernels/elementary.hpp"
#include "common/tasks/recall.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <utility>

namespace attn::multi_head {

namespace {

using random::Generator;
using Symbols = std::vector<std::size_t>;

/// One of the answers at position t of a sequence.
using Answer = std::function<std::int64_t(const Symbols& symbols, std::size_t t)>;

void write_one_hot(const Symbols& symbols, std::size_t n_symbols, float* rows)
{
    for (std::size_t t = 0; t < symbols.size(); ++t) {
        rows[t * n_symbols + symbols[t]] = 1;
    }
}

/// A task on random symbols, with these answers at each position.
SequenceTask on_symbols(const char* name, std::size_t n_symbols, bool causal,
                        const std::vector<Answer>& answers)
{
    expect(n_symbols > 0, "{}: symbols are needed, got {}", name, n_symbols);
    const auto draw = [n_symbols, answers](std::size_t n_rows, std::size_t length,
                                           Generator& generator) {
        SequenceBatch batch{filled<float>({n_rows, length, n_symbols}, 0.0F), {}};
        Symbols symbols(length);
        for (std::size_t row = 0; row < n_rows; ++row) {
            for (std::size_t& symbol : symbols) {
                symbol = generator.below(n_symbols);
            }
            write_one_hot(symbols, n_symbols, batch.inputs.data() + row * length * n_symbols);
            for (std::size_t t = 0; t < length; ++t) {
                for (const Answer& answer : answers) {
                    batch.answers.push_back(answer(symbols, t));
                }
            }
        }
        return batch;
    };
    return {n_symbols, n_symbols, answers.size(), causal, draw};
}

/// The symbol so many positions before, if there is one.
Answer back(std::size_t steps)
{
    return [steps](const Symbols& symbols, std::size_t t) {
        return t < steps ? no_answer : static_cast<std::int64_t>(symbols[t - steps]);
    };
}

} // namespace

SequenceTask previous_symbol(std::size_t n_symbols, bool causal)
{
    return on_symbols("previous_symbol", n_symbols, causal, {back(1)});
}

SequenceTask previous_on_ring(std::size_t n_symbols)
{
    const Answer before = [](const Symbols& symbols, std::size_t t) {
        return static_cast<std::int64_t>(symbols[(t + symbols.size() - 1) % symbols.size()]);
    };
    return on_symbols("previous_on_ring", n_symbols, false, {before});
}

SequenceTask three_earlier(std::size_t n_symbols)
{
    const Answer first = [](const Symbols& symbols, std::size_t /*t*/) {
        return static_cast<std::int64_t>(symbols[0]);
    };
    return on_symbols("three_earlier", n_symbols, true, {back(1), back(3), first});
}

SequenceTask parity()
{
    const Answer odd = [](const Symbols& bits, std::size_t t) {
        return std::count(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(t) + 1, 1U) %
               2;
    };
    return on_symbols("parity", 2, true, {odd});
}

SequenceTask recall(std::size_t n_symbols)
{
    const auto draw = [n_symbols](std::size_t n_rows, std::size_t length,
                                  Generator& generator) {
        expect(length > 1, "recall: a pair and a question are needed, got a length of {}",
               length);
        tasks::RecallBatch pairs =
            tasks::draw_recall({length - 1, n_symbols, 1}, n_rows, generator);
        SequenceBatch batch{std::move(pairs.inputs),
                            std::vector<std::int64_t>(n_rows * length, no_answer)};
        for (std::size_t row = 0; row < n_rows; ++row) {
            batch.answers[row * length + length - 1] = pairs.answers[row];
        }
        return batch;
    };
    return {2 * n_symbols, n_symbols, 1, true, draw};
}

Array<float> one_hot_row(const std::vector<std::size_t>& symbols, std::size_t n_symbols)
{
    for (const std::size_t symbol : symbols) {
        expect(symbol < n_symbols, "one_hot_row: {} is none of {} symbols", symbol, n_symbols);
    }
    Array<float> rows = filled<float>({1, symbols.size(), n_symbols}, 0.0F);
    write_one_hot(symbols, n_symbols, rows.data());
    return rows;
}

double mean_weight_on_ring(const Matrix& weights, int steps)
{
    const std::size_t n = weights.shape(0);
    expect_columns(weights, n, "mean_weight_on_ring", "weights", "as many as rows");
    expect(n >= 3 && steps >= -1 && steps <= 1,
           "mean_weight_on_ring: a ring of at least 3 positions and a step are wanted, got {} "
           "and {}",
           n, steps);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t there = (i + n + static_cast<std::size_t>(steps + 1) - 1) % n;
        const double alpha = weights(i, there);
        expect(alpha >= 0, "mean_weight_on_ring: a weight is not negative, got {} in row {}",
               alpha, i);
        sum += elementary::log(alpha);
    }
    return elementary::exp(sum / static_cast<double>(n));
}

} // namespace attn::multi_head
