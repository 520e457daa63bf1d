/// \file
/// \brief A kernel that shares an inline function with another instruction set, on purpose.
#include "tests/common/object_files/planted/shared.hpp"

float planted_scalar(float x);

float planted_scalar(float x)
{
    return planted::shared(x);
}
