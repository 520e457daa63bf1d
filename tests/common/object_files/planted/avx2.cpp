/// \file
/// \brief A kernel that shares an inline function with another instruction set, on purpose.
#include "tests/common/object_files/planted/shared.hpp"

float planted_avx2(float x);

float planted_avx2(float x)
{
    return planted::shared(x);
}
