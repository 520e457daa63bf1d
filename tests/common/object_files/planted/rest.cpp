/// \file
/// \brief A file of the rest of the program that shares an inline function with a kernel.
#include "tests/common/object_files/planted/shared.hpp"

float planted_rest(float x);

float planted_rest(float x)
{
    return planted::shared(x);
}
