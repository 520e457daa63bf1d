# Runs one chapter's program in full, in an empty folder, and moves what it printed, its
# numbers and its figures to where they are committed, and what it prints with --trace and with
# QUICK_ARGUMENTS beside them, and what EXAMPLE prints; these three alone if REFRESH is quick_expected. Nothing is touched
# unless the program and every figure succeeded. Figures of what was measured are the target
# bench's: those whose numbers lie in the folder MEASURED.
cmake_minimum_required(VERSION 3.25)

set(drawn_here)
set(drawn_by_bench)
foreach(script IN LISTS SCRIPTS)
    file(STRINGS ${script} numbers REGEX "DATA\\.'/[^']+'")
    list(POP_FRONT numbers first)
    string(REGEX REPLACE ".*DATA\\.'/([^']+)'.*" "\\1" first "${first}")
    if(first AND EXISTS ${MEASURED}/${first})
        get_filename_component(figure ${script} NAME_WE)
        list(APPEND drawn_by_bench ${figure}.svg)
    else()
        list(APPEND drawn_here ${script})
    endif()
endforeach()

file(REMOVE_RECURSE ${SCRATCH})
function(run name)
    file(REMOVE_RECURSE ${SCRATCH}/out)
    file(MAKE_DIRECTORY ${SCRATCH})
    execute_process(COMMAND ${PROGRAM} ${ARGN} WORKING_DIRECTORY ${SCRATCH}
        OUTPUT_FILE ${SCRATCH}/${name}.txt RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ID} ${ARGN} ended with ${status}")
    endif()
endfunction()

run(trace --trace)
run(quick ${QUICK_ARGUMENTS})
execute_process(COMMAND ${EXAMPLE} OUTPUT_FILE ${SCRATCH}/example.txt COMMAND_ERROR_IS_FATAL ANY)
set(texts ${SCRATCH}/trace.txt ${SCRATCH}/quick.txt ${SCRATCH}/example.txt)
if(REFRESH STREQUAL "quick_expected")
    file(COPY ${texts} DESTINATION ${EXPECTED})
    return()
endif()
run(output ${ARGUMENTS})

set(out ${SCRATCH}/out/${ID})
foreach(script IN LISTS drawn_here)
    get_filename_component(figure ${script} NAME_WE)
    if(NOT EXISTS ${out}/${figure}.svg)
        message(FATAL_ERROR "${ID} did not draw ${figure}.svg: is gnuplot installed (Debian and "
            "Ubuntu: gnuplot-nox), and does the program draw every plots/${ID}_*.gp?")
    endif()
endforeach()

# A figure of the same script, style and numbers shows the same, whichever gnuplot drew it:
# such a figure is left as it is committed, so that another version changes nothing.
function(checksum_of svg variable)
    set(${variable} "none" PARENT_SCOPE)
    if(EXISTS ${svg})
        file(STRINGS ${svg} last REGEX "^<!-- drawn by .*; checksum [0-9a-f]+ -->$")
        string(REGEX REPLACE "^.*checksum ([0-9a-f]+) -->$" "\\1" sum "${last}")
        set(${variable} "${sum}" PARENT_SCOPE)
    endif()
endfunction()

file(GLOB old ${EXPECTED}/*.csv ${EXPECTED}/*.js)
if(old)
    file(REMOVE ${old})
endif()
file(GLOB numbers ${out}/*.csv ${out}/*.js)
file(COPY ${SCRATCH}/output.txt ${texts} ${numbers} DESTINATION ${EXPECTED})

file(GLOB committed RELATIVE ${FIGURES} ${FIGURES}/${ID}_*.svg)
foreach(figure IN LISTS committed)
    if(NOT EXISTS ${out}/${figure} AND NOT figure IN_LIST drawn_by_bench)
        file(REMOVE ${FIGURES}/${figure})
    endif()
endforeach()
file(GLOB drawn RELATIVE ${out} ${out}/*.svg)
foreach(figure IN LISTS drawn)
    checksum_of(${FIGURES}/${figure} committed_sum)
    checksum_of(${out}/${figure} drawn_sum)
    if(NOT committed_sum STREQUAL drawn_sum)
        file(COPY ${out}/${figure} DESTINATION ${FIGURES})
    endif()
endforeach()
