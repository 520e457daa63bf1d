# The rule that no digit depends on the standard library's mathematics, read off the tree at ROOT:
# common/ and chapters/ call no elementary function of the standard library, the compiler, xtensor or
# xsimd, whose last digits differ by library, processor and place in a list (common/kernels/ has
# ours). Roots are rounded alike everywhere and allowed; so are rounding, signs and comparisons.
cmake_minimum_required(VERSION 3.25)

# The files that may, each with its reason; ALLOWED replaces them.
if(NOT DEFINED ALLOWED)
    set(ALLOWED
        # Teach in xtensor's own words; six digits are printed, and nothing is fed back.
        chapters/01_lookup/lookup.cpp
        chapters/03_scoring_functions/scoring_functions.cpp
        # The lower rungs of the ladders: they are timed, and nothing that they compute is kept.
        chapters/14_simd_transformer/experiments/variants.cpp
        chapters/14_simd_transformer/online_attention.cpp)
endif()

set(functions exp exp2 expm1 log log2 log10 log1p pow cbrt hypot sin cos tan asin acos atan atan2
    sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma fmod remainder)
list(JOIN functions "|" functions)
set(qualified "(std|xt|xsimd)::(${functions})f?[^a-zA-Z0-9_<]")
set(unqualified "[^a-zA-Z0-9_:>.]((::)?(${functions})f|::(${functions})|__builtin_(${functions})f?) ?\\(")

set(breaches "")
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/common/*.?pp ${ROOT}/common/*.inl
    ${ROOT}/chapters/*.?pp ${ROOT}/chapters/*.inl)
if(NOT files)
    message(FATAL_ERROR "no source file found in ${ROOT}")
endif()
foreach(file IN LISTS ALLOWED)
    if(NOT file IN_LIST files)
        list(APPEND breaches "${file}: is allowed to, and does not exist: take it off the list")
    endif()
endforeach()
foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX MATCHALL "${qualified}|${unqualified}" calls "\n${text}")
    if(file IN_LIST ALLOWED)
        if(NOT calls)
            list(APPEND breaches "${file}: is allowed to, and does not: take it off the list")
        endif()
        continue()
    endif()
    foreach(call IN LISTS calls)
        string(REGEX MATCH "[a-z_0-9:]+" call "${call}")
        list(APPEND breaches "${file}: ${call}: common/kernels/elementary.hpp has ours")
    endforeach()
endforeach()

if(breaches)
    list(JOIN breaches "\n  " breaches)
    message(FATAL_ERROR "The tree breaks the rule of libm:\n  ${breaches}")
endif()
