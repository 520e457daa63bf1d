# attn_kernel_objects(<target> <folder>): an object library of what the folder holds for each
# instruction set of this kind of processor, one file a set, compiled for that set and fully
# optimised in every preset. Each file by itself: what two of them shared could be code that one
# of the processors cannot run. Of the files below only those that exist are compiled:
#
#   scalar.cpp      one lane, any processor of the kind
#   scalar_fma.cpp  one lane, with the hardware's fused instruction (x86-64)
#   sse4_2.cpp, avx2.cpp, avx512.cpp   (x86-64)
#   neon.cpp        (aarch64)
#
# The library that the kernels belong to takes the objects in by
#
#   target_sources(<library> PRIVATE $<TARGET_OBJECTS:<target>>)
#
# The global property ATTN_KERNEL_OBJECTS names all such targets, for the test that reads their
# objects.

# The sets of this kind of processor, each followed by the processor that it is compiled for.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(ATTN_INSTRUCTION_SETS scalar x86-64 scalar_fma x86-64-v3 sse4_2 x86-64-v2
        avx2 x86-64-v3 avx512 x86-64-v4)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(ATTN_INSTRUCTION_SETS scalar armv8-a neon armv8-a)
else()
    set(ATTN_INSTRUCTION_SETS scalar "")
endif()

function(attn_kernel_objects target folder)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    add_library(${target} OBJECT)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE attn_options xsimd)
    target_compile_options(${target} PRIVATE -O3 -fno-exceptions)
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
    set_property(GLOBAL APPEND PROPERTY ATTN_KERNEL_OBJECTS ${target})

    set(sets ${ATTN_INSTRUCTION_SETS})
    while(sets)
        list(POP_FRONT sets set processor)
        set(file ${folder}/${set}.cpp)
        if(NOT EXISTS ${file})
            continue()
        endif()
        # A file's own options stand last, and the last -march wins.
        set(flags)
        if(processor)
            list(APPEND flags -march=${processor})
        endif()
        if(set MATCHES "^scalar")
            list(APPEND flags -fno-tree-vectorize) # one lane is one lane
        endif()
        if(set STREQUAL "neon" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            # Else g++ loads all factors of a tile's step before it uses the first, and sums have
            # to leave their registers for them. For other processors it does not do so.
            list(APPEND flags -fno-schedule-insns)
        endif()
        target_sources(${target} PRIVATE ${file})
        set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${flags}")
        attn_rounding_probe(${target} ${set} ${flags})
    endwhile()
endfunction()
