#pragma once
#include <cmath>
namespace attn::elementary { inline double log(double x){return std::log(x);} inline float log(float x){return std::log(x);} }
