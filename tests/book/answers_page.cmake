# Runs docs/answers.awk over the chapters below ROOT and compares what it says with the file
# expected.md there, or with expected_complaint.txt where it must refuse.
cmake_minimum_required(VERSION 3.25)

file(GLOB folders RELATIVE ${ROOT} ${ROOT}/chapters/*)
set(files)
foreach(folder IN LISTS folders)
    list(APPEND files ${folder}/chapter.md ${folder}/questions.md)
endforeach()
execute_process(COMMAND ${AWK} -f ${SCRIPT} ${files} WORKING_DIRECTORY ${ROOT}
    OUTPUT_VARIABLE page ERROR_VARIABLE complaint RESULT_VARIABLE status)

if(EXISTS ${ROOT}/expected_complaint.txt)
    file(READ ${ROOT}/expected_complaint.txt expected)
    if(NOT status EQUAL 1)
        message(FATAL_ERROR "it ended with status ${status} instead of 1")
    endif()
    set(said "${complaint}")
else()
    file(READ ${ROOT}/expected.md expected)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "it ended with status ${status}: ${complaint}")
    endif()
    set(said "${page}")
endif()
if(NOT said STREQUAL expected)
    message(FATAL_ERROR "it said\n${said}\ninstead of\n${expected}")
endif()
