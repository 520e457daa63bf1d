# Prints, as the last line of the first visit, the page to open.
cmake_minimum_required(VERSION 3.25)
cmake_path(RELATIVE_PATH BINARY_DIR BASE_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE folder)
set(page ${folder}/book/html/index.html)
if(NOT EXISTS ${BINARY_DIR}/book/html/index.html)
    message(FATAL_ERROR "${page} was not made")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo
    "\nEverything is built: the programs are in ${folder}/bin. Open the book in a browser: ${page}")
