# attn_kernel_objects(<library> <source>): the library's kernels, of which the source holds one body
# for all instruction sets. It is compiled once for each set of this kind of processor, with the set's
# flags, fully optimised in every preset, and each time by itself: what two sets shared could be code
# that one of the processors cannot run. The source finds its set's name in the macro
# ATTN_INSTRUCTION_SET: one of attn::kernels::InstructionSet.
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

function(attn_kernel_objects library source)
    set(target ${library}_sets)
    add_library(${target} OBJECT)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE attn_options xsimd)
    target_compile_options(${target} PRIVATE -O3 -fno-exceptions)
    if(ATTN_SANITIZE)
        # Every load of every set would be asked two things more, for a multiple of the time of
        # compilation. A null or an object left behind is seen by the address sanitizer.
        target_compile_options(${target} PRIVATE -fno-sanitize=null,object-size)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
    set_property(GLOBAL APPEND PROPERTY ATTN_KERNEL_OBJECTS ${target})
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}>)

    set(sets ${ATTN_INSTRUCTION_SETS})
    while(sets)
        list(POP_FRONT sets set processor)
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
        # By its file's name the test of the objects knows the set.
        set(file ${CMAKE_BINARY_DIR}/generated/kernels/${library}/${set}.cpp)
        configure_file(${CMAKE_SOURCE_DIR}/common/cmake/instruction_set.cpp.in ${file} @ONLY)
        target_sources(${target} PRIVATE ${file})
        set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${flags}")
        attn_rounding_probe(${target} ${set} ${flags})
    endwhile()
endfunction()
