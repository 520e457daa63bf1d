#include "common/translation/effects.hpp"

#include <algorithm>

namespace attn::translation {

std::vector<std::size_t> largest_of(const Matrix& effects)
{
    std::vector<std::size_t> largest;
    for (std::size_t t = 0; t < effects.shape(0); ++t) {
        const double* const row = effects.data() + t * effects.shape(1);
        largest.push_back(
            static_cast<std::size_t>(std::max_element(row, row + effects.shape(1)) - row));
    }
    return largest;
}

std::size_t class_of(double weight)
{
    const auto* const above =
        std::upper_bound(weight_bounds.begin(), weight_bounds.end() - 1, weight);
    return static_cast<std::size_t>(above - weight_bounds.begin());
}

namespace {

bool holds(const std::vector<text::Link>& links, const text::Link& link)
{
    return std::find(links.begin(), links.end(), link) != links.end();
}

} // namespace

void Agreement::add(const Effects& effects, const text::SentencePair& pair)
{
    const std::vector<std::size_t> by_weight = largest_of(effects.weights);
    const std::vector<std::size_t> by_deletion = largest_of(effects.deletion);
    const std::vector<std::size_t> by_replacement = largest_of(effects.replacement);
    const std::vector<std::size_t> by_gradient = largest_of(effects.gradient);
    const std::size_t n_source = pair.source.size();
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        const std::size_t attended = by_weight[t];
        const auto is_sure = [&](std::size_t source) {
            return holds(pair.sure, {source, t}) ? 1U : 0U;
        };
        n_words += 1;
        weight += attended == by_deletion[t] ? 1U : 0U;
        gradient += by_gradient[t] == by_deletion[t] ? 1U : 0U;
        replacement += by_replacement[t] == by_deletion[t] ? 1U : 0U;
        if (std::any_of(pair.sure.begin(), pair.sure.end(),
                        [t](const text::Link& link) { return link.target == t; })) {
            n_linked += 1;
            sure_deletion += is_sure(by_deletion[t]);
            sure_weight += is_sure(attended);
            sure_gradient += is_sure(by_gradient[t]);
        }
        double rest = 0;
        for (std::size_t j = 0; j < n_source; ++j) {
            const double drop = effects.deletion(t, j);
            rest += j == attended ? 0.0 : drop;
            DropsOfClass& drops = classes[class_of(effects.weights(t, j))];
            if (holds(pair.sure, {j, t})) {
                drops.linked.push_back(drop);
            } else if (!holds(pair.possible, {j, t})) {
                drops.unlinked.push_back(drop);
            }
        }
        drops_attended.push_back(effects.deletion(t, attended));
        drops_other.push_back(rest / static_cast<double>(n_source - 1));
    }
}

} // namespace attn::translation
