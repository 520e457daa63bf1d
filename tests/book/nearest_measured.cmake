# The reader's processor is shown the tables of the one nearest to it.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../common/cmake/AttnMeasured.cmake)
set(ATTN_MEASURED ${SCRATCH})
set(ATTN_MEASURED_REFERENCE amd_25_17)
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH}/amd_25_17 ${SCRATCH}/amd_26_68 ${SCRATCH}/intel_6_85 ${SCRATCH}/intel_6_143)

function(expect own nearest)
    attn_nearest_measured("${own}" found)
    if(NOT found STREQUAL nearest)
        message(SEND_ERROR "the nearest to '${own}' is ${nearest}, not ${found}")
    endif()
endfunction()

expect(amd_25_17 amd_25_17)
expect(amd_25_80 amd_25_17)   # of its family, whatever the model
expect(amd_26_2 amd_26_68)
expect(amd_23_49 amd_25_17)   # an older family: the nearest one
expect(intel_6_79 intel_6_85)
expect(intel_6_173 intel_6_143)
expect(arm_0x41_0xd0c amd_25_17) # none of its vendor
expect(unknown amd_25_17)
expect("" amd_25_17)

attn_processor_folder(here)
if(NOT here MATCHES "^[a-z0-9_]+$")
    message(SEND_ERROR "this machine's folder cannot be called '${here}'")
endif()
