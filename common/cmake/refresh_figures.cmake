# Runs one chapter's program in full, in an empty folder, and moves what it printed, its
# numbers and its figures to where they are committed. Nothing is touched unless the
# program and every figure succeeded.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
foreach(run output trace)
    set(arguments ${ARGUMENTS})
    if(run STREQUAL "trace")
        set(arguments --trace)
    endif()
    execute_process(COMMAND ${PROGRAM} ${arguments} WORKING_DIRECTORY ${SCRATCH}
        OUTPUT_FILE ${SCRATCH}/${run}.txt RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ID} ${arguments} ended with ${status}")
    endif()
endforeach()

set(out ${SCRATCH}/out/${ID})
foreach(script IN LISTS SCRIPTS)
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
file(COPY ${SCRATCH}/output.txt ${SCRATCH}/trace.txt ${numbers} DESTINATION ${EXPECTED})

file(GLOB committed RELATIVE ${FIGURES} ${FIGURES}/${ID}_*.svg)
foreach(figure IN LISTS committed)
    if(NOT EXISTS ${out}/${figure})
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
