/// \file
/// \brief Writing word by word on the kernels: the same scores as all words at once, whatever
/// the caches have room for. Deliberately on random words, longer than a translation is.
#include "chapters/14_simd_transformer/fast_decoding.hpp"
#include "tests/12_transformer/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::simd_transformer;
using namespace attn::testing;
using transformer::NormPlace;
using transformer::TransformerOptions;

namespace {

constexpr std::size_t n_to_write = 70; // more than the caches have room for at first
constexpr std::size_t n_asked = 4;
const std::vector<std::size_t> lengths_asked = {4, 2, 0};

transformer::Memory<float> memory_of_three(const Transformer<float>& model)
{
    const std::vector<std::int64_t> words = random_words(3 * n_asked);
    return model.read(model.embed({words, lengths_asked, n_asked}), lengths_asked);
}

/// The words number t of three sentences of n_to_write.
std::vector<std::int64_t> words_at(const std::vector<std::int64_t>& words, std::size_t t)
{
    return {words[t], words[n_to_write + t], words[2 * n_to_write + t]};
}

/// The largest difference of the scores written word by word to those of all words at once.
float cached_difference(const Transformer<float>& model, const Execution& how, std::size_t room)
{
    const transformer::Memory<float> memory = memory_of_three(model);
    const std::vector<std::int64_t> words = random_words(3 * n_to_write, 2);
    const Array<float> at_once = model.scores(model.write(words, memory)).value();
    WordByWord writing(model, memory, room, how);
    float largest = 0;
    for (std::size_t t = 0; t < n_to_write; ++t) {
        const Array<float>& scores = writing.step(words_at(words, t));
        for (std::size_t b = 0; b < 3; ++b) {
            for (std::size_t w = 0; w < n_few_words; ++w) {
                const float apart =
                    std::abs(scores.data()[b * n_few_words + w] -
                             at_once.data()[(b * n_to_write + t) * n_few_words + w]);
                largest = apart <= largest ? largest : apart;
            }
        }
    }
    CHECK(writing.n_written() == n_to_write);
    return largest;
}

std::vector<float> random_row(std::size_t n, random::Generator& generator, double size = 1)
{
    std::vector<float> row(n);
    for (float& number : row) {
        number = static_cast<float>(size * generator.normal());
    }
    return row;
}

} // namespace

TEST_CASE("word by word on the kernels is all words at once", "[14][claim]")
{
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        TransformerOptions options = small_options(norm);
        options.layer.d_model = 38;
        options.layer.n_heads = 2;
        const auto model = small_transformer<float>(options);
        for (const Kernels* kernels : instruction_sets()) {
            CAPTURE(kernels->name, transformer::name_of(norm));
            CHECK(cached_difference(model, {.kernels = kernels}, 1) <= 2e-5F);
        }
    }
}

TEST_CASE("word by word without some of the sublayers, or without places", "[14]")
{
    for (bool transformer::LayerOptions::*const part :
         {&transformer::LayerOptions::residual, &transformer::LayerOptions::feed_forward,
          &transformer::LayerOptions::own_past}) {
        TransformerOptions options = small_options();
        options.layer.*part = false;
        CHECK(cached_difference(small_transformer<float>(options), {}, 100) <= 2e-5F);
    }
    TransformerOptions options = small_options();
    options.positions = multi_head::Positions::none;
    CHECK(cached_difference(small_transformer<float>(options), {}, 5) <= 2e-5F);
}

TEST_CASE("several threads write the same scores, bit for bit", "[14]")
{
    const auto model = small_transformer<float>(small_options());
    const transformer::Memory<float> memory = memory_of_three(model);
    const std::vector<std::int64_t> words = random_words(3 * n_to_write, 2);
    for (const Kernels* kernels : instruction_sets()) {
        WordByWord alone(model, memory, 8, {.kernels = kernels});
        WordByWord together(model, memory, 8, {.kernels = kernels, .n_threads = 2});
        for (std::size_t t = 0; t < n_to_write; ++t) {
            CHECK(same_bits(alone.step(words_at(words, t)), together.step(words_at(words, t))));
        }
    }
}

TEST_CASE("a copy of a translation goes its own way", "[14]")
{
    const auto model = small_transformer<float>(small_options());
    const transformer::Memory<float> memory = memory_of_three(model);
    WordByWord one(model, memory);
    one.step(std::vector<std::int64_t>{3, 4, 5});
    WordByWord other = one;
    other.step(std::vector<std::int64_t>{9, 9, 9});
    WordByWord again(model, memory);
    again.step(std::vector<std::int64_t>{3, 4, 5});
    const std::vector<std::int64_t> next = {6, 7, 8};
    const Array<float> expected = again.step(next);
    CHECK(same_bits(one.step(next), expected));
    CHECK(!same_bits(other.step(next), expected));
}

TEST_CASE("a word that is none and a memory that does not fit are refused", "[14]")
{
    const auto model = small_transformer<float>(small_options());
    const transformer::Memory<float> memory = memory_of_three(model);
    WordByWord writing(model, memory);
    CHECK_THROWS_AS(writing.step(std::vector<std::int64_t>{3, 4}), ContractError);
    CHECK_THROWS_AS(writing.step(std::vector<std::int64_t>{3, 4, 11}), ContractError);
    CHECK_THROWS_AS(writing.step(std::vector<std::int64_t>{3, -1, 4}), ContractError);
    const transformer::Memory<float> narrow{Variable<float>(filled<float>({3, 4, 5}, 0.0F)),
                                            memory.visible};
    CHECK_THROWS_AS(WordByWord(model, narrow), ContractError);
}

