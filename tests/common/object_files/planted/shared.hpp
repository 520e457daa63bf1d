/// \file
/// \brief An inline function as a kernel must not have it: each file that calls it defines it.
#pragma once

namespace planted {

[[gnu::noinline]] inline float shared(float x)
{
    return 2 * x;
}

} // namespace planted
