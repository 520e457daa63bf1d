# The switches of the presets, as compile options of three interface libraries:
#   attn_options   what our own code is compiled with (private: readers' flags stay theirs)
#   attn_plumbing  the same with less optimisation: for what reads, writes and prints
#   attn_tests     the same with less optimisation: for tests

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

# Fixed by the language of the book: warnings on, and no -ffast-math anywhere.
target_compile_options(attn_options INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(ATTN_WARNINGS_AS_ERRORS)
    target_compile_options(attn_options INTERFACE -Werror)
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
    target_compile_options(attn_options INTERFACE -fsanitize=address,undefined
        -fno-sanitize-recover=all -fno-omit-frame-pointer -O1)
    target_link_options(attn_options INTERFACE -fsanitize=address,undefined)
endif()

# What computes nothing to speak of is compiled in two thirds of the time at -O1.
add_library(attn_plumbing INTERFACE)
target_link_libraries(attn_plumbing INTERFACE attn_options)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(attn_plumbing INTERFACE -O1)
endif()

# Tests are many and short-lived: -O1 compiles them in three quarters of the time. The code
# under test is header-only in places, so its tests at -O1 also differ in their rounding
# from the programs at -O3: a welcome second opinion.
add_library(attn_tests INTERFACE)
target_link_libraries(attn_tests INTERFACE attn_options)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(attn_tests INTERFACE -O1)
endif()
