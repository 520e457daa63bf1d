#include "chapters/08_bahdanau/alignment.hpp"

#include "chapters/04_backpropagation/learnt_scores.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/attention_scores.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/layers.hpp"
#include "common/tensor/check.hpp"
#include "common/text/batches.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

namespace attn::bahdanau {

using autograd::Mask;
using backpropagation::additive_scores;
using nn::Bias;
using nn::Linear;
using seq2seq::AttentionFunction;
using seq2seq::DecoderQuery;

std::string name_of(QueryState query_state)
{
    constexpr std::array names = {"nothing", "s_{t-1}", "s_t"};
    return names.at(static_cast<std::size_t>(query_state));
}

namespace {

/// Which words of each source there are.
template <typename T>
Mask words_of(const Encoding<T>& encoding)
{
    return text::mask_of_lengths(encoding.lengths, encoding.states.shape()[1]);
}

/// The scores of one query with the keys of each sentence [batch, n_source].
template <typename T>
using Scores = std::function<Variable<T>(const DecoderQuery<T>& query)>;

// [alignment]
/// Weights from scores, and the context from the weights.
template <typename T>
AttentionFunction<T> attend_with(Scores<T> scores, const Encoding<T>& encoding)
{
    return [scores = std::move(scores), mask = words_of(encoding),
            values = encoding.states](const DecoderQuery<T>& query) {
        const Variable<T> weights = masked_softmax(scores(query), mask);
        return Attended<T>{weighted_sum(weights, values), weights};
    };
}
// [alignment]

// [scores]
/// A score with a tanh. Luong's one matrix W for [q; k] is W_q and W_k side by side.
template <typename T>
ContextFunction<T> additive_attention(Bias bias, QueryState query_state, std::size_t hidden,
                                      std::size_t d_alignment, random::Generator& generator)
{
    const Linear<T> W_k(hidden, d_alignment, generator, bias);
    const Linear<T> W_q(hidden, d_alignment, generator, Bias::none);
    const Linear<T> w(d_alignment, 1, generator, Bias::none);
    ContextFunction<T> function;
    function.query_state = query_state;
    function.prepare = [=](const Encoding<T>& encoding) {
        const Variable<T> keys = W_k(encoding.states); // once a sentence
        const Variable<T> row = reshape(w.weight, {d_alignment});
        const Scores<T> scores = [=](const DecoderQuery<T>& query) {
            const std::size_t batch = keys.shape()[0];
            const Variable<T> q = W_q(query.state); // [batch, d_alignment]
            return reshape(additive_scores(reshape(q, {batch, 1, d_alignment}), keys, row),
                           {batch, keys.shape()[1]});
        };
        return attend_with<T>(scores, encoding);
    };
    function.parameters.add_layer("keys", W_k);
    function.parameters.add_layer("query", W_q);
    function.parameters.add_layer("score", w);
    return function;
}

/// A dot product with the annotations, or with what one matrix makes of them.
template <typename T>
ContextFunction<T> dot_attention(bool with_matrix, QueryState query_state, std::size_t hidden,
                                 std::size_t /*d_alignment*/, random::Generator& generator)
{
    ContextFunction<T> function;
    function.query_state = query_state;
    std::optional<Linear<T>> W;
    if (with_matrix) {
        W.emplace(hidden, hidden, generator, Bias::none);
        function.parameters.add_layer("keys", *W);
    }
    function.prepare = [W](const Encoding<T>& encoding) {
        const Variable<T> keys = W ? (*W)(encoding.states) : encoding.states; // once a sentence
        return attend_with<T>(
            [keys](const DecoderQuery<T>& query) { return dot_scores(query.state, keys); },
            encoding);
    };
    return function;
}
// [scores]

/// A score whose attention a generic lambda makes, for both types.
template <typename Make>
constexpr Score score_by(std::string_view name, Make /*make*/)
{
    return {name,
            {[](QueryState query_state, std::size_t hidden, std::size_t d_alignment,
                random::Generator& generator) {
                 return Make{}.template operator()<float>(query_state, hidden, d_alignment,
                                                          generator);
             },
             [](QueryState query_state, std::size_t hidden, std::size_t d_alignment,
                random::Generator& generator) {
                 return Make{}.template operator()<double>(query_state, hidden, d_alignment,
                                                           generator);
             }}};
}

} // namespace

/// \cond
constexpr Score Score::additive = score_by("additive", []<typename T>(auto&... of) {
    return additive_attention<T>(Bias::learnt, of...);
});
constexpr Score Score::concat = score_by(
    "concat", []<typename T>(auto&... of) { return additive_attention<T>(Bias::none, of...); });
constexpr Score Score::dot =
    score_by("dot", []<typename T>(auto&... of) { return dot_attention<T>(false, of...); });
constexpr Score Score::general =
    score_by("general", []<typename T>(auto&... of) { return dot_attention<T>(true, of...); });
/// \endcond

const std::vector<Score>& score_table()
{
    static const std::vector<Score> table = {
        Score::additive, // w . tanh(W_q q + W_k k + b)
        Score::concat,   // w . tanh(W [q; k])
        Score::dot,      // q . k
        Score::general,  // q . W k
        // a score of one's own: score_by, with what makes its attention
    };
    return table;
}

const Score& score_named(std::string_view name)
{
    const auto& table = score_table();
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const Score& score) { return score.name == name; });
    expect(found != table.end(), "score_named: there is no score '{}'", name);
    return *found;
}

