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
std::vector<Number> rows_of(const std::vector<Number>& table, const parallel::Range& rows,
                            std::size_t width = 1)
{
    const auto begin = table.begin() + static_cast<std::ptrdiff_t>(rows.first * width);
    return {begin, begin + static_cast<std::ptrdiff_t>(rows.size() * width)};
}

/// Some sentences of a batch, filled up as they were there.
text::Batch part_of(const text::Batch& batch, const parallel::Range& pairs)
{
    text::Batch part;
    part.n_pairs = pairs.size();
    part.n_source = batch.n_source;
    part.n_target = batch.n_target;
    part.pairs = rows_of(batch.pairs, pairs);
    part.source_lengths = rows_of(batch.source_lengths, pairs);
    part.target_lengths = rows_of(batch.target_lengths, pairs);
    part.source = rows_of(batch.source, pairs, batch.n_source);
    part.target_input = rows_of(batch.target_input, pairs, batch.n_target);
    part.answers = rows_of(batch.answers, pairs, batch.n_target);
    return part;
}

/// Gives a copy the parameters of a model, and computes the gradients of a part's loss with it.
/// \returns  that loss
float learn_apart(const TranslationModel& model, TranslationModel& copy,
                  const text::Batch& batch, const parallel::Range& pairs)
{
    auto of_model = model.parameters.begin();
    for (nn::NamedParameter<float> of_copy : copy.parameters) {
        of_copy.variable.value() = (of_model++)->variable.value();
    }
    copy.parameters.clear_gradients();
    autograd::Tape<float> tape;
    const Variable<float> loss = loss_of_part(copy, batch, pairs);
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

Variable<float> loss_of_part(const TranslationModel& model, const text::Batch& batch,
                             const parallel::Range& pairs)
{
    if (pairs.size() == batch.n_pairs) {
        return model.loss(batch);
    }
    const text::Batch part = part_of(batch, pairs);
    const double share = static_cast<double>(text::n_predicted_words(part)) /
                         static_cast<double>(text::n_predicted_words(batch));
    return share * model.loss(part);
}

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
            losses[part] = learn_apart(model, used[part], batch,
                                       parallel::share_of(batch.n_pairs, part, n_parts));
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
