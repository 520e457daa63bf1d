#include "common/kernels/elementary_of_one.inl"

namespace attn::kernels {

const ElementaryOfOne elementary_fma = elementary_of_one();

} // namespace attn::kernels