template <typename T>
ContextFunction<T> alignment_model(const Score& score, QueryState query_state,
                                   std::size_t hidden, std::size_t d_alignment,
                                   random::Generator& generator)
{
    expect(hidden >= 1 && d_alignment >= 1 && query_state != QueryState::none,
           "alignment_model: sizes must be at least 1, got {} and {}, and the decoder must ask",
           hidden, d_alignment);
    const auto make = std::get<AlignmentMaker<T>>(score.makers);
    ContextFunction<T> function = make(query_state, hidden, d_alignment, generator);
    function.name = std::string(score.name) + ", " + name_of(query_state);
    return function;
}

// [location]
template <typename T>
ContextFunction<T> location_only(std::size_t hidden, std::size_t d_embedding,
                                 std::size_t n_positions, random::Generator& generator)
{
    const Linear<T> W(d_embedding + hidden, n_positions, generator);
    ContextFunction<T> function;
    function.name = "location only";
    function.query_state = QueryState::previous;
    function.prepare = [W, n_positions](const Encoding<T>& encoding) {
        const std::size_t n_source = encoding.states.shape()[1];
        expect(n_source <= n_positions,
               "location_only: a source may have {} words at most, got {}", n_positions,
               n_source);
        return attend_with<T>(
            [W, n_source](const DecoderQuery<T>& query) {
                // u . one_hot(j) is entry j of u.
                const Variable<T> u = W(autograd::concatenate<T>({query.word, query.state}, 1));
                return slice(u, 1, 0, n_source);
            },
            encoding);
    };
    function.parameters.add_layer("positions", W);
    return function;
}
// [location]

// [at_once]
template <typename T>
Attended<T> attend(const Variable<T>& queries, const Variable<T>& keys,
                   const Variable<T>& values, const std::vector<std::size_t>& lengths)
{
    expect(queries.rank() == 3 && keys.rank() == 3 && values.rank() == 3 &&
               lengths.size() == keys.shape()[0],
           "attend: queries {}, keys {} and values {} must be [batch, n, d], with a length for "
           "each sentence, got {}",
           queries.shape(), keys.shape(), values.shape(), lengths.size());
    const std::size_t batch = keys.shape()[0];
    const std::size_t n_source = keys.shape()[1];
    const Array<bool> words = text::mask_of_lengths(lengths, n_source);
    Mask mask(Shape{batch, 1, n_source});
    std::copy(words.begin(), words.end(), mask.begin());
    const Variable<T> scores = matmul(queries, keys, Transpose::no, Transpose::yes);
    const Variable<T> weights = masked_softmax(scores, mask); // [batch, n_target, n_source]
    return {matmul(weights, values), weights};
}
// [at_once]

#define ATTN_INSTANTIATE(T)                                                                    \
    template ContextFunction<T> alignment_model(const Score&, QueryState, std::size_t,         \
                                                std::size_t, random::Generator&);              \
    template ContextFunction<T> location_only(std::size_t, std::size_t, std::size_t,           \
                                              random::Generator&);                             \
    template Attended<T> attend(const Variable<T>&, const Variable<T>&, const Variable<T>&,    \
                                const std::vector<std::size_t>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

} // namespace attn::bahdanau
