# attn_rounding_probe(<target> [<set> <option> ...]): one more source file in the library, compiled
# as the library is, or with further options for an instruction set. Its function tells a test
# whether the compiler made one fused operation of a product and a sum that the code rounds one by
# one: then results would depend on compiler and processor.
#
# The global property ATTN_ROUNDING_PROBES lists the functions, each as <set>:<name> with an empty set
# if any processor that the build is for can run it.
function(attn_rounding_probe target)
    set(set "")
    set(name ${target})
    if(ARGN)
        set(options ${ARGN})
        list(POP_FRONT options set)
        string(APPEND name _${set})
    endif()
    set(source ${CMAKE_BINARY_DIR}/generated/rounding/${target}/probe_${set}.cpp)
    configure_file(${CMAKE_SOURCE_DIR}/common/cmake/rounding_probe.cpp.in ${source} @ONLY)
    target_sources(${target} PRIVATE ${source})
    if(options)
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}")
    endif()
    set_property(GLOBAL APPEND PROPERTY ATTN_ROUNDING_PROBES "${set}:${name}")
endfunction()

# attn_rounding_probes(<file>): a header with a line ATTN_ROUNDING_PROBE(set, name) for each probe.
function(attn_rounding_probes file)
    get_property(probes GLOBAL PROPERTY ATTN_ROUNDING_PROBES)
    list(TRANSFORM probes REPLACE "^(.*):(.*)$" "ATTN_ROUNDING_PROBE(\"\\1\", \\2)\n")
    string(JOIN "" probes ${probes})
    file(CONFIGURE OUTPUT ${file} CONTENT "${probes}")
endfunction()
