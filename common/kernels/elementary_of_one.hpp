/// \file
/// \brief The table behind elementary.hpp: elementary functions of one number, compiled once with
/// the processor's fused instruction and once without. Deliberately no door: elementary.hpp is.
#pragma once

namespace attn::kernels {

/// Elementary functions of one number; see elementary.hpp.
struct ElementaryOfOne
{
    float (*exp_float)(float);       ///< e^x
    double (*exp)(double);           ///< e^x
    float (*log_float)(float);       ///< the natural logarithm
    double (*log)(double);           ///< the natural logarithm
    double (*log1p)(double);         ///< log(1 + x)
    float (*tanh_float)(float);      ///< hyperbolic tangent
    double (*tanh)(double);          ///< hyperbolic tangent
    double (*pow)(double, double);   ///< x^y
    double (*sin)(double);           ///< sine
    double (*cos)(double);           ///< cosine
    double (*hypot)(double, double); ///< sqrt(x^2 + y^2)
};

extern const ElementaryOfOne elementary_baseline; ///< for every processor
extern const ElementaryOfOne elementary_fma;      ///< with the processor's fused instruction

} // namespace attn::kernels
