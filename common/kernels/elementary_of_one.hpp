/// \file
/// \brief The table behind elementary.hpp: elementary functions of one number, compiled once with
/// the processor's fused instruction and once without. Deliberately no door: elementary.hpp is.
#pragma once

namespace attn::kernels {

/// Elementary functions of one number; see elementary.hpp.
struct ElementaryOfOne
{
    float (*exp_float)(float);
    double (*exp)(double);
    float (*log_float)(float);
    double (*log)(double);
    double (*log1p)(double);
    float (*tanh_float)(float);
    double (*tanh)(double);
    double (*pow)(double, double);
    double (*sin)(double);
    double (*cos)(double);
    double (*hypot)(double, double);
};

extern const ElementaryOfOne elementary_baseline; ///< for every processor
extern const ElementaryOfOne elementary_fma;      ///< with the processor's fused instruction

} // namespace attn::kernels
