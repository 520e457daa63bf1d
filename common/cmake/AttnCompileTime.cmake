# Most of the time that a file of ours takes to compile goes into xtensor and Catch2: into reading
# their headers, and into the same templates made anew in every file. So the headers are read
# once, and the files of a target are compiled as one.
#
# With both switches off every file is compiled by itself and has to include what it needs: so
# does .ci/run with clang.

option(ATTN_PRECOMPILE "Read the large headers once, not once a file" ON)
option(ATTN_JOIN_FILES "Compile the files of a target together" ON)

set(CMAKE_UNITY_BUILD ${ATTN_JOIN_FILES}) # only of what is added from here on: not of packages
set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)       # all of them
if(ATTN_JOIN_FILES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A type of an unnamed namespace is one file's own, however the file is compiled.
    target_compile_options(attn_options INTERFACE -Wno-subobject-linkage)
endif()

# attn_join_few(<target>): not all files at once, but three at a time, so that an edit of one is seen
# within seconds: for what readers edit.
function(attn_join_few target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 3)
endfunction()

# attn_precompile(<target> <options>): the target is compiled with <options>, attn_options,
# attn_plumbing or attn_tests, and shares what was precompiled with them.

# What is shared by the targets of one set of options.
function(attn_precompiled options)
    cmake_parse_arguments(arg "" "" "HEADERS;LINKS" ${ARGN})
    if(ATTN_PRECOMPILE)
        set(source ${CMAKE_BINARY_DIR}/generated/precompiled_${options}.cpp)
        file(CONFIGURE OUTPUT ${source} CONTENT "// Carries the precompiled headers.\n")
        add_library(precompiled_${options} OBJECT ${source})
        target_link_libraries(precompiled_${options} PRIVATE ${arg_LINKS} ${options})
        list(TRANSFORM arg_HEADERS PREPEND ${CMAKE_SOURCE_DIR}/)
        target_precompile_headers(precompiled_${options} PRIVATE ${arg_HEADERS} <fmt/format.h>)
    endif()
endfunction()

function(attn_precompile target options)
    if(ATTN_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM precompiled_${options})
    endif()
endfunction()
