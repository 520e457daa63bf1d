# The switches of the presets, as compile options of three interface libraries:
#   attn_options      what our own code is compiled with (private: readers' flags stay theirs)
#   attn_plumbing     the same at -O1: for what reads, writes, searches and reports
#   attn_unoptimised  the same at -O0: for what waits for those, the tests

set(ATTN_ARCHITECTURE "native" CACHE STRING
    "native: this machine's processor; portable: any processor of its kind")
set_property(CACHE ATTN_ARCHITECTURE PROPERTY STRINGS native portable)
option(ATTN_WARNINGS_AS_ERRORS "A warning is an error" ON)
option(ATTN_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(ATTN_CHECKED_TENSORS "xtensor and the standard library check every index" OFF)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

add_library(attn_options INTERFACE)

# Fixed by the language of the book: warnings on, and no -ffast-math anywhere. A compiler that makes
# one fused operation of a product and a sum would give bits of its own; where one is wanted, std::fma
# or a kernel says so. That a root of a negative number is noted in errno, where nobody looks, would
# keep loops with roots from vectors.
target_compile_options(attn_options INTERFACE -Wall -Wextra -Wconversion -Wshadow
    -ffp-contract=off -fno-math-errno)
if(ATTN_WARNINGS_AS_ERRORS)
    target_compile_options(attn_options INTERFACE -Werror)
endif()

# g++ stops every hundred megabytes to look for memory that it could use again: a twelfth of its
# time. A file of ours takes it half a gigabyte, at most one and a half.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(attn_options INTERFACE "SHELL:--param ggc-min-heapsize=1000000")
endif()

# g++'s optimiser complains inside library headers after inlining, system header or not;
# clang keeps the real checks.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(attn_options INTERFACE -Wno-maybe-uninitialized
        -Wno-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # GCC bug 105651: "literal" + std::string at -O2 and above.
        target_compile_options(attn_options INTERFACE -Wno-restrict)
    endif()
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
    target_compile_options(attn_options INTERFACE -Wno-invalid-feature-combination)
endif()

if(ATTN_ARCHITECTURE STREQUAL "native")
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-march=native ATTN_HAS_MARCH_NATIVE)
    if(ATTN_HAS_MARCH_NATIVE)
        target_compile_options(attn_options INTERFACE -march=native)
    endif()
elseif(NOT ATTN_ARCHITECTURE STREQUAL "portable")
    message(FATAL_ERROR "ATTN_ARCHITECTURE must be native or portable, got '${ATTN_ARCHITECTURE}'")
endif()

if(ATTN_CHECKED_TENSORS)
    target_compile_definitions(attn_options INTERFACE XTENSOR_ENABLE_ASSERT _GLIBCXX_ASSERTIONS)
endif()

if(ATTN_SANITIZE)
    # Whether a pointer's sum overflows would be asked at every subscript, for a fifth of the time of
    # compilation; what is read or written through such a pointer is seen by the address sanitizer.
    target_compile_options(attn_options INTERFACE -fsanitize=address,undefined
        -fno-sanitize=pointer-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(attn_options INTERFACE -fsanitize=address,undefined)
    string(APPEND CMAKE_CXX_FLAGS " -O1") # stands before what a target says of its own
endif()

# How long a compilation takes is mostly the optimiser's affair: -O1 needs two thirds of the time
# of -O3, -O0 less than half. Experiments and tests call kernels that are optimised.
add_library(attn_plumbing INTERFACE)
target_link_libraries(attn_plumbing INTERFACE attn_options)
add_library(attn_unoptimised INTERFACE)
target_link_libraries(attn_unoptimised INTERFACE attn_options)
if(CMAKE_BUILD_TYPE STREQUAL "Release" OR ATTN_SANITIZE)
    target_compile_options(attn_plumbing INTERFACE -O1)
    target_compile_options(attn_unoptimised INTERFACE -O0)
endif()
