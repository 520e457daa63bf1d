# Runs one chapter's program in full, in an empty folder, and moves what it printed, its
# numbers and its figures to where they are committed. Nothing is touched unless the
# program and every figure succeeded.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
foreach(run output trace)
    set(arguments "")
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

file(GLOB old ${EXPECTED}/*.csv ${EXPECTED}/*.js ${FIGURES}/${ID}_*.svg)
if(old)
    file(REMOVE ${old})
endif()
file(GLOB numbers ${out}/*.csv ${out}/*.js)
file(GLOB figures ${out}/*.svg)
file(COPY ${SCRATCH}/output.txt ${SCRATCH}/trace.txt ${numbers} DESTINATION ${EXPECTED})
if(figures)
    file(COPY ${figures} DESTINATION ${FIGURES})
endif()
