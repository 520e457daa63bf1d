# Runs chapter 14's program with --decoding on one thread, and keeps what it measured as
# decoding.txt in the folder MEASURED.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${PROGRAM} --decoding --threads 1
    OUTPUT_VARIABLE text RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} --decoding ended with ${status}")
endif()
message("${text}")
file(WRITE ${MEASURED}/decoding.txt "${text}")
