#include "chapters/08_bahdanau/experiments/at_once.hpp"

#include "common/autograd/layout.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/tensor/check.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace attn::bahdanau {

using seq2seq::Answer;
using seq2seq::Question;

ContextFunction<double> recorded(const ContextFunction<double>& function,
                                 const std::shared_ptr<Record>& record)
{
    ContextFunction<double> listening = function;
    listening.read = [read = function.read, record](const Encoding<double>& encoding) {
        record->queries.clear();
        record->contexts.clear();
        record->weights.clear();
        return Answer<double>(
            [answer = read(encoding), record](const Question<double>& question) {
                Attended<double> attended = answer(question);
                record->queries.push_back(question.state);
                record->contexts.push_back(attended.context);
                record->weights.push_back(attended.weights);
                if (record->blind) {
                    attended.context =
                        Variable<double>(filled<double>(attended.context.shape(), 0.0));
                }
                return attended;
            });
    };
    return listening;
}

namespace {

/// Three sentences of random words, of 4, 5 and 6 words, and translations of 5 to 7.
text::Batch random_batch(std::size_t n_words, random::Generator& generator)
{
    std::vector<text::NumberedPair> pairs(3);
    const auto word = [&] {
        return static_cast<text::WordId>(3 + generator.below(n_words - 3)); // no special symbol
    };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        for (std::size_t t = 0; t < 4 + i; ++t) {
            pairs[i].source.push_back(word());
        }
        for (std::size_t t = 0; t < 5 + i; ++t) {
            pairs[i].target.push_back(word());
        }
    }
    return text::batch_of(pairs, std::vector<std::size_t>{0, 1, 2});
}

double largest_difference(const Variable<double>& a, const Variable<double>& b)
{
    expect(a.shape() == b.shape(), "largest_difference: {} and {} numbers", a.size(), b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a.value().data()[i] - b.value().data()[i]));
    }
    return largest;
}

/// What is asked and told while the right words are written one by one.
Record written_word_by_word(const seq2seq::Translator<double>& translator,
                            const text::Batch& batch, const Record& record)
{
    seq2seq::Draft<double> draft = translator.read(translation::sources_of(batch));
    const std::vector<std::int64_t> words =
        translation::by_step(batch.target_input, batch.n_pairs);
    for (std::size_t t = 0; t < batch.n_target; ++t) {
        const std::span<const std::int64_t> last(words.data() + t * batch.n_pairs,
                                                 batch.n_pairs);
        draft.state = translator.step(last, draft).state;
    }
    return record;
}

} // namespace

AtOnce ask_at_once(Score score, Asks asks, std::uint64_t seed)
{
    expect(score == Score::dot || score == Score::general,
           "ask_at_once: the score '{}' is no product of a query with a key", name_of(score));
    const autograd::NoGradient<double> forwards;
    constexpr std::size_t n_words = 12;
    constexpr std::size_t hidden = 8;
    constexpr std::uint64_t stream = 82ULL << 40U;
    random::Generator generator(seed, stream);
    const auto alignment = alignment_model<double>(score, asks, hidden, hidden, generator);
    const auto record = std::make_shared<Record>();
    const seq2seq::Translator<double> translator({n_words, n_words, 6, hidden},
                                                 recorded(alignment, record), generator);
    const text::Batch batch = random_batch(n_words, generator);

    // The loop, with the contexts and without.
    const Record loop = written_word_by_word(translator, batch, *record);
    record->blind = true;
    const Record blind_loop = written_word_by_word(translator, batch, *record);

    // The walk through all states that never sees a context.
    translator.write(batch);
    const Variable<double> Q = stack(record->queries, 1); // [batch, n_target, hidden]

    // One matrix call.
    const Encoding<double> encoding = translator.read(translation::sources_of(batch)).encoding;
    const Variable<double> V = encoding.states;
    const Variable<double> K =
        score == Score::dot ? V : matmul(V, alignment.parameters.at("keys.weight").variable);
    const Attended<double> all = attend(Q, K, V, encoding.lengths);
    return {largest_difference(stack(loop.queries, 1), stack(blind_loop.queries, 1)),
            largest_difference(stack(loop.weights, 1), all.weights),
            largest_difference(stack(loop.contexts, 1), all.context)};
}

} // namespace attn::bahdanau
