/// \file
/// \brief What a transformer computes does not depend on how: another attention, fused rows,
/// instruction sets and threads.
#include "tests/12_transformer/samples.hpp"
#include "tests/support/same_bits.hpp"

#include <algorithm>

using namespace attn;
using namespace attn::transformer;
using namespace attn::testing;
using Catch::Matchers::WithinAbs;

namespace {

/// Options of a transformer whose rows no vector divides.
TransformerOptions wide_options(NormPlace norm)
{
    TransformerOptions options = small_options(norm);
    options.layer.d_model = 36;
    options.layer.n_heads = 2;
    options.layer.d_ff = 50;
    options.layer.dropout = 0.1;
    return options;
}

/// A loss, and the gradients of all parameters.
template <typename T>
std::vector<Array<T>> loss_and_gradients(const Transformer<T>& transformer,
                                         const text::Batch& batch)
{
    random::Generator rng(4);
    const autograd::Tape<T> tape;
    const Variable<T> loss = transformer.loss(batch, &rng);
    backward(loss);
    std::vector<Array<T>> numbers = {loss.value()};
    for (const nn::NamedParameter<T>& one : transformer.parameters()) {
        Variable<T> variable = one.variable;
        numbers.push_back(variable.gradient());
        variable.clear_gradient();
    }
    return numbers;
}

template <typename T>
void check_same_bits(const std::vector<Array<T>>& a, const std::vector<Array<T>>& b)
{
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        CAPTURE(i);
        CHECK(same_bits(a[i], b[i]));
    }
}

/// Rows fused and not, on every set, on one to three threads.
template <typename T>
void check_every_way(const Transformer<T>& original, const text::Batch& batch)
{
    Transformer<T> transformer = original;
    transformer.compute_by({.fused_rows = false});
    const std::vector<Array<T>> wanted = [&] {
        const kernels::ComputeWith reference({fused_sets().front()});
        return loss_and_gradients(transformer, batch);
    }();
    transformer.compute_by({.fused_rows = true});
    for (const kernels::Kernels* kernels : fused_sets()) {
        for (const std::size_t n_threads : {1U, 2U, 3U}) {
            CAPTURE(kernels->name, n_threads);
            const kernels::ComputeWith guard({kernels, n_threads});
            check_same_bits(loss_and_gradients(transformer, batch), wanted);
        }
    }
}

} // namespace

// [claim_same_bits]
TEST_CASE("loss and gradients have the same bits with fused rows, on every set, on any threads",
          "[12][claim]")
{
    const text::Batch batch = batch_of_three();
    for (const NormPlace norm : {NormPlace::before, NormPlace::after, NormPlace::nowhere}) {
        check_every_way(small_transformer<float>(wide_options(norm)), batch);
        check_every_way(small_transformer<double>(wide_options(norm)), batch);
    }
    for (bool LayerOptions::*const part : {&LayerOptions::residual, &LayerOptions::feed_forward,
                                           &LayerOptions::self_attention}) {
        TransformerOptions options = wide_options(NormPlace::before);
        options.layer.*part = false;
        check_every_way(small_transformer<float>(options), batch);
    }
}
// [claim_same_bits]

TEST_CASE("so have those of a batch that is large enough to be shared among threads", "[12]")
{
    TransformerOptions options = small_options(NormPlace::before, 1);
    options.layer = {.d_model = 64, .n_heads = 4, .d_ff = 128};
    check_every_way(small_transformer<float>(options), batch_to_share());
}

TEST_CASE("another attention, the same scores", "[12]")
{
    const text::Batch batch = batch_of_three();
    auto transformer = small_transformer<double>(small_options());
    const std::vector<Array<double>> usual = loss_and_gradients(transformer, batch);
    const std::vector<multi_head::Attend<double>> kernels = {
        multi_head::attend_by_operators<double>, multi_head::attend_in_one_step<double>};
    for (const auto& attend : kernels) {
        transformer.compute_by({.attend = attend});
        const std::vector<Array<double>> found = loss_and_gradients(transformer, batch);
        for (std::size_t i = 0; i < usual.size(); ++i) {
            for (std::size_t j = 0; j < usual[i].size(); ++j) {
                CHECK_THAT(found[i].data()[j], WithinAbs(usual[i].data()[j], 1e-12));
            }
        }
    }
    std::size_t n_calls = 0;
    transformer.compute_by(
        {.attend = [&](const auto& q, const auto& k, const auto& v, std::size_t n_heads,
                       const AttentionMask& mask, Array<double>* weights) {
            ++n_calls;
            return multi_head::attend_by_operators(q, k, v, n_heads, mask, weights);
        }});
    transformer.loss(batch);
    CHECK(n_calls == 2 + 2 * 2); // each attention of two layers and two layers
}
