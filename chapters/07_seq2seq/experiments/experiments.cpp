#include "chapters/07_seq2seq/experiments/experiments.hpp"

#include "chapters/01_lookup/lookup.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/embedding.hpp"
#include "common/autograd/reductions.hpp"
#include "common/kernels/elementary.hpp"
#include "common/random/random.hpp"

#include <algorithm>
#include <cmath>

namespace attn::seq2seq {

namespace {

Matrix matrix_of(const Array<double>& array)
{
    Matrix matrix = Matrix::from_shape({array.shape()[0], array.shape()[1]});
    std::copy(array.data(), array.data() + array.size(), matrix.data());
    return matrix;
}

Array<double> normal_numbers(const Shape& shape, random::Generator& generator)
{
    Array<double> array = uninitialised<double>(shape);
    for (double& number : numbers_of(array)) {
        number = generator.normal();
    }
    return array;
}

double largest_difference(const Matrix& a, const Matrix& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
    }
    return largest;
}

} // namespace

EmbeddingComparison compare_embedding(std::uint64_t seed, std::size_t n_words,
                                      const std::vector<std::int64_t>& words, std::size_t d)
{
    constexpr std::uint64_t table_stream = 73ULL << 40U;
    random::Generator generator(seed, table_stream);
    const auto table = autograd::parameter(normal_numbers({n_words, d}, generator));
    const autograd::Variable<double> back(normal_numbers({words.size(), d}, generator));
    const autograd::Tape<double> tape;
    const auto rows = gather_rows(table, words, {words.size()});
    backward(sum(rows * back));

    Matrix queries = xt::zeros<double>({words.size(), n_words}); // one-hot
    for (std::size_t i = 0; i < words.size(); ++i) {
        queries(i, static_cast<std::size_t>(words[i])) = 1;
    }
    const Matrix keys = xt::eye<double>(n_words);
    const Matrix turned = xt::transpose(queries);
    EmbeddingComparison comparison;
    comparison.gathered = matrix_of(rows.value());
    comparison.looked_up = lookup::attend(queries, keys, matrix_of(table.value()),
                                          lookup::dot_product, lookup::one_hot)
                               .context;
    comparison.gradient = matrix_of(table.gradient());
    comparison.scattered = lookup::weighted_sum(turned, matrix_of(back.value()));
    comparison.largest_difference =
        largest_difference(comparison.gathered, comparison.looked_up);
    comparison.difference_of_gradients =
        largest_difference(comparison.gradient, comparison.scattered);
    return comparison;
}

Matrix search_table()
{
    return {{0, 0, 0.55, 0.45}, {0, 0, 0, 0}, {0, 0.4, 0.3, 0.3}, {0, 0.9, 0.1, 0}};
}

std::vector<text::Hypothesis<>> search_example(std::size_t width)
{
    using State = std::vector<int>; // nothing: the last word decides
    const Matrix table = search_table();
    const text::Decoder<State> decoder{
        [&](State state, const std::vector<std::size_t>& last_words) {
            text::Step<State> step;
            for (const std::size_t last : last_words) {
                for (std::size_t next = 0; next < search_words.size(); ++next) {
                    step.log_probabilities.push_back(elementary::log(table(last, next)));
                }
            }
            step.state = std::move(state);
            return step;
        },
        text::select_elements<int>};
    return text::beam_search(decoder, State{0}, {.start = 0, .end = 1, .max_length = 4},
                             {.width = width});
}

} // namespace attn::seq2seq
