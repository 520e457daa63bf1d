/// \file
/// \brief A batch that is shared out among copies of a model: the gradients are those of the whole,
/// and the bits do not depend on the number of threads.
#include "common/translation/parts.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/embedding.hpp"
#include "common/autograd/losses.hpp"
#include "common/translation/training.hpp"
#include "tests/common/translation/small_task.hpp"
#include "tests/support/catch.hpp"

#include <cmath>
#include <numeric>
#include <vector>

using namespace attn;
using namespace attn::translation;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

/// Predicts each word from the one before it.
struct Bigrams
{
    Variable<float> table;

    /// \param scale  of the numbers that it starts with
    explicit Bigrams(float scale)
        : table([&] {
              const std::size_t n = small_task().target.size();
              Array<float> numbers = uninitialised<float>({n, n});
              for (std::size_t i = 0; i < numbers.size(); ++i) {
                  numbers.data()[i] = scale * std::sin(static_cast<float>(i));
              }
              return autograd::parameter(std::move(numbers));
          }())
    {
    }

    TranslationModel model()
    {
        TranslationModel model;
        model.parameters.add("table", table);
        model.loss = [this](const text::Batch& batch) {
            return cross_entropy(
                gather_rows(table, batch.target_input, {batch.target_input.size()}),
                batch.answers);
        };
        return model;
    }
};

/// The first sentences of the small task as a batch.
text::Batch first_sentences(std::size_t n)
{
    std::vector<std::size_t> chosen(n);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return text::batch_of(small_task().train, chosen);
}

/// The gradient of a loss times 2.
Array<float> doubled_gradient(const TranslationModel& model, const text::Batch& batch)
{
    nn::Parameters<float> parameters = model.parameters;
    parameters.clear_gradients();
    const autograd::Tape<float> tape;
    backward(2.0 * model.loss(batch));
    return parameters.at("table").variable.gradient();
}

} // namespace

TEST_CASE("the gradients of the parts add up to that of the whole", "[translation]")
{
    Bigrams whole(1.0F);
    Bigrams first(0.0F);
    Bigrams second(3.0F);
    Bigrams third(0.5F);
    const TranslationModel parts =
        in_parts(whole.model(), {first.model(), second.model(), third.model()}, 2);
    for (const std::size_t n : {1U, 2U, 7U, 32U}) {
        CAPTURE(n);
        const text::Batch batch = first_sentences(n);
        const float loss = parts.loss(batch).item();
        CHECK_THAT(loss, WithinAbs(whole.model().loss(batch).item(), 1e-5));
        const Array<float> wanted = doubled_gradient(whole.model(), batch);
        const Array<float> found = doubled_gradient(parts, batch);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (std::abs(wanted.data()[i] - found.data()[i]) > 1e-6) {
                FAIL("entry " << i << ": " << wanted.data()[i] << ", " << found.data()[i]);
            }
        }
    }
}

TEST_CASE("a training in parts has the same bits with any number of threads", "[translation]")
{
    const auto trained = [](std::size_t n_threads) {
        Bigrams whole(1.0F);
        Bigrams first(1.0F);
        Bigrams second(1.0F);
        train(in_parts(whole.model(), {first.model(), second.model()}, n_threads),
              small_task().train, {.n_steps = 20}, {.show_progress = false});
        const Array<float>& numbers = whole.table.value();
        return std::vector<float>(numbers.begin(), numbers.end());
    };
    const std::vector<float> one = trained(1);
    CHECK((trained(2) == one));
    CHECK((trained(5) == one));
}
