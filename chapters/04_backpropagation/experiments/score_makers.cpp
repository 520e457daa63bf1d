#include "chapters/04_backpropagation/experiments/score_makers.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace attn::backpropagation {

using autograd::matmul;
using random::Generator;

namespace {

template <typename T>
nn::Parameters<T> list_of(std::initializer_list<std::pair<const char*, Variable<T>>> named)
{
    nn::Parameters<T> list;
    for (const auto& [name, variable] : named) {
        list.add(name, variable);
    }
    return list;
}

/// A score without parameters.
template <typename T>
using FixedScore = Variable<T> (*)(const Variable<T>& queries, const Variable<T>& keys);

template <typename T>
ScoreMaker<T> fixed_score(const char* name, FixedScore<T> score)
{
    return {name, true, [score](const ScoreSizes&, Generator&) {
                return LearntScore<T>{{}, score};
            }};
}

/// exp(theta) times scores, theta to be learnt and 0 at first: a temperature that stays positive.
template <typename T>
ScoreMaker<T> with_temperature(const char* name, FixedScore<T> score)
{
    return {name, true, [score](const ScoreSizes&, Generator&) {
                const Variable<T> theta = autograd::parameter(filled<T>({1}, T(0)));
                return LearntScore<T>{list_of<T>({{"theta", theta}}),
                                      [score, theta](const auto& queries, const auto& keys) {
                                          return exp(theta) * score(queries, keys);
                                      }};
            }};
}

template <typename T>
LearntScore<T> learnt_multiplicative(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> W = matrix_parameter<T>(generator, sizes.d_q, sizes.d_k);
    return {list_of<T>({{"W", W}}), [W](const auto& queries, const auto& keys) {
                return multiplicative(queries, keys, W);
            }};
}

template <typename T>
LearntScore<T> learnt_distance(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> W = matrix_parameter<T>(generator, sizes.d_k, sizes.d_q);
    const Variable<T> theta = autograd::parameter(filled<T>({1}, T(0)));
    return {list_of<T>({{"W", W}, {"theta", theta}}),
            [W, theta](const auto& queries, const auto& keys) {
                return exp(theta) * dot_with_key_bias(queries, matmul(keys, W));
            }};
}

template <typename T>
LearntScore<T> learnt_projected(const ScoreSizes& sizes, Generator& generator)
{
    const Variable<T> U = matrix_parameter<T>(generator, sizes.d_q, sizes.d_hidden);
    const Variable<T> V = matrix_parameter<T>(generator, sizes.d_k, sizes.d_hidden);
    return {list_of<T>({{"U", U}, {"V", V}}), [U, V](const auto& queries, const auto& keys) {
                return scaled_dot_product(matmul(queries, U), matmul(keys, V));
            }};
}

} // namespace

template <typename T>
const std::vector<ScoreMaker<T>>& score_makers()
{
    static const std::vector<ScoreMaker<T>> table = {
        fixed_score<T>("dot", dot_product),
        fixed_score<T>("scaled dot", scaled_dot_product),
        with_temperature<T>("cosine", cosine),
        with_temperature<T>("dot + key bias", dot_with_key_bias),
        {"multiplicative", false, learnt_multiplicative<T>},
        {"multiplicative + key bias", false, learnt_distance<T>},
        {"projected", false, learnt_projected<T>},
        {"additive, no bias", false,
         [](const ScoreSizes& sizes, Generator& generator) {
             return learnt_additive<T>(sizes, generator, false);
         }},
        {"additive, bias", false,
         [](const ScoreSizes& sizes, Generator& generator) {
             return learnt_additive<T>(sizes, generator, true);
         }},
    };
    return table;
}

const ScoreMaker<float>& score_named(const std::string& name)
{
    const std::vector<ScoreMaker<float>>& table = score_makers<float>();
    const auto found =
        std::find_if(table.begin(), table.end(),
                     [&](const ScoreMaker<float>& maker) { return maker.name == name; });
    expect(found != table.end(), "score_named: there is no score '{}'", name);
    return *found;
}

template const std::vector<ScoreMaker<float>>& score_makers();
template const std::vector<ScoreMaker<double>>& score_makers();

} // namespace attn::backpropagation
