# Demands that no two instruction sets define the same function, in the object files that the file
# OBJECTS lists, a name a line.
cmake_minimum_required(VERSION 3.25)
foreach(tool NM AWK)
    if(NOT ${tool})
        message("not read: ${tool} is not installed (Debian and Ubuntu: binutils, mawk)")
        return()
    endif()
endforeach()
execute_process(COMMAND ${NM} -A -P @${OBJECTS} COMMAND ${AWK} -f ${CMAKE_CURRENT_LIST_DIR}/shared_functions.awk
    OUTPUT_VARIABLE shared COMMAND_ERROR_IS_FATAL ANY)
if(shared)
    message("${shared}")
    message(FATAL_ERROR "instruction sets share functions")
endif()
