# Most of the time that a file of ours takes to compile goes into reading xtensor and Catch2: their
# headers are read once, and the result is shared by all targets of the same options.
#
# attn_precompile(<target> <options>): the target is compiled with <options>, attn_options or
# attn_tests, and shares what was precompiled with them. With ATTN_PRECOMPILE off every file has
# to include what it needs, which .ci/run checks.

option(ATTN_PRECOMPILE "Read the large headers once, not once a file" ON)

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
