# Every package the book stands on: the system's if it has one, else a pinned version from
# the package's own repository. All of them enter as system headers, so that a warning
# inside them is not ours.

include(FetchContent)

# attn_package(<name> REPOSITORY owner/name TAG tag TARGET target) makes TARGET exist and
# sets <name>_VERSION.
function(attn_package name)
    cmake_parse_arguments(arg "" "REPOSITORY;TAG;TARGET" "" ${ARGN})
    find_package(${name} QUIET GLOBAL)
    if(TARGET ${arg_TARGET})
        message(STATUS "${name}: the system's, ${${name}_VERSION}")
        set(${name}_VERSION ${${name}_VERSION} PARENT_SCOPE)
        return()
    endif()
    message(STATUS "${name}: not installed, fetching ${arg_REPOSITORY} at ${arg_TAG}")
    FetchContent_Declare(${name}
        GIT_REPOSITORY https://github.com/${arg_REPOSITORY}.git
        GIT_TAG ${arg_TAG}
        GIT_SHALLOW TRUE
        SYSTEM
        OVERRIDE_FIND_PACKAGE)
    FetchContent_MakeAvailable(${name})
    set(${name}_VERSION ${arg_TAG} PARENT_SCOPE)
    string(TOLOWER ${name} lower)
    set(${lower}_SOURCE_DIR ${${lower}_SOURCE_DIR} PARENT_SCOPE)
    if(NOT TARGET ${arg_TARGET})
        message(FATAL_ERROR
            "${name} is neither installed nor could it be fetched from ${arg_REPOSITORY} "
            "at ${arg_TAG}. On Debian and Ubuntu the README's first command installs it.")
    endif()
endfunction()

# attn_c_package(<name> HEADER header REPOSITORY owner/name TAG tag FOLDER folder SOURCES pattern)
# makes the target attn_<name> of a package in C, of which we need the library of its own name and no
# CMake file. Where it must be fetched, the sources in that folder are compiled, with the header beside
# them. A macro, since a language can be enabled at file scope only.
macro(attn_c_package name)
    cmake_parse_arguments(arg "" "HEADER;REPOSITORY;TAG;FOLDER;SOURCES" "" ${ARGN})
    string(TOUPPER ${name} upper)
    find_path(${upper}_INCLUDE_DIR ${arg_HEADER})
    find_library(${upper}_LIBRARY ${name})
    mark_as_advanced(${upper}_INCLUDE_DIR ${upper}_LIBRARY)
    if(${upper}_INCLUDE_DIR AND ${upper}_LIBRARY)
        message(STATUS "${name}: the system's")
        add_library(attn_${name} INTERFACE)
        target_include_directories(attn_${name} SYSTEM INTERFACE ${${upper}_INCLUDE_DIR})
        target_link_libraries(attn_${name} INTERFACE ${${upper}_LIBRARY})
    else()
        message(STATUS "${name}: not installed, fetching ${arg_REPOSITORY} at ${arg_TAG}")
        FetchContent_Declare(${name}
            GIT_REPOSITORY https://github.com/${arg_REPOSITORY}.git
            GIT_TAG ${arg_TAG}
            GIT_SHALLOW TRUE
            SOURCE_SUBDIR no_cmake_file_of_its_own)
        FetchContent_MakeAvailable(${name})
        enable_language(C)
        file(GLOB sources ${${name}_SOURCE_DIR}/${arg_FOLDER}/${arg_SOURCES})
        add_library(attn_${name} STATIC EXCLUDE_FROM_ALL ${sources})
        target_include_directories(attn_${name}
            SYSTEM PUBLIC ${${name}_SOURCE_DIR}/${arg_FOLDER})
    endif()
endmacro()

set(JSON_BuildTests OFF CACHE INTERNAL "")
set(CLI11_BUILD_TESTS OFF CACHE INTERNAL "")
set(CLI11_BUILD_EXAMPLES OFF CACHE INTERNAL "")
set(CLI11_BUILD_DOCS OFF CACHE INTERNAL "")

attn_package(xtl REPOSITORY xtensor-stack/xtl TAG 0.7.5 TARGET xtl)
attn_package(xsimd REPOSITORY xtensor-stack/xsimd TAG 11.1.0 TARGET xsimd)
attn_package(xtensor REPOSITORY xtensor-stack/xtensor TAG 0.25.0 TARGET xtensor)
attn_package(fmt REPOSITORY fmtlib/fmt TAG 10.2.1 TARGET fmt::fmt)
attn_package(CLI11 REPOSITORY CLIUtils/CLI11 TAG v2.4.2 TARGET CLI11::CLI11)
attn_package(nlohmann_json REPOSITORY nlohmann/json TAG v3.11.3 TARGET nlohmann_json::nlohmann_json)
if(BUILD_TESTING)
    set(ENABLE_SAMPLES OFF CACHE INTERNAL "") # muParser's, as its OpenMP
    set(ENABLE_OPENMP OFF CACHE INTERNAL "")
    attn_package(muparser REPOSITORY beltoforion/muparser TAG v2.3.4 TARGET muparser::muparser)
    attn_package(Catch2 REPOSITORY catchorg/Catch2 TAG v3.7.1 TARGET Catch2::Catch2WithMain)
    list(APPEND CMAKE_MODULE_PATH ${Catch2_DIR}) # holds Catch.cmake, in 2.13 and in 3
    if(DEFINED catch2_SOURCE_DIR)
        list(APPEND CMAKE_MODULE_PATH ${catch2_SOURCE_DIR}/extras)
    endif()
    include(Catch)
endif()

# Reads HTML: notes of Anki, and the book's pages for their checks.
attn_c_package(gumbo HEADER gumbo.h
    REPOSITORY google/gumbo-parser TAG v0.10.1 FOLDER src SOURCES *.c)

# What a character of Unicode is: its class, its small form, its parts.
attn_c_package(utf8proc HEADER utf8proc.h
    REPOSITORY JuliaStrings/utf8proc TAG v2.9.0 FOLDER . SOURCES utf8proc.c)

# Without its vectors (XTENSOR_USE_XSIMD), whose elementary functions have other bits from one
# instruction set to the next, and in a list's last numbers: what is hot runs on our own kernels.
# Never xtensor::optimize: it adds -march=native to whoever links it.
add_library(attn_xtensor INTERFACE)
target_link_libraries(attn_xtensor INTERFACE xtensor)

find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
    message(STATUS "OpenMP: not found, programs run on one thread "
        "(g++ has it built in; for clang on Debian and Ubuntu: libomp-dev)")
endif()

# Processes that share a training. Its bindings for C++, which were given up, are left out.
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
    message(STATUS "MPI: not found, no training is shared by processes "
        "(Debian and Ubuntu: libopenmpi-dev and openmpi-bin)")
endif()

# Drawn with, not linked with.
find_program(GNUPLOT gnuplot)
if(NOT GNUPLOT)
    message(STATUS "gnuplot: not found, figures are not drawn (Debian and Ubuntu: gnuplot-nox)")
endif()
