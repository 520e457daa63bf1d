#include "common/kernels/elementary_of_one.inl"

namespace attn::kernels {

const ElementaryOfOne elementary_baseline = elementary_of_one();

} // namespace attn::kernels
