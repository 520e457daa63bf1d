#include "common/translation/parts.hpp"

#include "common/autograd/arithmetic.hpp"
#include "common/autograd/rule.hpp"
#include "common/kernels/instruction_sets.hpp"
#include "common/parallel/for_each_index.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attn::translation {

namespace {

/// Some rows of a table.
template <typename Number>
std::vector<Number> rows_of(const std::vector<Number>& table, std::size_t first, std::size_t n,
                            std::size_t width = 1)
{
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(first * width);
    return {begin, begin + static_cast<std::ptrdiff_t>(n * width)};
}

/// Some sentences of a batch, filled up as they were there.
text::Batch part_of(const text::Batch& batch, std::size_t first, std::size_t n)
{
    text::Batch part;
    part.n_pairs = n;
    part.n_source = batch.n_source;
    part.n_target = batch.n_target;
    part.pairs = rows_of(batch.pairs, first, n);
    part.source_lengths = rows_of(batch.source_lengths, first, n);
    part.target_lengths = rows_of(batch.target_lengths, first, n);
    part.source = rows_of(batch.source, first, n, batch.n_source);
    part.target_input = rows_of(batch.target_input, first, n, batch.n_target);
    part.answers = rows_of(batch.answers, first, n, batch.n_target);
    return part;
}

/// Gives a copy the parameters of a model, and computes the gradients of a batch's loss with it.
/// \param share  what the loss is multiplied with
/// \returns      the product
float learn_apart(const TranslationModel& model, TranslationModel& copy,
                  const text::Batch& batch, double share)
{
    auto of_model = model.parameters.begin();
    for (nn::NamedParameter<float> of_copy : copy.parameters) {
        of_copy.variable.value() = (of_model++)->variable.value();
    }
    copy.parameters.clear_gradients();
    autograd::Tape<float> tape;
    const Variable<float> loss = share * copy.loss(batch);
    backward(loss);
    return loss.item();
}

/// Adds what the copies have found out to the gradients of the model.
void add_gradients(const TranslationModel& model, const std::vector<TranslationModel>& copies,
                   float factor)
{
    for (const TranslationModel& copy : copies) {
        auto of_copy = copy.parameters.begin();
        for (const nn::NamedParameter<float>& of_model : model.parameters) {
            const Variable<float>& found = (of_copy++)->variable;
            if (found.has_gradient()) {
                const float* const gradient = found.gradient().data();
                autograd::add_to_gradient(of_model.variable, [gradient, factor](std::size_t i) {
                    return factor * gradient[i];
                });
            }
        }
    }
}

} // namespace

TranslationModel in_parts(const TranslationModel& model, std::vector<TranslationModel> copies,
                          std::size_t n_threads)
{
    TranslationModel whole = model;
    whole.loss = [model, copies = std::move(copies), n_threads](const text::Batch& batch) {
        const std::size_t n_parts = std::min(copies.size(), batch.n_pairs);
        std::vector<TranslationModel> used = copies;
        used.resize(n_parts);
        const kernels::Execution how = {kernels::execution().kernels, 1};
        std::vector<float> losses(n_parts);
        parallel::for_each_index(n_parts, n_threads, [&](std::size_t part) {
            const kernels::ComputeWith these(how);
            const std::size_t first = part * batch.n_pairs / n_parts;
            const std::size_t end = (part + 1) * batch.n_pairs / n_parts;
            const text::Batch own = part_of(batch, first, end - first);
            const double share = static_cast<double>(text::n_predicted_words(own)) /
                                 static_cast<double>(text::n_predicted_words(batch));
            losses[part] = learn_apart(model, used[part], own, share);
        });
        const float sum = std::accumulate(losses.begin(), losses.end(), 0.0F);
        return autograd::record(filled<float>({}, sum), true,
                                [model, used](const Array<float>&, const Array<float>& dl) {
                                    add_gradients(model, used, dl.data()[0]);
                                });
    };
    return whole;
}

} // namespace attn::translation
