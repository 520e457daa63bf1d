# Runs chapter 14's program in full, in an empty folder, and keeps what it measured: what it
# printed as ladder.txt, and its numbers, in the folder MEASURED.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
execute_process(COMMAND ${PROGRAM} WORKING_DIRECTORY ${SCRATCH}
    OUTPUT_FILE ${SCRATCH}/ladder.txt RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ended with ${status}")
endif()

# What is counted stands in the chapter's expected/ already, and the list of files names none that
# would be there.
file(READ ${SCRATCH}/ladder.txt text)
string(FIND "${text}" "This machine\n" begin)
string(FIND "${text}" "\nwritten to " end REVERSE)
math(EXPR length "${end} - ${begin}")
string(SUBSTRING "${text}" ${begin} ${length} text)
string(STRIP "${text}" text)
message("${text}")
file(WRITE ${MEASURED}/ladder.txt "${text}\n")
file(GLOB numbers ${SCRATCH}/out/14_simd_transformer/*.csv)
file(COPY ${numbers} DESTINATION ${MEASURED})
