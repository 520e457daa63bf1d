# Most of the time that a file of ours takes to compile goes into xtensor and Catch2: into reading
# their headers, and into the same templates made anew in every file. So the headers are read
# once, and the files of a target are compiled as one.
#
# A file has to include what it needs all the same: .ci/run compiles every file by itself with clang,
# and tests/book asks whether each includes what it names of what is read once.

option(ATTN_PRECOMPILE "Read the large headers once, not once a file" ON)
option(ATTN_JOIN_FILES "Compile the files of a target together" ON)

set(CMAKE_UNITY_BUILD ${ATTN_JOIN_FILES}) # only of what is added from here on: not of packages
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)       # all of them
if(ATTN_JOIN_FILES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A type of an unnamed namespace is one file's own, however the file is compiled.
    target_compile_options(attn_options INTERFACE -Wno-subobject-linkage)
endif()

# attn_precompiled(<set> OPTIONS o HEADERS ... LINKS ...): headers that are read once for all
# targets compiled with these options.
function(attn_precompiled set)
    cmake_parse_arguments(arg "" "OPTIONS" "HEADERS;LINKS" ${ARGN})
    if(ATTN_PRECOMPILE)
        set(source ${CMAKE_BINARY_DIR}/generated/precompiled_${set}.cpp)
        file(CONFIGURE OUTPUT ${source} CONTENT "// Carries the precompiled headers.\n")
        add_library(precompiled_${set} OBJECT ${source})
        target_link_libraries(precompiled_${set} PRIVATE ${arg_LINKS} ${arg_OPTIONS})
        list(TRANSFORM arg_HEADERS PREPEND ${CMAKE_SOURCE_DIR}/)
        target_precompile_headers(precompiled_${set} PRIVATE ${arg_HEADERS} <fmt/format.h>)
    endif()
endfunction()

# attn_precompile(<target> <set>): the target, compiled with the set's options, uses its headers.
function(attn_precompile target set)
    if(ATTN_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM precompiled_${set})
    endif()
endfunction()
