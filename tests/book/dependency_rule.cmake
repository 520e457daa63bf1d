# The dependency rule, read off the #include lines of the tree at ROOT:
#   common/ never includes chapters/ or tests/;
#   a chapter includes common/, itself, and the chapters it BUILDS_ON, directly or through these;
#   nobody but its own program and the tests includes a chapter's experiments/ or exercises/, nor do
#   the files of its top level, which are the idea;
#   nothing includes a main.cpp;
#   xtensor, Catch2, CLI11 and nlohmann/json are each included in one place.
# DEPENDENCIES lists "id:id,id" for each chapter in its order.
cmake_minimum_required(VERSION 3.25)

set(breaches "")
macro(breach file line why)
    list(APPEND breaches "${file}: ${line}: ${why}")
endmacro()

# What a chapter may include: itself, what it builds on, and what those may include.
foreach(entry IN LISTS DEPENDENCIES)
    string(REGEX MATCH "^([^:]+):(.*)$" _ "${entry}")
    set(id ${CMAKE_MATCH_1})
    string(REPLACE "," ";" builds_on "${CMAKE_MATCH_2}")
    set(allowed_${id} ${id})
    foreach(earlier IN LISTS builds_on)
        list(APPEND allowed_${id} ${allowed_${earlier}})
    endforeach()
endforeach()

# A library and the only files that may include it.
set(home_xtensor "common/tensor/xtensor.hpp")
set(home_catch2 "tests/support/catch.hpp")
set(home_CLI "common/program/command_line.cpp")
set(home_nlohmann "common/program/widget_data.cpp" "common/storage/json_object.cpp"
    "common/storage/safetensors_header.cpp" "common/text/byte_pairs.cpp" "common/text/tokens.cpp")

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/common/*.?pp ${ROOT}/chapters/*.?pp ${ROOT}/tests/*.?pp)
if(NOT files)
    message(FATAL_ERROR "no source file found in ${ROOT}")
endif()
foreach(file IN LISTS files)
    file(STRINGS ${ROOT}/${file} includes REGEX "^#include")
    foreach(line IN LISTS includes)
        if(line MATCHES "main\\.cpp")
            breach(${file} "${line}" "a program is not a library")
        endif()
        if(file MATCHES "^common/" AND line MATCHES "\"(chapters|tests)/")
            breach(${file} "${line}" "common is below the chapters")
        endif()
        if(file MATCHES "^chapters/([^/]+)/" AND line MATCHES "\"tests/")
            breach(${file} "${line}" "chapters are below the tests")
        endif()
        if(file MATCHES "^chapters/([^/]+)/")
            set(id ${CMAKE_MATCH_1})
            if(line MATCHES "\"chapters/([^/]+)/" AND NOT CMAKE_MATCH_1 IN_LIST allowed_${id})
                breach(${file} "${line}" "the chapter does not say that it builds on ${CMAKE_MATCH_1}")
            endif()
            if(line MATCHES "\"chapters/([^/]+)/(experiments|exercises)/" AND NOT CMAKE_MATCH_1 STREQUAL id)
                breach(${file} "${line}" "it belongs to chapter ${CMAKE_MATCH_1} alone")
            elseif(line MATCHES "/(experiments|exercises)/" AND NOT file MATCHES "/(experiments|exercises)/|/main.cpp$")
                breach(${file} "${line}" "the idea stands without its evidence")
            endif()
        endif()
        foreach(library xtensor catch2 CLI nlohmann)
            if(line MATCHES "<${library}/" AND NOT file IN_LIST home_${library})
                breach(${file} "${line}" "only ${home_${library}} includes it")
            endif()
        endforeach()
    endforeach()
endforeach()

if(breaches)
    list(JOIN breaches "\n  " breaches)
    message(FATAL_ERROR "The tree breaks the dependency rule:\n  ${breaches}")
endif()
