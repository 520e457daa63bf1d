/// \file
/// \brief A text in windows, the loss over a whole text, and what a training leaves alone.
#include "chapters/13_language_models/training.hpp"

#include "tests/common/parallel/simulated_processes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attn;
using namespace attn::language_models;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

LanguageModel<float> tiny_model(std::uint64_t seed = 1)
{
    return make_language_model(
        {.n_tokens = 8, .n_positions = 5, .n_layers = 1, .layer = {.d_model = 8, .n_heads = 2}},
        seed);
}

std::vector<TokenId> random_text(std::size_t n)
{
    random::Generator generator(2);
    std::vector<TokenId> text;
    for (std::size_t i = 0; i < n; ++i) {
        text.push_back(static_cast<TokenId>(generator.below(8)));
    }
    return text;
}

/// Ten steps on one text.
std::vector<Array<float>> trained(const TrainingOptions& options,
                                  const nn::Sharing& sharing = {})
{
    const std::vector<TokenId> text = random_text(60);
    const LanguageModel<float> model = tiny_model();
    train(model,
          [&](std::size_t step) {
              random::Generator generator(3, step);
              return random_windows(text, 4, 5, generator);
          },
          options, {.show_progress = false, .sharing = sharing});
    return nn::values_of(model.parameters());
}

} // namespace

TEST_CASE("the parts decide the bits of a training, and not the processes that compute them",
          "[13]")
{
    const TrainingOptions options{.n_steps = 10};
    const std::vector<Array<float>> whole = trained(options);
    for (const std::size_t n_parts : {3U, 8U}) { // of 4 texts
        const std::vector<Array<float>> parts = trained(options, {.n_parts = n_parts});
        for (std::size_t k = 0; k < whole.size(); ++k) {
            for (std::size_t i = 0; i < whole[k].size(); ++i) {
                REQUIRE_THAT(parts[k].data()[i], WithinAbs(whole[k].data()[i], 1e-3));
            }
        }
        for (const std::size_t n_processes : {2U, 3U}) {
            run_simulated(n_processes, [&](const parallel::Processes& processes) {
                const std::vector<Array<float>> found =
                    trained(options, {.n_parts = n_parts, .processes = &processes});
                for (std::size_t k = 0; k < parts.size(); ++k) {
                    expect(same_bits(found[k], parts[k]), "{} processes differ in parameter {}",
                           n_processes, k);
                }
            });
        }
    }
}

TEST_CASE("the answer at each place of a window is the token that follows", "[13]")
{
    std::vector<TokenId> text(20);
    std::iota(text.begin(), text.end(), TokenId{0});
    random::Generator generator(1);
    std::vector<TokenId> first;
    for (int i = 0; i < 200; ++i) {
        const TokenBatch batch = random_windows(text, 3, 4, generator);
        REQUIRE(batch.n_texts == 3);
        REQUIRE(batch.tokens.size() == 12);
        for (std::size_t at = 0; at < 12; ++at) {
            CHECK(batch.answers[at] == batch.tokens[at] + 1);
            CHECK((at % 4 == 0 || batch.tokens[at] == batch.tokens[at - 1] + 1));
        }
        first.push_back(batch.tokens[0]);
    }
    CHECK(*std::min_element(first.begin(), first.end()) == 0);
    CHECK(*std::max_element(first.begin(), first.end()) == 15); // 15 to 18 are read, 19 answers
    CHECK_THROWS_AS(random_windows(std::span(text).first(4), 1, 4, generator), ContractError);
}

TEST_CASE("the loss of a text is the mean over all its windows, the last shorter one too",
          "[13]")
{
    const LanguageModel<float> model = tiny_model();
    const autograd::NoGradient<float> forwards;
    for (std::size_t n_tokens = 6; n_tokens <= 16; ++n_tokens) { // last windows of 1 to 5
        INFO(n_tokens << " tokens");
        const std::vector<TokenId> text = random_text(n_tokens);
        double sum = 0;
        for (std::size_t begin = 0; begin + 1 < text.size(); begin += 5) {
            const std::size_t n = std::min<std::size_t>(5, text.size() - 1 - begin);
            const TokenBatch window{
                .n_texts = 1,
                .tokens = {text.begin() + static_cast<std::ptrdiff_t>(begin),
                           text.begin() + static_cast<std::ptrdiff_t>(begin + n)},
                .answers = {text.begin() + static_cast<std::ptrdiff_t>(begin + 1),
                            text.begin() + static_cast<std::ptrdiff_t>(begin + n + 1)}};
            sum += static_cast<double>(model.loss(window).item()) * static_cast<double>(n);
        }
        for (const std::size_t n_texts : {std::size_t{1}, std::size_t{2}, std::size_t{32}}) {
            CHECK_THAT(mean_loss(model, text, 5, n_texts),
                       WithinAbs(sum / static_cast<double>(n_tokens - 1), 1e-6));
        }
    }
    CHECK_THROWS_AS(mean_loss(model, random_text(5), 5), ContractError);
}

TEST_CASE("weights decay in matrices and embeddings alone", "[13]")
{
    // With a rate of nearly 0 nothing but the decay could move a number, and it does not either;
    // so the decay alone is made large.
    const TrainingOptions without{.n_steps = 10, .peak_rate = 1e-4};
    TrainingOptions with = without;
    with.weight_decay = 1000;
    const nn::Parameters<float> list = tiny_model().parameters();
    const std::vector<Array<float>> a = trained(without);
    const std::vector<Array<float>> b = trained(with);
    const auto norm = [](const Array<float>& values) {
        double squares = 0;
        for (const float x : values) {
            squares += static_cast<double>(x) * static_cast<double>(x);
        }
        return std::sqrt(squares);
    };
    std::size_t k = 0;
    for (const nn::NamedParameter<float>& one : list) {
        INFO(one.name);
        if (a[k].shape().size() == 2) {
            CHECK(norm(b[k]) < 0.8 * norm(a[k]));
        } else if (one.name.find("norm") != std::string::npos &&
                   one.name.find("weight") != std::string::npos) {
            CHECK(norm(b[k]) > 0.99 * norm(a[k]));
        }
        ++k;
    }
}

TEST_CASE("the rate rises, and falls as it is told", "[13]")
{
    // Adam's first steps have the length of the rate, so the sum of rates bounds what moves.
    const auto moved = [](Fall fall) {
        const std::vector<Array<float>> start = nn::values_of(tiny_model().parameters());
        const std::vector<Array<float>> end = trained(
            {.n_steps = 10, .peak_rate = 1e-3, .n_warm_up = 2, .fall = fall, .last_share = 0});
        double largest = 0;
        for (std::size_t k = 0; k < start.size(); ++k) {
            for (std::size_t i = 0; i < start[k].size(); ++i) {
                largest = std::max(largest, std::abs(static_cast<double>(end[k].data()[i]) -
                                                     static_cast<double>(start[k].data()[i])));
            }
        }
        return largest;
    };
    CHECK(moved(Fall::none) <=
          9.5e-3 * 1.2); // .5 + 9 rates; Adam's step may be a little longer
    CHECK(moved(Fall::linear) < 0.8 * moved(Fall::none));
    CHECK(moved(Fall::cosine) < 0.8 * moved(Fall::none));
    CHECK(moved(Fall::cosine) != moved(Fall::linear));
}