TEST_CASE("a row times a matrix, of awkward widths", "[14]")
{
    random::Generator generator(3);
    for (const Kernels* kernels : instruction_sets()) {
        for (const std::size_t n_out :
             {1U, 3U, 15U, 16U, 17U, 31U, 63U, 64U, 65U, 130U, 270U}) {
            for (const std::size_t n_in : {0U, 1U, 5U, 64U}) {
                CAPTURE(kernels->name, n_in, n_out);
                const std::vector<float> x = random_row(n_in, generator);
                const std::vector<float> weight = random_row(n_in * n_out + 1, generator, 100);
                const std::vector<float> bias = random_row(n_out, generator);
                std::vector<float> y = random_row(n_out + 1, generator);
                const std::vector<float> rest = y;
                const float* const W = weight.data() + 1; // misaligned
                kernels->decoding.multiply_row(
                    {n_in, n_out, W, bias.data(), y.data(), n_in == 5}, x.data(), y.data());
                for (std::size_t j = 0; j < n_out; ++j) {
                    double sum = static_cast<double>(bias[j]) + rest[j];
                    double size = std::abs(sum);
                    for (std::size_t i = 0; i < n_in; ++i) {
                        const double term = static_cast<double>(x[i]) * W[i * n_out + j];
                        sum += term;
                        size += std::abs(term);
                    }
                    const double expected = n_in == 5 ? std::max(sum, 0.0) : sum;
                    CHECK(std::abs(y[j] - expected) <= 1e-5 * size);
                }
                CHECK(y[n_out] == rest[n_out]);
            }
        }
    }
}

TEST_CASE("a column of a row times a matrix has the same bits in every vector it stands in",
          "[14]")
{
    random::Generator generator(4);
    const std::vector<float> x = random_row(64, generator);
    const std::vector<float> weight = random_row(64 * 270, generator);
    for (const Kernels* kernels : instruction_sets()) {
        std::vector<float> y(270);
        kernels->decoding.multiply_row({64, 270, weight.data(), nullptr, nullptr, false},
                                       x.data(), y.data());
        // In a matrix that begins fifteen columns later, a column has another lane.
        std::vector<float> shifted(64 * 255);
        for (std::size_t i = 0; i < 64; ++i) {
            std::copy_n(&weight[i * 270 + 15], 255, &shifted[i * 255]);
        }
        std::vector<float> z(255);
        kernels->decoding.multiply_row({64, 255, shifted.data(), nullptr, nullptr, false},
                                       x.data(), z.data());
        for (std::size_t j = 0; j < 255; ++j) {
            CAPTURE(kernels->name, j);
            CHECK(z[j] == y[j + 15]);
        }
    }
}

TEST_CASE("a row attends to a cache, with outliers and hidden keys that are not numbers",
          "[14]")
{
    constexpr std::size_t room = 128;
    random::Generator generator(8);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const Kernels* kernels : instruction_sets()) {
        for (const std::size_t d_head : {1U, 7U, 16U, 33U}) {
            for (const std::size_t n_seen : {0U, 1U, 2U, 15U, 16U, 17U, 64U, 65U, 100U, 128U}) {
                CAPTURE(kernels->name, d_head, n_seen);
                const std::size_t d = 2 * d_head;
                std::vector<float> keys = random_row(d * room, generator);
                std::vector<float> values = random_row(room * d, generator);
                const std::vector<float> query = random_row(d, generator);
                keys[room / 2] = 50; // of key 64
                for (std::size_t k = 0; k < d; ++k) {
                    for (std::size_t j = n_seen; j < room; ++j) {
                        keys[k * room + j] = nan;
                        values[j * d + k] = nan;
                    }
                }
                std::vector<float> weights(room);
                std::vector<float> context(d, nan);
                kernels->decoding.attend_row({2, d, n_seen, room, keys.data(), values.data()},
                                             query.data(), 1.4426950F, weights.data(),
                                             context.data());
                for (std::size_t k = 0; k < d; ++k) {
                    const std::size_t first = k / d_head * d_head;
                    double total = 0;
                    double sum = 0;
                    double largest = -std::numeric_limits<double>::infinity();
                    std::vector<double> scores(n_seen);
                    for (std::size_t j = 0; j < n_seen; ++j) {
                        for (std::size_t i = first; i < first + d_head; ++i) {
                            scores[j] += static_cast<double>(query[i]) * keys[i * room + j];
                        }
                        largest = std::max(largest, scores[j]);
                    }
                    for (std::size_t j = 0; j < n_seen; ++j) {
                        const double weight = std::exp(scores[j] - largest);
                        total += weight;
                        sum += weight * values[j * d + k];
                    }
                    const double expected = n_seen == 0 ? 0 : sum / total;
                    CHECK(std::abs(context[k] - expected) <= 2e-5);
                }
            }
        }
    }
}
