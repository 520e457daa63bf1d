#include "chapters/06_recurrent_attention/memory_attention.hpp"

#include "common/autograd/activations.hpp"
#include "common/autograd/arithmetic.hpp"
#include "common/autograd/layout.hpp"
#include "common/autograd/linear.hpp"
#include "common/autograd/matrix_product.hpp"
#include "common/autograd/softmax.hpp"
#include "common/nn/initialise.hpp"
#include "common/tensor/check.hpp"

#include <cmath>

namespace attn::recurrent_attention {

namespace {

template <typename T>
void expect_pair(const Variable<T>& query, const Variable<T>& memory, const char* function)
{
    expect(query.rank() == 2 && memory.rank() == 3 && query.shape()[0] == memory.shape()[0] &&
               memory.shape()[1] > 0,
           "{}: a query [batch, d] and a memory [batch, n, d] with n above 0 are needed, got "
           "{} and {}",
           function, query.shape(), memory.shape());
}

/// What one score in d numbers is multiplied with.
double factor_of(Score score, std::size_t d)
{
    const auto size = static_cast<double>(d);
    return score == Score::mean ? 1 / size : score == Score::root ? 1 / std::sqrt(size) : 1.0;
}

} // namespace

template <typename T>
Variable<T> additive_scores(const AdditiveParameters<T>& parameters, const Variable<T>& query,
                            const Variable<T>& memory)
{
    expect_pair(query, memory, "additive_scores");
    const std::size_t batch = query.shape()[0];
    const std::size_t n = memory.shape()[1];
    const Variable<T> from_query = linear(query, parameters.w_2, parameters.b);
    const Variable<T> hidden = tanh(linear(memory, parameters.w_1) +
                                    reshape(from_query, {batch, 1, from_query.shape()[1]}));
    return reshape(linear(hidden, parameters.q), {batch, n});
}

template <typename T>
Variable<T> memory_scores(Score score, const Variable<T>& query, const Variable<T>& memory)
{
    expect_pair(query, memory, "memory_scores");
    expect(score != Score::additive, "memory_scores: the additive score has parameters");
    // [scores]
    const std::size_t batch = query.shape()[0];
    const std::size_t d = query.shape()[1];
    const Variable<T> products = matmul(memory, reshape(query, {batch, d, 1}));
    return factor_of(score, d) * reshape(products, {batch, memory.shape()[1]});
    // [scores]
}

template <typename T>
Attended<T> read_memory(const Variable<T>& scores, const Variable<T>& memory)
{
    expect(scores.rank() == 2 && memory.rank() == 3 && scores.shape()[0] == memory.shape()[0] &&
               scores.shape()[1] == memory.shape()[1],
           "read_memory: scores must be [batch, n] for a memory [batch, n, d], got {} and {}",
           scores.shape(), memory.shape());
    // [attend]
    const std::size_t batch = scores.shape()[0];
    const std::size_t n = scores.shape()[1];
    const Variable<T> weights = softmax(scores);
    const Variable<T> context = matmul(reshape(weights, {batch, 1, n}), memory);
    return {reshape(context, {batch, memory.shape()[2]}), weights};
    // [attend]
}

template <typename T>
MemoryAttention<T>::MemoryAttention(Score score, std::size_t d_query, std::size_t d_memory,
                                    random::Generator& generator, Lookup lookup)
    : score_(score), d_query_(d_query), d_memory_(d_memory)
{
    expect(d_query > 0 && d_memory > 0,
           "MemoryAttention: sizes must be above 0, got {} for a query and {} for the memory",
           d_query, d_memory);
    expect(score == Score::additive || lookup == Lookup::learnt || d_query == d_memory,
           "MemoryAttention: a state of {} numbers cannot itself be the lookup vector of a "
           "memory of {}; a map has to be learnt",
           d_query, d_memory);
    const auto drawn = [&](const Shape& shape) {
        return autograd::parameter(nn::initialise::xavier_uniform<T>(shape, generator));
    };
    if (score == Score::additive) {
        additive_ = AdditiveParameters<T>{
            drawn({d_memory, d_query}), drawn({d_query, d_query}),
            autograd::parameter(nn::initialise::zeros<T>({d_query})), drawn({d_query, 1})};
    } else if (lookup == Lookup::learnt) {
        lookup_ = drawn({d_query, d_memory});
    }
}

template <typename T>
Attended<T> MemoryAttention<T>::operator()(const Variable<T>& query,
                                           const Variable<T>& memory) const
{
    expect_pair(query, memory, "MemoryAttention");
    expect(query.shape()[1] == d_query_ && memory.shape()[2] == d_memory_,
           "MemoryAttention: made for queries of {} and a memory of {} numbers, got {} and {}",
           d_query_, d_memory_, query.shape(), memory.shape());
    if (additive_) {
        return read_memory(additive_scores(*additive_, query, memory), memory);
    }
    const Variable<T> u = lookup_ ? linear(query, *lookup_) : query;
    return read_memory(memory_scores(score_, u, memory), memory);
}

template <typename T>
nn::Parameters<T> MemoryAttention<T>::parameters() const
{
    nn::Parameters<T> list;
    if (lookup_) {
        list.add("lookup", *lookup_, nn::FileLayout::transposed);
    }
    if (additive_) {
        list.add("w_1", additive_->w_1, nn::FileLayout::transposed);
        list.add("w_2", additive_->w_2, nn::FileLayout::transposed);
        list.add("b", additive_->b);
        list.add("q", additive_->q, nn::FileLayout::transposed);
    }
    return list;
}

template class MemoryAttention<float>;
template class MemoryAttention<double>;
/// \cond
#define ATTN_INSTANTIATE(T)                                                                    \
    template Variable<T> memory_scores(Score, const Variable<T>&, const Variable<T>&);         \
    template Variable<T> additive_scores(const AdditiveParameters<T>&, const Variable<T>&,     \
                                         const Variable<T>&);                                  \
    template Attended<T> read_memory(const Variable<T>&, const Variable<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE
/// \endcond

} // namespace attn::recurrent_attention
