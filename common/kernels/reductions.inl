/// \file
/// \brief Sums along a row.
namespace {

using attn::kernels::ReductionKernels;

template <class V>
NumberOf<V> sum_of(std::size_t n, const NumberOf<V>* x)
{
    Total<V> total;
    along_row<V>(n, [&](auto at, std::size_t j) ATTN_BODY { total.add(j, at.load(x)); });
    return total.value();
}

template <class V>
NumberOf<V> dot_of(std::size_t n, const NumberOf<V>* x, const NumberOf<V>* y)
{
    Total<V> total;
    along_row<V>(n, [&](auto at, std::size_t j)
                        ATTN_BODY { total.add_product(j, at.load(x), at.load(y)); });
    return total.value();
}

template <class V>
NumberOf<V> largest_of(std::size_t n, const NumberOf<V>* x)
{
    Largest<V> largest;
    along_row<V>(n, [&](auto at, std::size_t j)
                        ATTN_BODY { largest.add(j, at.load(x, minus_infinity<NumberOf<V>>)); });
    return largest.value();
}

template <class V>
constexpr ReductionKernels<NumberOf<V>> reduction_kernels()
{
    return {.sum = sum_of<V>, .dot = dot_of<V>, .largest = largest_of<V>};
}

} // namespace
